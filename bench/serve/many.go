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
var manyPages = [...]struct{ name, path string }{
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
		for i, page := range manyPages {
			took, err := s.times(ctx, page.path)
			if err != nil {
				return errors.Join(err, s.stop())
			}
			p.many.sites[i] = append(p.many.sites[i], took...)
		}
		for i, page := range resultPages {
			took, err := s.times(ctx, path+page.path)
			if err != nil {
				return errors.Join(err, s.stop())
			}
			p.many.large[i] = append(p.many.large[i], took...)
		}
		memory, err := peakMemory(s.process.Process.Pid)
		p.many.memory = max(p.many.memory, memory)
		if err := errors.Join(err, s.stop()); err != nil {
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
	listener, err := net.Listen("tcp4", "0.0.0.0:0")
	if err != nil {
		return "", err
	}
	sites := &http.Server{Handler: site{pages: small}}
	defer sites.Close()
	go sites.Serve(listener) // until it is closed
	port := listener.Addr().(*net.TCPAddr).Port
	for range crawled {
		var last string
		for i := range results / crawled {
			if last, err = s.crawl(ctx, fmt.Sprintf("http://127.0.%d.%d:%d/", 1+i/250, 1+i%250, port)); err != nil {
				return "", err
			}
		}
		if err := s.wait(ctx, last); err != nil {
			return "", err
		}
	}
	return path, nil
}

// times requests a page some times.
func (s *server) times(ctx context.Context, path string) (all []time.Duration, err error) {
	for range asked {
		took, err := s.get(ctx, path)
		if err != nil {
			return nil, err
		}
		all = append(all, took)
	}
	return all, nil
}
