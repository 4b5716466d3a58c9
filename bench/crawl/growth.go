package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"time"

	"github.com/mapatools/mapa/bench/measure"
)

// A growth measures crawls of a site of one size, and what is asked of them later. Several programs take turns.
type growth struct {
	dir    string
	pages  int
	listed int    // of the pages, those for the sitemap
	start  string // URL of the home page
	last   string // URL of another page
	folder string // with the files of the site; empty if pages are made as they are asked for
	serve  func(dir string) (pageServer, error)

	programs []*subject // Mapa, then those that it is compared with
	floor    *subject
}

// A pageServer serves a site for one crawl.
type pageServer interface {
	progress() (int64, error) // grows with each request
	stop() error
	traffic() (traffic, error) // after stop
}

// A traffic is what the requests of a crawl were.
type traffic struct {
	unchanged int       // answers 304
	last      time.Time // when the last response was sent
}

// A subject is a program, and what it cost by the name of the work.
type subject struct {
	name, program, dir string
	half               int64 // progress of the server at half of the first crawl
	costs              map[string][]cost
}

// A cost is that of one run.
type cost struct {
	measure.Cost
	disk int64         // bytes of the crawl file
	end  time.Duration // from the last response to the end of the program
}

// A work is a row of the table.
type work struct {
	name string
	run  func(*growth, context.Context, *subject) (cost, error)
	by   worker
}

// A worker is who does a work.
type worker uint8

const (
	byPrograms          worker = iota
	byProgramsWithFiles        // if the site is files
	byNetHTTP                  // alone
)

// growth measures the site of a benchmark.
func (b *bench) growth() *growth {
	folder := filepath.Join(b.dir, "site")
	return &growth{
		dir:    b.dir,
		pages:  b.site.pages,
		listed: len(b.truth.Listed),
		start:  b.site.base + "/",
		last:   b.site.base + b.site.addresses[b.site.listedFrom(b.site.tree-100)].path,
		folder: folder,
		serve:  func(dir string) (pageServer, error) { return b.site.serve(folder, dir) },
	}
}

// smallGrowth measures a site of small pages.
func smallGrowth(dir string, pages, port int) *growth {
	base := origin(port)
	return &growth{
		dir:    dir,
		pages:  pages,
		listed: pages,
		start:  base + "/",
		last:   base + smallPath(pages-1),
		serve:  func(string) (pageServer, error) { return serveSmall(pages, port) },
	}
}

// prepare finds the programs: Mapa, those that it is compared with, and net/http alone.
func (g *growth) prepare(ctx context.Context, bases []string) error {
	mapa, err := crawlers[0].program(ctx, g.dir)
	if err != nil {
		return err
	}
	for i, program := range append([]string{mapa}, bases...) {
		name := filepath.Base(program)
		if i > 0 && slices.Contains(bases[:i-1], program) {
			name += ", again"
		}
		dir := filepath.Join(g.dir, fmt.Sprint("program-", i))
		g.programs = append(g.programs, &subject{name: name, program: program, dir: dir})
	}
	floor := crawler{name: "floor", source: "github.com/mapatools/mapa/bench/crawl/floor"}
	program, err := floor.program(ctx, g.dir)
	g.floor = &subject{name: "net/http alone", program: program, dir: filepath.Join(g.dir, "net-http")}
	return err
}

const firstCrawl = "first crawl"

// works are in an order in which each finds the crawls that it needs.
var works = []work{
	{firstCrawl, (*growth).firstCrawl, byPrograms},
	{"the pages of that, read", (*growth).readPages, byNetHTTP},
	{"second crawl, all answers 304", (*growth).secondCrawl, byPrograms},
	{"its conditional requests", (*growth).askAgain, byNetHTTP},
	{"crawl killed at half, and the rest", (*growth).resumedCrawl, byPrograms},
	{"crawl of the folder", (*growth).folderCrawl, byProgramsWithFiles},
	{"report", (*growth).report, byPrograms},
	{"diff of the first two", (*growth).diff, byPrograms},
	{"why, of one URL", (*growth).why, byPrograms},
}

// subjects returns the programs that do a work.
func (g *growth) subjects(w work) []*subject {
	switch {
	case w.by == byNetHTTP:
		return []*subject{g.floor}
	case w.by == byProgramsWithFiles && g.folder == "":
		return nil
	}
	return g.programs
}

// measure lets the programs take turns at the first crawl and the works that match.
func (g *growth) measure(ctx context.Context, rounds int, rows *regexp.Regexp) error {
	for _, s := range append([]*subject{g.floor}, g.programs...) {
		s.costs = map[string][]cost{}
		if err := os.MkdirAll(s.dir, 0o755); err != nil {
			return err
		}
	}
	for round := range rounds {
		for _, w := range works {
			if w.name != firstCrawl && !rows.MatchString(w.name) {
				continue
			}
			subjects := slices.Clone(g.subjects(w))
			if round%2 == 1 {
				slices.Reverse(subjects)
			}
			for _, s := range subjects {
				fmt.Fprintf(os.Stderr, "%d pages, round %d: %s: %s\n", g.pages, round+1, w.name, s.name)
				c, err := w.run(g, ctx, s)
				if err != nil {
					return fmt.Errorf("%s: %s: %w", w.name, s.name, err)
				}
				s.costs[w.name] = append(s.costs[w.name], c)
			}
		}
	}
	return nil
}
