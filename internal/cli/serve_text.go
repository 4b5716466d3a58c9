package cli

const serveText = `Serve runs the web application: type the URL of a site, watch the crawl, and download
its sitemap and reports. Sites can be crawled on a schedule. The same is offered to
programs as a JSON API below /api/v1.

The server answers this machine only, without asking who it is. To let others reach it,
say who may use it, and give its URL with --origin:
  --password-file       a person logs in with the password
  --read-password-file  a person logs in to look, and changes nothing
  --token-file          a program sends a token
  --public              everybody may crawl public sites, within limits; robots.txt
                        is always obeyed, and private addresses are refused
TLS comes from a proxy in front of it, which --trusted-proxy names.

Everything is in one folder. After a restart, crawls go on where they were. With --nats,
the workers of these NATS servers crawl (mapa worker), also while the server is stopped.`

const serveExamples = `  mapa serve
  mapa serve --data /srv/mapa --listen 127.0.0.1:9000
  mapa serve --origin https://maps.example.com --password-file /etc/mapa/password \
    --trusted-proxy 127.0.0.1
  mapa serve --nats nats://10.0.0.1:4222
  mapa serve --public --contact abuse@example.com --origin https://maps.example.com \
    --trusted-proxy 127.0.0.1`

const serveStatusText = `Status asks the server on this machine whether it can do its work: it answers, reads its
folder, and is not stopping. Containers ask this from time to time.`

const serveBackupText = `Backup writes the list of crawls, the schedules and the results of all crawls that have
ended to a new tar file. The server may run meanwhile. A crawl that has not ended begins
again after the file is restored, or goes on on its workers.

To restore, unpack the file into an empty folder and start a server on it. The file holds
the passwords, cookies and webhooks of crawls and schedules; only its owner may read it.`

const serveBackupExamples = `  mapa serve backup --data /srv/mapa mapa.tar
  mkdir restored && tar xf mapa.tar -C restored && mapa serve --data restored`

const unendedText = "; without the results of %s not yet ended"

const stoppedText = `mapa: stopped; crawls that were running will go on when the server starts again`

const mcpText = `Mcp lets a language model use Mapa, by the Model Context Protocol over standard input
and output: list crawls, find broken links, explain a page, compare two crawls, and check
a sitemap. A program such as an editor starts it.

It reads the folder of mapa serve, whose server must not run at the same time. A server that
runs answers models itself, at /mcp with a token of its --token-file. Without --allow-crawl
a model writes nothing, and requests only sitemaps on the public internet. With it, a model
may start and stop crawls, also on private networks.`

const mcpExamples = `  mapa mcp --data /srv/mapa
  mapa mcp --data /srv/mapa --allow-crawl`
