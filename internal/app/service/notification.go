package service

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

	appcrawl "github.com/mapatools/mapa/internal/app/crawl"
	"github.com/mapatools/mapa/internal/app/results"
	"github.com/mapatools/mapa/internal/jobs"
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
)

// NotifyNames are the changes that a schedule may ask to be notified of.
var NotifyNames = []string{NotifyNew, NotifyGone}

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
}

// A NoticePage is a URL that a notification names.
type NoticePage struct {
	URL    string `json:"url"`
	Status int    `json:"status,omitempty"` // 0 without a response
	Reason string `json:"reason,omitempty"`
	Title  string `json:"title,omitempty"`
	Link   string `json:"link,omitempty"` // of what the server shows about it
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
func (s *Service) changesOf(ctx context.Context, id string, result *appcrawl.Result) *Notification {
	if result == nil || result.Changes == nil {
		return nil
	}
	schedule, err := s.scheduleOf(ctx, id)
	if err != nil {
		if !errors.Is(err, ErrNotFound) {
			s.log.Error("cannot read the schedule of a crawl", "crawl", id, "error", err)
		}
		return nil
	}
	n := &Notification{Kind: NoticeBroken, NewlyBroken: result.Changes.NewlyBroken}
	if slices.Contains(schedule.Notify, NotifyNew) {
		n.NewPages = result.Changes.New
	}
	if slices.Contains(schedule.Notify, NotifyGone) {
		n.GonePages = result.Changes.Gone
	}
	switch {
	case n.NewlyBroken+n.NewPages+n.GonePages == 0:
		return nil
	case n.NewlyBroken == 0:
		n.Kind = NoticeChanged
	}
	if err := s.namePages(ctx, id, n); err != nil {
		s.log.Error("cannot read the changes of a crawl", "crawl", id, "error", err)
	}
	return n
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

// namePages adds the first pages of each kind that a notification counts.
func (s *Service) namePages(ctx context.Context, id string, n *Notification) error {
	changes, err := appcrawl.FirstChanges(ctx, s.folder(id), shownPages)
	if err != nil {
		return err
	}
	for _, page := range changes.Broken {
		n.Broken = append(n.Broken, NoticePage{URL: page.URL, Status: page.Status, Reason: page.Reason})
	}
	n.New, n.Gone = noticePages(n.NewPages, changes.New), noticePages(n.GonePages, changes.Gone)
	result, err := results.Open(ctx, s.options.App, s.folder(id), s.folder(id))
	if err != nil {
		return err
	}
	for _, pages := range [][]NoticePage{n.Broken, n.New} {
		for i := range pages {
			err = errors.Join(err, s.describePage(ctx, result, id, &pages[i]))
		}
	}
	return errors.Join(err, result.Close())
}

// noticePages returns the pages of URLs, and none when none are counted.
func noticePages(count int, urls []string) (pages []NoticePage) {
	for _, url := range urls[:min(count, len(urls))] {
		pages = append(pages, NoticePage{URL: url})
	}
	return pages
}

// describePage adds what the result of a crawl says of a page, and the first page that links
// to it.
func (s *Service) describePage(ctx context.Context, result *results.Result, crawl string, page *NoticePage) error {
	id, known, err := results.FindPage(ctx, result, page.URL, nil)
	if err != nil || !known {
		return err
	}
	details, err := result.Page(ctx, id)
	if err != nil {
		return err
	}
	page.Title, page.Link = details.Title, s.linkTo("/crawls/"+crawl+"/pages/"+strconv.FormatInt(id, 10))
	links, err := result.Links(ctx, id, results.LinksIn, "", 1)
	if err != nil || len(links.Links) == 0 {
		return err
	}
	page.On, page.LinkText, page.Linked = links.Links[0].URL, links.Links[0].Text, links.Total
	return nil
}
