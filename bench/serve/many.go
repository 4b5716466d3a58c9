package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"time"
)

const (
	results = 1000        // of small sites
	crawled = 2           // times that a small site is crawled
	small   = 5           // pages of a small site, without its start
	largest = 100_000 - 1 // pages of the large one, without its start
)

// many is what was measured with many results, one of them of a large site.
type many struct {
	first  []time.Duration // from the start of the program
	sites  [len(manyPages)][]time.Duration
	large  [len(resultPages)][]time.Duration
	memory int64 // bytes, without the crawls
}

// manyPages are pages that read the results of all sites.
var manyPages = [...]measured{
	{"the start", "/"},
	{"the list of sites", "/sites"},
	{"its next part", "/sites?from=100"},
	{"the sites found by a name", "/sites?text=127.0.2."},
}

// manyResults crawls many small sites and a large one, and measures the pages of a program
// that starts with their results.
func (p *subject) manyResults(ctx context.Context, data string) error {
	s, err := newServer(ctx, p.path, data)
	if err != nil {
		return err
	}
	path, err := s.crawlMany(ctx)
	if err := errors.Join(err, s.stop()); err != nil {
		return err
	}
	for range starts {
		if s, err = newServer(ctx, p.path, data); err != nil {
			return err
		}
		p.many.first = append(p.many.first, s.started)
		err := s.times(ctx, "", manyPages[:], p.many.sites[:])
		if err == nil {
			err = s.times(ctx, path, resultPages[:], p.many.large[:])
		}
		memory, failed := peakMemory(s.process.Process.Pid)
		p.many.memory = max(p.many.memory, memory)
		if err := errors.Join(err, failed, s.stop()); err != nil {
			return err
		}
	}
	return nil
}

// crawlMany crawls the small sites, each at a loopback address of its own, and the large one,
// whose path it returns.
func (s *server) crawlMany(ctx context.Context) (string, error) {
	large := httptest.NewServer(site{pages: largest})
	defer large.Close()
	path, err := s.crawl(ctx, large.URL)
	if err != nil {
		return "", err
	}
	if err := s.wait(ctx, path); err != nil {
		return "", err
	}
	listener, err := net.Listen("tcp4", "0.0.0.0:0") // every loopback address
	if err != nil {
		return "", err
	}
	sites := &http.Server{Handler: site{pages: small}}
	defer sites.Close()
	go sites.Serve(listener) // until it is closed
	port := listener.Addr().(*net.TCPAddr).Port
	for range crawled {
		var crawls [results / crawled]string
		for i := range crawls {
			address := fmt.Sprintf("http://127.0.%d.%d:%d/", 1+i/250, 1+i%250, port)
			if crawls[i], err = s.crawl(ctx, address); err != nil {
				return "", err
			}
		}
		for _, path := range crawls {
			if err := s.wait(ctx, path); err != nil {
				return "", err
			}
		}
	}
	return path, nil
}

// times requests each page some times, by its path after a prefix, and adds how long each took to those of before.
func (s *server) times(ctx context.Context, prefix string, pages []measured, took [][]time.Duration) error {
	for i, page := range pages {
		for range asked {
			one, err := s.get(ctx, prefix+page.path)
			if err != nil {
				return err
			}
			took[i] = append(took[i], one)
		}
	}
	return nil
}
