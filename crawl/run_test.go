package crawl_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mapatools/mapa/crawl"
)

// A tree is a site of numbered pages, each of which links to the two below it
// and to home.
type tree struct {
	pages int

	mutex    sync.Mutex
	requests map[string]int
	asked    int
	at       map[int]func() // called with the request of that number
}

func (s *tree) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mutex.Lock()
	if s.requests == nil {
		s.requests = map[string]int{}
	}
	s.requests[r.URL.Path]++
	s.asked++
	called := s.at[s.asked]
	s.mutex.Unlock()
	if called != nil {
		called()
	}
	n, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/"))
	if err != nil && r.URL.Path != "/" || n >= s.pages {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/html")
	fmt.Fprintf(w, "<title>Page %d</title><p>text %s</p><a href='/'>home</a>", n, spelled(n))
	for _, below := range []int{2*n + 1, 2*n + 2} {
		if below < s.pages {
			fmt.Fprintf(w, "<a href='/%d'>below</a>", below)
		}
	}
}

// spelled writes a number in letters, which the digest of a text does not leave
// out.
func spelled(n int) string {
	return strings.Map(func(digit rune) rune { return digit - '0' + 'a' }, fmt.Sprintf("%05d", n))
}

// split counts the addresses that were decided about and those that wait.
func split(all map[string]decision) (done, waiting int) {
	for _, d := range all {
		if d == "waiting" {
			waiting++
		} else {
			done++
		}
	}
	return done, waiting
}

// A finishStore records whether Run finished it.
type finishStore struct {
	crawl.MemoryStore
	finished bool
}

func (s *finishStore) Finish(ctx context.Context) error {
	s.finished = true
	return s.MemoryStore.Finish(ctx)
}

func TestLimits(t *testing.T) {
	t.Parallel()
	t.Run("pages", func(t *testing.T) {
		t.Parallel()
		site := &tree{pages: 100}
		origin, store := serve(t, site), &finishStore{}
		progress, err := run(t, store, crawl.Options{Start: origin, Limits: crawl.Limits{Pages: 10}})
		if err != nil || progress.Limit != "max-pages" || progress.Pages != 10 || !store.finished {
			t.Errorf("%+v, %v, finished: %t", progress, err, store.finished)
		}
		if done, waiting := split(decisions(&store.MemoryStore, origin)); done != 10 || waiting == 0 || waiting != progress.Waiting {
			t.Errorf("%d done, %d waiting, %d said to", done, waiting, progress.Waiting)
		}
	})
	t.Run("depth", func(t *testing.T) {
		t.Parallel()
		site := &tree{pages: 100}
		origin, store := serve(t, site), &crawl.MemoryStore{}
		if _, err := run(t, store, crawl.Options{Start: origin, Limits: crawl.Limits{Depth: 2}}); err != nil {
			t.Fatal(err)
		}
		const beyond = "limit: max-depth"
		compare(t, decisions(store, origin), map[string]decision{
			"/": "", "/1": "", "/2": "", "/3": "", "/4": "", "/5": "", "/6": "",
			"/7": beyond, "/8": beyond, "/9": beyond, "/10": beyond, "/11": beyond, "/12": beyond, "/13": beyond, "/14": beyond,
		})
	})
	t.Run("bytes", func(t *testing.T) {
		t.Parallel()
		site := &tree{pages: 100}
		origin, store := serve(t, site), &crawl.MemoryStore{}
		progress, err := run(t, store, crawl.Options{
			Start: origin, Limits: crawl.Limits{Bytes: 400}, Access: crawl.Access{Concurrency: 1},
		})
		if err != nil || progress.Limit != "max-bytes" || progress.Bytes < 400 || progress.Bytes > 600 {
			t.Errorf("%+v, %v", progress, err)
		}
	})
	t.Run("time", func(t *testing.T) {
		t.Parallel()
		// Nothing but the limit ends this site: each page links to the next.
		origin := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			n, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/"))
			if err != nil && r.URL.Path != "/" {
				http.NotFound(w, r)
				return
			}
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprintf(w, "<title>%d</title><a href='/%d'>next</a>", n, n+1)
		}))
		store := &finishStore{}
		progress, err := run(t, store, crawl.Options{
			Start: origin, Limits: crawl.Limits{Time: 50 * time.Millisecond}, Traps: crawl.Traps{Chain: -1},
		})
		if err != nil || progress.Limit != "max-time" || store.finished {
			t.Errorf("%+v, %v, finished: %t", progress, err, store.finished)
		}
	})
}

// TestInterruption stops a crawl several times and goes on with its store.
func TestInterruption(t *testing.T) {
	t.Parallel()
	const pages, workers = 300, 4
	undisturbed := &crawl.MemoryStore{}
	origin := serve(t, &tree{pages: pages})
	if _, err := run(t, undisturbed, crawl.Options{Start: origin}); err != nil {
		t.Fatal(err)
	}
	want := decisions(undisturbed, origin)

	site := &tree{pages: pages, at: map[int]func(){}}
	origin = serve(t, site)
	store, stops := &crawl.MemoryStore{}, 0
	for _, after := range []int{1, 2, 40, 100, 170, 290} {
		ctx, cancel := context.WithCancel(t.Context())
		site.mutex.Lock()
		site.at[site.asked+after-stops] = cancel
		site.mutex.Unlock()
		_, err := crawl.Run(ctx, store, crawl.Options{Start: origin, Access: crawl.Access{Concurrency: workers, Rate: -1}})
		cancel()
		if err == nil {
			break
		}
		if stops++; !errors.Is(err, crawl.ErrStopped) {
			t.Fatalf("stop %d: %v", stops, err)
		}
	}
	if stops < 4 {
		t.Fatalf("only %d stops", stops)
	}
	progress, err := run(t, store, crawl.Options{Start: origin})
	if err != nil || !progress.Resumed || progress.Pages != pages || progress.Waiting != 0 {
		t.Fatalf("%+v, %v", progress, err)
	}
	compare(t, decisions(store, origin), want)
	repeats := 0
	for target, times := range site.requests {
		if target != "/robots.txt" && !missingProbe.MatchString(target) {
			repeats += times - 1
		}
	}
	if repeats > stops*workers {
		t.Errorf("%d requests were repeated after %d stops with %d workers", repeats, stops, workers)
	}
}

// TestTimeOfSeeding has the time of a crawl end while it begins: with a sitemap
// that does not come to its end, and with a list that does not.
func TestTimeOfSeeding(t *testing.T) {
	t.Parallel()
	site := parse(t, onePage)
	for name, seeds := range map[string]iter.Seq2[crawl.Seed, error]{
		"sitemap": nil,
		"list": func(yield func(crawl.Seed, error) bool) {
			for yield(crawl.Seed{URL: "https://elsewhere.example/", Source: crawl.SeedList}, nil) {
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			origin := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				switch r.URL.Path {
				case "/robots.txt":
					fmt.Fprintf(w, "Sitemap: http://%s/sitemap.txt\n", r.Host)
				case "/sitemap.txt":
					fmt.Fprintf(w, "http://%s/\n", r.Host)
					http.NewResponseController(w).Flush()
					<-r.Context().Done()
				default:
					site.ServeHTTP(w, r)
				}
			}))
			progress, err := run(t, &crawl.MemoryStore{}, crawl.Options{
				Start: origin, Seeds: seeds, Limits: crawl.Limits{Time: 100 * time.Millisecond},
			})
			if err != nil || progress.Limit != crawl.LimitTime || progress.Elapsed > 10*time.Second {
				t.Errorf("%+v, %v", progress, err)
			}
		})
	}
}

// TestSeedsSurviveInterruption stops the crawl before the sitemap has come.
func TestSeedsSurviveInterruption(t *testing.T) {
	t.Parallel()
	site := parse(t, `
-- /robots.txt --
Sitemap: http://$HOST/sitemap.xml
-- /sitemap.xml --
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>http://$HOST/orphan</loc></url></urlset>
-- / --
<title>Home</title><p>home</p>
-- /orphan --
<title>Orphan</title><p>orphan</p>
`)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	origin := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/sitemap.xml" && ctx.Err() == nil {
			cancel()
			w.WriteHeader(http.StatusNotFound)
			return
		}
		site.ServeHTTP(w, r)
	}))
	store := &crawl.MemoryStore{}
	if _, err := crawl.Run(ctx, store, crawl.Options{Start: origin}); !errors.Is(err, crawl.ErrStopped) {
		t.Fatal(err)
	}
	if _, err := run(t, store, crawl.Options{Start: origin}); err != nil {
		t.Fatal(err)
	}
	compare(t, decisions(store, origin), map[string]decision{"/": "", "/orphan": ""})
}

// TestRobotsNamesFiles has robots.txt name its sitemap by a relative address, and
// files of the crawler's own machine, none of which may be opened.
func TestRobotsNamesFiles(t *testing.T) {
	folder := t.TempDir()
	t.Chdir(folder)
	named := []string{"local.txt", "scheme:local.txt", "file://" + folder + "/local.txt", "%zz", "../../local.txt", "-", strings.Repeat("x", 100_000)}
	var lines strings.Builder
	for _, name := range named {
		fmt.Fprintf(&lines, "Sitemap: %s\n", name)
	}
	origin := answering(t, `
-- /sitemap.xml --
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>http://$HOST/orphan</loc></url></urlset>
-- / --
<title>Home</title><p>home</p>
-- /orphan --
<title>Orphan</title><p>orphan</p>
`, func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, lines.String()+"Sitemap: sitemap.xml\n")
	})
	for _, name := range []string{"local.txt", "scheme:local.txt", "%zz"} {
		if err := os.WriteFile(name, []byte(origin+"/secret\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	store := &crawl.MemoryStore{}
	if _, err := run(t, store, crawl.Options{Start: origin}); err != nil {
		t.Fatal(err)
	}
	compare(t, decisions(store, origin), map[string]decision{"/": "", "/orphan": ""})
}

// TestFollowedLinkSurvivesInterruption stops the crawl when a link that was held
// back for nofollow has just come to be followed.
func TestFollowedLinkSurvivesInterruption(t *testing.T) {
	t.Parallel()
	site := parse(t, `
-- / --
<title>Home</title><p>home</p><a rel="nofollow" href="/held">x</a> <a href="/follows">x</a>
-- /follows --
<title>Follows</title><p>follows</p><a href="/held">x</a>
-- /held --
<title>Held</title><p>held</p>
`)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	origin := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/held" {
			cancel()
		}
		site.ServeHTTP(w, r)
	}))
	store := &crawl.MemoryStore{}
	if _, err := crawl.Run(ctx, store, crawl.Options{Start: origin, Access: crawl.Access{Rate: -1}}); !errors.Is(err, crawl.ErrStopped) {
		t.Fatal(err)
	}
	if _, err := run(t, store, crawl.Options{Start: origin}); err != nil {
		t.Fatal(err)
	}
	compare(t, decisions(store, origin), map[string]decision{"/": "", "/follows": "", "/held": ""})
}

// TestMemory crawls again with an earlier crawl for memory.
func TestMemory(t *testing.T) {
	t.Parallel()
	site := parse(t, decisionSite)
	var mutex sync.Mutex
	var full, unchanged []string
	changed := map[string]string{}
	origin := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := httptest.NewRecorder()
		site.ServeHTTP(answer, r)
		maps.Copy(w.Header(), answer.Header())
		mutex.Lock()
		defer mutex.Unlock()
		body := answer.Body.String()
		if text, ok := changed[r.RequestURI]; ok {
			body = text
		}
		if answer.Code == http.StatusOK {
			tag := fmt.Sprintf("%q", fmt.Sprint(len(body)))
			w.Header().Set("ETag", tag)
			if r.Header.Get("If-None-Match") == tag {
				unchanged = append(unchanged, r.RequestURI)
				w.WriteHeader(http.StatusNotModified)
				return
			}
			full = append(full, r.RequestURI)
		}
		w.WriteHeader(answer.Code)
		fmt.Fprint(w, body)
	}))
	first := &crawl.MemoryStore{}
	if _, err := run(t, first, crawl.Options{Start: origin}); err != nil {
		t.Fatal(err)
	}
	good := len(full) - 1 // all but robots.txt
	full = nil

	second := &crawl.MemoryStore{}
	if _, err := run(t, second, crawl.Options{Start: origin, Previous: first}); err != nil {
		t.Fatal(err)
	}
	if len(full) != 1 || full[0] != "/robots.txt" || len(unchanged) != good {
		t.Errorf("sent again: %q; unchanged: %d of %d", full, len(unchanged), good)
	}
	compare(t, decisions(second, origin), decisions(first, origin))
	equalEdges(t, second, first)

	changed["/later"] = `<title>Later</title><p>something else</p><a href="/new">x</a>`
	full = nil
	third := &crawl.MemoryStore{}
	if _, err := run(t, third, crawl.Options{Start: origin, Previous: second}); err != nil {
		t.Fatal(err)
	}
	want := decisions(first, origin)
	want["/new"] = "client-error: Not Found"
	want["/nofollow-first"] = "nofollow"
	compare(t, decisions(third, origin), want)
	if len(full) != 2 {
		t.Errorf("sent again: %q, want robots.txt and the page that changed", full)
	}
}

// equalEdges compares the links of all pages, by address.
func equalEdges(t *testing.T, got, want *crawl.MemoryStore) {
	t.Helper()
	edges := func(store *crawl.MemoryStore) map[string]string {
		all := map[string]string{}
		store.Each(func(link crawl.Link, _ *crawl.Page) {
			remembered, _ := store.Lookup(link.URL)
			for _, edge := range remembered.Links {
				all[link.URL] += fmt.Sprintf("%s %s %q %q %t\n", edge.URL, edge.Kind, edge.Fragment, edge.Text, edge.Nofollow)
			}
		})
		return all
	}
	had, wanted := edges(got), edges(want)
	if len(wanted) == 0 {
		t.Error("no links to compare")
	}
	for url := range wanted {
		if had[url] != wanted[url] {
			t.Errorf("links of %s:\n%swant\n%s", url, had[url], wanted[url])
		}
	}
}

// answering makes a site whose robots.txt is answered by a handler.
func answering(t *testing.T, archive string, robots http.HandlerFunc) string {
	site := parse(t, archive)
	return serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			robots(w, r)
			return
		}
		site.ServeHTTP(w, r)
	}))
}

const onePage = `
-- / --
<title>Home</title><p>home</p>
`

func TestRobotsFile(t *testing.T) {
	t.Parallel()
	status := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
	}
	for name, test := range map[string]struct {
		robots  http.HandlerFunc
		ignore  bool
		failure error
	}{
		"missing":      {status(404), false, nil},
		"refused":      {status(403), false, nil},
		"empty":        {status(200), false, nil},
		"503":          {status(503), false, crawl.ErrForbidden},
		"503, ignored": {status(503), true, nil},
		"dropped":      {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, false, crawl.ErrStart},
		"endless": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/robots.txt?"+r.URL.RawQuery+"x", http.StatusFound)
		}, false, nil},
		"forbids all":    {func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "User-agent: *\nDisallow: /\n") }, false, crawl.ErrForbidden},
		"all, ignored":   {func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "User-agent: *\nDisallow: /\n") }, true, nil},
		"forbids others": {func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "User-agent: Other\nDisallow: /\n") }, false, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			origin, store := answering(t, onePage, test.robots), &crawl.MemoryStore{}
			_, err := run(t, store, crawl.Options{Start: origin, IgnoreRobots: test.ignore})
			if !errors.Is(err, test.failure) {
				t.Fatalf("%v, want %v", err, test.failure)
			}
			if test.failure == nil {
				compare(t, decisions(store, origin), map[string]decision{"/": ""})
			}
		})
	}
}

func TestStartErrors(t *testing.T) {
	t.Parallel()
	origin := serve(t, parse(t, `
-- /here --
HTTP 302
Location: /page
-- /page --
<title>Page</title>
-- /away --
HTTP 301
Location: http://elsewhere.example/there
-- /picture.png --
-- /refused --
HTTP 403
-- /loop --
HTTP 302
Location: /loop
-- /round --
HTTP 302
Location: /about
-- /about --
HTTP 302
Location: /round
-- /nowhere --
HTTP 302
-- /nothing --
HTTP 204
`))
	for target, want := range map[string]string{
		"/page":        "",
		"/here":        "",
		"/missing":     "the server answers 404 Not Found",
		"/refused":     "the server answers 403 Forbidden",
		"/picture.png": "it is no page but image/png",
		"/loop":        "it leads back to itself",
		"/round":       "it leads back to itself",
		"/nowhere":     "the server answers 302 Found",
		"/nothing":     "the server answers 204 No Content",
	} {
		_, err := run(t, &crawl.MemoryStore{}, crawl.Options{Start: origin + target})
		if want == "" && err != nil || want != "" && (!errors.Is(err, crawl.ErrStart) || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", target, err, want)
		}
	}
	_, err := run(t, &crawl.MemoryStore{}, crawl.Options{Start: origin + "/away"})
	if moved, ok := errors.AsType[*crawl.MovedError](err); !ok || moved.To != "http://elsewhere.example/there" {
		t.Errorf("moved: %v", err)
	}
	for _, start := range []string{"", "ftp://site.example/", "/page", "http://", "mailto:a@b.example"} {
		if _, err := run(t, &crawl.MemoryStore{}, crawl.Options{Start: start}); !errors.Is(err, crawl.ErrStart) {
			t.Errorf("%q: %v", start, err)
		}
	}
}

// TestManyLinksToFewPages has more links on a page than are followed, all to
// pages that are known already.
func TestManyLinksToFewPages(t *testing.T) {
	t.Parallel()
	origin := serve(t, parse(t, "\n-- / --\n"+strings.Repeat(`<a href="/a">a</a> <a href="/">home</a> `, 20)+"\n-- /a --\n<p>end</p>\n"))
	progress, err := run(t, &crawl.MemoryStore{}, crawl.Options{Start: origin, Traps: crawl.Traps{Links: 10}})
	if err != nil || progress.Crowded != 1 {
		t.Errorf("%d pages with too many links, %v", progress.Crowded, err)
	}
}

// failingStore fails at its second commit.
type failingStore struct {
	crawl.MemoryStore
	commits int
}

var errDisk = errors.New("disk is full")

func (s *failingStore) Append(ctx context.Context, c crawl.Commit) error {
	if s.commits++; s.commits > 1 {
		return errDisk
	}
	return s.MemoryStore.Append(ctx, c)
}

func TestStoreFails(t *testing.T) {
	t.Parallel()
	origin := serve(t, &tree{pages: 2000})
	if _, err := run(t, &failingStore{}, crawl.Options{Start: origin}); !errors.Is(err, errDisk) {
		t.Error(err)
	}
}

// TestChecks asks for what pages show and for other sites, each once.
func TestChecks(t *testing.T) {
	t.Parallel()
	other := parse(t, `
-- /there --
there
-- /moved --
HTTP 301
Location: /there-too
-- /there-too --
there
-- /refuses --
HTTP 403
-- /breaks --
HTTP 500
-- /lies --
there
`)
	var mutex sync.Mutex
	methods := map[string]string{}
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mutex.Lock()
		methods[r.RequestURI] += r.Method + " "
		mutex.Unlock()
		if strings.HasPrefix(r.RequestURI, "/lies") && r.Method == http.MethodHead {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		other.ServeHTTP(w, r)
	})
	elsewhere := serve(t, handler)
	site := parse(t, strings.ReplaceAll(`
-- / --
<title>Home</title><p>home</p><link rel="stylesheet" href="/style.css"><script src="/code.js"></script>
<img src="/shown.png"><img src="/shown.png"><img src="/missing.png"> <a href="/two">x</a>
<a href="OTHER/there">x</a> <a href="OTHER/there#part">x</a> <a href="OTHER/missing">x</a> <a href="OTHER/lies">x</a>
<a href="OTHER/moved">x</a> <a href="OTHER/refuses">x</a> <a href="OTHER/breaks">x</a>
-- /two --
<title>Two</title><p>two</p><a href="OTHER/there">x</a><img src="/shown.png">
-- /style.css --
-- /code.js --
-- /shown.png --
`, "OTHER", elsewhere))
	origin, store := serve(t, site), &crawl.MemoryStore{}
	progress, err := run(t, store, crawl.Options{Start: origin, Assets: true, External: true})
	if err != nil || progress.Broken != 3 || progress.Pages != 2 {
		t.Errorf("%+v, %v", progress, err)
	}
	got := map[string]decision{}
	for target, d := range decisions(store, origin) {
		got[strings.Replace(target, elsewhere, "other", 1)] = d
	}
	compare(t, got, map[string]decision{
		"/": "", "/two": "",
		"/style.css":    "not-a-page: text/css",
		"/code.js":      "not-a-page: text/javascript",
		"/shown.png":    "not-a-page: image/png",
		"/missing.png":  "client-error: Not Found",
		"other/there":   "out-of-scope",
		"other/missing": "client-error: Not Found",
		"other/lies":    "out-of-scope",
		"other/moved":   "out-of-scope",
		"other/refuses": "inconclusive: Forbidden",
		"other/breaks":  "server-error: Internal Server Error",
	})
	for target, want := range map[string]string{
		"/robots.txt": "GET ", "/there": "HEAD ", "/missing": "HEAD GET ", "/lies": "HEAD GET ",
		"/moved": "HEAD ", "/there-too": "HEAD ", "/refuses": "HEAD GET ", "/breaks": "HEAD GET ",
	} {
		if methods[target] != want {
			t.Errorf("%s: %s, want %s", target, methods[target], want)
		}
	}
	for target, times := range site.Requests() {
		if want := map[string]int{"/missing.png": 2}[target]; times != max(want, 1) {
			t.Errorf("%s was asked for %d times", target, times)
		}
	}
}
