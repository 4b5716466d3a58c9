package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"
	"time"

	"github.com/mapatools/mapa/bench/measure"
)

// A size says how much is read and written.
type size struct {
	urls  int // in one file
	heavy int // URLs with extensions
	many  int // URLs in a set
	files int // sitemaps that are listed
}

var (
	fullSize  = size{urls: 50_000, heavy: 20_000, many: 5_000_000, files: 100}
	quickSize = size{urls: 5_000, heavy: 2_000, many: 500_000, files: 10}
)

// A bench is one run of the program.
type bench struct {
	size     size
	dir      string
	rounds   int
	profiles string
	table    table
}

// A work is what a reader must find to have done the work at all. It must be the
// same for base and candidate.
type work struct {
	urls    int
	loc     int64 // sum of the lengths of the decoded locations
	lastmod int64 // sum of the dates in Unix seconds
	objects int   // images, videos, articles and alternates
	text    int64 // sum of the lengths of their addresses
}

// A contest lets two sides do the same work.
type contest struct {
	name      string
	required  float64 // how many times faster the candidate must be; 0 for information
	base      func() (work, error)
	candidate func() (work, error)
	partial   bool // the base does only a part of the work, which cannot be compared

	prepare               func() error         // what is done before every run and not measured
	baseDid, candidateDid func() (work, error) // what the output reads back as
}

// shortest is how long one side runs in a round at least, by repetition.
const shortest = 200 * time.Millisecond

// compare runs a contest and adds its line to the table.
func (b *bench) compare(c contest) error {
	did, err := c.check()
	if err != nil {
		return err
	}
	var base, candidate, ratios []float64
	for range b.rounds {
		slow, err := c.timed(c.base)
		if err != nil {
			return err
		}
		fast, err := c.timed(c.candidate)
		if err != nil {
			return err
		}
		base, candidate = append(base, slow), append(candidate, fast)
		ratios = append(ratios, slow/fast)
	}
	allocations, err := c.mallocs()
	if err != nil {
		return err
	}
	urls := float64(did.urls)
	b.table.add(line{
		name:     c.name,
		required: times(c.required),
		measured: times(measure.Median(ratios)),
		passed:   passedText(c.required, measure.Median(ratios) >= c.required),
		noise:    fmt.Sprintf("%.3g..%.3g", slices.Min(ratios), slices.Max(ratios)),
		base:     fmt.Sprintf("%.0f", measure.Median(base)/urls),
		cost:     fmt.Sprintf("%.0f", measure.Median(candidate)/urls),
		allocs:   fmt.Sprintf("%.2f", float64(allocations)/urls),
	})
	return b.profile(c)
}

// check runs both sides once, which warms caches too, and compares their work.
func (c contest) check() (work, error) {
	want, err := c.outcome(c.base, c.baseDid)
	if err != nil {
		return work{}, fmt.Errorf("base: %w", err)
	}
	got, err := c.outcome(c.candidate, c.candidateDid)
	if err != nil {
		return work{}, fmt.Errorf("candidate: %w", err)
	}
	if c.partial {
		return got, nil
	}
	return got, agree(got, want)
}

func (c contest) outcome(side, did func() (work, error)) (work, error) {
	if err := c.ready(); err != nil {
		return work{}, err
	}
	found, err := side()
	if err == nil && did != nil {
		return did()
	}
	return found, err
}

func (c contest) ready() error {
	if c.prepare == nil {
		return nil
	}
	return c.prepare()
}

func agree(candidate, base work) error {
	if candidate != base {
		return fmt.Errorf("the candidate did %+v, the base %+v", candidate, base)
	}
	return nil
}

// timed returns the nanoseconds of one run.
func (c contest) timed(side func() (work, error)) (float64, error) {
	runtime.GC()
	var spent time.Duration
	for n := 1; ; n++ {
		if err := c.ready(); err != nil {
			return 0, err
		}
		start := time.Now()
		if _, err := side(); err != nil {
			return 0, err
		}
		if spent += time.Since(start); spent >= shortest {
			return float64(spent.Nanoseconds()) / float64(n), nil
		}
	}
}

// mallocs returns the heap allocations of one run of the candidate.
func (c contest) mallocs() (uint64, error) {
	if err := c.ready(); err != nil {
		return 0, err
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := c.candidate()
	runtime.ReadMemStats(&after)
	return after.Mallocs - before.Mallocs, err
}

// profile writes a CPU profile of the candidate alone.
func (b *bench) profile(c contest) error {
	if b.profiles == "" {
		return nil
	}
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, strings.ToLower(c.name))
	file, err := os.Create(filepath.Join(b.profiles, name+".pprof"))
	if err != nil {
		return err
	}
	defer file.Close()
	if err := pprof.StartCPUProfile(file); err != nil {
		return err
	}
	defer pprof.StopCPUProfile()
	for start := time.Now(); time.Since(start) < 2*time.Second; {
		if err := c.ready(); err != nil {
			return err
		}
		if _, err := c.candidate(); err != nil {
			return err
		}
	}
	return nil
}
