// Command pacing measures how a crawl copes with URLs and servers that refuse
// requests:
//
//	cd bench && go run ./pacing
//
// It crawls a site again and again, each time with another share of URLs that always
// answer 503 or 429, and compares the time with that of the healthy site. Then it
// crawls a server that is overloaded for some seconds, and prints how many requests it
// gets and how soon it has its full rate back.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	pages := flag.Int("pages", 4000, "how many pages the site has")
	rate := flag.String("rate", "0", "the rate of the crawl of the overloaded server")
	flag.Parse()
	if err := run(ctx, *pages, *rate); err != nil {
		fmt.Fprintln(os.Stderr, "pacing:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, pages int, rate string) error {
	dir, err := os.MkdirTemp("", "mapa-bench-pacing-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	m := &mapa{program: filepath.Join(dir, "mapa"), folder: filepath.Join(dir, "crawl")}
	if err := m.build(ctx); err != nil {
		return err
	}
	if err := m.refusals(ctx, pages); err != nil {
		return err
	}
	return m.overload(ctx, rate)
}

// mapa is the program to measure.
type mapa struct{ program, folder string }

func (m *mapa) build(ctx context.Context) error {
	const module = "github.com/mapatools/mapa"
	folder, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	if err != nil {
		return fmt.Errorf("find the module: %w", err)
	}
	build := exec.CommandContext(ctx, "go", "build", "-o", m.program, module+"/cmd/mapa")
	build.Dir, build.Stderr = strings.TrimSpace(string(folder)), os.Stderr // it has versions of its own
	return build.Run()
}

// crawl crawls a server from the beginning.
func (m *mapa) crawl(ctx context.Context, url string, args ...string) (took time.Duration, listed int, err error) {
	command := exec.CommandContext(ctx, m.program, append([]string{"crawl", url, "-o", m.folder, "--fresh",
		"--force", "--max-shrink", "100", "--format", "json", "-q"}, args...)...)
	start := time.Now()
	output, err := command.Output()
	took = time.Since(start)
	const inPart = 3
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() == inPart {
		err = nil
	}
	var result struct{ Listed int }
	if err == nil {
		err = json.Unmarshal(output, &result)
	}
	return took, result.Listed, err
}

// A refusal is a way to refuse requests.
type refusal struct {
	name       string
	status     int
	retryAfter string
}

var ways = []refusal{
	{"503, Retry-After: 120", 503, "120"},
	{"429, Retry-After: 120", 429, "120"},
	{"429, Retry-After: 5", 429, "5"},
	{"429", 429, ""},
}

// refusals prints the time of crawls of sites with refusing URLs.
func (m *mapa) refusals(ctx context.Context, pages int) error {
	healthy, _, err := m.timeOf(ctx, &site{pages: pages})
	if err != nil {
		return err
	}
	fmt.Printf("%d pages of a healthy site: %.1f s\n\n", pages, healthy.Seconds())
	fmt.Printf("%-24s %10s %8s %8s %8s\n", "answer", "of URLs", "seconds", "times", "listed")
	for _, way := range ways {
		for _, every := range []int{1000, 100, 10} {
			took, listed, err := m.timeOf(ctx, &site{pages: pages, refusal: way, every: every})
			if err != nil {
				return err
			}
			fmt.Printf("%-24s %8.1f %% %8.1f %8.2f %8d\n", way.name, 100/float64(every), took.Seconds(),
				took.Seconds()/healthy.Seconds(), listed)
		}
	}
	return nil
}

func (m *mapa) timeOf(ctx context.Context, s *site) (took time.Duration, listed int, err error) {
	server := httptest.NewServer(s)
	defer server.Close()
	return m.crawl(ctx, server.URL)
}

// The seconds of a crawl of a server that is overloaded for a while.
const (
	overloaded = 8
	recovers   = 18
	ends       = 40
)

// overload prints the requests of every second to a server that is overloaded for some
// seconds.
func (m *mapa) overload(ctx context.Context, rate string) error {
	s := &site{pages: 1 << 30, capacity: func(second int) int {
		if second >= overloaded && second < recovers {
			return 50
		}
		return 1000
	}}
	server := httptest.NewServer(s)
	defer server.Close()
	s.start = time.Now()
	if _, _, err := m.crawl(ctx, server.URL, "--rate", rate, "--max-time", fmt.Sprint(ends, "s")); err != nil {
		return err
	}
	fmt.Printf("\na server that answers 1000 requests a second, and 50 from second %d to %d:\n\n", overloaded, recovers)
	fmt.Printf("%8s %10s %10s\n", "second", "requests", "refused")
	for second, seen := range s.seconds() {
		fmt.Printf("%8d %10d %10d\n", second, seen.requests, seen.refused)
	}
	return nil
}
