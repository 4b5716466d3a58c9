// Command crawl measures Mapa's crawler against wget2 and colly on one large
// site whose truth is known. It makes the site, the same on every run, serves it
// with nginx on loopback, lets the crawlers take turns, and holds what each one
// asked the server for against the truth:
//
//	cd bench && go run ./crawl
//
// Then it prints a table of what each size of the site costs: the first crawl, the
// second, one that was killed at half and resumed, and what is asked of a crawl later.
// With -base other programs, such as Mapa of an earlier commit, take turns at each:
//
//	go run ./crawl -only "" -pages 10000 -base /tmp/mapa-old -rounds 9
//
// The same program twice shows the spread of the ratios. With -small the site has small
// pages, which are made as they are asked for:
//
//	go run ./crawl -small 1000000
//
// With -kill it kills Mapa again and again during one crawl instead, and
// compares the sitemap with that of a crawl that was left alone.
//
// It needs Linux, nginx, wget2 and, to read Mapa's crawl file, sqlite3.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mapatools/mapa/bench/measure"
)

// The ways to run the program.
type options struct {
	sizes  []int
	small  int
	only   []string
	base   []string
	rounds int
	rows   *regexp.Regexp
	dir    string
	keep   bool
	port   int
	kill   int
	seed   uint64
}

func main() {
	measure.Serve()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	o, err := parse()
	if err == nil {
		err = run(ctx, o)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "crawl:", err)
		os.Exit(1)
	}
}

func parse() (o options, err error) {
	sizes := flag.String("pages", "1000,10000,100000", "`sizes` of the site in pages of 15 KB; crawlers take turns at the last")
	flag.IntVar(&o.small, "small", 0, "measure only a site of this many `pages` of 0.9 KB")
	only := flag.String("only", "mapa,wget2,wget2-saving,colly", "which `crawlers` take turns")
	base := flag.String("base", "", "`programs` to compare Mapa with in the tables of sizes")
	flag.IntVar(&o.rounds, "rounds", 1, "how often the programs take turns in these tables; 0 for no such tables")
	rows := flag.String("rows", "", "measure only the rows of these tables that match this `regexp`, and the first crawl")
	flag.StringVar(&o.dir, "dir", "", "the `folder` for the site and the crawls; a temporary one when empty")
	flag.BoolVar(&o.keep, "keep", false, "keep the folder")
	flag.IntVar(&o.port, "port", 0, "the `port` on loopback; 0 takes 80 where that is allowed, else any")
	flag.IntVar(&o.kill, "kill", 0, "kill Mapa this many `times` during a crawl instead of comparing crawlers")
	flag.Uint64Var(&o.seed, "seed", 1, "the `number` that decides when to kill")
	flag.Parse()
	o.only, o.base = list(*only), list(*base)
	for _, text := range list(*sizes) {
		pages, err := strconv.Atoi(text)
		if err != nil {
			return o, fmt.Errorf("-pages: %w", err)
		}
		o.sizes = append(o.sizes, pages)
	}
	o.rows, err = regexp.Compile(*rows)
	return o, err
}

// list splits a list with commas, which may be empty.
func list(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ',' })
}

func run(ctx context.Context, o options) error {
	for _, name := range o.only {
		if !slices.ContainsFunc(crawlers, func(c crawler) bool { return c.name == name }) {
			return fmt.Errorf("-only %s: no such crawler", name)
		}
	}
	dir, err := os.MkdirTemp(o.dir, "mapa-bench-crawl-")
	if err != nil {
		return err
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return err
	}
	if o.keep {
		fmt.Fprintln(os.Stderr, "kept in", dir)
	} else {
		defer os.RemoveAll(dir)
	}
	if o.port, err = freePort(o.port); err != nil {
		return err
	}
	grown, err := o.runSizes(ctx, dir)
	if len(grown) > 0 {
		fmt.Println()
		measure.PrintTable(os.Stdout, growthTable(grown))
	}
	return err
}

// runSizes measures one size of the site after the other, and returns what could be measured.
func (o *options) runSizes(ctx context.Context, dir string) (grown []*growth, err error) {
	if o.small > 0 {
		g := smallGrowth(dir, o.small, o.port)
		return []*growth{g}, o.grow(ctx, g)
	}
	for i, pages := range o.sizes {
		b, err := newBench(filepath.Join(dir, strconv.Itoa(pages)), pages, o.port)
		if err != nil {
			return grown, err
		}
		if i == len(o.sizes)-1 {
			if o.kill > 0 {
				return nil, b.kill(ctx, o.kill, o.seed)
			}
			if err := b.compare(ctx, o.only); err != nil {
				return grown, err
			}
		}
		if o.rounds > 0 && o.kill == 0 {
			grown = append(grown, b.growth())
			if err := o.grow(ctx, grown[len(grown)-1]); err != nil {
				return grown, err
			}
		}
	}
	return grown, nil
}

// newBench writes the site of a benchmark into a new folder.
func newBench(dir string, pages, port int) (*bench, error) {
	if pages < fewest {
		return nil, fmt.Errorf("-pages %d: fewer than %d leave no room for every kind of page", pages, fewest)
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		return nil, err
	}
	s := newSite(pages, port)
	fmt.Fprintf(os.Stderr, "%d pages of %d bytes for %s\n", pages, pageSize, s.base)
	if err := s.write(filepath.Join(dir, "site")); err != nil {
		return nil, fmt.Errorf("the site: %w", err)
	}
	t := s.truth()
	if err := t.save(filepath.Join(dir, "truth.json")); err != nil {
		return nil, fmt.Errorf("the truth: %w", err)
	}
	return &bench{dir: dir, site: s, truth: t}, nil
}

// grow measures one size.
func (o *options) grow(ctx context.Context, g *growth) error {
	if err := g.prepare(ctx, o.base); err != nil {
		return err
	}
	return g.measure(ctx, o.rounds, o.rows)
}
