// Command crawl measures Mapa's crawler against wget2 and colly on one large
// site whose truth is known. It makes the site, the same on every run, serves it
// with nginx on loopback, lets the crawlers take turns, and holds what each one
// asked the server for against the truth:
//
//	cd bench && go run ./crawl
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
	"slices"
	"strings"

	"github.com/mapatools/mapa/bench/measure"
)

// The ways to run the program.
type options struct {
	pages int
	only  []string
	dir   string
	keep  bool
	port  int
	kill  int
	seed  uint64
}

func main() {
	measure.Serve()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, parse()); err != nil {
		fmt.Fprintln(os.Stderr, "crawl:", err)
		os.Exit(1)
	}
}

func parse() options {
	var o options
	flag.IntVar(&o.pages, "pages", 100_000, "how many pages the site has, 15 KB each")
	only := flag.String("only", "mapa,wget2,wget2-saving,colly", "which `crawlers` take turns")
	flag.StringVar(&o.dir, "dir", "", "the `folder` for the site and the crawls; a temporary one when empty")
	flag.BoolVar(&o.keep, "keep", false, "keep the folder")
	flag.IntVar(&o.port, "port", 0, "the `port` on loopback; 0 takes 80 where that is allowed, else any")
	flag.IntVar(&o.kill, "kill", 0, "kill Mapa this many `times` during a crawl instead of comparing crawlers")
	flag.Uint64Var(&o.seed, "seed", 1, "the `number` that decides when to kill")
	flag.Parse()
	o.only = strings.Split(*only, ",")
	return o
}

func run(ctx context.Context, o options) error {
	for _, name := range o.only {
		if !slices.ContainsFunc(crawlers, func(c crawler) bool { return c.name == name }) {
			return fmt.Errorf("-only %s: no such crawler", name)
		}
	}
	if o.pages < fewest {
		return fmt.Errorf("-pages %d: fewer than %d leave no room for every kind of page", o.pages, fewest)
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
	port, err := freePort(o.port)
	if err != nil {
		return err
	}
	s := newSite(o.pages, port)
	fmt.Fprintf(os.Stderr, "%d pages of %d bytes for %s\n", o.pages, pageSize, s.base)
	if err := s.write(filepath.Join(dir, "site")); err != nil {
		return fmt.Errorf("the site: %w", err)
	}
	t := s.truth()
	if err := t.save(filepath.Join(dir, "truth.json")); err != nil {
		return fmt.Errorf("the truth: %w", err)
	}
	b := bench{dir: dir, site: s, truth: t}
	if o.kill > 0 {
		return b.kill(ctx, o.kill, o.seed)
	}
	return b.compare(ctx, o.only)
}
