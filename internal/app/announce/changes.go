package announce

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"iter"
	"net/http"
	"path/filepath"

	"github.com/mapatools/mapa/announce"
	"github.com/mapatools/mapa/internal/app/access"
	"github.com/mapatools/mapa/internal/app/crawlfile"
	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/mapatools/mapa/internal/compare"
	"github.com/mapatools/mapa/internal/ledger"
	"github.com/mapatools/mapa/sitemap"
)

// The kinds of changes that are announced.
const (
	changeAdded   = "added"
	changeChanged = "changed"
	changeRemoved = "removed"
)

// ChangeCounts are the numbers of pages to announce, by kind of change.
type ChangeCounts struct {
	Added   int `json:"added"`
	Changed int `json:"changed"`
	Removed int `json:"removed"`
}

func (c *ChangeCounts) count(kind string) {
	switch kind {
	case changeAdded:
		c.Added++
	case changeChanged:
		c.Changed++
	case changeRemoved:
		c.Removed++
	}
}

// Total is the number of pages.
func (c *ChangeCounts) Total() int { return c.Added + c.Changed + c.Removed }

// listsSame reports whether two sides list the same URLs.
func listsSame(ctx context.Context, a, b *compare.Side) (bool, error) {
	next, stop := iter.Pull2(b.Listed(ctx))
	defer stop()
	for page, err := range a.Listed(ctx) {
		if err != nil {
			return false, err
		}
		other, err, ok := next()
		if err != nil || !ok || other.URL != page.URL {
			return false, err
		}
	}
	_, err, more := next()
	return !more, err
}

// listingVersion identifies what a side lists: the URLs with their dates. It also counts
// them.
func listingVersion(ctx context.Context, side *compare.Side) (version string, pages int, err error) {
	digest := sha256.New()
	for page, err := range side.Listed(ctx) {
		if err != nil {
			return "", 0, err
		}
		pages++
		fmt.Fprintf(digest, "%s\n%s\n", page.URL, page.LastMod)
	}
	const length = 8
	return hex.EncodeToString(digest.Sum(nil)[:length]), pages, nil
}

// countChanges records in the ledger what changed since the last announcement of the
// sitemap, or since the previous crawl or sitemap. It reports whether there was nothing
// to count from; then the ledger has the state from now on.
func (r *announceRun) countChanges(ctx context.Context) (baseline bool, err error) {
	previous, err := r.openPrevious(ctx)
	if err != nil {
		return false, err
	}
	if previous != nil {
		defer previous.Close()
	}
	err = r.ledger.Update(ctx, r.source.sitemap, func(u *ledger.Update) error {
		since := compare.Recorded("", recordedPages(u))
		if err := r.record(ctx, u, since, u.Known && previous == nil); err != nil {
			return err
		}
		if err := r.addDigests(ctx, u); err != nil {
			return err
		}
		if previous != nil {
			return addChanges(ctx, u, &compare.Comparison{Old: previous, New: r.source.pages()})
		}
		if u.Known {
			return nil
		}
		read, err := r.addCrawlChanges(ctx, u)
		baseline = !read
		return err
	})
	return baseline, err
}

// openPrevious opens the side of the previous setting, or returns nil.
func (r *announceRun) openPrevious(ctx context.Context) (*compare.Side, error) {
	if r.settings.Previous == "" {
		return nil, nil
	}
	location, options, err := access.Sources(r.app, &r.settings.Request, r.settings.Previous)
	if err != nil {
		return nil, err
	}
	side, err := compare.Open(ctx, location[0], &options)
	if err != nil {
		return nil, setting.Wrap("previous", err)
	}
	if len(side.Faults) > 0 { // pages that could not be read would count as new
		_ = side.Close()
		return nil, setting.Wrap("previous", side.Faults[0])
	}
	return side, nil
}

func recordedPages(u *ledger.Update) iter.Seq2[compare.State, error] {
	return func(yield func(compare.State, error) bool) {
		for p, err := range u.Pages() {
			if !yield(compare.State{URL: p.URL, LastMod: p.LastMod, Digest: p.Digest}, err) {
				return
			}
		}
	}
}

// record brings the recorded pages up to date, and adds the differences as changes when
// they are wanted. What was to be announced of a page before it entered or left the
// sitemap is forgotten.
func (r *announceRun) record(ctx context.Context, u *ledger.Update, since *compare.Side, asChanges bool) error {
	comparison := &compare.Comparison{Old: since, New: r.source.pages()}
	for c, err := range comparison.Pairs(ctx, &compare.Unpaired{}) {
		if err != nil {
			return err
		}
		isListed := c.New != nil && c.New.Decision == compare.Listed
		if isListed {
			err = u.SetPage(ledger.Page{URL: c.URL(), LastMod: c.New.LastMod, Digest: c.New.Digest})
		} else {
			err = u.DropPage(c.URL())
		}
		if err == nil && (c.Old == nil || !isListed) {
			err = u.Forget(c.URL())
		}
		if kind := changeKind(c); err == nil && asChanges && kind != "" {
			err = u.Add(c.URL(), kind)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// addDigests records the contents of pages that were recorded without, because there was
// no crawl. They do not count as changed.
func (r *announceRun) addDigests(ctx context.Context, u *ledger.Update) error {
	if r.source.crawl == nil {
		return nil
	}
	recorded, stop := iter.Pull2(u.Pages())
	defer stop()
	old, err, more := recorded()
	for page, pageErr := range r.source.crawl.Listed(ctx) {
		for more && err == nil && old.URL < page.URL {
			old, err, more = recorded()
		}
		if err == nil {
			err = pageErr
		}
		if err == nil && more && old.URL == page.URL && old.Digest == "" && page.Digest != "" {
			err = u.SetPage(ledger.Page{URL: page.URL, LastMod: page.LastMod, Digest: page.Digest})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func addChanges(ctx context.Context, u *ledger.Update, comparison *compare.Comparison) error {
	for c, err := range comparison.Pairs(ctx, &compare.Unpaired{}) {
		if err != nil {
			return err
		}
		if kind := changeKind(c); kind != "" {
			if err := u.Add(c.URL(), kind); err != nil {
				return err
			}
		}
	}
	return nil
}

// changeKind returns how a change is announced, or "" where engines have nothing to read:
// a page that was not listed, one that left the sitemap and still answers, and one that is not updated.
func changeKind(c *compare.Pair) string {
	was := c.Old != nil && c.Old.Decision == compare.Listed
	is := c.New != nil && c.New.Decision == compare.Listed
	switch {
	case was && is && !c.Updated:
		return ""
	case was && is:
		return changeChanged
	case is:
		return changeAdded
	case was && (c.New == nil || isGone(c.New.Status)):
		return changeRemoved
	}
	return ""
}

// isGone reports whether a status says that a page is not there any more, or elsewhere.
func isGone(status int) bool {
	return status == http.StatusNotFound || status == http.StatusGone || status >= 300 && status < 400
}

// addCrawlChanges adds what changed since the crawl before, and reports whether there is one.
func (r *announceRun) addCrawlChanges(ctx context.Context, u *ledger.Update) (bool, error) {
	folder := r.source.folder
	if r.source.crawl == nil || crawlfile.FileIn(folder, crawlfile.ChangesName) == "" ||
		crawlfile.FileIn(folder, crawlfile.PreviousName) == "" {
		return false, nil // also where the two crawls cannot be compared
	}
	previous, err := compare.Open(ctx, filepath.Join(folder, crawlfile.PreviousName), nil)
	if err != nil {
		return false, err
	}
	defer previous.Close()
	return true, addChanges(ctx, u, &compare.Comparison{Old: previous, New: r.source.crawl})
}

// An announcedPage is a page to announce.
type announcedPage struct{ url, kind, version string }

// chosenPages yields the pages that --all and --since choose, in order. A provider gets
// each state of a page once, so that a run that is repeated sends the rest.
func (r *announceRun) chosenPages(ctx context.Context) iter.Seq2[announcedPage, error] {
	return func(yield func(announcedPage, error) bool) {
		since, err := r.settings.since()
		if err != nil {
			yield(announcedPage{}, err)
			return
		}
		if !r.settings.All && since.IsZero() {
			return
		}
		for page, err := range r.ledger.Listed(ctx, r.source.sitemap) {
			if err == nil && !r.settings.All && !isSince(page.LastMod, since) {
				continue
			}
			if !yield(announcedPage{page.URL, changeChanged, page.Version}, err) || err != nil {
				return
			}
		}
	}
}

func isSince(lastMod string, since sitemap.Date) bool {
	date, err := sitemap.ParseDate(lastMod)
	return err == nil && !date.IsZero() && !date.Time().Before(since.Time())
}

// pagesFor yields the pages to announce to a channel, each URL once: those that changed
// and that it has not received, and those that --all and --since choose.
func (r *announceRun) pagesFor(
	ctx context.Context, changes iter.Seq2[ledger.Change, error],
) iter.Seq2[announcedPage, error] {
	return func(yield func(announcedPage, error) bool) {
		chosen, stop := iter.Pull2(r.chosenPages(ctx))
		defer stop()
		head, err, more := chosen()
		// before yields the chosen pages up to a URL, and drops the one of that URL.
		before := func(url string) bool {
			for ; more && err == nil && (url == "" || head.url <= url); head, err, more = chosen() {
				if head.url != url && !yield(head, nil) {
					return false
				}
			}
			return err == nil || yield(announcedPage{}, err) && false
		}
		for c, changeErr := range changes {
			if changeErr != nil {
				yield(announcedPage{}, changeErr)
				return
			}
			if !before(c.URL) || !yield(announcedPage{c.URL, c.Kind, c.Version}, nil) {
				return
			}
		}
		before("")
	}
}

// items returns pages as a provider takes them.
func items(pages iter.Seq2[announcedPage, error]) iter.Seq2[announce.Item, error] {
	return func(yield func(announce.Item, error) bool) {
		for p, err := range pages {
			if !yield(announce.Item{URL: p.url, Version: p.version}, err) {
				return
			}
		}
	}
}
