package web_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/service"
	"github.com/mapatools/mapa/internal/web"
)

// newApplication starts a server with an empty folder and returns its address.
func newApplication(t *testing.T, change func(*web.Options, *service.Options)) (string, *service.Service) {
	t.Helper()
	a := &app.App{Version: "1.2.3"}
	options, crawls := web.Options{App: a}, service.Options{Folder: t.TempDir(), App: a}
	if change != nil {
		change(&options, &crawls)
	}
	var err error
	if options.Service, err = service.Open(t.Context(), crawls); err != nil {
		t.Fatal(err)
	}
	pages, err := web.New(options)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- options.Service.Run(ctx) }()
	server := httptest.NewServer(pages)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
		cancel()
		if err := errors.Join(<-done, options.Service.Close()); err != nil && !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
	return server.URL, options.Service
}

// A target is a small site to crawl. Requests for /held wait until it is opened.
type target struct {
	*httptest.Server
	gate chan struct{}
	open func()

	mutex   sync.Mutex
	changed bool
}

// newTarget starts a site, whose gate is open unless it is held.
func newTarget(t *testing.T, held bool) *target {
	t.Helper()
	s := &target{gate: make(chan struct{})}
	s.open = sync.OnceFunc(func() { close(s.gate) })
	if !held {
		s.open()
	}
	s.Server = httptest.NewServer(s)
	t.Cleanup(func() { s.open(); s.Close() })
	return s
}

// change makes the site another one: a page is new, another is gone.
func (s *target) change() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.changed = true
}

// ServeHTTP serves a start page, pages with links, and things to fix.
func (s *target) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mutex.Lock()
	changed := s.changed
	s.mutex.Unlock()
	page := func(title, body string) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, "<!doctype html><html lang=en><title>%s</title><h1>%s</h1><p>%s", title, title, body)
	}
	link := func(paths ...string) string {
		var links strings.Builder
		for _, path := range paths {
			fmt.Fprintf(&links, "<a href=%q>to %s</a> ", path, path)
		}
		return links.String()
	}
	switch path := r.URL.Path; {
	case path == "/":
		page("Home", "Welcome to a home page with some words. "+link("/shop/", "/about", "/old", "/gone", "/held"))
	case path == "/shop/":
		page("Shop", "Things for sale, many of them. "+link("/shop/1", "/shop/2", "/about#team", "/gone"))
	case path == "/shop/1" && !changed, path == "/shop/2", path == "/shop/3" && changed:
		page("Thing", "A thing number "+path+" with its own words. "+link("/", "/shop/3"))
	case path == "/about":
		page("About", "We make things since a long time ago. "+link("/"))
	case path == "/old":
		http.Redirect(w, r, "/about", http.StatusMovedPermanently)
	case path == "/held":
		select {
		case <-s.gate:
			page("Held", "This page takes its time. "+link("/"))
		case <-r.Context().Done():
		}
	case path == "/robots.txt":
		fmt.Fprint(w, "User-agent: *\nDisallow: /private/\n")
	default:
		http.NotFound(w, r)
	}
}
