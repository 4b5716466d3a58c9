package main

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"slices"
	"strconv"
	"time"
)

// A subject is a program with what was measured.
type subject struct {
	name, path   string
	first, pages []time.Duration
	load         load
	results      [len(resultPages)][]time.Duration
	many         many
	cpu          time.Duration
}

// start starts the program and requests a page.
func (p *subject) start(ctx context.Context, data string) error {
	s, err := newServer(ctx, p.path, data)
	if err != nil {
		return err
	}
	took, err := s.get(ctx, "/")
	p.first, p.pages = append(p.first, s.started), append(p.pages, took)
	return errors.Join(err, s.stop())
}

// measure starts the program once more, and measures it under load and with the result of a crawl.
func (p *subject) measure(ctx context.Context, data string, browsers, queued int) error {
	s, err := newServer(ctx, p.path, data)
	if err != nil {
		return err
	}
	err = p.result(ctx, s)
	if err == nil {
		p.load, err = s.load(ctx, browsers, queued)
	}
	err = errors.Join(err, s.stop())
	p.cpu = s.process.ProcessState.UserTime() + s.process.ProcessState.SystemTime()
	return err
}

// measured is a page whose response times are measured.
type measured struct{ name, path string }

// resultPages are pages of the result of a crawl, by their path after that of the crawl.
var resultPages = [...]measured{
	{"the result of a crawl", ""},
	{"its URLs", "/pages"},
	{"one of them", "/pages/1"},
	{"its folders", "/tree"},
	{"its broken links", "/findings?rule=link-broken&severity=error"},
}

// result requests the pages of the result of a crawl in turns.
func (p *subject) result(ctx context.Context, s *server) error {
	site := httptest.NewServer(site{pages: pages})
	defer site.Close()
	path, err := s.crawl(ctx, site.URL)
	if err != nil {
		return err
	}
	if err := s.wait(ctx, path); err != nil {
		return err
	}
	return s.times(ctx, path, resultPages[:], p.results[:])
}

// table has the times of each program.
func table(programs []*subject, browsers, queued int) [][]string {
	lines := [][]string{{"Web application"}}
	add := func(name string, cells func(*subject) []string) {
		line := []string{name}
		for _, p := range programs {
			line = append(line, cells(p)...)
		}
		lines = append(lines, line)
	}
	for _, p := range programs {
		lines[0] = append(lines[0], p.name+", median", "worst")
	}
	add("from the start of the program to its first answer", func(p *subject) []string { return row(p.first) })
	add("a page", func(p *subject) []string { return row(p.pages) })
	for i, page := range resultPages {
		add(fmt.Sprintf("%s (%d URLs)", page.name, pages+1), func(p *subject) []string { return row(p.results[i]) })
	}
	add(fmt.Sprintf("from the start to the first answer, with %d results", results+1),
		func(p *subject) []string { return row(p.many.first) })
	for i, page := range manyPages {
		add(fmt.Sprintf("%s, with %d results", page.name, results+1),
			func(p *subject) []string { return row(p.many.sites[i]) })
	}
	for i, page := range resultPages {
		add(fmt.Sprintf("%s (%d URLs)", page.name, largest+1), func(p *subject) []string { return row(p.many.large[i]) })
	}
	add("memory at most, for these pages",
		func(p *subject) []string { return []string{fmt.Sprintf("%d MB", p.many.memory>>20), ""} })
	add("from the form to the first progress", func(p *subject) []string { return row([]time.Duration{p.load.progress}) })
	add(fmt.Sprintf("a page while %d browsers follow 2 crawls, and %d wait", browsers, queued),
		func(p *subject) []string { return row(p.load.answers) })
	add("events a browser received in that time",
		func(p *subject) []string { return []string{strconv.FormatInt(p.load.events/int64(browsers), 10), ""} })
	add("CPU of all that", func(p *subject) []string { return []string{fmt.Sprintf("%.1f s", p.cpu.Seconds()), ""} })
	add("memory at most", func(p *subject) []string { return []string{fmt.Sprintf("%d MB", p.load.memory>>20), ""} })
	return lines
}

// row returns the median and the worst of some times.
func row(times []time.Duration) []string {
	slices.Sort(times)
	shown := func(d time.Duration) string { return fmt.Sprintf("%.1f ms", d.Seconds()*1000) }
	return []string{shown(times[len(times)/2]), shown(times[len(times)-1])}
}
