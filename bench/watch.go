package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/mapatools/mapa/sitemap"
)

const argumentsVariable = "MAPA_BENCH_ARGUMENTS"

// A watchedSite serves an index and the files of the list row, and counts what it sends.
type watchedSite struct {
	files    http.Handler
	index    string
	requests atomic.Int64
	bytes    atomic.Int64
}

func (s *watchedSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/robots.txt" {
		http.NotFound(w, r)
		return
	}
	s.requests.Add(1)
	counted := &countedResponse{w, &s.bytes}
	if r.URL.Path == "/sitemap.xml" {
		fmt.Fprint(counted, strings.ReplaceAll(s.index, "HOST", r.Host))
		return
	}
	s.files.ServeHTTP(counted, r)
}

type countedResponse struct {
	http.ResponseWriter
	bytes *atomic.Int64
}

func (c *countedResponse) Write(p []byte) (int, error) {
	c.bytes.Add(int64(len(p)))
	return c.ResponseWriter.Write(p)
}

// watch follows many sitemaps: the first pass, one in which nothing changed, one in which
// one file did, and what reading everything costs instead.
func (b *bench) watch() error {
	program, pattern, err := b.listed()
	if err != nil {
		return err
	}
	names, err := filepath.Glob(pattern)
	if err != nil {
		return err
	}
	index := strings.Builder{}
	index.WriteString(`<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`)
	old := time.Now().Add(-time.Hour)
	for _, name := range names {
		fmt.Fprintf(&index, "<sitemap><loc>http://HOST/%s</loc></sitemap>", filepath.Base(name))
		if err := os.Chtimes(name, old, old); err != nil {
			return err
		}
	}
	index.WriteString("</sitemapindex>")
	site := &watchedSite{files: http.FileServer(http.Dir(b.dir)), index: index.String()}
	server := httptest.NewServer(site)
	defer server.Close()
	address := server.URL + "/sitemap.xml"
	following := "watch " + address + " --no-initial --rate 0 --state " + filepath.Join(b.dir, "watch.sqlite")
	urls := b.size.files * b.size.urls
	b.table.add(line{name: fmt.Sprintf("mapa watch, %d URLs in %d files: CPU of", urls, len(names))})
	for _, row := range []struct {
		title, task, arguments string
		seconds, megabytes     float64 // required
		change                 bool
	}{
		{"the first pass", taskProgram, following, 10, 200, false},
		{"a pass without a change", taskProgram, following, 0.05, 200, false},
		{"a pass with one changed file", taskProgram, following, 0, 0, true},
		{"mapa list of everything", taskProgram, "list --count " + address, 0, 0, false},
		{"a loop over package sitemap", taskLoop, address, 0, 0, false},
	} {
		if row.change {
			if err := changeFirst(names[0]); err != nil {
				return err
			}
		}
		site.requests.Store(0)
		site.bytes.Store(0)
		p, err := b.task(row.task, programVariable+"="+program, argumentsVariable+"="+row.arguments)
		if err != nil {
			return err
		}
		megabytes := float64(p.Resident) / 1e6
		l := line{
			name: fmt.Sprintf("  %s (%d requests, %.1f MB sent, %.0f MB of memory)", row.title, site.requests.Load(),
				float64(site.bytes.Load())/1e6, megabytes),
			measured: fmt.Sprintf("%.2f s", p.Seconds),
			cost:     fmt.Sprintf("%.0f", p.Seconds*1e9/float64(urls)),
		}
		if row.seconds > 0 {
			l.required = fmt.Sprintf("<%v s", row.seconds)
			l.passed = passedText(row.seconds, p.Seconds < row.seconds && megabytes < row.megabytes)
		}
		b.table.add(l)
	}
	return nil
}

// changeFirst changes the first date in a file. It keeps the number of its URLs.
func changeFirst(name string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	changed := strings.Replace(string(text), "<lastmod>2", "<lastmod>1", 1)
	return os.WriteFile(name, []byte(changed), 0o644)
}

// runProgram runs mapa and reports its CPU time and memory.
func runProgram() (peak, error) {
	command := exec.Command(os.Getenv(programVariable), strings.Fields(os.Getenv(argumentsVariable))...)
	command.Stderr = os.Stderr
	if err := command.Run(); err != nil {
		return peak{}, err
	}
	usage := command.ProcessState.SysUsage().(*syscall.Rusage)
	spent := command.ProcessState.UserTime() + command.ProcessState.SystemTime()
	return peak{Resident: usage.Maxrss << 10, Seconds: spent.Seconds()}, nil
}

// loopOver reads every sitemap of an index, as a program without a state has to.
func loopOver() (p peak, err error) {
	children, err := readLocations(os.Getenv(argumentsVariable), true)
	if err != nil {
		return p, err
	}
	for _, child := range children {
		pages, err := readLocations(child, false)
		if err != nil {
			return p, err
		}
		p.URLs += len(pages)
	}
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return p, err
	}
	p.Seconds = time.Duration(usage.Utime.Nano() + usage.Stime.Nano()).Seconds()
	return p, nil
}

// readLocations reads a sitemap from a server. It keeps the locations of an index only.
func readLocations(address string, keep bool) (locations []string, err error) {
	response, err := http.Get(address)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	for entry, err := range sitemap.NewReader(response.Body).Entries() {
		if err != nil {
			return nil, err
		}
		location := ""
		if keep {
			location = string(entry.Loc)
		}
		locations = append(locations, location)
	}
	return locations, nil
}
