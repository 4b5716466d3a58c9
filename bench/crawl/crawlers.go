package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// atOnce is how many requests every crawler may have in flight.
const atOnce = "64"

// A crawler is one of those that take turns.
type crawler struct {
	name string // of the program, and after a hyphen the way to run it
	// source is the package to build; without one the program is installed.
	source string
	// arguments follow the program's name; dir is for what it writes.
	arguments func(url, dir string) []string
}

// crawlers obey robots.txt, wait for nothing and take 64 pages at once. wget2 runs
// twice: as it is used, and throwing away what it reads.
var crawlers = []crawler{
	{"mapa", "github.com/mapatools/mapa/cmd/mapa", func(url, dir string) []string {
		return []string{"crawl", url, "-o", dir, "--concurrency", atOnce, "--rate", "0", "--format", "json"}
	}},
	{"wget2", "", func(url, dir string) []string {
		return []string{"-r", "-l", "inf", "--max-threads=" + atOnce, "--robots=on", "--tries=1", "-q", "-O", os.DevNull,
			"-P", dir, url}
	}},
	{"wget2-saving", "", func(url, dir string) []string {
		return []string{"-r", "-l", "inf", "--max-threads=" + atOnce, "--robots=on", "--tries=1", "-q", "-P", dir, url}
	}},
	{"colly", "github.com/mapatools/mapa/bench/crawl/colly", func(url, dir string) []string {
		return []string{url}
	}},
}

// program is the path of a crawler's program, built into dir where it has to be.
func (c crawler) program(ctx context.Context, dir string) (string, error) {
	if c.source == "" {
		program, _, _ := strings.Cut(c.name, "-")
		return exec.LookPath(program)
	}
	folder, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", module(c.source)).Output()
	if err != nil {
		return "", fmt.Errorf("%s: its module: %w", c.name, err)
	}
	program := filepath.Join(dir, c.name)
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-o", program, c.source)
	// Each module is built by its own list of versions.
	build.Dir = strings.TrimSpace(string(folder))
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return "", fmt.Errorf("%s: build: %w", c.name, err)
	}
	return program, nil
}

func module(source string) string {
	const root = "github.com/mapatools/mapa"
	if strings.HasPrefix(source, root+"/bench/") {
		return root + "/bench"
	}
	return root
}
