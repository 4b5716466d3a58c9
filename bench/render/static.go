package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"

	"github.com/mapatools/mapa/bench/measure"
)

// A staticSite has pages whose server sends their text and links. Their script requests
// /rendered/PATH, so that the server knows which pages a browser has run.
type staticSite struct {
	pages int

	mu       sync.Mutex
	rendered map[string]bool
}

const renderedPrefix = "/rendered"

// staticBelow is the number of pages that a page links to.
const staticBelow = 10

// ServeHTTP implements [http.Handler].
func (s *staticSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if page, ok := strings.CutPrefix(r.URL.Path, renderedPrefix); ok {
		s.mu.Lock()
		s.rendered[page] = true
		s.mu.Unlock()
		w.WriteHeader(http.StatusNoContent)
		return
	}
	page, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/page-"))
	if r.URL.Path != "/" && (err != nil || page < 1 || page >= s.pages) {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, "<!doctype html>\n<html lang=\"en\"><head><title>Page %d</title>"+
		"<script>addEventListener('load', () => fetch('%s' + location.pathname))</script></head>\n<body><main><h1>Page %d</h1>",
		page, renderedPrefix, page)
	for paragraph := range 5 {
		fmt.Fprint(w, "<p>")
		for sentence := range 6 {
			n := page*30 + paragraph*6 + sentence
			fmt.Fprintf(w, "Line %d says that %d and %d are the numbers of page %d. ", sentence, n*7919%10007, n*104729%9973, page)
		}
		fmt.Fprint(w, "</p>\n")
	}
	for below := staticBelow*page + 1; below <= staticBelow*(page+1) && below < s.pages; below++ {
		fmt.Fprintf(w, "<a href=\"/page-%d\">Page %d</a> ", below, below)
	}
	fmt.Fprint(w, "</main></body></html>\n")
}

// compareStatic prints what looking for pages to render costs on a site that has none.
func (b *bench) compareStatic(ctx context.Context) error {
	lines := [][]string{{"", "pages", "rendered", "% rendered", "wall s", "CPU s", "CPU, times never"}}
	var base float64
	for _, mode := range []string{"never", "auto"} {
		site := &staticSite{pages: b.options.staticPages, rendered: map[string]bool{}}
		c := crawler{mapaName + "-" + mode, mapaCommand("--render", mode), readMapa}
		found, cost, err := b.crawl(ctx, site, "static", &c)
		if err != nil {
			return fmt.Errorf("static pages: %w", err)
		}
		if len(found.listed) != site.pages {
			return fmt.Errorf("static pages: --render %s lists %d of %d", mode, len(found.listed), site.pages)
		}
		if base == 0 {
			base = cost.CPU.Seconds()
		}
		lines = append(lines, []string{"static, --render " + mode, fmt.Sprint(found.pages), fmt.Sprint(len(site.rendered)),
			fmt.Sprintf("%.2f", 100*float64(len(site.rendered))/float64(max(found.pages, 1))), seconds(cost.Wall),
			seconds(cost.CPU), fmt.Sprintf("%.2f", cost.CPU.Seconds()/base)})
	}
	measure.PrintTable(os.Stdout, lines)
	return nil
}
