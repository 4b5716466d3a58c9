package service

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

	appcrawl "github.com/mapatools/mapa/internal/app/crawl"
	"github.com/mapatools/mapa/internal/compare"
	"github.com/mapatools/mapa/internal/jobs"
	"github.com/mapatools/mapa/internal/result"
)

// A NoticeKind is what a notification is about.
type NoticeKind string

// The kinds of notifications.
const (
	NoticeBroken  NoticeKind = "broken"  // pages are broken that were not
	NoticeChanged NoticeKind = "changed" // pages changed as the schedule asks for, and none is newly broken
	NoticeFailed  NoticeKind = "failed"  // the crawl failed
	NoticeRefused NoticeKind = "refused" // the result was not published
	NoticeTest    NoticeKind = "test"    // somebody tries whether notifications arrive
)

// The changes that a schedule may ask to be notified of.
const (
	NotifyNew  = "new"  // pages that were not there before
	NotifyGone = "gone" // pages that are not there any more

	NotifyTitles = "titles" // pages with another title
)

// NotifyNames are the changes that a schedule may ask to be notified of.
var NotifyNames = []string{NotifyNew, NotifyGone, NotifyTitles}

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
	Failure  *Failure   `json:"failure,omitempty"`
	// Broken are the first of the newly broken URLs, and NewlyBroken is how many there are.
	Broken      []NoticePage `json:"broken,omitempty"`
	NewlyBroken int          `json:"newly_broken,omitempty"`
	// New and Gone are the first of the pages that only one of two crawls has.
	New       []NoticePage `json:"new,omitempty"`
	NewPages  int          `json:"new_pages,omitempty"`
	Gone      []NoticePage `json:"gone,omitempty"`
	GonePages int          `json:"gone_pages,omitempty"`
	// Retitled are the first of the pages with another title.
	Retitled      []NoticePage `json:"retitled,omitempty"`
	RetitledPages int          `json:"retitled_pages,omitempty"`
}

// A NoticePage is a URL that a notification names.
type NoticePage struct {
	URL    string `json:"url"`
	Status int    `json:"status,omitempty"` // 0 without a response
	Reason string `json:"reason,omitempty"`
	Title  string `json:"title,omitempty"`
	// OldTitle is the title in the crawl before, if that had another one.
	OldTitle string `json:"old_title,omitempty"`
	Link     string `json:"link,omitempty"` // of what the server shows about it
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
	changes, err := appcrawl.FirstChanges(ctx, s.folder(id), shownPages)
	if err != nil {
		s.log.Error("cannot read the changes of a crawl", "crawl", id, "error", err)
	}
	n := &Notification{Kind: NoticeBroken, NewlyBroken: crawled.Changes.NewlyBroken}
	n.namePages(schedule.Notify, crawled.Changes, &changes)
	switch changed := n.NewPages + n.GonePages + n.RetitledPages; {
	case n.NewlyBroken+changed == 0:
		return nil
	case n.NewlyBroken == 0:
		n.Kind = NoticeChanged
	}
	if err := s.describePages(ctx, id, n); err != nil {
		s.log.Error("cannot read the changed pages of a crawl", "crawl", id, "error", err)
	}
	return n
}

// namePages adds the changes that are wanted, and the broken pages.
func (n *Notification) namePages(wanted []string, counts *compare.Counts, changes *appcrawl.ChangedPages) {
	for _, page := range changes.Broken {
		n.Broken = append(n.Broken, NoticePage{URL: page.URL, Status: page.Status, Reason: page.Reason})
	}
	if slices.Contains(wanted, NotifyNew) {
		n.NewPages, n.New = counts.New, noticePages(changes.New)
	}
	if slices.Contains(wanted, NotifyGone) {
		n.GonePages, n.Gone = counts.Gone, noticePages(changes.Gone)
	}
	if slices.Contains(wanted, NotifyTitles) {
		n.RetitledPages = changes.RetitledCount
		for _, page := range changes.Retitled {
			n.Retitled = append(n.Retitled, NoticePage{URL: page.URL, Title: page.New, OldTitle: page.Old})
		}
	}
}

func noticePages(urls []string) (pages []NoticePage) {
	for _, url := range urls {
		pages = append(pages, NoticePage{URL: url})
	}
	return pages
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
	for _, pages := range [][]NoticePage{n.Broken, n.New} {
		for i := range pages {
			err = errors.Join(err, s.describePage(ctx, opened, id, &pages[i]))
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
	page.Title, page.Link = details.Page.Page.Title, s.linkTo("/crawls/"+crawl+"/pages/"+strconv.FormatInt(id, 10))
	links, err := opened.Links(ctx, id, result.In, "", 1)
	if err != nil || len(links.Links) == 0 {
		return err
	}
	page.On, page.LinkText, page.Linked = links.Links[0].URL, links.Links[0].Text, links.Total
	return nil
}
