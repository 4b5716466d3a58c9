package announce_test

import (
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/announce"
	"github.com/mapatools/mapa/announce/announcetest"
)

const (
	origin   = "https://example.com"
	goodKey  = "0123456789abcdef0123456789abcdef"
	endpoint = "http://127.0.0.1:8080"
)

// secrets appear in no output.
var secrets = []string{
	goodKey, "bing-secret-key", "yandex-secret-token", "baidu-secret-token", "ya29.conformance-token",
}

// direct calls handlers without a network, so that time can be virtual. Requests to the
// endpoint go to the server, others to the site.
type direct struct{ server, site http.Handler }

// RoundTrip implements [http.RoundTripper].
func (d direct) RoundTrip(r *http.Request) (*http.Response, error) {
	handler := d.site
	if r.URL.Scheme+"://"+r.URL.Host == endpoint {
		handler = d.server
	}
	if r.Body == nil {
		r.Body = http.NoBody
	}
	body, out := io.Pipe()
	w := &pipeWriter{out: out, header: http.Header{}, begun: make(chan int, 1)}
	request := r.Clone(r.Context())
	request.RequestURI = r.URL.RequestURI()
	go func() {
		handler.ServeHTTP(w, request)
		w.WriteHeader(http.StatusOK)
		out.Close()
	}()
	stop := func() bool { return body.CloseWithError(r.Context().Err()) == nil }
	select {
	case status := <-w.begun:
		return &http.Response{StatusCode: status, Header: w.header, Body: body, Request: r, ProtoMajor: 1}, nil
	case <-r.Context().Done():
		stop()
		return nil, r.Context().Err()
	}
}

type pipeWriter struct {
	out     *io.PipeWriter
	header  http.Header
	begun   chan int
	written bool
}

func (w *pipeWriter) Header() http.Header { return w.header }

func (w *pipeWriter) WriteHeader(status int) {
	if !w.written {
		w.written = true
		w.begun <- status
	}
}

func (w *pipeWriter) Write(p []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.out.Write(p)
}

// site is a website that serves files.
type site map[string]string

func (s site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	text, found := s[r.URL.Path]
	if !found {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	io.WriteString(w, text)
}

// A world is a server with a site that it knows.
type world struct {
	*announcetest.Server
	options announce.Options
}

func newWorld(t *testing.T, change func(*announcetest.Options)) *world {
	t.Helper()
	pages := site{
		"/" + goodKey + ".txt": goodKey, "/feed.atom": `<feed><link rel="hub" href="` + endpoint + `/hub"/></feed>`,
	}
	o := announcetest.Options{
		Sites: []string{origin}, BingKey: secrets[1], YandexToken: secrets[2], BaiduToken: secrets[3],
		Transport: direct{site: pages},
	}
	if change != nil {
		change(&o)
	}
	server := announcetest.New(o)
	return &world{server, announce.Options{
		Access: access.Access{Transport: direct{server, pages}, UserAgent: "test"},
		Ledger: announce.NewMemoryLedger(), Endpoint: endpoint, Wait: -1,
	}}
}

// urls yields items of pages.
func urls(version string, paths ...string) func(func(announce.Item, error) bool) {
	return func(yield func(announce.Item, error) bool) {
		for _, path := range paths {
			if !yield(announce.Item{URL: origin + path, Version: version}, nil) {
				return
			}
		}
	}
}

func announcement(version string) *announce.Announcement {
	return &announce.Announcement{
		Sitemap: announce.Item{URL: origin + "/sitemap.xml", Version: version}, URLs: urls(version, "/a", "/b?x=1&y=2"),
		Feeds: []announce.Item{{URL: origin + "/feed.atom", Version: version}},
	}
}

const minute = time.Minute
