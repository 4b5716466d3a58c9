package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mapatools/mapa/bench/measure"
)

// A bench is one site with the room for what checkers write.
type bench struct {
	dir     string
	site    *site
	longest time.Duration
}

// A turn is one run of a checker.
type turn struct {
	name  string
	round int
	cost  measure.Cost
	treatment
	missed, wrong int // broken links that it did not find, and others that it did
	late          bool
}

// compare lets checkers take turns, and prints what each one cost and found.
func (b *bench) compare(ctx context.Context, only []string, rounds int) error {
	var turns []turn
	for round := range rounds {
		for i := range checkers {
			c := &checkers[i]
			if !slices.Contains(only, c.name) {
				continue
			}
			program, err := c.find(ctx, b.dir)
			if errors.Is(err, exec.ErrNotFound) {
				fmt.Fprintf(os.Stderr, "%s is not installed, and left out\n", c.name)
				continue
			}
			if err != nil {
				return err
			}
			t, err := b.turn(ctx, c, program, round)
			if err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
			turns = append(turns, t)
		}
	}
	print(turns)
	return nil
}

// turn lets one checker check the links.
func (b *bench) turn(ctx context.Context, c *checker, program string, round int) (turn, error) {
	name := fmt.Sprintf("%s-%d", strings.ReplaceAll(c.name, " ", "-"), round)
	output := filepath.Join(b.dir, name)
	stdout, stderr := output+".stdout", output+".stderr"
	if err := os.Mkdir(output, 0o755); err != nil {
		return turn{}, err
	}
	fmt.Fprintln(os.Stderr, c.name, "checks")
	limited, cancel := context.WithTimeout(ctx, b.longest)
	defer cancel()
	b.site.counter.take()
	arguments := c.arguments(b.site.start(), b.dir, output)
	cost, err := measure.Run(limited, stdout, stderr, append([]string{program}, arguments...)...)
	t := turn{name: c.name, round: round, cost: cost, treatment: b.site.counter.take()}
	if limited.Err() != nil && ctx.Err() == nil {
		t.late, t.cost.Wall = true, b.longest
		return t, nil
	}
	if err != nil {
		return turn{}, err
	}
	found, err := c.broken(ctx, output, stdout)
	if err != nil {
		said, _ := os.ReadFile(stderr)
		return turn{}, fmt.Errorf("%w\n%.500s", err, said)
	}
	t.missed, t.wrong = b.site.compare(found)
	return t, nil
}

// compare returns how many broken links are missing in what was found, and how many are too
// many.
func (s *site) compare(found []string) (missed, wrong int) {
	left := s.broken()
	for _, url := range slices.Compact(slices.Sorted(slices.Values(found))) {
		if !left[url] {
			wrong++
		}
		delete(left, url)
	}
	return len(left), wrong
}

// print prints all turns. Times are also given as a multiple of those of the first checker in
// the same round.
func print(turns []turn) {
	lines := [][]string{{"", "wall s", "times", "CPU s", "peak MB", "not found", "wrong", "requests", "robots.txt",
		"at once to a host", "in a second to a host", "exit"}}
	var first time.Duration
	for i, t := range turns {
		if i == 0 || t.round != turns[i-1].round {
			first = t.cost.Wall
		}
		line := []string{t.name, fmt.Sprintf("%.1f", t.cost.Wall.Seconds()),
			fmt.Sprintf("%.2f", t.cost.Wall.Seconds()/first.Seconds()), fmt.Sprintf("%.1f", t.cost.CPU.Seconds()),
			fmt.Sprintf("%.1f", float64(t.cost.Memory)/1e6), fmt.Sprint(t.missed), fmt.Sprint(t.wrong)}
		if t.late {
			line = []string{t.name, fmt.Sprintf("over %.0f", t.cost.Wall.Seconds()), "", "", "", "", ""}
		}
		lines = append(lines, append(line, fmt.Sprint(t.requests), fmt.Sprint(t.robots), fmt.Sprint(t.atOnce),
			fmt.Sprint(t.perSecond), fmt.Sprint(t.cost.Exit)))
	}
	measure.PrintTable(os.Stdout, lines)
}
