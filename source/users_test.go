package source_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/source"
)

// TestUsers reads sitemaps whose URLs have user information, named by an index, by a
// robots.txt and by redirects. It is neither sent nor shown. What Access has for the origin
// is sent.
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
	var password, none access.Access
	password.SetBasicAuth(server.URL, "me", "pw")
	for _, test := range []struct {
		source string
		access access.Access
		sent   []string
	}{
		{server.URL + "/", none, nil}, {server.URL + "/index.xml", none, nil}, {server.URL + "/moved.xml", none, nil},
		{own + "/own.xml", none, nil},
		{server.URL + "/own.xml", password, []string{"me /own.xml", "me /page.xml"}},
		{server.URL + "/moved.xml", password, []string{"me /moved.xml", "me /target.xml"}},
	} {
		sent = nil
		files := 0
		options := &source.Options{Access: test.access}
		for file, err := range source.Sitemaps(t.Context(), []string{test.source}, options) {
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
