package main

import (
	"fmt"
	"os"
	"slices"
	"sync"
	"time"
)

// together is how many parts are requested at once, and in turns.
const together = 50

// A bench is one run of the program.
type bench struct {
	host
	rows, seconds int
}

func (b *bench) run() error {
	database, err := startPosts(&b.host, b.rows)
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	start := time.Now()
	mapa, err := startProcess(database, self, "-child", "mapa")
	if err != nil {
		return err
	}
	defer mapa.stop()
	used, err := mapa.cpu()
	if err != nil {
		return err
	}
	fmt.Printf("%d rows read in %.1f s, with %.1f s of CPU in the program\n", b.rows, time.Since(start).Seconds(), used.Seconds())
	if err := b.latency(mapa); err != nil {
		return err
	}
	rates, err := b.rates(database, self, mapa)
	if err != nil {
		return err
	}
	for _, r := range rates {
		fmt.Printf("%-26s %8.1f parts a second, %7.2f ms CPU a part\n", r.name, r.wall, r.cpu)
	}
	fmt.Printf("from the cache: %.0f times the plain handler (at least 15), %.0f times Django (at least 50)\n",
		rates[0].wall/rates[2].wall, rates[0].wall/rates[3].wall)
	fmt.Printf("from the database: %.1f times the plain handler, %.0f times Django\n",
		rates[1].wall/rates[2].wall, rates[1].wall/rates[3].wall)
	return nil
}

// partPath returns the path of the nth of the parts that are requested.
func (b *bench) partPath(n int) string {
	parts := b.rows / partSize
	return fmt.Sprintf("/sitemap-posts-%d.xml", n%together*(parts/together)*partSize)
}

// latency measures the index, parts that are not in the cache, and the memory.
func (b *bench) latency(mapa *process) error {
	index, err := measure(200, func(int) string { return "/sitemap.xml" }, mapa)
	if err != nil {
		return err
	}
	show("index", index, "10 ms")
	fresh := func(n int) string { return fmt.Sprintf("/sitemap-posts-%d.xml", (2*n+1)*partSize) }
	parts, err := measure(together, fresh, mapa)
	if err != nil {
		return err
	}
	show("a part, rendered", parts, "50 ms")
	var all sync.WaitGroup
	failed := make(chan error, together)
	for n := range together {
		all.Go(func() {
			_, err := mapa.fetch(b.partPath(n))
			failed <- err
		})
	}
	all.Wait()
	for range together {
		if err := <-failed; err != nil {
			return err
		}
	}
	peak, err := mapa.peak()
	fmt.Printf("memory with %d parts at once, at most: %.1f MB (less than 64)\n", together, float64(peak)/1e6)
	return err
}

func measure(n int, path func(int) string, p *process) ([]timing, error) {
	var all []timing
	for i := range n {
		t, err := p.fetch(path(i))
		if err != nil {
			return nil, err
		}
		all = append(all, t)
	}
	return all, nil
}

func show(what string, all []timing, limit string) {
	slices.SortFunc(all, func(a, b timing) int { return int(a.first - b.first) })
	fmt.Printf("%s: first byte after %.1f ms, the slowest of %d after %.1f ms (less than %s)\n", what,
		all[len(all)/2].first.Seconds()*1e3, len(all), all[len(all)-1].first.Seconds()*1e3, limit)
}

// A rate is what a server does.
type rate struct {
	name string
	wall float64 // parts a second
	cpu  float64 // milliseconds of CPU of the server's process a part
}

// rates measures Mapa from the cache and from the database, the plain handler and
// Django.
func (b *bench) rates(database, self string, mapa *process) ([]rate, error) {
	cached, err := b.rate("Mapa, from the cache", mapa, func(n int) string { return b.partPath(n % 10) })
	if err != nil {
		return nil, err
	}
	rendered, err := b.rate("Mapa, from the database", mapa, func(n int) string {
		return fmt.Sprintf("/sitemap-posts-%d.xml", n%(b.rows/partSize)*partSize)
	})
	if err != nil {
		return nil, err
	}
	rates := []rate{cached, rendered}
	for _, other := range []struct {
		name      string
		arguments []string
		path      func(int) string
	}{
		{"encoding/xml", []string{self, "-child", "naive"}, b.partPath},
		{"Django", []string{"/usr/bin/python3", "-c", djangoSite}, func(n int) string {
			return fmt.Sprintf("/sitemap.xml?p=%d", 1+n%together*(b.rows/partSize/together))
		}},
	} {
		p, err := startProcess(database, other.arguments[0], other.arguments[1:]...)
		if err != nil {
			return nil, err
		}
		r, err := b.rate(other.name, p, other.path)
		p.stop()
		if err != nil {
			return nil, err
		}
		rates = append(rates, r)
	}
	return rates, nil
}

// rate requests one part after the other, the first round unmeasured.
func (b *bench) rate(name string, p *process, path func(int) string) (rate, error) {
	for n := range 10 {
		if _, err := p.fetch(path(n)); err != nil {
			return rate{}, fmt.Errorf("%s: %w", name, err)
		}
	}
	before, err := p.cpu()
	if err != nil {
		return rate{}, err
	}
	start := time.Now()
	n := 0
	for ; time.Since(start) < time.Duration(b.seconds)*time.Second || n < 10; n++ {
		if _, err := p.fetch(path(n)); err != nil {
			return rate{}, fmt.Errorf("%s: %w", name, err)
		}
	}
	wall := time.Since(start).Seconds()
	after, err := p.cpu()
	return rate{name, float64(n) / wall, (after - before).Seconds() * 1e3 / float64(n)}, err
}
