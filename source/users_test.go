package source_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mapatools/mapa/source"
)

// TestUsers reads sitemaps whose URLs have user information, named by an index, by a
// robots.txt and by redirects. It is neither sent nor shown. That of the first URL is sent,
// also after a redirect to the same host.
func TestUsers(t *testing.T) {
	var mutex sync.Mutex
	var sent []string
	var leaky string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if user, _, ok := r.BasicAuth(); ok {
			mutex.Lock()
			sent = append(sent, user+" "+r.URL.Path)
			mutex.Unlock()
		}
		switch r.URL.Path {
		case "/robots.txt":
			fmt.Fprintf(w, "Sitemap: %s/index.xml\nSitemap: http://ann:hunter2@bad host/\n", leaky)
		case "/index.xml":
			fmt.Fprint(w, index(leaky+"/page.xml", leaky+"/moved.xml", leaky+"/gone.xml", "http://ann:hunter2@bad host/"))
		case "/moved.xml":
			http.Redirect(w, r, leaky+"/target.xml", http.StatusFound)
		case "/own.xml":
			http.Redirect(w, r, "/page.xml", http.StatusFound)
		case "/gone.xml":
			http.NotFound(w, r)
		default:
			fmt.Fprintf(w, urlset, r.URL.Path)
		}
	}))
	defer server.Close()
	leaky = strings.Replace(server.URL, "://", "://ann:hunter2@", 1)
	own := strings.Replace(server.URL, "://", "://me:pw@", 1)
	for _, test := range []struct {
		source string
		sent   []string
	}{
		{server.URL + "/", nil}, {server.URL + "/index.xml", nil}, {server.URL + "/moved.xml", nil},
		{own + "/own.xml", []string{"me /own.xml", "me /page.xml"}}, {own + "/moved.xml", []string{"me /moved.xml"}},
	} {
		sent = nil
		files := 0
		for file, err := range source.Sitemaps(t.Context(), []string{test.source}, nil) {
			if err != nil {
				if strings.Contains(err.Error(), "hunter2") {
					t.Errorf("%s: %v", test.source, err)
				}
				continue
			}
			if files++; strings.Contains(file.Location+file.Index+file.Response.Request.URL.String(), "hunter2") {
				t.Errorf("%s: %s of %s", test.source, file.Location, file.Index)
			}
			file.Close()
		}
		if files == 0 || !slices.Equal(sent, test.sent) {
			t.Errorf("%s: %d files, sent %q", test.source, files, sent)
		}
	}
}
