// Command recipes tests the pages of docs/recipes. It builds a small site with each framework,
// types the commands of the framework's page, and compares the sitemap that Mapa writes, and the
// framework's own, with the lists in testdata:
//
//	cd bench && go run ./recipes
//	cd bench && go run ./recipes hugo next
//
// It needs the frameworks, which `make test-recipes` installs, and bash, git and curl.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// The folders that a run uses.
type folders struct {
	pages, sites, work string
	bin                string // of the program under test
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "recipes:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	work := flag.String("work", "../.programs/recipes", "the `folder` where sites are built; packages of npm stay there")
	missing := flag.Bool("missing", false, "print the Debian packages that are missing, and end")
	longest := flag.Duration("longest", 10*time.Minute, "how long a recipe may take")
	flag.Parse()
	chosen, err := choose(flag.Args())
	if err != nil {
		return err
	}
	if *missing {
		for _, r := range chosen {
			for _, n := range r.missing() {
				fmt.Println(n.debian)
			}
		}
		return nil
	}
	bin, err := os.MkdirTemp("", "mapa-recipes-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(bin)
	build := exec.CommandContext(ctx, "go", "build", "-o", bin, "./cmd/mapa")
	build.Dir = ".." // the module of the program
	if output, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, output)
	}
	at := folders{pages: "../docs/recipes", sites: "recipes/testdata", bin: bin}
	if at.work, err = filepath.Abs(*work); err != nil {
		return err
	}
	failed := 0
	for _, r := range chosen {
		start := time.Now()
		limited, cancel := context.WithTimeout(ctx, *longest)
		err := r.test(limited, at)
		cancel()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		result := "pass"
		if err != nil {
			result = "FAIL"
			failed++
		}
		fmt.Printf("%s  %-10s  %5.1f s\n", result, r.name, time.Since(start).Seconds())
		if err != nil {
			fmt.Println("      " + strings.ReplaceAll(strings.TrimSpace(err.Error()), "\n", "\n      "))
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d recipes failed", failed, len(chosen))
	}
	return nil
}

// choose returns the recipes with these names, or all.
func choose(names []string) ([]recipe, error) {
	if len(names) == 0 {
		return recipes, nil
	}
	var chosen []recipe
	for _, name := range names {
		i := slices.IndexFunc(recipes, func(r recipe) bool { return r.name == name })
		if i < 0 {
			return nil, fmt.Errorf("there is no recipe %s", name)
		}
		chosen = append(chosen, recipes[i])
	}
	return chosen, nil
}

// test types the commands of a page in a new copy of the site, and checks what they write.
func (r *recipe) test(ctx context.Context, at folders) error {
	page, err := readPage(filepath.Join(at.pages, r.name+".md"))
	if err != nil {
		return err
	}
	if missing := r.missing(); len(missing) > 0 {
		return fmt.Errorf("missing: %v", missing)
	}
	s := site{recipe: r, dir: filepath.Join(at.work, r.name), bin: at.bin}
	if err := s.prepare(ctx, filepath.Join(at.sites, r.name)); err != nil {
		return err
	}
	start := time.Now()
	stop, err := s.serve(ctx)
	if err != nil {
		return err
	}
	defer stop()
	if err := s.bash(ctx, page.script(r.own)); err != nil {
		return err
	}
	return errors.Join(
		s.compare(ctx, listedName, "sitemap", r.sitemap, start),
		s.compareOwn(start),
		s.checkRobots(page),
	)
}
