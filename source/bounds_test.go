package source_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/sitemap"
	"github.com/mapatools/mapa/source"
)

// TestRedirectToOtherHost follows a child of an index to another host only with
// CrossHost.
func TestRedirectToOtherHost(t *testing.T) {
	var requests atomic.Int64
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		requests.Add(1)
		fmt.Fprint(w, "<urlset><url><loc>http://a.example/</loc></url></urlset>")
	}))
	defer other.Close()
	var host string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/index.xml":
			fmt.Fprint(w, strings.ReplaceAll(index("HOST/moved.xml"), "HOST", host))
		case "/moved.xml":
			http.Redirect(w, r, "/again.xml", http.StatusFound)
		default:
			http.Redirect(w, r, strings.Replace(other.URL, "127.0.0.1", "localhost", 1)+"/map.xml", http.StatusFound)
		}
	}))
	defer server.Close()
	host = server.URL
	for _, crossHost := range []bool{false, true} {
		requests.Store(0)
		files, faults := 0, []error(nil)
		for file, err := range source.Sitemaps(context.Background(), []string{host + "/index.xml"},
			&source.Options{CrossHost: crossHost}) {
			if err != nil {
				faults = append(faults, err)
				continue
			}
			files++
			file.Close()
		}
		if crossHost && (files != 1 || len(faults) > 0 || requests.Load() != 1) {
			t.Errorf("with CrossHost: %d files, %v", files, faults)
		}
		if !crossHost && (len(faults) != 1 || !errors.Is(faults[0], source.ErrOtherHost) || requests.Load() != 0) {
			t.Errorf("without CrossHost: %d files, %v, %d requests", files, faults, requests.Load())
		}
	}
}

// TestTooManyOnce ends with one error when several indexes together list too many.
func TestTooManyOnce(t *testing.T) {
	children := make([]string, 30_000)
	for i := range children {
		children[i] = fmt.Sprintf("HOST/%d.xml", i)
	}
	one, _ := site(t, map[string]string{"/index.xml": index(children...)})
	two, _ := site(t, map[string]string{"/index.xml": index(children...)})
	refused := errors.New("refused")
	transport := roundTripFunc(func(r *http.Request) (*http.Response, error) {
		if strings.HasSuffix(r.URL.Path, "/index.xml") {
			return http.DefaultTransport.RoundTrip(r)
		}
		return nil, refused
	})
	options := &source.Options{Access: access.Access{Transport: transport}}
	opened, tooMany := 0, 0
	for _, err := range source.Sitemaps(context.Background(), []string{one + "/index.xml", two + "/index.xml"}, options) {
		switch {
		case errors.Is(err, refused):
			opened++
		case errors.Is(err, source.ErrTooMany):
			tooMany++
		default:
			t.Fatal(err)
		}
	}
	if opened < 40_000 || opened > 50_001 || tooMany != 1 {
		t.Errorf("%d files were opened, and %d errors say that there are more", opened, tooMany)
	}
}

// TestTreeOfIndexes ends soon where every index lists as many indexes again, or the same
// ones, or nothing that can be followed.
func TestTreeOfIndexes(t *testing.T) {
	const width, most = 2_000, sitemap.MaxSitemaps/2_000 + 16 // some are opened ahead
	for name, child := range map[string]func(path string, i int) string{
		"new indexes":      func(path string, i int) string { return fmt.Sprintf("HOST%s/%d", path, i) },
		"the first":        func(string, int) string { return "HOST/0" },
		"all of one level": func(path string, i int) string { return fmt.Sprintf("HOST/%d/%d", strings.Count(path, "/"), i) },
		"other hosts below": func(path string, i int) string {
			if strings.Count(path, "/") > 2 {
				return fmt.Sprintf("http://other.example/%d", i)
			}
			return fmt.Sprintf("HOST%s/%d", path, i)
		},
		"files below": func(path string, i int) string {
			if strings.Count(path, "/") > 2 {
				return "file:///etc/passwd"
			}
			return fmt.Sprintf("HOST%s/%d", path, i)
		},
	} {
		for _, options := range []source.Options{{}, {Indexes: true}} {
			t.Run(fmt.Sprintf("%s/%v", name, options.Indexes), func(t *testing.T) {
				t.Parallel()
				var requests atomic.Int64
				server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					requests.Add(1)
					children := make([]string, width)
					for i := range children {
						children[i] = strings.Replace(child(r.URL.Path, i), "HOST", "http://"+r.Host, 1)
					}
					fmt.Fprint(w, index(children...))
				}))
				defer server.Close()
				tooMany := 0
				for file, err := range source.Sitemaps(t.Context(), []string{server.URL + "/0/1"}, &options) {
					if err == nil {
						for range file.Entries() {
						}
					}
					if errors.Is(err, source.ErrTooMany) {
						tooMany++
						if !strings.Contains(err.Error(), "50,000") {
							t.Errorf("%v does not name the limit", err)
						}
					}
				}
				endless := name != "the first" && name != "all of one level"
				if requests.Load() > most || endless && tooMany != 1 {
					t.Errorf("%d requests, and %d errors say that there are too many", requests.Load(), tooMany)
				}
			})
		}
	}
}

// TestFaultsCounted keeps the first errors of each kind, and counts the others.
func TestFaultsCounted(t *testing.T) {
	var children []string
	for i := range 1000 {
		children = append(children, fmt.Sprintf("http://other.example/%d.xml", i), fmt.Sprintf("file:///%d.xml", i))
	}
	host, _ := site(t, map[string]string{"/index.xml": index(children...)})
	var faults []error
	for _, err := range source.Sitemaps(context.Background(), []string{host + "/index.xml"}, nil) {
		faults = append(faults, err)
	}
	if len(faults) != 1 {
		t.Fatalf("%d errors", len(faults))
	}
	text := faults[0].Error()
	if lines := strings.Count(text, "\n") + 1; lines != 12 {
		t.Errorf("%d lines:\n%s", lines, text)
	}
	for _, want := range []string{
		"995 more entries: it is on another host", "995 more entries: cannot be opened", "http://other.example/4.xml",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
}

// roundTripFunc is a function as an [http.RoundTripper].
type roundTripFunc func(*http.Request) (*http.Response, error)

func (f roundTripFunc) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// TestAdmit asks before every request, those after redirects included.
func TestAdmit(t *testing.T) {
	refused := errors.New("refused")
	for admitted, want := range map[int32][]string{
		1: {"/robots.txt"}, 2: {"/robots.txt", "/a.xml"}, 3: {"/robots.txt", "/a.xml", "/c.xml"},
	} {
		var host string
		var requested []string // one after the other
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			requested = append(requested, r.URL.Path)
			switch r.URL.Path {
			case "/robots.txt":
				fmt.Fprintf(w, "Sitemap: %s/a.xml\n", host)
			case "/a.xml":
				http.Redirect(w, r, "/c.xml", http.StatusFound)
			default:
				fmt.Fprintf(w, urlset, "1")
			}
		}))
		defer server.Close()
		host = server.URL
		var asked atomic.Int32
		options := &source.Options{Access: access.Access{Admit: func() error {
			if asked.Add(1) > admitted {
				return refused
			}
			return nil
		}}}
		for file, err := range source.Sitemaps(context.Background(), []string{host}, options) {
			if file != nil {
				file.Close()
			}
			if wholly := admitted == 3; wholly != (err == nil) || !wholly && !errors.Is(err, refused) {
				t.Errorf("%d admitted: %v", admitted, err)
			}
		}
		if !slices.Equal(requested, want) {
			t.Errorf("%d admitted: %q were requested", admitted, requested)
		}
	}
}

// TestRate requests sitemaps of a host at the rate of the options, those after redirects
// included.
func TestRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const host = "http://b\u00fccher.example"
		answer := func(r *http.Request) (*http.Response, error) {
			w := httptest.NewRecorder()
			switch {
			case r.URL.Path == "/index.xml":
				io.WriteString(w, index(host+"/1", host+"/2", host+"/3"))
			case r.URL.RawQuery == "":
				http.Redirect(w, r, host+r.URL.Path+"?again", http.StatusFound)
			default:
				fmt.Fprintf(w, urlset, r.URL.Path[1:])
			}
			response := w.Result()
			response.Request = r
			return response, nil
		}
		start := time.Now()
		pages, failed := list(t, &source.Options{Access: access.Access{
			Rate: access.PerSecond(0.1), Transport: roundTripFunc(answer),
		}}, host+"/index.xml")
		if took := time.Since(start); len(pages) != 3 || len(failed) > 0 || took != 60*time.Second {
			t.Errorf("7 requests in %v: %q, %v", took, pages, failed)
		}
	})
}
