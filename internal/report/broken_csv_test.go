package report_test

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/report"
)

// TestBrokenAnchorsOnce writes one row for all links of a page to one missing anchor.
func TestBrokenAnchorsOnce(t *testing.T) {
	t.Parallel()
	few := []crawl.Edge{to(2, "gone", "first"), to(2, "gone", "again"), to(2, "lost", "other")}
	file := judged(t, crawlFile(t, []made{
		{url: "/", page: classListed("Home", few...)}, {url: "/2", page: classListed("Two")},
		{url: "/3", page: classListed("Three", few...)},
	}))
	var out bytes.Buffer
	if err := report.WriteBrokenLinks(t.Context(), file, &out, math.MaxInt64); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"broken link,why,on page,line,text",
		"https://example.com/2#gone,missing anchor,https://example.com/,,first",
		"https://example.com/2#gone,missing anchor,https://example.com/3,,first",
		"https://example.com/2#lost,missing anchor,https://example.com/,,other",
		"https://example.com/2#lost,missing anchor,https://example.com/3,,other", "",
	}
	if got := out.String(); got != strings.Join(want, "\r\n") {
		t.Errorf("got %s", got)
	}
}

// TestBrokenLinksLimit writes at most so many bytes of rows, and counts the other links.
func TestBrokenLinksLimit(t *testing.T) {
	t.Parallel()
	site := []made{{url: "/" + strings.Repeat("z", 2000), page: refused(404, crawl.ReasonClientError, notFound, 0)}}
	for i := range 1000 {
		site = append(site, made{url: fmt.Sprint("/", i), page: classListed("Page", anchor(1, "text"))})
	}
	var out bytes.Buffer
	err := report.WriteBrokenLinks(t.Context(), judged(t, crawlFile(t, site)), &out, 20_000)
	if err != nil || out.Len() < 20_000 || out.Len() > 23_000 {
		t.Errorf("%d bytes, %v", out.Len(), err)
	}
	if !strings.HasSuffix(out.String(), "\r\n,\"990 more broken links, not listed\",,,\r\n") {
		t.Errorf("it ends with %q", out.String()[max(0, out.Len()-100):])
	}
}
