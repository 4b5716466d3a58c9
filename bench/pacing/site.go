package main

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// latency is how long the site takes for a page without load.
const latency = 10 * time.Millisecond

// A site has numbered pages, each with links to ten others. Some URLs may always refuse
// requests, and the server may be overloaded.
type site struct {
	pages int
	refusal
	every int // one URL in so many refuses; 0 for none

	// capacity is the number of requests that are answered in a second of the run; nil
	// means all.
	capacity func(second int) int
	start    time.Time
	mutex    sync.Mutex
	counts   []load
}

// A load is what the server did in one second.
type load struct{ requests, refused int }

// ServeHTTP implements [http.Handler].
func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.capacity != nil && !s.admit() {
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	page, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/"))
	if err != nil && r.URL.Path != "/" || page >= s.pages {
		http.NotFound(w, r)
		return
	}
	if s.every > 0 && isBad(page, s.every) && page > s.pages/10 { // leaves, so that all pages are found
		if s.retryAfter != "" {
			w.Header().Set("Retry-After", s.retryAfter)
		}
		w.WriteHeader(s.status)
		return
	}
	time.Sleep(latency)
	w.Header().Set("Content-Type", "text/html")
	fmt.Fprintf(w, "<title>Page %d</title><p>%s", page, letters(page))
	for below := 10*page + 1; below <= 10*page+10 && below < s.pages; below++ {
		fmt.Fprintf(w, "<a href='/%d'>%d</a>", below, below)
	}
}

// letters writes a number in letters, because numbers are not new text to a crawler.
func letters(n int) string {
	return strings.Map(func(digit rune) rune { return digit - '0' + 'a' }, strconv.Itoa(n))
}

// isBad picks one page in so many, spread without order.
func isBad(page, every int) bool { return uint32(page)*2654435761>>8%uint32(every) == 0 }

// admit counts a request and makes it wait by the load. It reports whether the request
// is answered.
func (s *site) admit() bool {
	second := int(time.Since(s.start).Seconds())
	s.mutex.Lock()
	for len(s.counts) <= second {
		s.counts = append(s.counts, load{})
	}
	now := &s.counts[second]
	now.requests++
	capacity := s.capacity(second)
	answers := now.requests <= capacity
	if !answers {
		now.refused++
	}
	share := float64(now.requests) / float64(capacity)
	s.mutex.Unlock()
	time.Sleep(time.Duration(float64(latency) * min(share, 2)))
	return answers
}

// seconds returns what the server did in every second.
func (s *site) seconds() []load {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.counts
}
