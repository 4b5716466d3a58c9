package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A checker is one of those that take turns.
type checker struct {
	name    string
	program string // Mapa is built, the others are installed
	// arguments follow the program's name; dir has the lists, and output is a folder to
	// write to.
	arguments func(start, dir, output string) []string
	// broken returns the URLs of the broken links that the program has found.
	broken func(ctx context.Context, output, stdout string) ([]string, error)
}

const mapaProgram = "mapa"

// politeRate is Mapa's limit for hosts that are not on loopback.
const politeRate = "20"

// checkers run with their defaults. On loopback Mapa has no rate, so it also runs with the one
// that it has elsewhere.
var checkers = []checker{
	{"mapa crawl", mapaProgram, crawlArguments(), brokenInCrawl},
	{"mapa crawl --rate 20", mapaProgram, crawlArguments("--rate", politeRate), brokenInCrawl},
	{"mapa links", mapaProgram, linksArguments(), brokenInFindings},
	{"mapa links --rate 20", mapaProgram, linksArguments("--rate", politeRate), brokenInFindings},
	{"muffet", "muffet", func(start, _, _ string) []string {
		return []string{"--format", "json", start}
	}, brokenForMuffet},
	{"linkinator", "linkinator", func(start, _, _ string) []string {
		return []string{start, "--recurse", "--format", "json"}
	}, brokenForLinkinator},
}

func names() (all []string) {
	for _, c := range checkers {
		all = append(all, c.name)
	}
	return all
}

func crawlArguments(more ...string) func(start, dir, output string) []string {
	return func(start, _, output string) []string {
		return append([]string{"crawl", start, "--external", "-o", output, "--format", "json"},
			more...)
	}
}

func linksArguments(more ...string) func(start, dir, output string) []string {
	return func(_, dir, _ string) []string {
		lists := filepath.Join(dir, "lists")
		return append([]string{"links", lists, "--all", "--format", "json"}, more...)
	}
}

// find returns the path of a checker's program, and builds Mapa's into dir.
func (c *checker) find(ctx context.Context, dir string) (string, error) {
	if c.program != mapaProgram {
		return exec.LookPath(c.program)
	}
	program := filepath.Join(dir, mapaProgram)
	if _, err := os.Stat(program); err == nil {
		return program, nil
	}
	const module = "github.com/mapatools/mapa"
	folder, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	if err != nil {
		return "", fmt.Errorf("the module of mapa: %w", err)
	}
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-o", program, "./cmd/mapa")
	build.Dir = strings.TrimSpace(string(folder))
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	build.Stderr = os.Stderr
	return program, build.Run()
}

// brokenInCrawl reads Mapa's crawl file.
func brokenInCrawl(ctx context.Context, output, _ string) ([]string, error) {
	file := filepath.Join(output, "crawl.sqlite")
	query := exec.CommandContext(ctx, "sqlite3", "-readonly", file, "select url from page where status = 404")
	query.Stderr = os.Stderr
	out, err := query.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return strings.Fields(string(out)), nil
}

// brokenInFindings reads what mapa links prints.
func brokenInFindings(_ context.Context, _, stdout string) (broken []string, err error) {
	var found []struct {
		Rule     string `json:"rule"`
		OtherURL string `json:"other"`
	}
	if err := readJSON(stdout, &found); err != nil {
		return nil, err
	}
	for _, f := range found {
		if f.Rule == "link-broken" {
			broken = append(broken, f.OtherURL)
		}
	}
	return broken, nil
}

func brokenForMuffet(_ context.Context, _, stdout string) (broken []string, err error) {
	var pages []struct {
		Links []struct {
			URL string `json:"url"`
		} `json:"links"`
	}
	if err := readJSON(stdout, &pages); err != nil {
		return nil, err
	}
	for _, page := range pages {
		for _, link := range page.Links {
			broken = append(broken, link.URL)
		}
	}
	return broken, nil
}

func brokenForLinkinator(_ context.Context, _, stdout string) (broken []string, err error) {
	var result struct {
		Links []struct{ URL, State string } `json:"links"`
	}
	if err := readJSON(stdout, &result); err != nil {
		return nil, err
	}
	for _, link := range result.Links {
		if link.State == "BROKEN" {
			broken = append(broken, link.URL)
		}
	}
	return broken, nil
}

func readJSON(file string, into any) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}
