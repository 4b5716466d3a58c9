package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/mapatools/mapa/internal/testsite"
)

const mapaName = "mapa"

// A crawler is one of those that take turns.
type crawler struct {
	name string
	// command returns the program with its arguments; output is a folder to write to.
	command func(ctx context.Context, b *bench, start, output string) ([]string, error)
	// read returns what the crawler found.
	read func(ctx context.Context, output string) (result, error)
}

// A result is what a crawler found, by path with query.
type result struct {
	listed    map[string]string // the titles of the pages to list
	canonical map[string]string // of pages that name another page
	pages     int               // that were crawled
}

// crawlers run with their defaults. Crawlee never has a sandbox, and Mapa none where root runs it, as
// Chromium refuses to start then.
var crawlers = []crawler{
	{mapaName, mapaCommand("--render", "auto"), readMapa},
	{"crawlee", crawleeCommand("heading"), readCrawlee},
	{"crawlee-idle", crawleeCommand("idle"), readCrawlee},
}

func crawlerNames() (all []string) {
	for _, c := range crawlers {
		all = append(all, c.name)
	}
	return all
}

func mapaCommand(flags ...string) func(context.Context, *bench, string, string) ([]string, error) {
	return func(ctx context.Context, b *bench, start, output string) ([]string, error) {
		program := filepath.Join(b.dir, mapaName)
		if _, err := os.Stat(program); err != nil {
			build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-o", program, "./cmd/mapa")
			build.Dir = ".." // of the module of the benchmarks
			build.Env = append(os.Environ(), "CGO_ENABLED=0")
			build.Stderr = os.Stderr
			if err := build.Run(); err != nil {
				return nil, fmt.Errorf("build: %w", err)
			}
		}
		command := append([]string{program, "crawl", start, "-o", output, "--format", "json",
			"--browser", b.options.browser}, flags...)
		if os.Geteuid() == 0 {
			command = append(command, "--browser-no-sandbox")
		}
		return command, nil
	}
}

// readMapa reads Mapa's crawl file.
func readMapa(ctx context.Context, output string) (result, error) {
	file := filepath.Join(output, "crawl.sqlite")
	query := exec.CommandContext(ctx, "sqlite3", "-readonly", "-json", file,
		"select url, title, listed, decision, target from page where role = 'page' and status is not null")
	query.Stderr = os.Stderr
	text, err := query.Output()
	if err != nil {
		return result{}, fmt.Errorf("%s: %w", file, err)
	}
	var pages []struct {
		URL, Title, Decision, Target string
		Listed                       int
	}
	if err := json.Unmarshal(text, &pages); err != nil {
		return result{}, fmt.Errorf("%s: %w", file, err)
	}
	r := result{listed: map[string]string{}, canonical: map[string]string{}, pages: len(pages)}
	for _, p := range pages {
		switch {
		case p.Listed == 1:
			r.listed[pathOf(p.URL)] = p.Title
		case p.Decision == "canonical":
			r.canonical[pathOf(p.URL)] = pathOf(p.Target)
		}
	}
	return r, nil
}

func crawleeCommand(ready string) func(context.Context, *bench, string, string) ([]string, error) {
	return func(_ context.Context, b *bench, start, output string) ([]string, error) {
		return []string{"node", filepath.Join(b.options.programs, "crawlee.js"), start, filepath.Join(output, pagesFile),
			b.options.browser, ready}, nil
	}
}

const pagesFile = "pages.jsonl"

// readCrawlee lists what a sitemap made of Crawlee's pages would: those that are neither missing nor
// noindex, by their canonical link.
func readCrawlee(_ context.Context, output string) (result, error) {
	file, err := os.Open(filepath.Join(output, pagesFile))
	if err != nil {
		return result{}, err
	}
	defer file.Close()
	r := result{listed: map[string]string{}, canonical: map[string]string{}}
	for decoder := json.NewDecoder(file); ; r.pages++ {
		var p struct{ URL, Page, Title, Canonical, Robots string }
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return r, nil
		} else if err != nil {
			return result{}, fmt.Errorf("%s: %w", file.Name(), err)
		}
		page, canonical := pathOf(p.Page), pathOf(p.Canonical)
		switch {
		case p.Title == testsite.NotFoundTitle, strings.Contains(p.Robots, "noindex"):
		case page != canonical:
			r.canonical[page] = canonical
		default:
			r.listed[page] = p.Title
		}
	}
}

// pathOf returns the path of a URL with its query.
func pathOf(text string) string {
	u, err := url.Parse(text)
	if err != nil {
		return text
	}
	return u.RequestURI()
}
