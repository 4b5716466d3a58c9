// Command serve measures the web application: how soon it answers, and what it needs while
// many browsers follow crawls:
//
//	cd bench && go run ./serve
//
// It starts mapa serve some times and once more for the load: two crawls of a site of many
// pages run, 200 browsers follow them, and 50 crawls wait. The answers under load are timed
// too, and before it the pages of the result of a crawl. Then it crawls a site of 100,000
// pages and 500 small sites twice, and measures the pages of a program that starts with
// their results. With -base it measures another program as well, such as Mapa of an earlier
// commit. It needs Linux.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"time"

	"github.com/mapatools/mapa/bench/measure"
)

const (
	starts = 5
	pages  = 3000
	asked  = 50 // answers under load

	slow = 50 * time.Millisecond // for a page of a site whose crawl has to last
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	browsers := flag.Int("browsers", 200, "how many browsers follow crawls")
	queued := flag.Int("queued", 50, "how many crawls wait")
	base := flag.String("base", "", "another `program` to measure")
	flag.Parse()
	if err := run(ctx, *base, *browsers, *queued); err != nil {
		fmt.Fprintln(os.Stderr, "serve:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, base string, browsers, queued int) error {
	dir, err := os.MkdirTemp("", "mapa-bench-serve-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "mapa")
	build := exec.CommandContext(ctx, "go", "build", "-o", program, "./cmd/mapa")
	build.Dir = ".." // the program is another module
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return err
	}
	programs := []*subject{{name: "Mapa", path: program}}
	if base != "" {
		programs = append(programs, &subject{name: "base", path: base})
	}
	for round := range starts {
		for i, p := range programs {
			if err := p.start(ctx, filepath.Join(dir, fmt.Sprint("start-", i, "-", round))); err != nil {
				return err
			}
		}
	}
	for i, p := range programs {
		if err := p.measure(ctx, filepath.Join(dir, fmt.Sprint("load-", i)), browsers, queued); err != nil {
			return err
		}
	}
	for i, p := range programs {
		if err := p.manyResults(ctx, filepath.Join(dir, fmt.Sprint("many-", i))); err != nil {
			return err
		}
	}
	measure.PrintTable(os.Stdout, table(programs, browsers, queued))
	return nil
}
