package cli_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/compare"
	"github.com/mapatools/mapa/internal/store"
	"github.com/mapatools/mapa/internal/testsite"
)

// changedPages are the listed pages whose truth has another date than before.
func changedPages(before, after map[string]testsite.Expected) map[string]bool {
	changed := map[string]bool{}
	for address, now := range after {
		earlier, was := before[address]
		if was && earlier.Reason == "" && now.Reason == "" && earlier.LastMod != now.LastMod {
			changed[address] = true
		}
	}
	return changed
}

// TestTruth compares the sitemap and every decision with what is true.
func TestTruth(t *testing.T) {
	t.Parallel()
	for _, options := range []testsite.TruthOptions{
		{Seed: 1}, {Seed: 2, Size: 5}, {Seed: 3, Stamped: true}, {Seed: 4, ETags: true},
	} {
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
		if reason != string(crawl.ReasonAdded) && reason != string(crawl.ReasonOutOfScope) {
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
		wanted := compare.Kind("") // how it has changed
		wasListed, isListed := was && earlier.Reason == "", want.Reason == ""
		wasBroken, isBroken := crawl.Reason(earlier.Reason).Broken(), crawl.Reason(want.Reason).Broken()
		switch {
		case isBroken && !wasBroken:
			wanted = compare.KindNewlyBroken
		case wasBroken && !isBroken:
			wanted = compare.KindFixed
		case wasListed && want.Reason == string(crawl.ReasonRedirect): // 301, to a listed page
			wanted = compare.KindMoved
		case wasListed && !isListed:
			wanted = compare.KindLeftSitemap
		case !was && isListed:
			wanted = compare.KindNew
		case isListed && !wasListed:
			wanted = compare.KindEnteredSitemap
		case was && (earlier.Reason != want.Reason || earlier.LastMod != want.LastMod):
			wanted = compare.KindChanged
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

// changes reads what the program reports as changed, by address. A page that is not updated has only changed if it is
// decided about in another way.
func (c *truthCrawl) changes(t *testing.T) map[string]compare.Kind {
	t.Helper()
	file, err := os.Open(filepath.Join(c.folder, "changes.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	all := map[string]compare.Kind{}
	for lines := json.NewDecoder(file); lines.More(); {
		var line compare.Change
		if err := lines.Decode(&line); err != nil {
			t.Fatal(err)
		}
		isDecision := slices.ContainsFunc(line.Facts, func(f compare.FactChange) bool { return f.Fact == "decision" })
		if line.Kind != compare.KindChanged || line.Updated || isDecision {
			all[line.URL] = line.Kind
		}
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
	defer file.Close()
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
