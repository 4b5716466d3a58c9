package cli_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/mapatools/mapa/internal/cli"
)

// A leakySite names a password in every URL that a site can name.
type leakySite struct {
	address string // with user information

	mutex sync.Mutex
	sent  []string // paths for which credentials were sent
}

const leakyHome = `<!doctype html><html lang="en"><title>Home</title><base href="USER/">
<link rel="canonical" href="USER/"><link rel="next" href="USER/next"><meta property="og:url" content="USER/og">
<link rel="alternate" hreflang="de" href="USER/de"><link rel="alternate" type="application/rss+xml" href="USER/feed.xml">
<script type="application/ld+json">{"@type":"WebPage","url":"USER/ld"}</script>
<a href="USER/page">a</a><a href="http://ann:hunter2@127.0.0.1:9/closed">b</a><a href="/redirect/page">c</a>
<a href="/redirect/gone">d</a><a href="/redirect/self">e</a><a href="/ftp">f</a><a href="USER/gone">g</a>
<a href="USER/private">h</a><a href="/header">i</a><a href="/refresh">j</a><a href="USER/page#none">k</a><a href="/same">l</a>
<a href="//ann:hunter2@bad host/">m</a><a href="http:\\ann:hunter2@127.0.0.1:9/closed">n</a><a href="relative">o</a>
<a href="ftp://ann:hunter2@127.0.0.1/">p</a><a href="USER/same">q</a><a href="/other">r</a><img src="USER/image.png">`

const leakySitemap = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
xmlns:image="http://www.google.com/schemas/sitemap-image/1.1" xmlns:xhtml="http://www.w3.org/1999/xhtml">
<url><loc>USER/page</loc><lastmod>2026-01-01</lastmod><xhtml:link rel="alternate" hreflang="de" href="USER/de"/>
<image:image><image:loc>USER/image.png</image:loc></image:image></url>
<url><loc>http://ann:hunter2@other.example/</loc></url><url><loc>http://ann:hunter2@bad host/</loc></url></urlset>`

const leakyIndex = `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<sitemap><loc>USER/sitemap.xml</loc></sitemap><sitemap><loc>USER/gone</loc></sitemap>
<sitemap><loc>USER/redirect/sitemap.xml</loc></sitemap>
<sitemap><loc>http://ann:hunter2@127.0.0.1:9/sitemap.xml</loc></sitemap></sitemapindex>`

func (s *leakySite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if strings.Contains(fmt.Sprint(r.Header), "Basic ") {
		s.mutex.Lock()
		s.sent = append(s.sent, r.URL.Path)
		s.mutex.Unlock()
	}
	header, body := w.Header(), "<!doctype html><title>Page "+r.URL.Path+"</title><p>page "+r.URL.Path
	header.Set("Content-Type", "text/html")
	switch path := r.URL.Path; {
	case path == "/":
		body = leakyHome
	case path == "/robots.txt":
		header.Set("Content-Type", "text/plain")
		body = "User-agent: *\nDisallow: /private\nSitemap: USER/index.xml\nSitemap: http://ann:hunter2@bad host/\n"
	case strings.HasSuffix(path, ".xml"):
		header.Set("Content-Type", "application/xml")
		body = map[string]string{
			"/index.xml": leakyIndex, "/sitemap.xml": leakySitemap, "/feed.xml": `<rss version="2.0"><channel>
<title>Feed</title><link>USER/</link><item><link>USER/fed</link></item></channel></rss>`,
		}[path]
		if to, ok := strings.CutPrefix(path, "/redirect"); ok {
			http.Redirect(w, r, s.address+to, http.StatusFound)
			return
		}
	case strings.HasPrefix(path, "/redirect/"):
		to := strings.TrimPrefix(path, "/redirect")
		if to == "/self" {
			to = path
		}
		header.Set("Location", s.address+to)
		w.WriteHeader(http.StatusMovedPermanently)
		return
	case path == "/ftp":
		header.Set("Location", "ftp://ann:hunter2@127.0.0.1/")
		w.WriteHeader(http.StatusFound)
	case path == "/other":
		body = `<title>Other</title><link rel="canonical" href="http://ann:hunter2@127.0.0.1:9/closed"><p>other`
	case path == "/header":
		header.Add("Link", "<"+s.address+`/canonical>; rel="canonical"`)
		header.Add("Link", "<"+s.address+`/fr>; rel="alternate"; hreflang="fr"`)
	case path == "/refresh":
		body = `<title>Refresh</title><meta http-equiv="refresh" content="0; url=USER/refreshed"><p>refresh`
	case path == "/gone", path == "/image.png":
		w.WriteHeader(http.StatusNotFound)
	}
	_, _ = fmt.Fprint(w, strings.ReplaceAll(body, "USER", s.address))
}

// TestUsersOfSite runs the commands against a site that names a password in its URLs. No
// output and no file repeats it, and it is sent nowhere.
func TestUsersOfSite(t *testing.T) {
	site := &leakySite{}
	server := httptest.NewServer(site)
	defer server.Close()
	t.Setenv("MAPA_IMAGES", "true")
	t.Setenv("MAPA_FEEDS", "true")
	site.address = strings.Replace(server.URL, "http://", "http://ann:hunter2@", 1)
	folder := t.TempDir()
	sitemap := filepath.Join(t.TempDir(), "sitemap.xml")
	text := strings.ReplaceAll(leakySitemap, "USER", site.address)
	if err := os.WriteFile(sitemap, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	commands := []string{
		"crawl SITE/ -o CRAWL --external --assets --outputs xml,txt,html,rss,atom --rate 0 -v",
		"crawl SITE/ -o CRAWL --external --assets --rate 0 --fail-on broken,anchors,redirects,chains",
		"crawl SITE/ -o FOLDER/public --base-url https://example.com/ --rate 0 --format json",
		"crawl SITE/redirect/page -o FOLDER/page --rate 0", "crawl SITE/redirect/gone -o FOLDER/gone --rate 0",
		"crawl SITE/redirect/self -o FOLDER/self --rate 0", "crawl SITE/ftp -o FOLDER/ftp --rate 0",
		"crawl SITE/other -o FOLDER/other --rate 0 --sitemap SITE/index.xml",
		"diff FOLDER/page CRAWL", "diff SITE/sitemap.xml CRAWL --format json",
		"diff CRAWL SITE/index.xml --format html",
		"list SITE", "list SITE/index.xml --format jsonl --cross-host", "list SITE/redirect/sitemap.xml --format csv",
		"list SITEMAP", "list SITE/robots.txt",
		"build SITEMAP --base-url SITE/ -o FOLDER/built", "build SITE/index.xml --base-url SITE/ -o FOLDER/built-index",
		"build CRAWL/crawl.sqlite --base-url SITE/ -o FOLDER/built-crawl",
		"announce CRAWL --to websub --dry-run", "announce SITE/sitemap.xml --to robots",
		"watch SITE/index.xml --state FOLDER/watch.sqlite", "watch status --state FOLDER/watch.sqlite --format json",
		"watch SITE/feed.xml --state FOLDER/feed.sqlite", "watch SITE/redirect/gone --state FOLDER/gone.sqlite",
		"lint SITEMAP --crawl CRAWL",
	}
	for format := range strings.FieldsSeq("text json jsonl csv html sarif junit github") {
		commands = append(commands, "report CRAWL --format "+format)
	}
	for format := range strings.FieldsSeq("text json jsonl sarif junit github html") {
		commands = append(commands, "lint SITE --engine all --live --rate 0 --format "+format,
			"lint SITEMAP --engine all --format "+format)
	}
	const paths = "/ /page /redirect/page /redirect/gone /redirect/self /ftp /gone /other /header /refresh /private"
	for path := range strings.FieldsSeq(paths) {
		commands = append(commands, "why SITE"+path+" CRAWL")
	}
	for _, command := range commands {
		line := strings.NewReplacer("SITEMAP", sitemap, "SITE", server.URL, "FOLDER", folder,
			"CRAWL", filepath.Join(folder, "crawled")).Replace(command)
		var stdout, stderr bytes.Buffer
		code := cli.Run(t.Context(), strings.Fields(line), strings.NewReader(""), &stdout, &stderr)
		for name, output := range map[string]string{"stdout": stdout.String(), "stderr": stderr.String()} {
			if at := strings.Index(output, "hunter2"); at >= 0 {
				t.Errorf("%s: %s: %q", command, name, output[max(at-80, 0):min(at+80, len(output))])
			}
		}
		if code == 2 || stdout.Len()+stderr.Len() == 0 {
			t.Errorf("%s: exit code %d: %s", command, code, stderr.String())
		}
	}
	err := filepath.WalkDir(folder, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(name)
		if bytes.Contains(content, []byte("hunter2")) {
			t.Errorf("%s has the password", name)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	if len(site.sent) > 0 {
		t.Errorf("credentials were sent for %q", site.sent)
	}
}
