package sitemaphttp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"path"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mapatools/mapa/sitemap"
)

// ErrClosed is returned by a [Handler] after Close.
var ErrClosed = errors.New("the sitemap handler is closed")

// A Section is a kind of pages, such as posts or products, with parts of its own.
type Section struct {
	// Name is part of the URLs: a-z, 0-9 and single hyphens.
	Name string
	// Source yields the pages.
	Source Source
	// PartSize is how many keys a part covers: the width of the ranges of integer
	// keys, the mean number of other keys. 0 is 10,000. Integers with large gaps
	// between them, such as Snowflake IDs, need more: the range that some 10,000
	// rows fill.
	PartSize int64
	// News makes the parts news sitemaps: rows without exactly one News are
	// invalid, those published more than two days ago are left out, and a part has
	// at most 1,000 rows.
	News bool
}

const (
	defaultPartSize  = 10_000
	defaultRefresh   = 10 * time.Minute
	defaultCache     = 8 << 20
	maxNews          = 1_000
	maxPartBytes     = 16 << 20 // bounds the memory of a response; sitemaps.org allows more
	firstRetry       = time.Second
	waitForFirstScan = 10 * time.Second
)

// Options are optional settings of a [Handler]. The zero value is fit for use.
type Options struct {
	// Refresh is the time from one reading of all rows to the next. A change shows
	// after that time at most. 0 is ten minutes.
	Refresh time.Duration
	// CacheBytes bounds the compressed parts that are kept in memory. 0 is 8 MiB,
	// less than 0 keeps none.
	CacheBytes int64
	// Stylesheets make the files readable in a browser, which uses the first that it
	// understands. Nil is [sitemap.CSS], and an empty slice none.
	Stylesheets []sitemap.Stylesheet
	// Hubs are the URLs of the WebSub hubs that tell subscribers when the index or a part
	// changes. Responses name them and their own URL in Link headers (WebSub, section 4).
	// Package announce notifies a hub.
	Hubs []string
	// Logger receives errors of sources and invalid rows; slog.Default() when nil.
	Logger *slog.Logger
	// OnInvalid is called for every row that cannot be listed, or not completely,
	// when all rows are read: err says why. The row must not be kept. Calls come from
	// one goroutine. When nil, the first rows are logged.
	OnInvalid func(section string, row *Row, err error)
}

// A Handler serves the sitemaps of a site. Use [New], and Close at the end.
type Handler struct {
	base     string // URL of the folder, with a slash at the end
	path     string // of base
	host     string // base without path
	sections []*section
	options  Options
	log      *slog.Logger
	static   map[string]*document // the stylesheets
	bodies   *bodies
	table    atomic.Pointer[table]

	ctx     context.Context // ends with Close
	cancel  context.CancelFunc
	running sync.WaitGroup
	tried   chan struct{} // closed after the first scan, successful or not
	wake    chan struct{}

	mutex sync.Mutex
	next  *refresh // the scan that callers of Refresh wait for, not begun yet
}

// A refresh is a scan that somebody waits for.
type refresh struct {
	done chan struct{} // closed when err is set
	err  error
}

// New returns a handler of the sitemap at baseURL + "sitemap.xml" and begins to read
// its sections. baseURL is the absolute URL of a folder; sitemaps.org allows pages in
// that folder only, so it is usually the root of the site. A nil options is the zero
// value. The error says which argument cannot be used.
func New(baseURL string, sections []Section, options *Options) (*Handler, error) {
	h := &Handler{tried: make(chan struct{}), wake: make(chan struct{}, 1)}
	if options != nil {
		h.options = *options
	}
	if err := h.setBase(baseURL); err != nil {
		return nil, err
	}
	if err := h.setSections(sections); err != nil {
		return nil, err
	}
	for _, hub := range h.options.Hubs {
		u, err := url.Parse(hub)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || strings.ContainsAny(hub, "<>") {
			return nil, fmt.Errorf("hub %q: not an absolute http or https URL", hub)
		}
	}
	if h.options.Refresh = cmp.Or(h.options.Refresh, defaultRefresh); h.options.Refresh < 0 {
		return nil, errors.New("Refresh is negative")
	}
	if h.log = h.options.Logger; h.log == nil {
		h.log = slog.Default()
	}
	if err := h.setStylesheets(); err != nil {
		return nil, err
	}
	for _, s := range h.sections {
		s.options = h.writerOptions(s.limits())
	}
	h.ctx, h.cancel = context.WithCancel(context.Background())
	h.bodies = newBodies(h.ctx, cmp.Or(h.options.CacheBytes, defaultCache))
	h.running.Go(h.refreshForever)
	return h, nil
}

func (h *Handler) setBase(baseURL string) error {
	u, err := url.Parse(baseURL)
	switch {
	case err != nil:
		return fmt.Errorf("base URL: %w", err)
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return fmt.Errorf("base URL %q: not an absolute http or https URL", baseURL)
	case u.User != nil || u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return fmt.Errorf("base URL %q: only scheme, host and path can be used", u.Redacted())
	}
	if !strings.HasSuffix(u.Path, "/") {
		u = u.JoinPath("/")
	}
	if h.base, err = sitemap.EncodeLoc(u.String()); err != nil {
		return fmt.Errorf("base URL %q: %w", baseURL, err)
	}
	h.path = u.Path
	h.host = strings.TrimSuffix(h.base, u.EscapedPath())
	return nil
}

func (h *Handler) setSections(sections []Section) error {
	if len(sections) == 0 {
		return errors.New("no section")
	}
	known := map[string]bool{}
	for _, s := range sections {
		err := sitemap.CheckGroupName(s.Name)
		switch {
		case err != nil:
		case known[s.Name]:
			err = errors.New("the name is used twice")
		case s.Source == nil:
			err = errors.New("no source")
		case s.PartSize < 0:
			err = errors.New("PartSize is negative")
		}
		if err != nil {
			return fmt.Errorf("section %q: %w", s.Name, err)
		}
		known[s.Name] = true
		s.PartSize = cmp.Or(s.PartSize, defaultPartSize)
		h.sections = append(h.sections, &section{Section: s})
	}
	return nil
}

func (h *Handler) setStylesheets() error {
	if h.options.Stylesheets == nil {
		h.options.Stylesheets = []sitemap.Stylesheet{sitemap.CSS()}
	}
	h.static = map[string]*document{}
	for _, s := range h.options.Stylesheets {
		if extension := path.Ext(s.Name); extension != ".css" && extension != ".xsl" || strings.ContainsAny(s.Name, "/?#%") {
			return fmt.Errorf("stylesheet %q: not the name of a file that ends in .css or .xsl", s.Name)
		}
		h.static[s.Name] = newDocument([]byte(s.Content), nil, time.Now())
	}
	return nil
}

// IndexURL returns the URL to submit to search engines: that of the index or, as
// long as there is one part only, of a copy of it.
func (h *Handler) IndexURL() string { return h.base + indexName }

// Close ends all reading and waits for it. Requests are answered with status 503
// after that. The sources are the caller's to close. It returns nil.
func (h *Handler) Close() error {
	h.cancel()
	h.running.Wait()
	h.bodies.running.Wait()
	return nil
}

// Refresh reads all rows now, and returns when requests are answered by what it read.
// Several calls share a scan that begins after them. The error is that of a source,
// of ctx, or ErrClosed.
func (h *Handler) Refresh(ctx context.Context) error {
	r := h.request()
	select {
	case <-r.done:
		return r.err
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-h.ctx.Done():
		return ErrClosed
	}
}

// request asks for a scan that begins after the call.
func (h *Handler) request() *refresh {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if h.next == nil {
		h.next = &refresh{done: make(chan struct{})}
	}
	select {
	case h.wake <- struct{}{}:
	default:
	}
	return h.next
}

// refreshForever is the only goroutine that scans.
func (h *Handler) refreshForever() {
	retry := firstRetry
	for first := true; ; first = false {
		err := h.refreshOnce()
		if first {
			close(h.tried)
		}
		pause := h.options.Refresh
		if err == nil {
			retry = firstRetry
		} else {
			pause = min(pause, retry)
			retry = 2 * pause
		}
		timer := time.NewTimer(pause)
		select {
		case <-timer.C:
		case <-h.wake:
			timer.Stop()
		case <-h.ctx.Done():
			timer.Stop()
			return
		}
	}
}

func (h *Handler) refreshOnce() error {
	h.mutex.Lock()
	r := h.next
	h.next = nil
	select {
	case <-h.wake: // this scan is the one that was asked for
	default:
	}
	h.mutex.Unlock()
	start := time.Now()
	found, err := h.scan(h.ctx, h.table.Load())
	switch {
	case h.ctx.Err() != nil:
		err = ErrClosed
	case err != nil:
		h.log.Error("sitemap: reading the rows failed; the sitemap stays as it was", "error", err)
	default:
		h.table.Store(found)
		h.log.Debug("sitemap: rows read", "pages", found.pages, "parts", len(found.parts), "time", time.Since(start))
	}
	if r != nil {
		r.err = err
		close(r.done)
	}
	return err
}

// current returns the table, waiting a while for the first one. Without one it
// returns nil.
func (h *Handler) current(ctx context.Context) *table {
	if t := h.table.Load(); t != nil {
		return t
	}
	ctx, cancel := context.WithTimeout(ctx, waitForFirstScan)
	defer cancel()
	select {
	case <-h.tried:
	case <-h.ctx.Done():
	case <-ctx.Done():
	}
	return h.table.Load()
}
