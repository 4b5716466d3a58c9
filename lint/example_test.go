package lint_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/lint"
	"github.com/mapatools/mapa/source"
)

// A sitemap in memory is checked like a file.
func ExampleLinter_CheckReader() {
	sitemap := `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>https://example.com/</loc><lastmod>soon</lastmod></url>
</urlset>
`
	linter, err := lint.New(nil)
	if err != nil {
		log.Fatal(err)
	}
	for finding, err := range linter.CheckReader(context.Background(), strings.NewReader(sitemap)) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("line %d: %s\n", finding.Line, finding.Message)
		fmt.Println(finding.Rule.Fix())
	}
	// Output:
	// line 2: lastmod "soon" is not a date: write 2024-01-08 or 2024-01-08T09:30:00+01:00
	// Write 2024-01-08 or 2024-01-08T09:30:00+01:00: a T before the time, a colon in the time zone, and a day that exists.
}

// The files of a site are checked before they are published. Their pages must be below the
// address where they will be.
func ExampleLinter_Check() {
	folder, err := os.MkdirTemp("", "public")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	text := "https://example.com/\nhttps://example.net/other\n"
	if err := os.WriteFile(filepath.Join(folder, "sitemap.txt"), []byte(text), 0o666); err != nil {
		log.Fatal(err)
	}

	linter, err := lint.New(&lint.Options{BaseURL: "https://example.com/"})
	if err != nil {
		log.Fatal(err)
	}
	for finding, err := range linter.Check(context.Background(), folder) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(filepath.Base(finding.File), finding.Line, finding.Severity, finding.Rule.ID)
	}
	// Output:
	// sitemap.txt 2 error out-of-scope-host
}

// With Live, rules request the site: its robots.txt, and a sample of the pages.
func ExampleLinter_Check_live() {
	var site *httptest.Server
	site = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/robots.txt":
			fmt.Fprintf(w, "Sitemap: %s/sitemap.txt\n", site.URL)
		case "/sitemap.txt":
			w.Header().Set("ETag", `"1"`)
			fmt.Fprintf(w, "%s/gone\n", site.URL)
		default:
			http.NotFound(w, r)
		}
	}))
	defer site.Close()
	linter, err := lint.New(&lint.Options{
		Live:   true,
		Source: source.Options{Access: access.Access{Rate: access.PerSecond(5)}},
	})
	if err != nil {
		log.Fatal(err)
	}
	for finding, err := range linter.Check(context.Background(), site.URL+"/sitemap.txt") {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(finding.Rule.ID, strings.TrimPrefix(finding.URL, site.URL))
	}
	// Output:
	// page-4xx /gone
}

// Options choose the rule sets of search engines, single rules and their severity.
func ExampleNew() {
	sitemap := "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>" +
		"<url><loc>https://example.com/</loc><lastmod>2024</lastmod><priority>0.5</priority></url></urlset>"
	linter, err := lint.New(&lint.Options{
		Engines:  lint.EngineSitemapsOrg | lint.EngineGoogle,
		Disable:  []string{"priority-ignored"},
		Severity: map[string]lint.Severity{"lastmod-year-only": lint.SeverityError},
	})
	if err != nil {
		log.Fatal(err)
	}
	for finding, err := range linter.CheckReader(context.Background(), strings.NewReader(sitemap)) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(finding.Severity, finding.Rule.ID)
	}
	// Output:
	// error lastmod-year-only
}

func ExampleLookupRule() {
	rule, err := lint.LookupRule("loc-relative")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(rule.Title())
	fmt.Println(rule.Why())
	fmt.Println(rule.Severity, "by", rule.Source)
	_, err = lint.LookupRule("loc-relativ")
	fmt.Println(err)
	// Output:
	// relative URL
	// The protocol requires absolute URLs. Google and Bing ignore others, because nothing says what they are relative to.
	// error by https://www.sitemaps.org/protocol.html#locdef
	// unknown rule "loc-relativ": did you mean loc-relative?
}

// The bad example of a rule breaks it.
func ExampleRule_Examples() {
	rule, err := lint.LookupRule("lastmod-year-only")
	if err != nil {
		log.Fatal(err)
	}
	bad, _ := rule.Examples()
	fmt.Print(bad)
	// Output:
	// <?xml version="1.0" encoding="UTF-8"?>
	// <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
	// <url><loc>https://example.com/</loc><lastmod>2024</lastmod></url>
	// </urlset>
}

// Texts are worded in a language when they are shown.
func ExampleText_In() {
	linter, err := lint.New(nil)
	if err != nil {
		log.Fatal(err)
	}
	sitemap := "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>/shop/offers</loc></url></urlset>"
	for finding, err := range linter.CheckReader(context.Background(), strings.NewReader(sitemap)) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(finding.Message)
		fmt.Println(finding.Message.In("es"))
	}
	// Output:
	// "/shop/offers" is relative
	// «/shop/offers» es relativa
}

// A baseline holds the fingerprints of findings that are known and accepted.
func ExampleFinding_Fingerprint() {
	linter, err := lint.New(nil)
	if err != nil {
		log.Fatal(err)
	}
	check := func(locs ...string) (findings []lint.Finding) {
		sitemap := "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>\n"
		for _, loc := range locs {
			sitemap += "<url><loc>" + loc + "</loc></url>\n"
		}
		for finding, err := range linter.CheckReader(context.Background(), strings.NewReader(sitemap+"</urlset>")) {
			if err != nil {
				log.Fatal(err)
			}
			findings = append(findings, finding)
		}
		return findings
	}

	baseline := map[string]bool{}
	for _, finding := range check("/accepted/page") {
		baseline[finding.Fingerprint()] = true
	}
	for _, finding := range check("https://example.com/", "/accepted/page", "/another/page") {
		if !baseline[finding.Fingerprint()] {
			fmt.Println(finding.Message)
		}
	}
	// Output:
	// "/another/page" is relative
}
