package main

import (
	"go/doc/comment"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/lint"
)

func TestDocumentPage(t *testing.T) {
	for _, test := range []struct{ source, text, path, title, body string }{
		{"docs/watch.md", "# Follow `sitemaps`\n", "docs/watch.md", "Follow sitemaps", "# Follow `sitemaps`\n"},
		{"docs/rules.md", "# The rules\n", "rules/_index.md", "The rules", "# The rules\n"},
		{"docs/recipes/README.md", "# Recipes\n", "docs/recipes/_index.md", "Recipes", "# Recipes\n"},
		{"docs/a.md", "# A\n`{{< note >}}` {{% b %}} {{ .C }}\n",
			"docs/a.md", "A", "# A\n`{{</* note */>}}` {{%/* b */%}} {{ .C }}\n"},
	} {
		got := documentPage(test.source, test.text, "2026-01-31T09:30:00Z")
		if got.path != test.path || got.body != test.body ||
			got.front["title"] != test.title || got.front["source"] != test.source {
			t.Errorf("%s: got %+v", test.source, got)
		}
	}
}

func TestLinkAddress(t *testing.T) {
	for _, test := range []struct {
		link comment.DocLink
		want string
	}{
		{comment.DocLink{Name: "Parse"}, "#Parse"},
		{comment.DocLink{Recv: "File", Name: "Group"}, "#File.Group"},
		{comment.DocLink{ImportPath: module + "sitemap/sitemaphttp", Name: "New"}, "/packages/sitemap/sitemaphttp/#New"},
		{comment.DocLink{ImportPath: module + "internal/fetch"}, "https://pkg.go.dev/" + module + "internal/fetch"},
		{comment.DocLink{ImportPath: "net/http", Recv: "Client", Name: "Do"}, "https://pkg.go.dev/net/http#Client.Do"},
	} {
		if got := linkAddress(&test.link); got != test.want {
			t.Errorf("%+v: got %s, want %s", test.link, got, test.want)
		}
	}
}

func TestBlockBody(t *testing.T) {
	const block = "{\n\tif ok {\n\t\tfmt.Println(1)\n\t}\n\t// Unordered output:\n\t// 1\n}"
	if got, want := blockBody(block), "if ok {\n\tfmt.Println(1)\n}"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestRulePages wants one page for each rule in every language, with a name that no other has.
func TestRulePages(t *testing.T) {
	pages := rulePages()
	for _, language := range catalog.Languages() {
		paths := map[string]page{}
		for _, p := range pages[language] {
			if _, twice := paths[p.path]; twice {
				t.Errorf("%s: two pages are named %s", language, p.path)
			}
			paths[p.path] = p
		}
		for _, r := range append(lint.Rules(), lint.PageRules()...) {
			p, found := paths["rules/"+r.ID+".md"]
			if !found || p.front["description"] != r.Why().In(string(language)) {
				t.Errorf("%s: the page of %s is %+v (found: %t)", language, r.ID, p, found)
			}
		}
	}
}

// TestRun wants the pages of the public packages, with anchors for functions, methods, fields
// and constants, and no page that an earlier run wrote.
func TestRun(t *testing.T) {
	t.Chdir(filepath.Join("..", ".."))
	folder := t.TempDir()
	old := filepath.Join(folder, "en", "packages", "old.md")
	if err := os.MkdirAll(filepath.Dir(old), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(old, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := run(t.Context(), folder); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(old); err == nil {
		t.Error("the page of an earlier run is still there")
	}
	for name, wanted := range map[string][]string{
		"en/packages/robots.md": {"import \"github.com/mapatools/mapa/robots\"", "{#Parse}", "{#Group.Verdict}", `<span id="MaxAge">`,
			"[File.Sitemaps](#File.Sitemaps)"},
		"en/packages/lint.md":                {`<span id="Finding.File">`},
		"en/packages/sitemap/sitemaphttp.md": {"{#New}"},
		"en/commands/crawl.md":               {"{#max-depth}"},
		"en/docs/folder.md":                  {`"title": "Crawling a site's folder"`},
		"en/rules/_index.md":                 {`"source": "docs/rules.md"`},
		"es/rules/title-length.md":           {"título demasiado corto"},
	} {
		text, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(name)))
		if err != nil {
			t.Error(err)
			continue
		}
		for _, want := range wanted {
			if !strings.Contains(string(text), want) {
				t.Errorf("%s lacks %s", name, want)
			}
		}
	}
	for _, name := range []string{"cmd/mapa.md", "internal/fetch.md", "examples/shop.md"} {
		if _, err := os.Stat(filepath.Join(folder, "en", "packages", filepath.FromSlash(name))); err == nil {
			t.Errorf("there is a page about %s", name)
		}
	}
}
