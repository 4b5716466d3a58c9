// Package announcetest is a server that takes announcements as the search engines do, and
// enforces their documented rules: authorization, content types, percent-encoded
// segments, batch sizes, hosts, key files and quotas. [Scenarios] lists answers that the
// engines document for failures.
//
// The server was written from documentation. That a client passes its checks does not
// prove that the real engines accept its requests.
package announcetest

import (
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mapatools/mapa/announce/internal/calendar"
)

// Options configure a [Server]. Empty secrets are accepted from nobody.
type Options struct {
	// Sites are the origins that the account owns, such as http://127.0.0.1:8080.
	Sites []string
	// BingKey, YandexToken and BaiduToken are the secrets of the account.
	BingKey, YandexToken, BaiduToken string
	// BingQuota, YandexQuota and BaiduQuota are the numbers of URLs of a day. 0 means
	// 100, and negative none.
	BingQuota, YandexQuota, BaiduQuota int
	// RecrawlQuota is the number of sitemaps that Yandex reads again in a month. 0 means
	// 10, and negative none.
	RecrawlQuota int
	// Transport fetches key files. nil means that of net/http.
	Transport http.RoundTripper
}

// A Server is an [http.Handler] that acts as all engines. It is safe for concurrent use.
type Server struct {
	options Options
	mux     *http.ServeMux

	mutex     sync.Mutex
	log       []Request
	scenarios []*running
	submitted map[string]time.Time // URLs of IndexNow
	sitemaps  map[string]time.Time // engine and URL
	used      map[string]int       // by engine and period
}

// A Request is a request that the server received.
type Request struct {
	Method string
	Path   string // with its percent-encoding
	Query  string
	Header http.Header
	Body   string
	Status int // of the answer
}

// New returns a server.
func New(o Options) *Server {
	for _, quota := range []*int{&o.BingQuota, &o.YandexQuota, &o.BaiduQuota} {
		*quota = withDefault(*quota, 100)
	}
	o.RecrawlQuota = withDefault(o.RecrawlQuota, 10)
	s := &Server{
		options: o, mux: http.NewServeMux(), submitted: map[string]time.Time{}, sitemaps: map[string]time.Time{},
		used: map[string]int{},
	}
	s.mux.HandleFunc("/indexnow", s.indexNow)
	s.mux.HandleFunc("/token", s.token)
	s.mux.HandleFunc("/webmasters/v3/", s.google)
	s.mux.HandleFunc("/webmaster/api.svc/json/", s.bing)
	s.mux.HandleFunc("/v4/", s.yandex)
	s.mux.HandleFunc("/v4.1/", s.yandex)
	s.mux.HandleFunc("POST /urls", s.baidu)
	s.mux.HandleFunc("POST /hub", s.hub)
	s.mux.HandleFunc("/ping", s.ping)
	return s
}

func withDefault(n, standard int) int {
	switch {
	case n == 0:
		return standard
	case n < 0:
		return 0
	}
	return n
}

// Requests returns the requests so far, in order.
func (s *Server) Requests() []Request {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return slices.Clone(s.log)
}

// maxBody is the most of a request that is read, in bytes.
const maxBody = 64 << 20

// ServeHTTP implements [http.Handler].
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		http.Error(w, "the body cannot be read", http.StatusBadRequest)
		return
	}
	r.Body = io.NopCloser(strings.NewReader(string(body)))
	recorder := &statusRecorder{ResponseWriter: w, status: http.StatusOK}
	request := Request{
		Method: r.Method, Path: r.URL.EscapedPath(), Query: r.URL.RawQuery, Header: r.Header.Clone(), Body: string(body),
	}
	if scenario := s.nextScenario(&request); scenario != nil {
		scenario.answer(recorder, r)
	} else {
		s.mux.ServeHTTP(recorder, r)
	}
	request.Status = recorder.status
	s.mutex.Lock()
	s.log = append(s.log, request)
	s.mutex.Unlock()
}

type statusRecorder struct {
	http.ResponseWriter
	status int
}

// WriteHeader implements [http.ResponseWriter].
func (r *statusRecorder) WriteHeader(status int) {
	r.status = status
	r.ResponseWriter.WriteHeader(status)
}

// Unwrap makes [http.ResponseController] work.
func (r *statusRecorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

func writeJSON(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(value) // the client may be gone
}

// readJSON reads a body with the right type and only known fields.
func readJSON(r *http.Request, into any) bool {
	if media, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";"); media != "application/json" {
		return false
	}
	decoder := json.NewDecoder(r.Body)
	decoder.DisallowUnknownFields()
	return decoder.Decode(into) == nil
}

// owns reports whether the account owns the site of a URL.
func (s *Server) owns(address string) bool {
	return slices.ContainsFunc(s.options.Sites, func(origin string) bool {
		return address == origin || strings.HasPrefix(address, origin+"/")
	})
}

// take counts an item of a quota, unless it is used up.
func (s *Server) take(name string, limit, items int) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.used[name]+items > limit {
		return false
	}
	s.used[name] += items
	return true
}

func (s *Server) left(name string, limit int) int {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return max(limit-s.used[name], 0)
}

// day and month name a quota in the period of now.
func day(name string, zone calendar.Zone) string {
	since, _ := zone.Day(time.Now())
	return name + since.Format(time.DateOnly)
}

func month(name string, zone calendar.Zone) string {
	since, _ := zone.Month(time.Now())
	return name + since.Format("2006-01")
}

// addSitemap records a sitemap and reports whether it was there before.
func (s *Server) addSitemap(engine, address string) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	_, known := s.sitemaps[engine+address]
	s.sitemaps[engine+address] = time.Now()
	return known
}

func (s *Server) sitemap(engine, address string) (time.Time, bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	at, known := s.sitemaps[engine+address]
	return at, known
}
