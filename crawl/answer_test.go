package crawl_test

import (
	"crypto/tls"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/crawl"
)

// othersStart is the site whose links lead to other sites.
const othersStart = "http://site.example"

// answerMap keeps answers in memory.
type answerMap struct {
	mutex   sync.Mutex
	kept    map[string]crawl.Answer
	written map[string]bool // URLs
}

func newAnswerMap() *answerMap {
	return &answerMap{kept: map[string]crawl.Answer{}, written: map[string]bool{}}
}

func (m *answerMap) Lookup(url string) (crawl.Answer, bool) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	answer, ok := m.kept[url]
	return answer, ok
}

func (m *answerMap) Keep(url string, answer crawl.Answer) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.kept[url], m.written[url] = answer, true
}

// otherSites answers for every host but that of the site, and counts the requests to each URL.
type otherSites struct {
	next  http.RoundTripper // to the site
	mutex sync.Mutex
	asked map[string]int

	failing int // requests to a page of flaky.example
}

// RoundTrip answers the status in the path, or fails as the host says.
func (o *otherSites) RoundTrip(r *http.Request) (*http.Response, error) {
	host := r.URL.Hostname()
	if host == "site.example" {
		return o.next.RoundTrip(r)
	}
	o.mutex.Lock()
	o.asked[r.URL.String()]++
	isFailing := host == "flaky.example" && r.URL.Path != "/robots.txt" && o.asked[r.URL.String()] <= o.failing
	o.mutex.Unlock()
	dial := func(err error) error { return &net.OpError{Op: "dial", Net: "tcp", Err: err} }
	if isFailing {
		return nil, dial(syscall.ECONNREFUSED)
	}
	switch host {
	case "missing.example":
		return nil, dial(&net.DNSError{Err: "no such host", IsNotFound: true})
	case "dns.example":
		return nil, dial(&net.DNSError{Err: "server misbehaving", IsTemporary: true})
	case "refused.example", "refused.localhost":
		return nil, dial(syscall.ECONNREFUSED)
	case "route.example":
		return nil, dial(syscall.ENETUNREACH)
	case "dropped.example":
		return nil, syscall.ECONNRESET
	case "tls.example":
		return nil, &tls.CertificateVerificationError{Err: fmt.Errorf("unknown authority")}
	case "silent.example", "silent-robots.example":
		if r.URL.Path != "/robots.txt" || host == "silent-robots.example" {
			<-r.Context().Done()
			return nil, r.Context().Err()
		}
	}
	header, status := http.Header{}, http.StatusNotFound
	to, query, _ := strings.Cut(strings.Split(r.URL.RawQuery, "&")[0], "=")
	if r.URL.Path != "/robots.txt" {
		status, _ = strconv.Atoi(strings.Trim(r.URL.Path, "/"))
		header.Set("Content-Type", "Image/PNG; x=y")
		header.Set("Content-Length", "70000")
	} else if host == "robots.example" {
		return response(r, http.StatusOK, header, "User-agent: *\nDisallow: /"), nil
	}
	switch to {
	case "to":
		if query == "more" {
			query = r.URL.Path + "?to=more&" + strings.Repeat("x", len(r.URL.RawQuery))
		}
		header.Set("Location", query)
	case "loop":
		header.Set("Location", r.URL.String())
	case "challenge":
		header.Set("cf-mitigated", "challenge")
	}
	return response(r, status, header, ""), nil
}

func response(r *http.Request, status int, header http.Header, body string) *http.Response {
	return &http.Response{
		StatusCode: status, Header: header, Request: r, ProtoMajor: 1, ProtoMinor: 1,
		Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body)),
	}
}

// lifetimes are how long the answers of URLs count with an age of 24 hours.
var lifetimes = map[string]time.Duration{
	"http://other.example/200":                                 24 * time.Hour,
	"http://other.example/204":                                 24 * time.Hour,
	"http://other.example/301":                                 24 * time.Hour, // without a target
	"http://other.example/301?to=/404":                         24 * time.Hour,
	"http://other.example/302?to=http://elsewhere.example/200": 24 * time.Hour,
	"http://other.example/304":                                 24 * time.Hour,
	"http://other.example/404":                                 24 * time.Hour,
	"http://other.example/410":                                 24 * time.Hour,
	"http://other.example/302?to=http://sub.site.example/200":  24 * time.Hour,
	"http://good.example/200":                                  24 * time.Hour,
	"http://other.example/400":                                 0,
	"http://other.example/401":                                 0,
	"http://other.example/403":                                 0,
	"http://other.example/405":                                 0,
	"http://other.example/429":                                 0,
	"http://other.example/451":                                 0,
	"http://other.example/500":                                 0,
	"http://other.example/503":                                 0,
	"http://other.example/999":                                 0,
	"http://other.example/301?to=/403":                         0,
	"http://other.example/200?challenge":                       0,
	"http://other.example/404?challenge":                       0,
	"http://loop.example/301?loop":                             time.Hour,
	"http://endless.example/301?to=more":                       time.Hour,
	"http://robots.example/200":                                0,
	"http://missing.example/200":                               time.Hour,
	"http://refused.example/200":                               time.Hour,
	"http://tls.example/200":                                   time.Hour,
	"http://silent.example/200":                                time.Hour,
	"http://silent-robots.example/200":                         0,
	"http://dns.example/200":                                   0,
	"http://route.example/200":                                 0,
	"http://dropped.example/200":                               0,
	"http://localhost:8080/200":                                0,
	"http://127.0.0.1:9090/404":                                0,
	"http://keyed.example/200":                                 0, // it gets a header of the user
	"http://other.example/301?to=http://keyed.example/200":     0,
	"http://other.example/301?to=http://localhost/404":         0,
	"http://other.example/302?to=http://keyed.example/302?to=http://elsewhere.example/200": 0,
	"http://other.example/302?to=http://refused.localhost/200":                             0,
	"http://other.example/301?to=http://site.example/missing":                              0,
}

// TestAnswers crawls again when the answers of other sites are of different ages. What is known
// gets no request, not even for robots.txt, and the same decision as before.
func TestAnswers(t *testing.T) {
	t.Parallel()
	for name, tag := range map[string]string{"links": `<a href="%s">x</a>`, "assets": `<img src="%s">`} {
		for _, age := range []time.Duration{time.Minute, 61 * time.Minute, 23 * time.Hour, 24 * time.Hour, -time.Hour} {
			t.Run(fmt.Sprint(name, " ", age), func(t *testing.T) {
				t.Parallel()
				inBubble(t, linksTo(tag), func(t *testing.T, a access.Access) { testAnswers(t, a, age) })
			})
		}
	}
}

// linksTo serves a page with tags that name all URLs of lifetimes.
func linksTo(tag string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" || r.URL.Path == "/missing" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<title>%[1]s</title><p>%[1]s</p><a href="/1">1</a><a href="/2">2</a>`, r.URL.Path)
		for url := range lifetimes {
			fmt.Fprintf(w, tag, url)
		}
	}
}

func testAnswers(t *testing.T, a access.Access, age time.Duration) {
	others, answers := &otherSites{next: a.Transport, asked: map[string]int{}}, newAnswerMap()
	a.Transport = others
	a.Headers = map[string]http.Header{"http://keyed.example": {"Authorization": {"secret"}}}
	first := crawlOthers(t, a, answers)
	for url, lifetime := range lifetimes {
		if answer, kept := answers.kept[url]; kept != (lifetime > 0) {
			t.Errorf("%s kept: %v, %+v", url, kept, answer)
		}
	}
	for url, answer := range answers.kept {
		answer.Time = time.Now().Add(-age)
		answers.kept[url] = answer
	}
	earlier := maps.Clone(answers.kept)
	clear(others.asked)
	clear(answers.written)
	second := crawlOthers(t, a, answers)
	needsHost := map[string]bool{}
	for url, lifetime := range lifetimes {
		isKnown := age >= 0 && age < lifetime
		needsHost[origin(url)] = needsHost[origin(url)] || !isKnown
		page := pageOf(t, second, url)
		if isKnown != page.Time.Equal(earlier[url].Time) || isKnown && answers.written[url] {
			t.Errorf("%s has the time %v, kept again: %v", url, page.Time, answers.written[url])
		}
		type shown struct {
			status int
			media  string
			size   int64
		}
		got := shown{page.Status, page.MediaType, page.Size}
		page = pageOf(t, first, url)
		if want := (shown{page.Status, page.MediaType, page.Size}); got != want {
			t.Errorf("%s: %+v, want %+v", url, got, want)
		}
	}
	for host, needed := range needsHost {
		if asked := others.asked[host+"/robots.txt"] > 0; asked != needed {
			t.Errorf("%s was requested: %v", host, asked)
		}
	}
	compare(t, decisions(second, othersStart), decisions(first, othersStart))
}

func crawlOthers(t *testing.T, a access.Access, answers crawl.Answers) *crawl.MemoryStore {
	t.Helper()
	store := &crawl.MemoryStore{}
	_, err := run(t, store, &crawl.Options{
		Start: othersStart, Access: a, Answers: answers, Checks: crawl.Checks{Assets: true, External: true},
	})
	if err != nil {
		t.Fatal(err)
	}
	return store
}

func pageOf(t *testing.T, store *crawl.MemoryStore, url string) *crawl.Page {
	t.Helper()
	record, found, err := store.PageByURL(url)
	if err != nil || !found {
		t.Fatalf("%s: %v, %v", url, found, err)
	}
	return &record.Page
}

func origin(url string) string { return strings.Join(strings.SplitN(url, "/", 4)[:3], "/") }

// TestAnswersNotShared keeps no answer that depends on the options: what the site, or the copy
// of it that is crawled, answers to a redirect, and what cookies may change.
func TestAnswersNotShared(t *testing.T) {
	t.Parallel()
	const good, elsewhere = "http://good.example/200", "http://other.example/302?to=http://elsewhere.example/200"
	const below = "http://other.example/302?to=http://sub.site.example/200"
	inBubble(t, linksTo(`<a href="%s">x</a>`), func(t *testing.T, a access.Access) {
		a.Transport = &otherSites{next: a.Transport, asked: map[string]int{}}
		withCookies := a
		withCookies.Cookies = true
		for name, test := range map[string]struct {
			options crawl.Options
			want    []string
		}{
			"plain":      {crawl.Options{Access: a}, []string{good, elsewhere, below}},
			"cookies":    {crawl.Options{Access: withCookies}, nil},
			"base URL":   {crawl.Options{Access: a, BaseURL: "http://elsewhere.example/"}, []string{good, below}},
			"subdomains": {crawl.Options{Access: a, Scope: crawl.Scope{Subdomains: true}}, []string{good, elsewhere}},
		} {
			answers, o := newAnswerMap(), test.options
			o.Start, o.Checks.External, o.Answers = othersStart, true, answers
			if _, err := run(t, &crawl.MemoryStore{}, &o); err != nil {
				t.Fatal(err)
			}
			for _, url := range []string{good, elsewhere, below} {
				if _, kept := answers.kept[url]; kept != slices.Contains(test.want, url) {
					t.Errorf("%s: %s kept: %v", name, url, kept)
				}
			}
		}
	})
}

// TestAnswerAgain requests an asset that fails once more at the end of the crawl, although its
// failure is kept.
func TestAnswerAgain(t *testing.T) {
	t.Parallel()
	inBubble(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<title>Home</title><p>home</p><img src="http://flaky.example/200">`)
	}), func(t *testing.T, a access.Access) {
		const failing = 6 // HEAD and GET, with two more tries each
		others := &otherSites{next: a.Transport, asked: map[string]int{}, failing: failing}
		a.Transport = others
		answers := newAnswerMap()
		page := pageOf(t, crawlOthers(t, a, answers), "http://flaky.example/200")
		if page.Status != http.StatusOK || others.asked["http://flaky.example/200"] != failing+1 {
			t.Errorf("status %d, %v", page.Status, others.asked)
		}
		if answer := answers.kept["http://flaky.example/200"]; answer.Status != http.StatusOK || answer.Failure != "" {
			t.Errorf("kept %+v", answer)
		}
	})
}
