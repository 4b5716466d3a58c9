package cli_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
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

// A truthCrawl is a site of which all is known, and what the program left of it.
type truthCrawl struct {
	site       *testsite.TruthSite
	origin     string
	folder     string
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
	args := slices.Concat([]string{"crawl", c.origin + "/", "-o", c.folder, "--rate", "0"}, testsite.TruthFlags, flags)
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
	c.findings = append(c.findings, fmt.Sprintf("%-26s %s: ", kind, strings.TrimPrefix(address, c.origin))+strings.ReplaceAll(fmt.Sprintf(format, values...), c.origin, ""))
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
	defer file.Close(true)
	records := map[string]store.Record{}
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

func (c *truthCrawl) compareDecision(address string, got *store.Record, target string, want *testsite.Expected) {
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
		if !strings.Contains(strings.ToLower(detail), strings.ToLower(part)) {
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
		switch wanted := want.Reason == "" || want.Reason == string(crawl.Added); {
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
			c.find(truth[address].Kind, address, "lastmod %q before, %q now, but its content changed: %t", earlier.LastMod, page.LastMod, changed[address])
		}
	}
}

// changedPages are the listed pages whose truth has another date than before.
func changedPages(before, after map[string]testsite.Expected) map[string]bool {
	changed := map[string]bool{}
	for address, now := range after {
		if earlier, was := before[address]; was && earlier.Reason == "" && now.Reason == "" && earlier.LastMod != now.LastMod {
			changed[address] = true
		}
	}
	return changed
}

// TestTruth compares the sitemap and every decision with what is true.
func TestTruth(t *testing.T) {
	t.Parallel()
	for _, options := range []testsite.TruthOptions{{Seed: 1}, {Seed: 2, Size: 5}, {Seed: 3, Stamped: true}, {Seed: 4, ETags: true}} {
		t.Run(fmt.Sprintf("seed %d", options.Seed), func(t *testing.T) {
			t.Parallel()
			c := newTruthCrawl(t, options)
			c.crawl(t)
			c.compareDecisions(t)
			c.compareSitemap(t)
			c.report(t)
		})
	}
}

// TestTruthSummary compares what the program says at the end with what is true:
// people read no crawl file.
func TestTruthSummary(t *testing.T) {
	t.Parallel()
	c := newTruthCrawl(t, testsite.TruthOptions{Seed: 5})
	output := c.crawl(t, "--format", "json")
	var summary struct{ Reasons map[string]int }
	if err := json.Unmarshal([]byte(output), &summary); err != nil {
		t.Fatal(err)
	}
	want := map[string]int{}
	for _, expected := range c.truth() {
		if expected.Reason != "" {
			want[expected.Reason]++
		}
	}
	if len(want) < 15 {
		t.Errorf("the site has only %d reasons", len(want))
	}
	for reason, number := range want {
		if summary.Reasons[reason] != number {
			c.find("summary", reason, "%d, want %d", summary.Reasons[reason], number)
		}
	}
	_, reasons, _ := strings.Cut(c.crawl(t), "Not in the sitemap:")
	lines := map[int]int{} // by the number that they begin with
	for line := range strings.Lines(reasons) {
		var number int
		if _, err := fmt.Sscan(line, &number); err == nil {
			lines[number]++
		}
	}
	for reason, number := range want {
		if reason != string(crawl.Added) && reason != string(crawl.OutOfScope) {
			if lines[number]--; lines[number] < 0 {
				c.find("summary", reason, "no line for %d pages", number)
			}
		}
	}
	c.report(t)
}

// TestTruthAgain edits the site and crawls it again: only what was edited may
// differ. Nothing differs in a third crawl.
func TestTruthAgain(t *testing.T) {
	t.Parallel()
	for _, options := range []testsite.TruthOptions{{Seed: 11}, {Seed: 12, Stamped: true}, {Seed: 13, ETags: true}} {
		t.Run(fmt.Sprintf("seed %d", options.Seed), func(t *testing.T) {
			t.Parallel()
			c := newTruthCrawl(t, options)
			c.crawl(t)
			before, truthBefore := c.sitemap(t), c.truth()
			time.Sleep(time.Until(c.end.Truncate(time.Second).Add(time.Second))) // dates are of seconds
			c.site.Edit()
			c.crawl(t)
			c.compareDecisions(t)
			after := c.compareSitemap(t)
			c.compareMoved(before, after, changedPages(truthBefore, c.truth()))
			c.report(t)

			c.crawl(t)
			c.compareDecisions(t)
			c.compareMoved(after, c.sitemap(t), nil)
			c.report(t)
		})
	}
}

// TestTruthChanges edits the site and compares changes.jsonl with what differs
// between the truths before and after, kind by kind.
func TestTruthChanges(t *testing.T) {
	t.Parallel()
	c := newTruthCrawl(t, testsite.TruthOptions{Seed: 14})
	c.crawl(t)
	before := c.truth()
	c.site.Edit()
	c.crawl(t)
	reported := c.changes(t)
	after := c.truth()
	for address, want := range after {
		earlier, was := before[address]
		wanted := "" // how it has changed
		switch {
		case !was:
			wanted = "added"
		case changesStatus(earlier.Reason) != changesStatus(want.Reason):
			wanted = "status"
		case earlier.Reason != want.Reason:
			wanted = "decision"
		case earlier.LastMod != want.LastMod:
			wanted = "changed"
		}
		if reported[address] != wanted {
			c.find(want.Kind, address, "reported as %q, want %q", reported[address], wanted)
		}
	}
	for address, change := range reported {
		if _, known := after[address]; !known {
			c.find("?", address, "reported as %q, is no page of the site", change)
		}
	}
	c.report(t)

	c.crawl(t)
	for address, change := range c.changes(t) {
		c.find("again", address, "reported as %q, but nothing changed", change)
	}
	c.report(t)
}

// changesStatus names the statuses that decisions follow from.
func changesStatus(reason string) string {
	switch reason {
	case string(crawl.ClientError), string(crawl.Redirect):
		return reason
	}
	return ""
}

// changes reads what the program reports as changed, by address.
func (c *truthCrawl) changes(t *testing.T) map[string]string {
	t.Helper()
	file, err := os.Open(filepath.Join(c.folder, "changes.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	all := map[string]string{}
	for lines := json.NewDecoder(file); lines.More(); {
		var line struct{ Change, URL string }
		if err := lines.Decode(&line); err != nil {
			t.Fatal(err)
		}
		all[line.URL] = line.Change
	}
	return all
}

// TestTruthUnchanged crawls a site with ETags twice: no page is sent again.
func TestTruthUnchanged(t *testing.T) {
	t.Parallel()
	c := newTruthCrawl(t, testsite.TruthOptions{Seed: 21, ETags: true})
	c.crawl(t)
	before := c.sitemap(t)
	if len(c.site.Bodies()) < 100 {
		t.Error("the first crawl had hardly anything to read")
	}
	c.crawl(t)
	truth := c.site.Truth()
	for target, times := range c.site.Bodies() {
		c.find(truth[target].Kind, target, "sent %d times again", times)
	}
	c.compareDecisions(t)
	c.compareMoved(before, c.compareSitemap(t), nil)
	c.report(t)
}

// TestTruthOtherFlags crawls a site again with other flags: pages that are not
// sent again are decided about by the new ones.
func TestTruthOtherFlags(t *testing.T) {
	t.Parallel()
	c := newTruthCrawl(t, testsite.TruthOptions{Seed: 22, ETags: true})
	c.crawl(t)
	c.crawl(t, "--no-list", "^/garden/index-", "--exclude", "^/library/date-", "--strip-params", "size")
	for address, page := range c.sitemap(t) {
		path := strings.TrimPrefix(address, c.origin)
		if strings.HasPrefix(path, "/garden/index-") || strings.HasPrefix(path, "/library/date-") {
			c.find("other flags", address, "is in the sitemap, in spite of the new flags")
		}
		if strings.HasSuffix(path, "?size=large") {
			c.find("other flags", page.Loc, "is in the sitemap with a parameter that makes no difference")
		}
	}
	c.crawl(t)
	c.compareDecisions(t)
	c.compareSitemap(t)
	c.report(t)

	c.crawl(t, "--assets")
	file, err := store.Open(filepath.Join(c.folder, "crawl.sqlite"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close(true)
	assets := 0
	for record, err := range file.Pages(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if record.Link.Role == crawl.RoleAsset {
			assets++
		}
	}
	if assets < 20 {
		t.Errorf("%d assets were checked after they had not been wanted", assets)
	}
}

// TestTruthExtensions compares the videos and languages of every listed page.
func TestTruthExtensions(t *testing.T) {
	t.Parallel()
	c := newTruthCrawl(t, testsite.TruthOptions{Seed: 31})
	c.crawl(t)
	pages := c.sitemap(t)
	for address, want := range c.truth() {
		if page := pages[address]; page != nil {
			c.compareVideos(address, page.Videos, &want)
			c.compareAlternates(address, page.Alternates, &want)
			if len(page.Images)+len(page.News) > 0 {
				c.find(want.Kind, address, "has images or news that nobody asked for")
			}
		}
	}
	c.report(t)
}

func (c *truthCrawl) compareVideos(address string, got []sitemap.Video, want *testsite.Expected) {
	if len(got) != len(want.Videos) {
		c.find(want.Kind, address, "%d videos, want %d", len(got), len(want.Videos))
		return
	}
	for i, video := range got {
		expected := want.Videos[i]
		for _, field := range []struct{ name, got, want string }{
			{"thumbnail", video.ThumbnailLoc, c.address(expected.Thumbnail)},
			{"title", video.Title, expected.Title},
			{"description", video.Description, expected.Description},
			{"content", video.ContentLoc, c.address(expected.Content)},
			{"player", video.Player.Loc, c.address(expected.Player)},
			{"duration", video.Duration, expected.Duration},
			{"publication date", video.PublicationDate, expected.Published},
		} {
			if field.got != field.want {
				c.find(want.Kind, address, "video %s %q, want %q", field.name, field.got, field.want)
			}
		}
	}
}

func (c *truthCrawl) compareAlternates(address string, got []sitemap.Alternate, want *testsite.Expected) {
	listed := map[string]string{}
	for _, alternate := range got {
		listed[alternate.Hreflang] = alternate.Href
		if more, allowed := want.MoreAlternates[alternate.Hreflang]; want.Alternates[alternate.Hreflang] == "" && (!allowed || alternate.Href != c.address(more)) {
			c.find(want.Kind, address, "alternate %s %s is none", alternate.Hreflang, alternate.Href)
		}
	}
	if len(listed) != len(got) {
		c.find(want.Kind, address, "a language more than once: %v", got)
	}
	for language, target := range want.Alternates {
		if listed[language] != c.address(target) {
			c.find(want.Kind, address, "alternate %s is %q, want %q", language, listed[language], target)
		}
	}
}

// TestTruthImages compares the images of every listed page.
func TestTruthImages(t *testing.T) {
	t.Parallel()
	c := newTruthCrawl(t, testsite.TruthOptions{Seed: 41})
	c.crawl(t, "--images")
	pages := c.sitemap(t)
	for address, want := range c.truth() {
		page := pages[address]
		if page == nil {
			continue
		}
		listed, allowed := map[string]bool{}, map[string]bool{}
		for _, image := range slices.Concat(want.Images, want.MoreImages) {
			allowed[c.address(image)] = true
		}
		for _, image := range page.Images {
			if listed[image.Loc] {
				c.find(want.Kind, address, "image %s twice", image.Loc)
			}
			listed[image.Loc] = true
			if !allowed[image.Loc] {
				c.find(want.Kind, address, "image %s is none", image.Loc)
			}
		}
		for _, image := range want.Images {
			if !listed[c.address(image)] {
				c.find(want.Kind, address, "image %s is missing: %v", image, slices.Sorted(maps.Keys(listed)))
			}
		}
	}
	c.report(t)
}

// TestTruthNews compares the news of every listed page.
func TestTruthNews(t *testing.T) {
	t.Parallel()
	c := newTruthCrawl(t, testsite.TruthOptions{Seed: 51})
	c.crawl(t, "--news", "The Truth")
	pages := c.sitemap(t)
	for address, want := range c.truth() {
		page := pages[address]
		switch {
		case page == nil:
		case want.News == nil && len(page.News) > 0:
			c.find(want.Kind, address, "is news: %+v", page.News)
		case want.News == nil:
		case len(page.News) != 1:
			c.find(want.Kind, address, "news %d times", len(page.News))
		default:
			got := page.News[0]
			if got.PublicationName != "The Truth" || got.PublicationLanguage != want.News.Language || got.Title != want.News.Title || got.PublicationDate != want.News.Published {
				c.find(want.Kind, address, "news %+v, want %+v", got, *want.News)
			}
		}
	}
	c.report(t)
}
