package service

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"
	"time"

	appcrawl "github.com/mapatools/mapa/internal/app/crawl"
	"github.com/mapatools/mapa/internal/app/crawlfile"
	"github.com/mapatools/mapa/internal/compare"
	"github.com/mapatools/mapa/internal/insight"
	"github.com/mapatools/mapa/internal/jobs"
	"github.com/mapatools/mapa/internal/report"
	"github.com/mapatools/mapa/internal/result"
	"github.com/mapatools/mapa/internal/store"
)

// A NoticeKind is what a notification is about.
type NoticeKind string

// The kinds of notifications.
const (
	NoticeChanged NoticeKind = "changed" // something was lost or is back, or changed as the schedule asks for
	NoticeFailed  NoticeKind = "failed"  // the crawl failed
	NoticeRefused NoticeKind = "refused" // the result was not published
	NoticeTest    NoticeKind = "test"    // somebody tries whether notifications arrive
)

// NotifyNames are the kinds of changes that a schedule may ask to be notified of. Of what was lost, and what is back,
// everybody hears.
var NotifyNames = []string{
	string(compare.KindRemoved), string(compare.KindMoved), string(compare.KindEnteredSitemap), string(compare.KindNew),
	string(compare.KindChanged),
}

// A Notification is what webhooks receive as JSON.
type Notification struct {
	Version  int        `json:"version"` // of this format: 1
	ID       string     `json:"id"`      // the same when it is delivered again
	Kind     NoticeKind `json:"kind"`
	Time     time.Time  `json:"time"`
	Site     string     `json:"site"`
	URL      string     `json:"url"`
	Link     string     `json:"link,omitempty"` // of the result on the server
	Crawl    string     `json:"crawl,omitempty"`
	Schedule string     `json:"schedule"`
	Counts   Counts     `json:"counts"`
	// Sign is that of the crawl; empty without a result.
	Sign    insight.Sign `json:"sign,omitempty"`
	Failure *Failure     `json:"failure,omitempty"`
	// Changes are what changed since the crawl before, the worst first. Losses are the pages that are still missing
	// from the sitemap.
	Changes []NoticeChange    `json:"changes,omitempty"`
	Losses  []store.LossCount `json:"losses,omitempty"`
}

// A NoticeChange is a kind of change, with the first of its URLs.
type NoticeChange struct {
	report.ChangePart
	Pages []NoticePage `json:"pages"`
}

// A NoticePage is a URL that a notification names.
type NoticePage struct {
	URL    string `json:"url"`
	Status int    `json:"status,omitempty"` // 0 without a response
	Reason string `json:"reason,omitempty"`
	Title  string `json:"title,omitempty"`
	// Pages is how many pages of a template changed alike: URL is the pattern of their URLs.
	Pages   int                  `json:"pages,omitempty"`
	Facts   []compare.FactChange `json:"facts,omitempty"`
	MovedTo string               `json:"moved_to,omitempty"`
	Link    string               `json:"link,omitempty"` // of what the server shows about it
	// On is the first page that links to it, LinkText the text of the link, and Linked the
	// number of pages that do.
	On       string `json:"on,omitempty"`
	LinkText string `json:"link_text,omitempty"`
	Linked   int    `json:"linked,omitempty"`
}

const (
	// notificationVersion is the version of the format.
	notificationVersion = 1
	// shownPages is how many URLs of a kind a notification names.
	shownPages = 50
)

// identify sets what every notification of a schedule has.
func (s *Service) identify(n *Notification, schedule *Schedule) {
	n.Version, n.ID, n.Time = notificationVersion, newID(), s.now().UTC().Truncate(time.Second)
	n.Schedule = schedule.ID
}

// linkTo returns the URL of a page of the server, or "" when its origin is not known.
func (s *Service) linkTo(path string) string {
	if s.options.Origin == "" {
		return ""
	}
	return s.options.Origin + path
}

// changesOf returns the notification of what changed since the crawl before, or nil when the
// schedule of the crawl, if any, asks for nothing of it.
func (s *Service) changesOf(ctx context.Context, id string, crawled *appcrawl.Result) *Notification {
	if crawled == nil || crawled.Changes == nil {
		return nil
	}
	schedule, err := s.scheduleOf(ctx, id)
	if err != nil {
		if !errors.Is(err, ErrNotFound) {
			s.log.Error("cannot read the schedule of a crawl", "crawl", id, "error", err)
		}
		return nil
	}
	known, err := s.readIgnored(ctx, id)
	if err != nil {
		s.log.Error("cannot read what is ignored of a crawl", "crawl", id, "error", err)
	}
	n := known.without(crawled.Changes)
	first, err := appcrawl.FirstChanges(ctx, s.folder(id), shownPages, func(change *compare.Change) bool {
		if change.Kind.IsLoss() && known.has(change) {
			if !known.losses[change.URL] && change.Pages == 0 {
				*n.Of(change.Kind) = max(0, *n.Of(change.Kind)-1)
			}
			return false
		}
		return !isForReturned(change.Kind, schedule.Notify) || change.Returned
	})
	if err != nil {
		s.log.Error("cannot read the changes of a crawl", "crawl", id, "error", err)
	}
	parts := noticeParts(schedule.Notify, &n, crawled.Before)
	if len(parts) == 0 {
		return nil
	}
	notice := &Notification{Kind: NoticeChanged, Losses: known.old}
	for _, part := range parts {
		change := NoticeChange{ChangePart: part}
		for i := range first[part.Kind] {
			change.Pages = append(change.Pages, noticePage(&first[part.Kind][i]))
		}
		notice.Changes = append(notice.Changes, change)
	}
	if err := s.describePages(ctx, id, notice); err != nil {
		s.log.Error("cannot read the changed pages of a crawl", "crawl", id, "error", err)
	}
	return notice
}

// ignoredChanges are what a notification leaves out of the changes since the crawl before.
type ignoredChanges struct {
	old    []store.LossCount // losses from before the crawl, which are not ignored
	losses map[string]bool   // losses that are ignored, by URL
	broken map[string]bool   // URLs that are ignored wherever they are linked
	kinds  map[string]int    // losses of this crawl that are ignored, by kind of change
	left   map[string]int    // of them, pages that left the sitemap, by decision
}

// without returns changes without the losses that are ignored.
func (k *ignoredChanges) without(changes *compare.Counts) compare.Counts {
	n := *changes
	n.LeftBy = maps.Clone(n.LeftBy)
	for kind, count := range k.kinds {
		of := n.Of(compare.Kind(kind))
		*of = max(0, *of-count)
	}
	for decision, count := range k.left {
		if n.LeftBy[decision] -= count; n.LeftBy[decision] <= 0 {
			delete(n.LeftBy, decision)
		}
	}
	return n
}

// has reports whether a URL, or all examples of a pattern, are ignored.
func (k *ignoredChanges) has(change *compare.Change) bool {
	is := func(url string) bool { return k.losses[url] || k.broken[url] }
	if change.Pages > 0 {
		return !slices.ContainsFunc(change.Examples, func(url string) bool { return !is(url) })
	}
	return is(change.URL)
}

// readIgnored reads what a notification leaves out, and the losses from before a crawl. After an error it has what was
// read before.
func (s *Service) readIgnored(ctx context.Context, id string) (k *ignoredChanges, err error) {
	k = &ignoredChanges{
		losses: map[string]bool{}, broken: map[string]bool{}, kinds: map[string]int{}, left: map[string]int{},
	}
	file, err := crawlfile.Open(s.folder(id))
	if err != nil {
		return k, err
	}
	defer file.Close() // it was only read
	began, err := crawlfile.TimeOf(file)
	if err != nil {
		return k, err
	}
	if k.old, err = file.CountLossesBefore(ctx, began); err != nil {
		return k, err
	}
	for _, ignored := range []bool{true, false} {
		filter := insight.Filter{Rules: report.BrokenRules[:1], Ignored: ignored}
		for f, err := range insight.ReadGroups(ctx, file, filter, insight.Part{}) {
			if err != nil {
				return k, err
			}
			k.broken[cmp.Or(f.OtherURL, f.URL)] = ignored
		}
	}
	for loss, err := range file.AllLosses(ctx) {
		if err != nil {
			return k, err
		}
		k.broken[loss.URL] = false // the list names the loss or not
		if !loss.Ignored {
			continue
		}
		k.losses[loss.URL] = true
		if loss.Since.Before(began) {
			continue
		}
		if k.kinds[loss.Kind]++; loss.Kind == string(compare.KindLeftSitemap) {
			k.left[loss.Decision]++
		}
	}
	return k, nil
}

// Removed pages are reported without a schedule asking for them if they are more than a share of the sitemap, and at
// least a number.
const (
	removedShare = 20
	minRemoved   = 5
)

// noticeParts returns the kinds of changes to notify of, with their numbers, which it changes. before is how many pages
// the sitemap had.
func noticeParts(asked []string, n *compare.Counts, before int) []report.ChangePart {
	var kinds []compare.Kind
	for _, kind := range compare.Kinds {
		isReturned := isForReturned(kind, asked)
		if isReturned {
			*n.Of(kind) = n.Returned[string(kind)]
		}
		isMany := kind == compare.KindRemoved && n.Removed >= minRemoved &&
			n.Removed*removedShare > before
		if kind.IsLoss() || isReturned || isMany || slices.Contains(asked, string(kind)) {
			kinds = append(kinds, kind)
		}
	}
	return report.ChangeParts(n, kinds)
}

// isForReturned reports whether of the changes of a kind only those of pages count that were lost before: nobody was
// notified of the others.
func isForReturned(kind compare.Kind, asked []string) bool {
	return kind == compare.KindFixed || kind == compare.KindEnteredSitemap && !slices.Contains(asked, string(kind))
}

// noticePage returns a change as a notification has it.
func noticePage(change *compare.Change) NoticePage {
	page := NoticePage{URL: change.URL, Facts: change.Facts, MovedTo: change.MovedTo}
	if change.Pages > 0 {
		page.URL, page.Pages = change.Template, change.Pages
	}
	if state := change.New; state != nil {
		page.Status, page.Title = state.Status, state.Title
		if state.Decision != compare.Listed {
			page.Reason = state.Decision
		}
	}
	return page
}

// scheduleOf returns the schedule that asked for a crawl, or ErrNotFound.
func (s *Service) scheduleOf(ctx context.Context, id string) (schedule *Schedule, err error) {
	err = s.store.Update(ctx, func(tx *jobs.Tx) error {
		c, err := tx.Crawl(id)
		if err != nil {
			return err
		}
		schedule, err = tx.Schedule(c.Schedule)
		return err
	})
	return schedule, err
}

// describePages adds what the result of a crawl says of the pages of a notification.
func (s *Service) describePages(ctx context.Context, id string, n *Notification) error {
	opened, err := openFolder(ctx, s.folder(id), s.folder(id))
	if err != nil {
		return err
	}
	for _, change := range n.Changes {
		for i := range change.Pages {
			err = errors.Join(err, s.describePage(ctx, opened, id, &change.Pages[i]))
		}
	}
	return errors.Join(err, opened.Close())
}

// describePage adds what the result of a crawl says of a page, and the first page that links
// to it.
func (s *Service) describePage(ctx context.Context, opened *result.Result, crawl string, page *NoticePage) error {
	id, known, err := FindPage(ctx, opened, page.URL, nil)
	if err != nil || !known {
		return err
	}
	details, err := opened.Page(ctx, id)
	if err != nil {
		return err
	}
	page.Title = cmp.Or(page.Title, details.Page.Page.Title)
	page.Link = s.linkTo("/crawls/" + crawl + "/pages/" + strconv.FormatInt(id, 10))
	links, err := opened.Links(ctx, id, result.In, "", 1)
	if err != nil || len(links.Links) == 0 {
		return err
	}
	page.On, page.LinkText, page.Linked = links.Links[0].URL, links.Links[0].Text, links.Total
	return nil
}
