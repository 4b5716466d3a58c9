package lint_test

import (
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/mapatools/mapa/lint"
)

// pagesFrom yields that many pages of a crawl. Every tenth one is not linked.
func pagesFrom(first, count int) iter.Seq2[lint.CrawledPage, error] {
	return func(yield func(lint.CrawledPage, error) bool) {
		for i := first; i < first+count; i++ {
			if !yield(lint.CrawledPage{URL: fmt.Sprintf("https://example.com/%d?a=1&b=2", i), Linked: i%10 > 0}, nil) {
				return
			}
		}
	}
}

// TestCrawledSpill compares many pages with a crawl in the memory of a few, and
// wants all that is missing on either side counted.
func TestCrawledSpill(t *testing.T) {
	var b strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&b, "<url><loc>https://example.com/%d?b=2&amp;a=1</loc></url>\n", i)
	}
	path := write(t, "sitemap.xml", head+b.String()+"</urlset>")
	options := lint.Options{Only: []string{"page-not-in-sitemap", "orphan-page"}, Memory: 64 << 10}
	options.Crawled = pagesFrom(15_000, 20_000)
	counts := map[string]int{}
	for _, f := range check(t, options, path) {
		counts[f.Rule.ID] += f.Count()
		if f.File != path {
			t.Errorf("a finding in %s", f.File)
		}
	}
	if counts["page-not-in-sitemap"] != 15_000 || counts["orphan-page"] != 500 {
		t.Errorf("found %v, want 15,000 pages that are not listed and 500 that are not linked", counts)
	}
}

// TestCrawledError ends with what keeps the crawl from being read.
func TestCrawledError(t *testing.T) {
	path := write(t, "sitemap.xml", head+"<url><loc>https://example.com/a</loc></url></urlset>")
	broken := errors.New("the disk is gone")
	options := lint.Options{Crawled: func(yield func(lint.CrawledPage, error) bool) { yield(lint.CrawledPage{}, broken) }}
	var last error
	for _, err := range newLinter(t, options).Check(t.Context(), path) {
		last = err
	}
	if !errors.Is(last, broken) {
		t.Errorf("error %v, want %v", last, broken)
	}
}
