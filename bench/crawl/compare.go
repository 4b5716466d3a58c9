package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mapatools/mapa/bench/measure"
)

// A bench is one site with the room for crawls of it.
type bench struct {
	dir   string
	site  *site
	truth truth
}

// compare lets crawlers take turns and prints what each one cost and found.
func (b *bench) compare(ctx context.Context, names []string) error {
	lines := [][]string{
		{"", "CPU s/1,000 pages", "/1,000 requests", "wall s", "peak MB", "pages", "dead", "redirects", "in loops",
			"requests", "repeats", "blocked", "nofollow", "not links", "unknown", "exit"},
		{"the truth", "", "", "", "", fmt.Sprint(len(b.truth.Pages)), fmt.Sprint(len(b.truth.Dead)),
			fmt.Sprint(len(b.truth.Redirects)), fmt.Sprint(len(b.truth.Loops)), "", "0", "0", "0", "0", "0", ""},
	}
	for _, c := range crawlers {
		if !slices.Contains(names, c.name) {
			continue
		}
		spent, found, err := b.turn(ctx, c)
		if err != nil {
			return err
		}
		lines = append(lines, row(c.name, spent, found))
		if found.unknown > 0 {
			fmt.Fprintf(os.Stderr, "%s also asked for %s\n", c.name, strings.Join(found.strangers[:min(5, found.unknown)], " "))
		}
	}
	if len(lines) > 2 {
		measure.PrintTable(os.Stdout, lines)
	}
	if !slices.Contains(names, "mapa") {
		return nil
	}
	reported, err := b.reported(ctx)
	fmt.Print(reported)
	if err != nil {
		return err
	}
	return b.documentation(ctx, os.Stdout)
}

// turn lets one crawler crawl the site.
func (b *bench) turn(ctx context.Context, c crawler) (measure.Cost, findings, error) {
	program, err := c.program(ctx, b.dir)
	if err != nil {
		return measure.Cost{}, findings{}, err
	}
	output := b.output(c.name)
	if err := os.Mkdir(output, 0o755); err != nil {
		return measure.Cost{}, findings{}, err
	}
	fmt.Fprintln(os.Stderr, c.name, "crawls")
	n, err := b.site.serve(filepath.Join(b.dir, "site"), filepath.Join(b.dir, "nginx-"+c.name))
	if err != nil {
		return measure.Cost{}, findings{}, err
	}
	arguments := append([]string{program}, c.arguments(b.site.base+"/", output)...)
	spent, err := measure.Run(ctx, b.results(c.name), b.messages(c.name), arguments...)
	if err := errors.Join(err, n.stop()); err != nil {
		return measure.Cost{}, findings{}, err
	}
	if said, err := os.ReadFile(b.messages(c.name)); err == nil && spent.Exit != 0 {
		fmt.Fprintf(os.Stderr, "%s ended with exit code %d. %.500s\n", c.name, spent.Exit, said)
	}
	requests, err := readRequests(n.log)
	return spent, b.truth.judge(requests), err
}

// What a crawler writes: its folder, its standard output and error.
func (b *bench) output(name string) string   { return filepath.Join(b.dir, "crawl-"+name) }
func (b *bench) results(name string) string  { return filepath.Join(b.dir, name+".stdout") }
func (b *bench) messages(name string) string { return filepath.Join(b.dir, name+".stderr") }

func row(name string, spent measure.Cost, found findings) []string {
	cells := []string{name,
		perThousand(spent.CPU, found.pages),
		perThousand(spent.CPU, found.requests),
		fmt.Sprintf("%.1f", spent.Wall.Round(time.Millisecond).Seconds()),
		fmt.Sprintf("%.1f", float64(spent.Memory)/1e6)}
	for _, n := range []int{found.pages, found.dead, found.redirects, found.loops, found.requests,
		found.repeats, found.blocked, found.unfollowed, found.forbidden, found.unknown, spent.Exit} {
		cells = append(cells, fmt.Sprint(n))
	}
	return cells
}

func perThousand(spent time.Duration, n int) string {
	return fmt.Sprintf("%.3f", spent.Seconds()*1000/float64(max(n, 1)))
}
