package cli_test

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/cli"
	"github.com/mapatools/mapa/internal/store"
	"github.com/mapatools/mapa/internal/testsite"
	"github.com/mapatools/mapa/sitemap"
)

// A truthCrawl is a generated site and the results of crawling it.
type truthCrawl struct {
	site       *testsite.TruthSite
	origin     string
	folder     string
	settings   string    // of a mapa.yaml, besides those of the site
	began, end time.Time // of the last crawl
	findings   []string
}

func newTruthCrawl(t *testing.T, options testsite.TruthOptions) *truthCrawl {
	t.Helper()
	options.Now, options.Size = time.Now(), cmp.Or(options.Size, 3)
	site := testsite.NewTruthSite(options)
	server := httptest.NewServer(site)
	t.Cleanup(server.Close)
	return &truthCrawl{site: site, origin: server.URL, folder: t.TempDir()}
}

// crawl runs the program and returns what it prints.
func (c *truthCrawl) crawl(t *testing.T, flags ...string) string {
	t.Helper()
	settings := filepath.Join(t.TempDir(), "mapa.yaml")
	if err := os.WriteFile(settings, []byte(testsite.TruthSettings+c.settings), 0o600); err != nil {
		t.Fatal(err)
	}
	args := slices.Concat([]string{"crawl", c.origin + "/", "-o", c.folder, "--rate", "0", "--config", settings},
		testsite.TruthFlags, flags)
	var stdout, stderr bytes.Buffer
	c.began = time.Now().Truncate(time.Second)
	code := cli.Run(context.Background(), args, strings.NewReader(""), &stdout, &stderr)
	c.end = time.Now()
	if code != 0 {
		t.Fatalf("exit code %d\n%s%s", code, &stdout, &stderr)
	}
	return stdout.String()
}

// find notes a difference between the truth and the program.
func (c *truthCrawl) find(kind, address, format string, values ...any) {
	text := strings.ReplaceAll(fmt.Sprintf(format, values...), c.origin, "")
	place := strings.TrimPrefix(address, c.origin)
	c.findings = append(c.findings, fmt.Sprintf("%-26s %s: %s", kind, place, text))
}

// report fails the test with all differences, those of one kind together.
func (c *truthCrawl) report(t *testing.T) {
	t.Helper()
	if len(c.findings) > 0 {
		slices.Sort(c.findings)
		t.Errorf("%d differences:\n%s", len(c.findings), strings.Join(c.findings, "\n"))
	}
	c.findings = nil
}

// address completes a target.
func (c *truthCrawl) address(target string) string {
	if strings.HasPrefix(target, "/") {
		return c.origin + target
	}
	return target
}

// truth is what is true, by address.
func (c *truthCrawl) truth() map[string]testsite.Expected {
	all := map[string]testsite.Expected{}
	for target, expected := range c.site.Truth() {
		all[c.address(target)] = expected
	}
	return all
}

// sitemap reads what the program wrote.
func (c *truthCrawl) sitemap(t *testing.T) map[string]*sitemap.URL {
	t.Helper()
	file, err := os.Open(filepath.Join(c.folder, "sitemap.xml"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	pages := map[string]*sitemap.URL{}
	for entry, err := range sitemap.NewReader(file, &sitemap.ReaderOptions{Strict: true}).Entries() {
		if err != nil {
			t.Fatal(err)
		}
		page, err := entry.URL()
		if err != nil || entry.IsSitemap() {
			t.Fatalf("%s: an index or %v", entry.Loc, err)
		}
		if pages[page.Loc] != nil {
			c.find("?", page.Loc, "listed twice")
		}
		pages[page.Loc] = page
	}
	return pages
}

// compareDecisions compares every address of the crawl file with the truth.
func (c *truthCrawl) compareDecisions(t *testing.T) {
	t.Helper()
	file, err := store.Open(filepath.Join(c.folder, "crawl.sqlite"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	records := map[string]crawl.Record{}
	addresses := map[crawl.ID]string{}
	for record, err := range file.Pages(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if _, twice := records[record.Link.URL]; twice {
			c.find("?", record.Link.URL, "met twice")
		}
		records[record.Link.URL], addresses[record.Link.ID] = record, record.Link.URL
	}
	truth := c.truth()
	for address, want := range truth {
		if got, met := records[address]; met {
			c.compareDecision(address, &got, addresses[got.Page.Target], &want)
		} else {
			c.find(want.Kind, address, "not met, want %s", reasonName(want.Reason))
		}
	}
	for address, got := range records {
		if _, known := truth[address]; !known {
			c.find("?", address, "met as %s, want it not met", reasonName(string(got.Reason())))
		}
	}
}

func (c *truthCrawl) compareDecision(address string, got *crawl.Record, target string, want *testsite.Expected) {
	detail := got.Link.Detail
	if got.Fetched {
		detail = got.Page.Detail
	}
	reason := string(got.Reason())
	if reason != want.Reason {
		c.find(want.Kind, address, "%s (%s), want %s", reasonName(reason), detail, reasonName(want.Reason))
		return
	}
	for _, part := range want.Detail {
		if !strings.Contains(strings.ToLower(detail.String()), strings.ToLower(part)) {
			c.find(want.Kind, address, "%s says %q, want %q in it", reason, detail, part)
		}
	}
	if want.Step != "" && string(got.Page.LastModSource) != want.Step {
		c.find(want.Kind, address, "lastmod is from %q, want %q", got.Page.LastModSource, want.Step)
	}
	if (got.Page.Conflict != "") != (want.Rival != "") {
		c.find(want.Kind, address, "conflict %q, want one: %t", got.Page.Conflict, want.Rival != "")
	}
	if want.Target != "" && target != c.address(want.Target) && (want.Rival == "" || target != c.address(want.Rival)) {
		c.find(want.Kind, address, "%s leads to %q, want %q", reason, target, want.Target)
	}
}

func reasonName(reason string) string { return cmp.Or(reason, "listed") }

// compareSitemap compares addresses and dates. Dates of changes that were found
// must lie in the time of a crawl.
func (c *truthCrawl) compareSitemap(t *testing.T) map[string]*sitemap.URL {
	t.Helper()
	pages, truth := c.sitemap(t), c.truth()
	for address, want := range truth {
		page, listed := pages[address]
		switch wanted := want.Reason == "" || want.Reason == string(crawl.ReasonAdded); {
		case !listed && wanted:
			c.find(want.Kind, address, "not in the sitemap")
		case listed && !wanted:
			c.find(want.Kind, address, "in the sitemap, in spite of %s", want.Reason)
		case listed && !c.rightDate(page.LastMod, want.LastMod):
			c.find(want.Kind, address, "lastmod %q, want %q", page.LastMod, want.LastMod)
		}
	}
	for address := range pages {
		if _, known := truth[address]; !known {
			c.find("?", address, "in the sitemap, is no page of the site")
		}
	}
	return pages
}

// rightDate allows for a day to be written as its first moment.
func (c *truthCrawl) rightDate(got sitemap.Date, want string) bool {
	switch want {
	case "":
		return got.IsZero()
	case testsite.Seen:
		return !got.IsZero() && !got.Time().Before(c.began) && !got.Time().After(c.end)
	}
	date, err := sitemap.ParseDate(want)
	return err == nil && !got.IsZero() && got.Unix() == date.Unix() &&
		(got.Precision() == date.Precision() || got.Unix()%(24*60*60) == 0)
}

// compareMoved compares which pages have another lastmod than in the sitemap
// before with those whose content changed.
func (c *truthCrawl) compareMoved(before, after map[string]*sitemap.URL, changed map[string]bool) {
	truth := c.truth()
	for address, page := range after {
		earlier, was := before[address]
		if moved := was && earlier.LastMod.String() != page.LastMod.String(); moved != changed[address] {
			c.find(truth[address].Kind, address, "lastmod %q before, %q now, but its content changed: %t",
				earlier.LastMod, page.LastMod, changed[address])
		}
	}
}
