// Command render measures Mapa against Crawlee on sites whose pages are empty until a browser
// runs their scripts, and which routes to list is known:
//
//	cd bench && go run ./render
//
// The site is served on loopback, the crawlers take turns in one run, and each result is compared
// with the truth. With -check Mapa crawls every application instead, and has to list exactly the
// right routes. With -serve nothing is crawled:
//
//	go run ./render -serve 127.0.0.1:8080 -apps vue -delay 1s
//
// It needs Linux, a Chromium, the applications that `make render-sites` builds and, to read
// Mapa's crawl file, sqlite3.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mapatools/mapa/bench/measure"
	"github.com/mapatools/mapa/internal/testsite"
)

// The ways to run the program.
type options struct {
	apps, only  []string
	topics      int
	delay       time.Duration
	staticPages int
	programs    string
	browser     string
	longest     time.Duration
	dir         string
	keep        bool
	check       bool
	serve       string
}

func main() {
	measure.Serve()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, parse()); err != nil {
		fmt.Fprintln(os.Stderr, "render:", err)
		os.Exit(1)
	}
}

func parse() options {
	var o options
	apps := flag.String("apps", "react", "which `applications` are crawled: "+strings.Join(appNames(), ", "))
	only := flag.String("only", strings.Join(crawlerNames(), ","), "which `crawlers` take turns")
	flag.IntVar(&o.topics, "topics", 16, "how many topics an application has, each with 31 routes to list; one with trouble has 1")
	flag.DurationVar(&o.delay, "delay", 0, "how long the API takes to answer, at least; at most twice as long")
	flag.IntVar(&o.staticPages, "static", 10_000, "how many pages without need of a browser Mapa also crawls; 0 for none")
	flag.StringVar(&o.programs, "programs", "../.programs/render", "the `folder` that make render-sites fills")
	flag.StringVar(&o.browser, "browser", "", "the `program` of the browser; chromium-headless-shell or chromium when empty")
	flag.DurationVar(&o.longest, "longest", 15*time.Minute, "how long a turn may take")
	flag.StringVar(&o.dir, "dir", "", "the `folder` for what the crawlers write; a temporary one when empty")
	flag.BoolVar(&o.keep, "keep", false, "keep the folder")
	flag.BoolVar(&o.check, "check", false, "let Mapa crawl all applications, and fail where its list is not exact")
	flag.StringVar(&o.serve, "serve", "", "serve the first application at an `address` until interrupted")
	flag.Parse()
	o.apps, o.only = strings.Split(*apps, ","), strings.Split(*only, ",")
	if o.check {
		o.apps, o.only, o.staticPages = appNames(), []string{mapaName}, 0
	}
	return o
}

func run(ctx context.Context, o options) error {
	for _, name := range o.only {
		if !slices.Contains(crawlerNames(), name) {
			return fmt.Errorf("-only %s: no such crawler", name)
		}
	}
	if o.serve != "" {
		return serve(ctx, o)
	}
	if err := findPrograms(&o); err != nil {
		return err
	}
	dir, err := os.MkdirTemp(o.dir, "mapa-bench-render-")
	if err != nil {
		return err
	}
	if o.keep {
		fmt.Fprintln(os.Stderr, "kept in", dir)
	} else {
		defer os.RemoveAll(dir)
	}
	b := bench{options: o, dir: dir}
	if err := b.compareApps(ctx); err != nil {
		return err
	}
	if o.staticPages > 0 && slices.Contains(o.only, mapaName) {
		return b.compareStatic(ctx)
	}
	return nil
}

// serve serves an application until ctx ends.
func serve(ctx context.Context, o options) error {
	site, err := newSite(o, o.apps[0])
	if err != nil {
		return err
	}
	server := &http.Server{Addr: o.serve, Handler: site}
	context.AfterFunc(ctx, func() { _ = server.Close() })
	fmt.Fprintf(os.Stderr, "serving %s at http://%s/\n", o.apps[0], o.serve)
	if err := server.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// findPrograms returns an error that lists everything that is missing.
func findPrograms(o *options) error {
	var missing []error
	if o.browser == "" {
		o.browser = "chromium-headless-shell"
		if _, err := exec.LookPath(o.browser); err != nil {
			o.browser = "chromium"
		}
	}
	browser, err := exec.LookPath(o.browser)
	if err != nil {
		missing = append(missing, fmt.Errorf("%w: make render-sites installs it", err))
	}
	o.browser = browser
	for _, name := range o.only {
		program := "sqlite3"
		if name != mapaName {
			program = "node"
		}
		if _, err := exec.LookPath(program); err != nil {
			missing = append(missing, fmt.Errorf("%s: %w: make render-sites installs it", name, err))
		}
	}
	for _, name := range o.apps {
		if _, err := newSite(*o, name); err != nil {
			missing = append(missing, err)
		}
	}
	return errors.Join(missing...)
}

// An app is a way to build and serve the application. It has the number of topics that -topics says,
// unless its options have one.
type app struct {
	name    string
	built   string // its folder in dist; the one written by hand when empty
	options testsite.ScriptOptions
}

// slowDelay is the shortest time that a slow API takes.
const slowDelay = time.Second

// trouble has one topic, as its pages never come to rest and each takes all the time that a crawler
// allows a page.
var trouble = testsite.ScriptOptions{Topics: 1, Trouble: true}

var apps = []app{
	{"plain", "", testsite.ScriptOptions{}},
	{"plain-lazy", "", testsite.ScriptOptions{Lazy: true}},
	{"plain-notfound", "", testsite.ScriptOptions{NotFoundRoute: true}},
	{"react", "react", testsite.ScriptOptions{}},
	{"react-lazy", "react-lazy", testsite.ScriptOptions{}},
	{"react-notfound", "react-notfound", testsite.ScriptOptions{NotFoundRoute: true}},
	{"react-slow", "react", testsite.ScriptOptions{Delay: slowDelay}},
	{"vue", "vue", testsite.ScriptOptions{}},
	{"preact", "preact", testsite.ScriptOptions{}},
	{"svelte", "svelte", testsite.ScriptOptions{}},
	{"angular", "angular", testsite.ScriptOptions{}},
	{"plain-trouble", "", trouble},
	{"react-trouble", "react", trouble},
	{"vue-trouble", "vue", trouble},
	{"preact-trouble", "preact", trouble},
	{"svelte-trouble", "svelte", trouble},
	{"angular-trouble", "angular", trouble},
}

func appNames() (all []string) {
	for _, a := range apps {
		all = append(all, a.name)
	}
	return all
}

// newSite returns the site of an application.
func newSite(o options, name string) (*testsite.ScriptSite, error) {
	i := slices.IndexFunc(apps, func(a app) bool { return a.name == name })
	if i < 0 {
		return nil, fmt.Errorf("-apps %s: no such application", name)
	}
	settings := apps[i].options
	settings.Topics, settings.Delay = cmp.Or(settings.Topics, o.topics), max(settings.Delay, o.delay)
	if apps[i].built != "" {
		settings.App = os.DirFS(filepath.Join(o.programs, "dist", apps[i].built))
	}
	site, err := testsite.NewScriptSite(settings)
	if err != nil {
		return nil, fmt.Errorf("%s: %w: make render-sites builds it", name, err)
	}
	return site, nil
}
