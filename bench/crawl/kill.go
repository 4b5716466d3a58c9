package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"time"
)

// A life is one run of Mapa, from start to kill or end.
type life struct {
	killed bool
	lasted time.Duration
	log    int64 // length of the access log at its end
}

// kill crawls the site once undisturbed and once with kills at random moments,
// and compares the two sitemaps.
func (b *bench) kill(ctx context.Context, times int, seed uint64) error {
	program, err := crawlers[0].program(ctx, b.dir)
	if err != nil {
		return err
	}
	moments := rand.New(rand.NewPCG(seed, uint64(times)))
	calm, _, err := b.lives(ctx, program, "calm", func() time.Duration { return 0 }, 0)
	if err != nil {
		return err
	}
	whole := calm[0].lasted
	// The kills spread over the time of the calm crawl.
	lives, n, err := b.lives(ctx, program, "killed", func() time.Duration {
		return time.Duration(moments.Float64() * 2 * float64(whole) / float64(times+1))
	}, times)
	if err != nil {
		return err
	}
	again, err := askedAgain(n.log, lives)
	if err != nil {
		return err
	}
	fmt.Printf("calm crawl: %.1f s; killed %d times\n", whole.Seconds(), len(lives)-1)
	fmt.Printf("addresses asked for again: %d at most after a kill; in each life %v\n", slices.Max(again), again)
	return b.sameSitemap()
}

// lives runs Mapa until it ends by itself, killing it at most so many times,
// each after the time that next says.
func (b *bench) lives(ctx context.Context, program, name string, next func() time.Duration, kills int) ([]life, *server,
	error) {
	n, err := b.site.serve(filepath.Join(b.dir, "site"), filepath.Join(b.dir, "nginx-"+name))
	if err != nil {
		return nil, nil, err
	}
	var lives []life
	for {
		var after time.Duration
		if len(lives) < kills {
			after = next()
		}
		one, err := b.live(ctx, program, name, after)
		if err != nil {
			return nil, nil, errors.Join(err, n.stop())
		}
		info, err := os.Stat(n.log)
		if err != nil {
			return nil, nil, errors.Join(err, n.stop())
		}
		one.log = info.Size()
		lives = append(lives, one)
		if !one.killed {
			return lives, n, n.stop()
		}
	}
}

// live runs Mapa once, and kills it after a time that is not zero.
func (b *bench) live(ctx context.Context, program, name string, after time.Duration) (life, error) {
	command := exec.CommandContext(ctx, program, crawlers[0].arguments(b.site.base+"/", b.output(name))...)
	command.Stderr = os.Stderr
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	start := time.Now()
	if err := command.Start(); err != nil {
		return life{}, err
	}
	if after > 0 {
		timer := time.AfterFunc(after, func() { _ = command.Process.Kill() })
		defer timer.Stop()
	}
	err := command.Wait()
	one := life{lasted: time.Since(start)}
	status, ok := command.ProcessState.Sys().(syscall.WaitStatus)
	if ok && after > 0 && status.Signal() == syscall.SIGKILL {
		one.killed, err = true, nil
	}
	if err != nil {
		err = fmt.Errorf("mapa: %w", err)
	}
	return one, err
}

// askedAgain counts for every life the addresses that had been asked for before.
func askedAgain(log string, lives []life) ([]int, error) {
	requests, err := readRequests(log)
	if err != nil {
		return nil, err
	}
	again := make([]int, len(lives))
	seen := map[string]bool{}
	current := 0
	for _, r := range requests {
		for r.end > lives[current].log && current < len(lives)-1 {
			current++
		}
		if seen[r.address] {
			again[current]++
		}
		seen[r.address] = r.address != "/robots.txt"
	}
	return again, nil
}

// sameSitemap compares the sitemap of the killed crawl with the calm one's.
func (b *bench) sameSitemap() error {
	var pages [2][]page
	for i, name := range []string{"calm", "killed"} {
		var err error
		if pages[i], err = readSitemap(filepath.Join(b.output(name), "sitemap.xml")); err != nil {
			return err
		}
		slices.SortFunc(pages[i], func(x, y page) int {
			return cmp.Or(cmp.Compare(x.loc, y.loc), cmp.Compare(x.lastmod, y.lastmod))
		})
	}
	if !slices.Equal(pages[0], pages[1]) {
		return fmt.Errorf("the sitemaps differ: %d pages without kills, %d with them", len(pages[0]), len(pages[1]))
	}
	fmt.Printf("the same sitemap: %d pages\n", len(pages[0]))
	return nil
}
