package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mapatools/mapa/bench/measure"
	"github.com/mapatools/mapa/internal/testsite"
)

// A bench lets crawlers take turns on one site after the other.
type bench struct {
	options options
	dir     string // for what the crawlers write
}

// A turn is one run of a crawler.
type turn struct {
	app, crawler string
	cost         measure.Cost
	pages        int
	differences
	requests int
}

// compareApps prints what the crawlers cost and found on every application. With options.check it
// returns an error where a result is not exact.
func (b *bench) compareApps(ctx context.Context) error {
	var turns []turn
	var wrong []error
	for _, app := range b.options.apps {
		for i := range crawlers {
			c := &crawlers[i]
			if !slices.Contains(b.options.only, c.name) {
				continue
			}
			t, err := b.crawlApp(ctx, app, c)
			if err != nil {
				return fmt.Errorf("%s: %s: %w", app, c.name, err)
			}
			turns = append(turns, t)
			if all := t.all(); len(all) > 0 {
				fmt.Fprintf(os.Stderr, "%s: %s: %s\n", app, c.name, strings.Join(all[:min(10, len(all))], "; "))
				wrong = append(wrong, fmt.Errorf("%s: %s: %d differences from the truth", app, c.name, len(all)))
			}
		}
	}
	printTurns(turns)
	if b.options.check {
		return errors.Join(wrong...)
	}
	return nil
}

// crawlApp lets one crawler crawl an application.
func (b *bench) crawlApp(ctx context.Context, app string, c *crawler) (turn, error) {
	site, err := newSite(b.options, app)
	if err != nil {
		return turn{}, err
	}
	found, cost, err := b.crawl(ctx, site, app, c)
	if err != nil {
		return turn{}, err
	}
	t := turn{app: app, crawler: c.name, cost: cost, pages: found.pages, differences: compare(found, site.Truth())}
	for _, n := range site.Requests() {
		t.requests += n
	}
	return t, nil
}

// crawl serves a site and lets a crawler crawl it.
func (b *bench) crawl(ctx context.Context, site http.Handler, name string, c *crawler) (result, measure.Cost, error) {
	server := httptest.NewServer(site)
	defer server.Close()
	output := filepath.Join(b.dir, name+"-"+c.name)
	if err := os.Mkdir(output, 0o755); err != nil {
		return result{}, measure.Cost{}, err
	}
	command, err := c.command(ctx, b, server.URL+"/", output)
	if err != nil {
		return result{}, measure.Cost{}, err
	}
	fmt.Fprintln(os.Stderr, c.name, "crawls", name)
	limited, cancel := context.WithTimeout(ctx, b.options.longest)
	defer cancel()
	messages := output + ".stderr"
	cost, err := measure.RunTree(limited, output+".stdout", messages, command...)
	if err != nil {
		return result{}, measure.Cost{}, err
	}
	found, err := c.read(ctx, output)
	if err != nil || cost.Exit > 1 { // 1: it has findings
		said, _ := os.ReadFile(messages)
		return result{}, measure.Cost{}, errors.Join(fmt.Errorf("exit code %d: %.500s", cost.Exit, said), err)
	}
	return found, cost, nil
}

// The differences are routes for which a result is not the truth.
type differences struct{ missing, extra, titles, canonicals []string }

func compare(found result, truth []testsite.Route) (d differences) {
	listed := map[string]bool{}
	for _, route := range truth {
		title, isListed := found.listed[route.Path]
		canonical, hasCanonical := found.canonical[route.Path]
		listed[route.Path] = route.Reason == ""
		switch {
		case route.Reason == "" && !isListed:
			d.missing = append(d.missing, route.Path)
		case route.Reason == "" && title != route.Title:
			d.titles = append(d.titles, route.Path)
		case route.Reason == "canonical" && hasCanonical && canonical != route.Canonical:
			d.canonicals = append(d.canonicals, route.Path)
		}
	}
	for path := range found.listed {
		if !listed[path] {
			d.extra = append(d.extra, path)
		}
	}
	slices.Sort(d.extra)
	return d
}

// all returns a line for each difference.
func (d differences) all() (lines []string) {
	for _, kind := range []struct {
		text  string
		paths []string
	}{{"not listed", d.missing}, {"must not be listed", d.extra}, {"another title", d.titles},
		{"another canonical link", d.canonicals}} {
		for _, path := range kind.paths {
			lines = append(lines, path+": "+kind.text)
		}
	}
	return lines
}

// printTurns prints all turns, with Mapa's rate as a multiple of each one.
func printTurns(turns []turn) {
	lines := [][]string{{"", "crawler", "pages", "pages/s", "mapa, times", "wall s", "CPU s", "CPU s/page", "peak PSS MB",
		"requests", "not listed", "wrongly listed", "titles", "canonicals"}}
	mapaRates := map[string]float64{}
	for _, t := range turns {
		rate := float64(t.pages) / t.cost.Wall.Seconds()
		if t.crawler == mapaName {
			mapaRates[t.app] = rate
		}
		ratio := ""
		if base, ok := mapaRates[t.app]; ok {
			ratio = fmt.Sprintf("%.2f", base/rate)
		}
		lines = append(lines, []string{t.app, t.crawler, fmt.Sprint(t.pages), fmt.Sprintf("%.1f", rate), ratio,
			seconds(t.cost.Wall), seconds(t.cost.CPU), fmt.Sprintf("%.3f", t.cost.CPU.Seconds()/float64(max(t.pages, 1))),
			fmt.Sprintf("%.0f", float64(t.cost.Memory)/1e6), fmt.Sprint(t.requests), fmt.Sprint(len(t.missing)),
			fmt.Sprint(len(t.extra)), fmt.Sprint(len(t.titles)), fmt.Sprint(len(t.canonicals))})
	}
	measure.PrintTable(os.Stdout, lines)
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.1f", d.Seconds()) }
