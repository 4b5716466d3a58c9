package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/mapatools/mapa/internal/insight"
	"github.com/mapatools/mapa/internal/programtest"
	"github.com/mapatools/mapa/internal/store"
)

const (
	killPages = 3500
	killBatch = 500 // pages of one commit
	kills     = 6

	concurrency = 8

	// A life that is to be killed makes this many requests, more than a batch:
	// each has something to keep.
	leastRequests = 600
	mostRequests  = 800
)

// A killer is a site that kills its crawler with a certain request.
type killer struct {
	mutex  sync.Mutex
	life   int            // of the crawler, which tells it by its name
	asked  map[string]int // in this life
	total  int
	at     int // the request that kills; 0 for never
	victim *os.Process
}

func (k *killer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	k.mutex.Lock()
	if r.UserAgent() == strconv.Itoa(k.life) {
		k.asked[r.URL.Path]++
		if k.total++; k.total == k.at {
			_ = k.victim.Kill()
		}
	}
	k.mutex.Unlock()
	if r.URL.Path == "/robots.txt" {
		fmt.Fprintf(w, "Sitemap: http://%s/dead.xml", r.Host)
		return
	}
	if n, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/old-")); err == nil {
		http.Redirect(w, r, fmt.Sprint("/page-", n), http.StatusMovedPermanently)
		return
	}
	n, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/page-"))
	if err != nil && r.URL.Path != "/" || n >= killPages {
		http.NotFound(w, r)
		return
	}
	writeKillPage(w, n)
}

// killMissing is a page that says that it is missing, which another request has to confirm.
const killMissing = "/page-1"

// writeKillPage links to the pages below a page, one of them through a redirect,
// to one anywhere, and every tenth page to a dead address.
func writeKillPage(w http.ResponseWriter, n int) {
	w.Header().Set("Content-Type", "text/html")
	name := strings.Map(func(digit rune) rune { return digit - '0' + 'a' }, fmt.Sprintf("%05d", n))
	title := name
	if n == 1 {
		title = "Page not found"
	}
	fmt.Fprintf(w, "<title>%s</title><p>This page tells of %s.</p>", title, name)
	for below := 3*n + 1; below <= 3*n+3 && below < killPages; below++ {
		kind := "page"
		if below%7 == 0 {
			kind = "old"
		}
		fmt.Fprintf(w, "<a href='/%s-%d'>below</a>", kind, below)
	}
	fmt.Fprintf(w, "<a rel='nofollow' href='./page-%d#top'>anywhere</a>", n*7919%killPages)
	if n%10 == 0 {
		fmt.Fprintf(w, "<a href='/dead-%d'>dead</a>", n)
	}
}

// crawl runs the program in a process of its own, which is killed with the
// request of a number from its first on, and returns what it asked for and whether
// it was killed.
func (k *killer) crawl(t *testing.T, url, folder string, at int) (asked map[string]int, killed bool) {
	t.Helper()
	k.mutex.Lock()
	k.life++
	k.mutex.Unlock()
	command := exec.Command(os.Args[0], "crawl", url, "-o", folder, "--rate", "0", "--user-agent", strconv.Itoa(k.life),
		"--concurrency", strconv.Itoa(concurrency))
	command.Env = append(os.Environ(), runVariable+"=1")
	var output bytes.Buffer
	command.Stdout, command.Stderr = &output, &output
	k.mutex.Lock()
	k.asked, k.total, k.at = map[string]int{}, 0, at
	if err := command.Start(); err != nil {
		k.mutex.Unlock()
		t.Fatal(err)
	}
	k.victim = command.Process
	k.mutex.Unlock()
	err := command.Wait()
	k.mutex.Lock()
	asked, k.asked = k.asked, map[string]int{} // what a connection still holds of it comes too late
	k.mutex.Unlock()
	if err != nil && command.ProcessState.ExitCode() != -1 {
		t.Fatalf("%v\n%s", err, &output)
	}
	return asked, err != nil
}

// TestKill kills the program again and again, and lets it go on each time. The sitemap and the
// findings are those of a crawl that was not killed.
func TestKill(t *testing.T) {
	programtest.SkipShort(t, "it starts the program dozens of times")
	t.Parallel()
	site := &killer{}
	server := httptest.NewServer(site)
	defer server.Close()
	whole, resumed := t.TempDir(), t.TempDir()
	if _, killed := site.crawl(t, server.URL, whole, 0); killed {
		t.Fatal("killed without a reason")
	}

	random := rand.New(rand.NewPCG(3, 4))
	var lives []map[string]int
	live := func(at int) (killed bool) {
		asked, killed := site.crawl(t, server.URL, resumed, at)
		for target, times := range asked {
			if times > 1 && target != killMissing {
				t.Errorf("%s was asked for %d times in life %d", target, times, len(lives)+1)
			}
		}
		lives = append(lives, asked)
		return killed
	}
	for len(lives) < kills && live(leastRequests+random.IntN(mostRequests-leastRequests)) {
	}
	if len(lives) < kills {
		t.Fatalf("killed %d times only", len(lives)-1)
	}
	if live(0) {
		t.Fatal("killed without a reason")
	}
	for i, life := range lives[:kills] {
		lost := 0
		for target := range life {
			again := func(later map[string]int) bool { return later[target] > 0 }
			if target != "/robots.txt" && slices.ContainsFunc(lives[i+1:], again) {
				lost++
			}
		}
		t.Logf("kill %d: %d of %d requests are made again", i+1, lost, len(life))
		if lost > killBatch {
			t.Errorf("kill %d: %d requests are made again", i+1, lost)
		}
	}
	want, got := readSitemap(t, whole), readSitemap(t, resumed)
	if !slices.Equal(got, want) {
		t.Errorf("the sitemap has %d lines, without kills %d", len(got), len(want))
	}
	if n := bytes.Count([]byte(strings.Join(want, "\n")), []byte("<loc>")); n != killPages {
		t.Errorf("%d pages in the sitemap, want %d", n, killPages)
	}
	before, after := readVerdict(t, whole), readVerdict(t, resumed)
	if !reflect.DeepEqual(after, before) {
		t.Errorf("the verdict is %+v, without kills %+v", after, before)
	}
	for _, rule := range []string{"site-sitemap-broken", "soft-404-text"} {
		if after.Rules[rule] != 1 {
			t.Errorf("%d findings of %s, want one", after.Rules[rule], rule)
		}
	}
}

// readVerdict returns the verdict of the crawl in a folder.
func readVerdict(t *testing.T, folder string) *insight.Verdict {
	t.Helper()
	file, err := store.OpenReader(filepath.Join(folder, "crawl.sqlite"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	verdict, err := insight.ReadVerdict(file)
	if err != nil || verdict == nil {
		t.Fatalf("no verdict: %v", err)
	}
	return verdict
}

// readSitemap returns the lines of a folder's sitemap in order.
func readSitemap(t *testing.T, folder string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, "sitemap.xml"))
	if err != nil {
		t.Fatal(err)
	}
	return slices.Sorted(strings.SplitSeq(strings.ReplaceAll(string(text), "<url>", "\n<url>"), "\n"))
}
