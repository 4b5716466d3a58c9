package main

import (
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// Small pages are made as they are asked for, so that a site of a million needs no disk.
const (
	smallSize     = 900 // bytes, within the length of a sentence
	smallLinks    = 10
	smallBranches = 5 // pages that a page leads to first
)

// A smallServer answers for a site of small pages, and counts.
type smallServer struct {
	pages                      int
	server                     http.Server
	requests, unchanged, ended atomic.Int64
}

// serveSmall serves a site of small pages on a port of loopback.
func serveSmall(pages, port int) (*smallServer, error) {
	listener, err := net.Listen("tcp", fmt.Sprint("127.0.0.1:", port))
	if err != nil {
		return nil, err
	}
	s := &smallServer{pages: pages}
	s.server.Handler = s
	go func() { _ = s.server.Serve(listener) }() // until stop
	return s, nil
}

// ServeHTTP implements [http.Handler].
func (s *smallServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	defer func() {
		s.requests.Add(1)
		s.ended.Store(time.Now().UnixMilli())
	}()
	n, isPage := smallNumber(r.URL.Path)
	if !isPage || n >= s.pages {
		http.NotFound(w, r)
		return
	}
	tag := `"` + strconv.Itoa(n) + `"`
	w.Header().Set("ETag", tag)
	if r.Header.Get("If-None-Match") == tag {
		s.unchanged.Add(1)
		w.WriteHeader(http.StatusNotModified)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write(s.render(make([]byte, 0, 2*smallSize), n)) // the crawler may be gone
}

func (s *smallServer) progress() (int64, error) { return s.requests.Load(), nil }

func (s *smallServer) stop() error { return s.server.Close() }

func (s *smallServer) traffic() (traffic, error) {
	return traffic{unchanged: int(s.unchanged.Load()), last: time.UnixMilli(s.ended.Load())}, nil
}

// smallPath names page n.
func smallPath(n int) string {
	if n == 0 {
		return "/"
	}
	return fmt.Sprintf("/%s-%d/%s-%d.html", words[n/1000%len(words)], n/1000, words[n%len(words)], n)
}

// smallNumber is the number of the page at a path.
func smallNumber(path string) (n int, isPage bool) {
	if path == "/" {
		return 0, true
	}
	n, err := strconv.Atoi(strings.TrimSuffix(path[strings.LastIndexByte(path, '-')+1:], ".html"))
	return n, err == nil && n > 0 && path == smallPath(n)
}

// render appends page n to a buffer. Its links lead down a tree, and then anywhere.
func (s *smallServer) render(page []byte, n int) []byte {
	r := random(n, forText)
	title := fmt.Sprintf("%s %s %s, number %d", word(r), word(r), word(r), n)
	page = fmt.Appendf(page, "<!DOCTYPE html>\n<html lang=\"en\"><head><title>%s</title></head>\n<body><h1>%[1]s</h1>\n<p>", title)
	for link := range smallLinks {
		to := n*smallBranches + 1 + link
		if link >= smallBranches || to >= s.pages {
			to = r.IntN(s.pages)
		}
		page = fmt.Appendf(page, "<a href=\"%s\">%s</a>\n", smallPath(to), word(r))
	}
	return append(appendProse(page, smallSize, r), "</p></body></html>\n"...)
}
