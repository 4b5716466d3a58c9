package robots_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/app"
	approbots "github.com/mapatools/mapa/internal/app/robots"
)

// TestRobotsUsers tests a robots.txt that names a password: it is not shown.
func TestRobotsUsers(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, "User-agent: *\nDisallow: /x\nSitemap: http://ann:hunter2@shop.example/sitemap.xml\n")
	}))
	defer server.Close()
	check, err := approbots.Check(t.Context(), (&app.App{}), []string{server.URL + "/x"}, &approbots.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	if text := fmt.Sprint(check); strings.Contains(text, "hunter2") || len(check.Sitemaps) != 1 ||
		check.Sitemaps[0] != "http://***********@shop.example/sitemap.xml" || !strings.Contains(check.Text, check.Sitemaps[0]) {
		t.Errorf("%+v", check)
	}
}
