package report_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/report"
	"golang.org/x/net/html"
)

func writeHTML(ctx context.Context, file crawl.Reader, w io.Writer) error {
	return report.WriteHTML(ctx, file, w, &report.HTMLOptions{Sitemap: "sitemap.xml", Broken: "broken.csv"})
}

// browse opens a page in a headless browser and returns the document after its
// scripts ran, and the console output.
func browse(t *testing.T, page, hash string) (document, console string) {
	t.Helper()
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		t.Fatal("chromium is missing: apt-get install chromium")
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	// Chromium needs --no-sandbox where it is run by root, as in containers.
	run := exec.CommandContext(ctx, chromium, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
		"--disable-extensions", "--disable-background-networking", "--user-data-dir="+t.TempDir(),
		"--enable-logging=stderr", "--virtual-time-budget=2000", "--dump-dom", "file://"+page+"#"+hash)
	var out, said bytes.Buffer
	run.Stdout, run.Stderr = &out, &said
	if err := run.Run(); err != nil {
		t.Fatalf("chromium: %v: %s", err, said.String())
	}
	for line := range strings.Lines(said.String()) {
		if strings.Contains(line, "CONSOLE") {
			console += line
		}
	}
	return out.String(), console
}

func save(t *testing.T, text []byte) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(name, text, 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestBrowserSeesAttacks checks that browse detects an attack that works.
func TestBrowserSeesAttacks(t *testing.T) {
	page := "<!doctype html><title>" + attackScript + "</title></title>" + attackScript +
		"<script>console.error('seen')</script>"
	document, console := browse(t, save(t, []byte(page)), "")
	if !strings.Contains(document, owned+`="1"`) || !strings.Contains(console, "seen") {
		t.Errorf("the attack left %s and %q", document, console)
	}
}

// TestBrowser opens every part of a report on hostile texts and checks that no script
// runs except its own.
func TestBrowser(t *testing.T) {
	page := save(t, format(t, writeHTML, sample(t)))
	for part, shows := range map[string]string{
		"overview":                "What to do next",
		"broken":                  "the old page",
		"redirects":               "/older",
		"addresses":               "Disallow: /private/ (line 3)",
		"addresses/client-error":  "/gone",
		"duplicates":              "/about-us",
		"titles":                  "/orphan",
		"gaps":                    "sitemap, list",
		"languages":               "no return link",
		"speed":                   "2.5 s",
		"canonical":               "link element",
		"tree":                    "private/",
		"no-such-part":            "What to do next",
		"addresses/%3Cimg%20src=": "/gone",
	} {
		t.Run(part, func(t *testing.T) {
			document, console := browse(t, page, part)
			if console != "" {
				t.Errorf("the console says %s", console)
			}
			shown := inspect(t, document)
			if !strings.Contains(shown, shows) {
				t.Errorf("%q is not shown in:\n%s", shows, shown)
			}
		})
	}
}

// inspect returns the visible text of a document. It reports an error for attributes
// and elements of an attack and for links to anything but pages.
func inspect(t *testing.T, document string) string {
	t.Helper()
	root, err := html.Parse(strings.NewReader(document))
	if err != nil {
		t.Fatal(err)
	}
	var shown strings.Builder
	var visit func(*html.Node)
	visit = func(n *html.Node) {
		if n.Type == html.TextNode && n.Parent.Data != "script" && n.Parent.Data != "style" {
			shown.WriteString(n.Data + "\n")
		}
		if n.Type == html.ElementNode && n.Data == "img" {
			t.Error("an image came into the page")
		}
		hidden := false
		for _, a := range n.Attr {
			hidden = hidden || a.Key == "hidden"
			switch {
			case a.Key == owned, strings.HasPrefix(a.Key, "on"), a.Key == "style":
				t.Errorf("<%s %s=%q>", n.Data, a.Key, a.Val)
			case a.Key == "href" || a.Key == "src":
				if target, err := url.Parse(a.Val); err != nil || target.Scheme != "http" && target.Scheme != "https" &&
					!strings.HasPrefix(a.Val, "#") {
					t.Errorf("<%s %s=%q>", n.Data, a.Key, a.Val)
				}
			}
		}
		for child := n.FirstChild; child != nil && !hidden; child = child.NextSibling {
			visit(child)
		}
	}
	visit(root)
	return shown.String()
}

// TestHTMLValid checks the syntax of the page: closed elements, unique IDs and
// attributes, links to existing parts
// (https://html.spec.whatwg.org/multipage/syntax.html).
func TestHTMLValid(t *testing.T) {
	text := format(t, writeHTML, sample(t))
	tokens := html.NewTokenizer(bytes.NewReader(text))
	void := map[string]bool{"meta": true, "link": true, "br": true, "input": true}
	var open, refers []string
	ids := map[string]bool{}
	for tokens.Next() != html.ErrorToken {
		token := tokens.Token()
		names := map[string]bool{}
		for _, a := range token.Attr {
			if names[a.Key] {
				t.Errorf("<%s> has two attributes %s", token.Data, a.Key)
			}
			names[a.Key] = true
			if a.Key == "id" && ids[a.Val] {
				t.Errorf("two elements have the id %s", a.Val)
			}
			if a.Key == "id" {
				ids[a.Val] = true
			}
			if fragment, inside := strings.CutPrefix(a.Val, "#"); a.Key == "href" && inside {
				refers = append(refers, fragment)
			}
		}
		switch token.Type {
		case html.StartTagToken:
			if !void[token.Data] {
				open = append(open, token.Data)
			}
		case html.EndTagToken:
			if last := len(open) - 1; last < 0 || open[last] != token.Data {
				t.Fatalf("</%s> closes %v", token.Data, open)
			}
			open = open[:len(open)-1]
		}
	}
	if tokens.Err() != io.EOF || len(open) > 0 {
		t.Errorf("%v, open: %v", tokens.Err(), open)
	}
	for _, fragment := range refers {
		if part, _, _ := strings.Cut(fragment, "/"); !ids[part] {
			t.Errorf("#%s is nowhere", fragment)
		}
	}
	if bytes.Count(text, []byte("<script")) != 2 || !bytes.Contains(text, []byte("script-src &#39;sha256-")) {
		t.Error("the page has other scripts than its data and its own")
	}
}

// TestHTMLOfManyTargets writes a site where half of the URLs redirect to the rest.
func TestHTMLOfManyTargets(t *testing.T) {
	site := []made{{url: "/", page: classListed("Home")}}
	const pairs = 8_000
	long := strings.Repeat("x", 1900)
	for i := range pairs {
		site = append(site, made{url: fmt.Sprintf("/%d/%s", i, long),
			page: refused(200, crawl.ReasonCanonical, "link element", crawl.ID(pairs+i+2))})
	}
	for i := range pairs {
		site = append(site, made{url: fmt.Sprintf("/to/%d/%s", i, long), page: classListed(fmt.Sprint(i))})
	}
	text := format(t, writeHTML, crawlFile(t, site))
	if len(text) > 15<<20 {
		t.Errorf("%d bytes", len(text))
	}
}

// TestHTMLOfMany checks that a crawl too large for a page is cut, that the counts are
// exact, and that the page says so.
func TestHTMLOfMany(t *testing.T) {
	site := []made{{url: "/", page: classListed("Home")}}
	long := strings.Repeat("x", 3000)
	for i := range 16_000 {
		site = append(site, made{url: fmt.Sprintf("/%d/%s", i, long), page: classListed(fmt.Sprint(i))})
	}
	text := format(t, writeHTML, crawlFile(t, site))
	if len(text) > 15<<20 {
		t.Errorf("%d bytes", len(text))
	}
	for _, want := range []string{"16,001 pages for your sitemap", "do not fit on this page"} {
		if !bytes.Contains(text, []byte(want)) {
			t.Errorf("the page does not say %q", want)
		}
	}
}
