// Command pagefiles counts the source files that a page of the web application needs:
//
//	cd bench && go run ./pagefiles
//
// It builds itself again with coverage counters, serves Mapa, crawls a small site, and requests pages of the result.
// It clears the counters before each request and prints the files of Mapa that have run by the end of it, and by
// name those of the packages that show results.
package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"os/signal"
	"path"
	"path/filepath"
	"runtime/coverage"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mapatools/mapa/internal/cli"
)

const (
	module = "github.com/mapatools/mapa/"
	// folderVariable is the environment variable with the folder of the counters, for the program with counters.
	folderVariable = "MAPA_PAGEFILES"
)

// shows are the packages that show results.
var shows = []string{
	"internal/page", "internal/report", "internal/result", "internal/view", "internal/insight",
}

// site has the pages of the crawled site. One links to a page that does not exist.
var site = map[string]string{
	"/": `<!doctype html><html lang="en"><title>Shop</title><meta name="description" content="Chairs and tables">
		<h1>Shop</h1><p>Welcome to the <a href="/chair">chair</a> and the <a href="/table">table</a>.`,
	"/chair": `<!doctype html><html lang="en"><title>Chair</title><h1>Chair</h1><p>A chair of wood, next to a
		<a href="/table">table</a>. <a href="/">Home</a>`,
	"/table": `<!doctype html><html lang="en"><title>Table</title><h1>Table</h1><p>A table of wood, without a
		<a href="/lamp">lamp</a>. <a href="/">Home</a>`,
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	run := build
	if os.Getenv(folderVariable) != "" {
		run = count
	}
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "pagefiles:", err)
		os.Exit(1)
	}
}

// build builds this program with counters and runs it.
func build(ctx context.Context) error {
	dir, err := os.MkdirTemp("", "mapa-bench-pagefiles-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "pagefiles")
	build := exec.CommandContext(ctx, "go", "build", "-cover", "-covermode=atomic", "-coverpkg="+module+"...",
		"-o", program, "./pagefiles")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return fmt.Errorf("build with counters: %w", err)
	}
	counting := exec.CommandContext(ctx, program)
	counting.Env = append(os.Environ(), folderVariable+"="+dir, "GOCOVERDIR="+dir)
	counting.Stdout, counting.Stderr = os.Stdout, os.Stderr
	return counting.Run()
}

// count serves Mapa in this process, where its counters can be cleared, and prints the files that pages need.
func count(ctx context.Context) error {
	pages := httptest.NewServer(http.HandlerFunc(servePage))
	defer pages.Close()
	ctx, stop := context.WithCancel(ctx)
	dir, ended := os.Getenv(folderVariable), make(chan struct{})
	out, in := io.Pipe()
	go func() {
		defer close(ended)
		arguments := []string{"serve", "--listen", "127.0.0.1:0", "--data", filepath.Join(dir, "data")}
		cli.Run(ctx, arguments, nil, in, os.Stderr)
		in.Close()
	}()
	defer func() { stop(); <-ended }()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return fmt.Errorf("mapa serve ended before it named its address: %w", err)
	}
	origin := strings.TrimSuffix(strings.TrimSpace(strings.TrimPrefix(line, "Mapa is at ")), "/")
	crawl, err := crawlSite(ctx, origin, pages.URL)
	if err != nil {
		return err
	}
	for i, page := range []string{"/pages/1", "/findings?rule=link-broken&severity=error", "/pages"} {
		files, err := filesOf(ctx, crawl+page, filepath.Join(dir, strconv.Itoa(i)))
		if err != nil {
			return err
		}
		showing := slices.DeleteFunc(slices.Clone(files), func(file string) bool {
			return !slices.Contains(shows, path.Dir(file))
		})
		fmt.Printf("GET /crawls/ID%s: %d files, %d of packages that show results\n  %s\n",
			page, len(files), len(showing), strings.Join(showing, "\n  "))
	}
	return nil
}

func servePage(w http.ResponseWriter, r *http.Request) {
	page, exists := site[r.URL.Path]
	if !exists {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprint(w, page)
}

// crawlSite lets a server crawl a site and returns the URL of the page of the crawl after it has ended.
func crawlSite(ctx context.Context, server, address string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	const api = "/api/v1"
	started, err := call(ctx, http.MethodPost, server+api+"/crawls", `{"url":"`+address+`"}`)
	if err != nil {
		return "", err
	}
	crawl := strings.TrimPrefix(started.Get("Location"), api)
	for {
		if _, err = call(ctx, http.MethodGet, server+api+crawl+"/overview", ""); err == nil {
			return server + crawl, nil
		}
		select {
		case <-time.After(100 * time.Millisecond):
		case <-ctx.Done():
			return "", errors.Join(ctx.Err(), err)
		}
	}
}

// call sends a request, reads its response and returns the header.
func call(ctx context.Context, method, address, body string) (http.Header, error) {
	request, err := http.NewRequestWithContext(ctx, method, address, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK && response.StatusCode != http.StatusCreated {
		err = fmt.Errorf("%s: %s", response.Status, text)
	}
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", method, address, err)
	}
	return response.Header, nil
}

// filesOf requests a page twice and returns the files that ran for the second request, in alphabetical order: the
// first request may open the result and parse templates. The counters go to the folder dir.
func filesOf(ctx context.Context, page, dir string) ([]string, error) {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, err
	}
	if _, err := call(ctx, http.MethodGet, page, ""); err != nil {
		return nil, err
	}
	if err := coverage.ClearCounters(); err != nil {
		return nil, err
	}
	if _, err := call(ctx, http.MethodGet, page, ""); err != nil {
		return nil, err
	}
	if err := errors.Join(coverage.WriteCountersDir(dir), coverage.WriteMetaDir(dir)); err != nil {
		return nil, err
	}
	profile := filepath.Join(dir, "profile")
	convert := exec.CommandContext(ctx, "go", "tool", "covdata", "textfmt", "-i="+dir, "-o="+profile)
	convert.Stderr = os.Stderr
	if err := convert.Run(); err != nil {
		return nil, fmt.Errorf("convert counters: %w", err)
	}
	text, err := os.ReadFile(profile)
	return ranFiles(string(text)), err
}

// ranFiles returns the files of Mapa with a count in a profile, whose lines are
// "import path/file.go:1.2,3.4 statements count". Files of bench are not part of Mapa.
func ranFiles(profile string) (files []string) {
	for line := range strings.Lines(profile) {
		name, place, _ := strings.Cut(strings.TrimSpace(line), ":")
		file, own := strings.CutPrefix(name, module)
		if own && !strings.HasPrefix(file, "bench/") && !strings.HasSuffix(place, " 0") {
			files = append(files, file)
		}
	}
	slices.Sort(files)
	return slices.Compact(files)
}
