package hostile

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mapatools/mapa/internal/programtest"
)

// The budget of every row.
const (
	memoryBudget = 300 << 20
	diskBudget   = 16 << 20 // more than the inflated bytes, as often as the row says
	stderrBudget = 64 << 10
	rateWindow   = 3 * time.Second

	// allCopies is how often files hold a URL that a page spells out, at the most: the
	// crawl file, its index, what sorts that, the sitemap, a report.
	allCopies = 5
)

// A budgetRow is one run of the program against a hostile site.
type budgetRow struct {
	behaviour string
	args      string // URL is the site's
	settings  string // of mapa.yaml
	codes     []int  // that are right
	rate      int    // that args set; 0 is not checked
	long      bool   // in the long form only
	interrupt time.Duration
	copies    int64                         // of the inflated bytes in files; 0 is one
	pages     func(s *Server) []string      // of local.xml, which args may name
	check     func(s *Server, r run) string // more that must hold; returns what does not
}

func (r budgetRow) name() string {
	name := r.behaviour + "/" + strings.Fields(r.args)[0]
	switch {
	case r.interrupt > 0:
		name += "/interrupt"
	case !strings.Contains(r.args, "--max-time") && strings.HasPrefix(r.args, "crawl"):
		name += "/unlimited"
	case r.pages != nil:
		name += "/local"
	case r.args == rests:
		name += "/rests"
	case strings.Contains(r.args, "--live"):
		name += "/live"
	case strings.Contains(r.args, "--external"):
		name += "/external"
	}
	return name
}

const (
	crawl = "crawl URL -o out --max-time 8s --rate 0"   // and is cut off there
	whole = "crawl URL -o out --max-time 30s --rate 0"  // and ends before
	rests = "crawl URL -o out --max-time 150s --rate 0" // tries again after every deadline
	list  = "list URL"
	lint  = "lint URL"
	live  = "lint URL --live --rate 50"
	local = "lint local.xml --base-url https://example.com/"
)

var (
	done   = []int{0}
	inPart = []int{3}
	either = []int{0, 3} // depends on the machine's speed
	faults = []int{0, 1, 3}

	unreadable = []int{2, 4} // nothing of the source is printed
	mayList    = []int{0, 2, 3, 4}
)

// budgetRows are the hostile sites that the program is measured with.
var budgetRows = []budgetRow{
	{behaviour: "hang", args: crawl, codes: inPart},
	{behaviour: "hang-start", args: crawl, codes: []int{3, 4}},
	{behaviour: "hang-all", args: crawl, codes: inPart, long: true},
	{behaviour: "hang-all", args: crawl, codes: []int{130}, interrupt: 2 * time.Second},
	{behaviour: "header-drip", args: crawl, codes: inPart},
	{behaviour: "header-drip-lines", args: crawl, codes: inPart, long: true},
	{behaviour: "body-drip", args: crawl, codes: inPart, long: true},
	{behaviour: "body-drip-fast", args: crawl, codes: inPart, long: true},
	{behaviour: "body-drip-all", args: crawl, codes: inPart},
	{behaviour: "robots-drip", args: crawl, codes: []int{3, 4}, long: true},
	{behaviour: "places-hang", args: list, codes: []int{3, 4}, long: true},
	{behaviour: "places-hang", args: crawl, codes: either, long: true},
	{behaviour: "informational", args: crawl, codes: either},

	{behaviour: "headers-endless", args: crawl, codes: either},
	{behaviour: "header-line-endless", args: crawl, codes: either, long: true},
	{behaviour: "status-line-endless", args: crawl, codes: either, long: true},
	{behaviour: "cookies-endless", args: whole, codes: done},
	{behaviour: "length-above", args: whole, codes: either, long: true},
	{behaviour: "length-below", args: whole, codes: done, check: goodPages("/page-", 10)},
	{behaviour: "length-twice", args: whole, codes: either, long: true},
	{behaviour: "length-overflow", args: crawl, codes: either, long: true},
	{behaviour: "chunk-endless", args: crawl, codes: either, long: true},
	{behaviour: "chunk-broken", args: whole, codes: either, long: true},
	{behaviour: "trailer-endless", args: crawl, codes: either, long: true},
	{behaviour: "not-http", args: whole, codes: either, long: true},
	{behaviour: "frames-endless", args: whole, codes: either},
	{behaviour: "head-body", args: whole + " --assets --external", codes: done},
	{behaviour: "unasked", args: crawl, codes: []int{0, 3, 4}},

	{behaviour: "status-408", args: whole, codes: either, check: goodPages("/page-", 10)},
	{behaviour: "status-429", args: crawl, codes: inPart},
	{behaviour: "status-429", args: "crawl URL -o out", codes: []int{0, 3}, long: true},
	{behaviour: "status-429-soon", args: crawl, codes: inPart, long: true},
	{behaviour: "status-429-start", args: crawl, codes: []int{3, 4}, long: true},
	{behaviour: "status-503", args: crawl, codes: inPart, long: true},
	{behaviour: "status-503-later", args: crawl, codes: inPart},
	{behaviour: "status-503-overflow", args: crawl, codes: inPart, long: true},
	{behaviour: "status-999", args: whole, codes: done, long: true},
	{behaviour: "restart", args: whole, codes: done, check: goodPages("/page-", 60)},
	{behaviour: "resets", args: whole, codes: done, check: goodPages("/page-", 40), long: true},

	{behaviour: "bomb", args: whole, codes: either},
	{behaviour: "bomb-layers", args: whole, codes: done},
	{behaviour: "bomb-robots", args: whole, codes: done, long: true},
	{behaviour: "bomb-broken", args: whole, codes: either, long: true},
	{behaviour: "fragments", args: work, codes: either},
	{behaviour: "fragments-text", args: work, codes: either, long: true},
	{behaviour: "links-long", args: work + " --max-pages 60", codes: either},
	{behaviour: "anchors", args: work, codes: either},
	{behaviour: "images", settings: "images: true\n", args: work, codes: either, long: true},
	{behaviour: "bodies", args: work, codes: either},
	{behaviour: "bodies-text", args: work, codes: either, long: true},
	{behaviour: "body-endless", args: crawl, codes: either},
	{behaviour: "canonicals", args: work, codes: either, long: true},

	{behaviour: "base-long", args: work, codes: either},
	{behaviour: "base-long-versions", args: work, codes: either, long: true},
	{behaviour: "paths-long", args: work, codes: either, long: true},
	{behaviour: "links-many", args: work, codes: either, copies: allCopies, long: true},
	{behaviour: "links-unique", args: work, codes: either, copies: allCopies, long: true},
	{behaviour: "links-nofollow", args: work, codes: either, copies: allCopies, long: true},
	{behaviour: "links-dead", args: work, codes: either},
	{behaviour: "anchors-missing", args: work, codes: either, long: true},
	{behaviour: "hosts-many", args: work + " --external", codes: either, long: true},
	{behaviour: "versions", args: work, codes: either, copies: allCopies, long: true},

	{behaviour: "robots-hosts", args: work + " --external", codes: either},
	{behaviour: "robots-hosts", args: local, codes: faults, pages: onHosts(100)},
	{behaviour: "robots-hosts", args: local + " --live --rate 0", codes: faults, pages: onHosts(100), long: true},
	{behaviour: "robots-endless", args: crawl, codes: either, long: true},
	{behaviour: "robots-wildcards", args: whole, codes: either, long: true},
	{behaviour: "robots-delay", args: crawl, codes: inPart},
	{behaviour: "robots-loop", args: whole, codes: done, long: true},
	{behaviour: "robots-sitemaps-same", args: polite, codes: either, rate: 10, check: atMost("/one.xml", 3)},
	{behaviour: "robots-sitemaps-query", args: polite, codes: inPart, rate: 10, long: true},
	{behaviour: "robots-sitemaps-other", args: polite, codes: either, rate: 10, check: atMost("127.1.", 0)},
	{behaviour: "robots-sitemaps-hosts", args: polite, codes: either, rate: 10, long: true},
	{behaviour: "robots-sitemaps-same", args: live, codes: faults, rate: 50, check: atMost("/one.xml", 5), long: true},

	{behaviour: "index-nested", args: list, codes: mayList, check: atMost("/maps/", 60_000), long: true},
	{behaviour: "index-nested", args: lint, codes: faults, long: true},
	{behaviour: "index-nested", args: polite, codes: inPart, rate: 10},
	{behaviour: "index-tree", args: list, codes: unreadable, check: atMost("/maps/", 100)},
	{behaviour: "index-tree", args: lint, codes: faults, check: atMost("/maps/", 100), long: true},
	{behaviour: "index-dead", args: list, codes: unreadable},
	{behaviour: "index-dead", args: lint, codes: faults, long: true},
	{behaviour: "index-self", args: list, codes: mayList},
	{behaviour: "index-deep", args: list, codes: mayList},
	{behaviour: "index-cross", args: list, codes: mayList, check: atMost("127.1.", 0)},
	{behaviour: "index-cross", args: polite, codes: either, rate: 10, check: atMost("127.1.", 0), long: true},
	{behaviour: "sitemap-hang", args: crawl, codes: inPart},
	{behaviour: "sitemap-hang", args: list, codes: []int{3, 4}, long: true},
	{behaviour: "sitemap-drip", args: crawl, codes: inPart, long: true},
	{behaviour: "sitemap-drip", args: list, codes: []int{3, 4}, long: true},
	{behaviour: "sitemap-drip-urls", args: crawl, codes: either, long: true},
	{behaviour: "sitemap-bomb", args: list, codes: unreadable},
	{behaviour: "sitemap-errors", args: list, codes: mayList},
	{behaviour: "sitemap-errors", args: lint, codes: []int{1, 3}, long: true},
	{behaviour: "sitemap-entities", args: list, codes: unreadable},
	{behaviour: "sitemap-many", args: live, codes: faults, rate: 50, long: true},

	{behaviour: "redirect-script", args: whole, codes: done, check: without("broken.csv", "/odd")},
	{behaviour: "redirect-file", args: whole, codes: done, check: without("broken.csv", "/odd")},
	{behaviour: "redirect-data", args: whole, codes: done, check: without("broken.csv", "/odd"), long: true},
	{behaviour: "redirect-empty", args: whole, codes: done, long: true},
	{behaviour: "redirect-control", args: whole, codes: done},
	{behaviour: "redirect-long", args: whole, codes: done, long: true},
	{behaviour: "redirect-loop", args: whole, codes: done, long: true},
	{behaviour: "redirect-endless", args: whole, codes: done},
	{behaviour: "redirect-forbidden", args: whole + " --assets --external", codes: done, check: atMost("127.1.", 0)},
	{behaviour: "hosts-long", args: whole + " --external", codes: done},
}

// polite sets a rate. work has as much time as its memory and disk need to grow.
const (
	polite = "crawl URL -o out --max-time 8s --rate 10"
	work   = "crawl URL -o out --max-time WORK --rate 0"
)

func workTime() time.Duration {
	if isTorture() {
		return 3 * time.Minute
	}
	return 40 * time.Second
}

// deadline is when the row's program must have ended.
func (r budgetRow) deadline(b Behaviour) time.Duration {
	switch {
	case r.interrupt > 0:
		return r.interrupt + Grace
	case strings.HasPrefix(r.args, work):
		return workTime() + Grace
	case strings.HasPrefix(r.args, whole):
		return 30*time.Second + Grace
	case strings.HasPrefix(r.args, rests):
		return 150*time.Second + Grace
	case strings.Contains(r.args, "--max-time 8s"):
		return Limit + Grace
	case !strings.Contains(r.args, "--max-time") && b.Deadline <= Limit+Grace:
		return 2 * time.Minute
	}
	return b.Deadline
}

// TestBudget runs the program against every hostile site: it ends in time, with the
// right exit code, within its memory and disk, and no faster than its settings allow.
func TestBudget(t *testing.T) {
	programtest.SkipShort(t, "it runs the program against every hostile site")
	size := Small
	if isTorture() {
		size = Full
	}
	for _, row := range budgetRows {
		if row.long && !isTorture() {
			continue
		}
		t.Run(row.name(), func(t *testing.T) {
			t.Parallel()
			behaviour, found := Find(row.behaviour)
			if !found {
				t.Fatalf("no behaviour %s", row.behaviour)
			}
			server, err := Start(behaviour, size)
			if err != nil {
				t.Fatal(err)
			}
			defer server.Close()
			args := strings.Fields(strings.NewReplacer("URL", server.URL, "WORK", workTime().String()).Replace(row.args))
			dir := t.TempDir()
			if row.settings != "" {
				if err := os.WriteFile(filepath.Join(dir, "mapa.yaml"), []byte(row.settings), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if row.pages != nil {
				if err := os.WriteFile(filepath.Join(dir, "local.xml"), []byte(urlset(row.pages(server)...)), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			r := execute(t, dir, row.deadline(behaviour), row.interrupt, args...)
			problems := row.problems(server, r)
			t.Logf("exit %d in %v, %d MB of memory, %d KB of disk, %d MB inflated, %d requests to %d hosts",
				r.code, r.elapsed.Round(time.Millisecond), r.memory>>20, r.disk>>10, server.Inflated()>>20, total(server),
				len(server.Hosts()))
			if len(problems) > 0 {
				t.Errorf("%s\n%.2000q", strings.Join(problems, "\n"), r.stderr)
			}
		})
	}
}

// problems returns what the run did wrong.
func (r budgetRow) problems(s *Server, got run) []string {
	var problems []string
	add := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	if got.code < 0 {
		add("did not end within %v", r.deadline(s.Behaviour))
	} else if !slices.Contains(r.codes, got.code) {
		add("exit code %d, want one of %v", got.code, r.codes)
	}
	if got.memory > memoryBudget {
		add("%d MB of memory, more than %d", got.memory>>20, memoryBudget>>20)
	}
	if got.disk > max(r.copies, 1)*s.Inflated()+diskBudget {
		add("%d MB of disk for %d MB received", got.disk>>20, s.Inflated()>>20)
	}
	if got.sizes[1] > stderrBudget {
		add("%d KB of messages", got.sizes[1]>>10)
	}
	for name, text := range map[string]string{"standard output": got.stdout, "standard error": got.stderr} {
		if unsafe := textProblem(text); unsafe != "" {
			add("%s: %s", name, unsafe)
		}
	}
	if host, n := s.Busiest(rateWindow); r.rate > 0 && n > r.rate*int(rateWindow/time.Second)*11/10+2 {
		add("%d requests to %s in %v at --rate %d", n, host, rateWindow, r.rate)
	}
	if r.check != nil && got.code >= 0 {
		if problem := r.check(s, got); problem != "" {
			add("%s", problem)
		}
	}
	return problems
}

func total(s *Server) int {
	sum := 0
	for _, n := range s.Hosts() {
		sum += n
	}
	return sum
}

// onHosts returns a page of the server and one on each of n other hosts.
func onHosts(n int) func(*Server) []string {
	return func(s *Server) []string {
		urls := []string{s.URL + "/page-1"}
		for i := range n {
			urls = append(urls, "http://"+s.host(i+1)+"/page-1")
		}
		return urls
	}
}

// goodPages checks that the sitemap lists so many pages, and that none of them is
// reported as broken.
func goodPages(path string, count int) func(*Server, run) string {
	return func(s *Server, r run) string {
		listed := strings.Count(read(r, "sitemap.xml"), "<loc>"+s.URL+path)
		if problem := noneBroken(s, r); problem != "" {
			return problem
		}
		if listed != count {
			return fmt.Sprintf("%d of %d good pages in the sitemap", listed, count)
		}
		return ""
	}
}

// noneBroken checks that no good page is reported as broken.
func noneBroken(s *Server, r run) string {
	if strings.Contains(read(r, "broken.csv"), s.URL+"/page-") {
		return "a good page is reported as broken"
	}
	return ""
}

// without checks that an output does not hold a text.
func without(name, text string) func(*Server, run) string {
	return func(_ *Server, r run) string {
		if strings.Contains(read(r, name), text) {
			return name + " holds " + text
		}
		return ""
	}
}

// atMost checks how often the URLs that contain a text were requested.
func atMost(text string, limit int) func(*Server, run) string {
	return func(s *Server, _ run) string {
		requests := 0
		for url, n := range s.Requests() {
			if strings.Contains(url, text) && !strings.HasSuffix(url, "/robots.txt") {
				requests += n
			}
		}
		if requests > limit {
			return fmt.Sprintf("%d requests for %s, more than %d", requests, text, limit)
		}
		return ""
	}
}

func read(r run, name string) string {
	text, err := os.ReadFile(filepath.Join(r.dir, "out", name))
	if err != nil {
		return ""
	}
	return string(text)
}
