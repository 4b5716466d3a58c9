// Command links measures Mapa against muffet and linkinator on links to other
// sites, which of them are broken is known:
//
//	cd bench && go run ./links
//
// A server on loopback plays 2,000 hosts at as many addresses, and a site whose
// 1,000 pages have 100,000 links to them. The checkers take turns in one run. Each
// has to find the same broken links, and the server counts how it treated the hosts.
// A short run is
//
//	go run ./links -links 2000 -hosts 50
//
// It needs Linux, muffet and linkinator on the PATH and, to read Mapa's crawl file,
// sqlite3. A checker that is not installed is left out, which a line says.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"time"

	"github.com/mapatools/mapa/bench/measure"
)

// The ways to run the program.
type options struct {
	links, hosts int
	only         []string
	latency      time.Duration
	rounds       int
	longest      time.Duration
	dir          string
	keep         bool
}

func main() {
	measure.Serve()
	_ = os.Setenv("MAPA_EXTERNAL_MAX_AGE", "0") // no run has answers of the one before it
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, parse()); err != nil {
		fmt.Fprintln(os.Stderr, "links:", err)
		os.Exit(1)
	}
}

func parse() options {
	var o options
	flag.IntVar(&o.links, "links", 100_000, "how many links to other sites the site has")
	flag.IntVar(&o.hosts, "hosts", 2_000, "how many hosts they lead to")
	only := flag.String("only", strings.Join(names(), ","), "which `checkers` take turns")
	flag.DurationVar(&o.latency, "latency", 5*time.Millisecond,
		"how long the hosts take to answer; one in a hundred takes 40 times as long")
	flag.IntVar(&o.rounds, "rounds", 1, "how many turns each takes")
	flag.DurationVar(&o.longest, "longest", 15*time.Minute, "how long a turn may take")
	flag.StringVar(&o.dir, "dir", "", "the `folder` for what the checkers write; a temporary one when empty")
	flag.BoolVar(&o.keep, "keep", false, "keep the folder")
	flag.Parse()
	o.only = strings.Split(*only, ",")
	return o
}

func run(ctx context.Context, o options) error {
	for _, name := range o.only {
		if !slices.Contains(names(), name) {
			return fmt.Errorf("-only %s: no such checker", name)
		}
	}
	if o.hosts < 1 || o.hosts > maxHosts || o.links < o.hosts {
		return fmt.Errorf("-hosts %d -links %d: from 1 to %d hosts, with a link each", o.hosts, o.links, maxHosts)
	}
	dir, err := os.MkdirTemp(o.dir, "mapa-bench-links-")
	if err != nil {
		return err
	}
	if o.keep {
		fmt.Fprintln(os.Stderr, "kept in", dir)
	} else {
		defer os.RemoveAll(dir)
	}
	s, err := newSite(o.links, o.hosts, o.latency)
	if err != nil {
		return err
	}
	defer s.close()
	if err := s.writeLists(dir); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "%d links to %d hosts, %d of them broken, on %s\n", o.links, o.hosts, len(s.broken()), s.start())
	b := bench{dir: dir, site: s, longest: o.longest}
	return b.compare(ctx, o.only, o.rounds)
}
