package crawl_test

import (
	"crypto/tls"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/crawl"
)

// answerMap keeps answers in memory.
type answerMap struct {
	mutex sync.Mutex
	kept  map[string]crawl.Answer
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
	if m.kept == nil {
		m.kept = map[string]crawl.Answer{}
	}
	m.kept[url] = answer
}

// otherSites answers for every host but that of the site, and counts the requests to each URL.
type otherSites struct {
	next  http.RoundTripper // to the site
	mutex sync.Mutex
	asked map[string]int
}

// RoundTrip answers the status in the path, or fails as the host says.
func (o *otherSites) RoundTrip(r *http.Request) (*http.Response, error) {
	host := r.URL.Hostname()
	if origin(r.URL.String()) == pipeOrigin {
		return o.next.RoundTrip(r)
	}
	o.mutex.Lock()
	o.asked[r.URL.String()]++
	o.mutex.Unlock()
	dial := func(err error) error { return &net.OpError{Op: "dial", Net: "tcp", Err: err} }
	switch host {
	case "missing.example":
		return nil, dial(&net.DNSError{Err: "no such host", IsNotFound: true})
	case "dns.example":
		return nil, dial(&net.DNSError{Err: "server misbehaving", IsTemporary: true})
	case "refused.example":
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
	"http://other.example/301?to=" + pipeOrigin + "/missing":   0,
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
	others, answers := &otherSites{next: a.Transport, asked: map[string]int{}}, &answerMap{kept: map[string]crawl.Answer{}}
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
	second := crawlOthers(t, a, answers)
	needsHost := map[string]bool{}
	for url, lifetime := range lifetimes {
		isKnown := age >= 0 && age < lifetime
		needsHost[origin(url)] = needsHost[origin(url)] || !isKnown
		page := pageOf(t, second, url)
		if isKnown != page.Time.Equal(earlier[url].Time) {
			t.Errorf("%s has the time %v", url, page.Time)
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
		if asked := others.asked[host+"/robots.txt"] > 0; asked != needed && !strings.Contains(host, "//127.0.0.1") {
			t.Errorf("%s was requested: %v", host, asked)
		}
	}
	compare(t, decisions(second, pipeOrigin), decisions(first, pipeOrigin))
}

func crawlOthers(t *testing.T, a access.Access, answers crawl.Answers) *crawl.MemoryStore {
	t.Helper()
	store := &crawl.MemoryStore{}
	_, err := run(t, store, &crawl.Options{
		Start: pipeOrigin, Access: a, Answers: answers, Checks: crawl.Checks{Assets: true, External: true},
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

// TestAnswersNotShared keeps no answer that depends on the options: what a copy of the site
// answers to a redirect to it, and what cookies may change.
func TestAnswersNotShared(t *testing.T) {
	t.Parallel()
	inBubble(t, linksTo(`<a href="%s">x</a>`), func(t *testing.T, a access.Access) {
		others := &otherSites{next: a.Transport, asked: map[string]int{}}
		a.Transport = others
		for name, test := range map[string]struct {
			options crawl.Options
			want    bool
		}{
			"plain":    {crawl.Options{Access: a}, true},
			"cookies":  {crawl.Options{Access: access.Access{Transport: others, Cookies: true}}, false},
			"base URL": {crawl.Options{Access: a, BaseURL: "http://elsewhere.example/"}, true},
		} {
			answers := &answerMap{kept: map[string]crawl.Answer{}}
			o := test.options
			o.Start, o.Checks.External, o.Answers = pipeOrigin, true, answers
			if _, err := run(t, &crawl.MemoryStore{}, &o); err != nil {
				t.Fatal(err)
			}
			if _, kept := answers.kept["http://good.example/200"]; kept != test.want {
				t.Errorf("%s: kept %v", name, kept)
			}
			_, kept := answers.kept["http://other.example/302?to=http://elsewhere.example/200"]
			if kept != (test.want && o.BaseURL == "") {
				t.Errorf("%s: redirect kept %v", name, kept)
			}
		}
	})
}
