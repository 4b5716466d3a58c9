package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/mapatools/mapa/bench/measure"
)

// A crawled is a crawl that has ended.
type crawled struct {
	cost
	traffic
	progress int64 // of the server
}

// crawl lets a program crawl the site into a folder, and kills it when the progress of the server is kill,
// unless that is 0.
func (g *growth) crawl(ctx context.Context, s *subject, folder string, kill int64) (c crawled, err error) {
	dir := filepath.Join(s.dir, "server")
	if err := os.RemoveAll(dir); err != nil {
		return c, err
	}
	server, err := g.serve(dir)
	if err != nil {
		return c, err
	}
	limited, cancel := context.WithCancel(ctx)
	defer cancel()
	if kill > 0 {
		go cancelAt(limited, server, kill, cancel)
	}
	output := filepath.Join(s.dir, folder)
	arguments := append([]string{s.program}, crawlers[0].arguments(g.start, output)...)
	c.Cost, err = s.run(limited, arguments...)
	if c.Exit < 0 && ctx.Err() == nil {
		err = nil // killed as it should be
	}
	var failed error
	c.progress, failed = server.progress()
	if err := errors.Join(err, failed, server.stop()); err != nil {
		return c, err
	}
	if c.traffic, err = server.traffic(); err != nil {
		return c, err
	}
	c.end = c.End.Sub(c.last)
	info, err := os.Stat(filepath.Join(output, "crawl.sqlite"))
	if err == nil {
		c.disk = info.Size()
	}
	return c, err
}

// cancelAt calls cancel when the server has made so much progress.
func cancelAt(ctx context.Context, server pageServer, progress int64, cancel func()) {
	for ticker := time.NewTicker(5 * time.Millisecond); ; {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if now, err := server.progress(); err != nil || now >= progress {
				cancel()
			}
		}
	}
}

// run runs a program. Exit code 1 says that there are findings or differences.
func (s *subject) run(ctx context.Context, arguments ...string) (measure.Cost, error) {
	messages := filepath.Join(s.dir, "stderr")
	c, err := measure.Run(ctx, filepath.Join(s.dir, "stdout"), messages, arguments...)
	if err == nil && c.Exit > 1 {
		said, _ := os.ReadFile(messages)
		err = fmt.Errorf("exit code %d: %.500s", c.Exit, said)
	}
	return c, err
}

func (g *growth) firstCrawl(ctx context.Context, s *subject) (cost, error) {
	for _, folder := range []string{"first", "second", "resumed", "folder"} {
		if err := os.RemoveAll(filepath.Join(s.dir, folder)); err != nil {
			return cost{}, err
		}
	}
	c, err := g.crawl(ctx, s, "first", 0)
	if err != nil {
		return cost{}, err
	}
	s.half = c.progress / 2
	found, err := readSummary(filepath.Join(s.dir, "stdout"))
	if err == nil && found.Listed != g.listed {
		err = fmt.Errorf("it listed %d pages of %d", found.Listed, g.listed)
	}
	return c.cost, err
}

// secondCrawl crawls again, into a copy of the first crawl.
func (g *growth) secondCrawl(ctx context.Context, s *subject) (cost, error) {
	if err := os.CopyFS(filepath.Join(s.dir, "second"), os.DirFS(filepath.Join(s.dir, "first"))); err != nil {
		return cost{}, err
	}
	c, err := g.crawl(ctx, s, "second", 0)
	if err == nil && c.unchanged < g.pages*98/100 {
		err = fmt.Errorf("%d answers 304 for %d pages", c.unchanged, g.pages)
	}
	return c.cost, err
}

func (g *growth) resumedCrawl(ctx context.Context, s *subject) (cost, error) {
	killed, err := g.crawl(ctx, s, "resumed", s.half)
	if err != nil {
		return cost{}, err
	}
	if killed.Exit >= 0 {
		return cost{}, errors.New("it ended before it was killed")
	}
	c, err := g.crawl(ctx, s, "resumed", 0)
	c.CPU += killed.CPU
	c.Memory = max(c.Memory, killed.Memory)
	return c.cost, err
}

func (g *growth) folderCrawl(ctx context.Context, s *subject) (c cost, err error) {
	arguments := append([]string{s.program}, crawlers[0].arguments(g.folder, filepath.Join(s.dir, "folder"))...)
	c.Cost, err = s.run(ctx, append(arguments, "--base-url", g.start)...)
	return c, err
}

func (g *growth) report(ctx context.Context, s *subject) (c cost, err error) {
	c.Cost, err = s.run(ctx, s.program, "report", filepath.Join(s.dir, "first"))
	return c, err
}

func (g *growth) diff(ctx context.Context, s *subject) (c cost, err error) {
	c.Cost, err = s.run(ctx, s.program, "diff", filepath.Join(s.dir, "first"), filepath.Join(s.dir, "second"))
	return c, err
}

func (g *growth) why(ctx context.Context, s *subject) (c cost, err error) {
	c.Cost, err = s.run(ctx, s.program, "why", g.last, filepath.Join(s.dir, "first"))
	return c, err
}

// readPages requests the pages that Mapa has fetched, and reads them.
func (g *growth) readPages(ctx context.Context, s *subject) (cost, error) { return g.request(ctx, s) }

// askAgain requests them as the second crawl does.
func (g *growth) askAgain(ctx context.Context, s *subject) (cost, error) {
	return g.request(ctx, s, "-conditional")
}

// request lets the floor request the pages of Mapa's first crawl.
func (g *growth) request(ctx context.Context, s *subject, flags ...string) (c cost, err error) {
	pages, err := query(ctx, filepath.Join(g.programs[0].dir, "first"),
		"select url || char(9) || etag from page where status = 200 and etag is not null")
	if err != nil {
		return c, err
	}
	list := filepath.Join(s.dir, "pages.txt")
	if err := os.WriteFile(list, pages, 0o644); err != nil {
		return c, err
	}
	server, err := g.serve(filepath.Join(s.dir, "server"))
	if err != nil {
		return c, err
	}
	c.Cost, err = s.run(ctx, append(append([]string{s.program}, flags...), list)...)
	if err == nil && c.Exit > 0 {
		said, _ := os.ReadFile(filepath.Join(s.dir, "stderr"))
		err = fmt.Errorf("exit code %d: %.500s", c.Exit, said)
	}
	return c, errors.Join(err, server.stop())
}
