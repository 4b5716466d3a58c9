package cli_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/mapatools/mapa/internal/cli"
)

// secret is what strangers must not get.
const secret = "sesame"

// A stranger is a site, a proxy and a webhook of strangers.
type stranger struct {
	*httptest.Server
	mutex    sync.Mutex
	requests int
	gotIt    bool // the secret arrived
}

func newStranger(t *testing.T) *stranger {
	s := &stranger{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		_, password, _ := r.BasicAuth()
		s.mutex.Lock()
		s.requests++
		s.gotIt = s.gotIt || strings.Contains(fmt.Sprint(r.Header, password, string(body)), secret)
		s.mutex.Unlock()
		switch {
		case strings.HasSuffix(r.URL.Path, "sitemap.xml"):
			fmt.Fprintf(w, "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>"+
				"<url><loc>http://%s/%s</loc></url></urlset>", r.Host, secret)
		case r.URL.Path != "/":
			http.NotFound(w, r)
		default:
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, "<title>Home</title><p>home</p>")
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// seen returns the number of requests, and whether the secret arrived.
func (s *stranger) seen() (requests int, gotIt bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.requests, s.gotIt
}

// writeCheckout writes the files of strangers to the current folder. STRANGER in the
// mapa.yaml is their address.
func (s *stranger) writeCheckout(t *testing.T, config string) {
	if err := os.Mkdir("public", 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"mapa.yaml": config, "list.txt": "http://site.example/", "sites.txt": "STRANGER",
		"cookies.txt":       "127.0.0.1\tFALSE\t/\tFALSE\t0\tsession\t" + secret + "\n",
		"public/index.html": "<title>Home</title><p>home</p>",
		"public/sitemap.xml": "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>" +
			"<url><loc>STRANGER/</loc></url></urlset>",
	} {
		if err := os.WriteFile(name, []byte(strings.ReplaceAll(text, "STRANGER", s.URL)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// run runs mapa in the current folder.
func run(t *testing.T, args ...string) (code int, stderr string) {
	t.Helper()
	var errs bytes.Buffer
	code = cli.Run(t.Context(), args, strings.NewReader(""), io.Discard, &errs)
	return code, errs.String()
}

// TestFoundCredentials keeps what the user gives for a site from strangers, who have written
// the mapa.yaml of the current folder. With --config they get it.
func TestFoundCredentials(t *testing.T) {
	const build, announce = "build:\n  base-url: http://site.example/\n", "announce:\n  to: robots\n"
	for name, test := range map[string]struct {
		config   string // STRANGER is the address
		args     string // USER and HEADER are flags with the secret
		variable string
		line     int // that is refused
	}{
		"proxy of crawl":    {"rate: 0\nproxy: STRANGER", "crawl http://site.example/ USER", "", 2},
		"proxy of a site":   {"sites:\n- url: http://a.example/\n  proxy: STRANGER", "crawl http://a.example/ HEADER", "", 3},
		"proxy of watch":    {"watch:\n  proxy: STRANGER", "watch http://site.example/ USER", "", 2},
		"proxy of lint":     {"lint:\n  proxy: STRANGER", "lint http://site.example/sitemap.xml HEADER", "", 2},
		"proxy of build":    {build + "  proxy: STRANGER", "build http://site.example/sitemap.xml USER", "", 3},
		"proxy of announce": {announce + "  proxy: STRANGER", "announce http://site.example/sitemap.xml USER", "", 3},
		"user in the URL":   {"proxy: STRANGER", "crawl http://me:" + secret + "@site.example/", "", 1},

		"url":                  {"url: STRANGER", "crawl USER", "", 1},
		"url, variable":        {"url: STRANGER", "crawl", "MAPA_USER=me:" + secret, 1},
		"second of the sites":  {"sites:\n- public\n- STRANGER", "crawl --base-url http://site.example/ HEADER", "", 3},
		"site with settings":   {"sites:\n- max-pages: 1\n  url: STRANGER", "crawl", "MAPA_COOKIE=c=" + secret, 3},
		"cookie file":          {"url: STRANGER", "crawl --cookie-file cookies.txt", "", 1},
		"sources":              {build + "  sources: [list.txt, STRANGER/sitemap.xml]", "build USER", "", 3},
		"sitemap":              {build + "  sitemap: STRANGER/sitemap.xml", "build HEADER", "", 3},
		"sites of watch":       {"watch:\n  sites: sites.txt", "watch USER", "", 2},
		"base-url of lint":     {"lint:\n  live: true\n  base-url: STRANGER/", "lint public USER", "", 3},
		"base-url of announce": {announce + "  base-url: STRANGER/", "announce public --all --yes USER", "", 3},
		"previous": {announce + "  previous: STRANGER/sitemap.xml",
			"announce public --base-url http://127.0.0.1:1/ --force lint,host HEADER", "", 3},

		"webhook": {"watch:\n  webhook: STRANGER/hook", "watch STRANGER", "", 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			s := newStranger(t)
			s.writeCheckout(t, test.config)
			if name, value, set := strings.Cut(test.variable, "="); set {
				t.Setenv(name, value)
			}
			args := strings.Fields(strings.NewReplacer("STRANGER", s.URL, "USER", "--user me:"+secret,
				"HEADER", "--header X-Key:"+secret).Replace(test.args))
			code, stderr := run(t, args...)
			place := fmt.Sprintf("mapa.yaml, line %d: ", test.line)
			if code != 2 || !strings.Contains(stderr, place) || !strings.Contains(stderr, "use --config mapa.yaml") {
				t.Errorf("exit code %d: %s", code, stderr)
			}
			if requests, _ := s.seen(); requests > 0 {
				t.Errorf("%d requests", requests)
			}
			_, stderr = run(t, append(args, "--config", "mapa.yaml")...)
			if _, gotIt := s.seen(); !gotIt {
				t.Errorf("the secret went nowhere, which tests nothing: %s", stderr)
			}
		})
	}
}

// TestFoundAndOwn lets a mapa.yaml of strangers name sites while the user names those that
// credentials go to.
func TestFoundAndOwn(t *testing.T) {
	for name, test := range map[string]struct{ config, args string }{
		"another address": {"url: STRANGER\nrate: 0", "crawl OWN --user me:x"},
		"another source":  {"build:\n  sources: STRANGER/sitemap.xml\n  base-url: OWN/", "build OWN/sitemap.xml --user me:x"},
		"local sources":   {"build:\n  sources: list.txt\n  base-url: OWN/", "build --user me:x"},
		"another base-url": {"lint:\n  live: true\n  base-url: STRANGER/",
			"lint OWN/sitemap.xml --base-url OWN/ --severity page-4xx=off --user me:x"},
		"nothing live":    {"lint:\n  base-url: OWN/", "lint OWN/sitemap.xml --user me:x"},
		"seeds elsewhere": {"sitemap: STRANGER/sitemap.xml", "crawl OWN --header X-Key:x"},
		"no credentials":  {"url: OWN\nuser: file:x\nheader: ['X-Key: x']", "crawl"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			s, own := newStranger(t), newStranger(t)
			fill := strings.NewReplacer("STRANGER", s.URL, "OWN", own.URL).Replace
			for name, text := range map[string]string{"mapa.yaml": fill(test.config), "list.txt": own.URL + "/"} {
				if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if code, stderr := run(t, strings.Fields(fill(test.args))...); code != 0 {
				t.Errorf("exit code %d: %s", code, stderr)
			}
		})
	}
}

// TestAnnounceCredentials sends credentials to no site that only a sitemap names.
func TestAnnounceCredentials(t *testing.T) {
	t.Chdir(t.TempDir())
	s := newStranger(t)
	sitemap := "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>" + s.URL + "/</loc></url></urlset>"
	if err := os.WriteFile("sitemap.xml", []byte(sitemap), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"announce", "sitemap.xml", "--to", "robots", "--all", "--yes", "--user", "me:" + secret}
	code, stderr := run(t, args...)
	if requests, _ := s.seen(); code != 2 || requests > 0 || !strings.Contains(stderr, "--base-url is missing") {
		t.Errorf("exit code %d, %d requests: %s", code, requests, stderr)
	}
	code, stderr = run(t, append(args, "--base-url", s.URL)...)
	if _, gotIt := s.seen(); code != 1 || !gotIt {
		t.Errorf("exit code %d: %s", code, stderr)
	}
}
