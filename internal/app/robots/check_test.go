package robots_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/agents"
	"github.com/mapatools/mapa/internal/app"
	approbots "github.com/mapatools/mapa/internal/app/robots"
	"github.com/mapatools/mapa/internal/catalog"
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

// TestCheckRobots says which robots may read a page: those of AI services once each, and others by any name. The
// password of a URL is not shown.
func TestCheckRobots(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, "User-agent: *\nDisallow: /x\n\nUser-agent: GPTBot\nDisallow: /\n")
	}))
	defer server.Close()
	address := strings.Replace(server.URL, "http://", "http://ann:hunter2@", 1) + "/x"
	check, err := approbots.CheckRobots(t.Context(), &app.App{}, address, []string{"gptbot", "ai", "MyBot", "mybot"})
	if err != nil {
		t.Fatal(err)
	}
	names := len(agents.Robots()) + 1
	first, last := check.Robots[0], check.Robots[len(check.Robots)-1]
	if check.URL != server.URL+"/x" || check.Date != agents.Updated || len(check.Robots) != names ||
		first.Name != "GPTBot" || first.Operator != "OpenAI" || first.Allowed || first.Line != 5 ||
		last.Name != "MyBot" || last.Allowed || last.Line != 2 {
		t.Errorf("%+v", check)
	}
	if text := check.In(catalog.For(catalog.Spanish)); !strings.Contains(text, "línea 5: Disallow: /   entrenamiento") ||
		strings.Contains(text, "hunter2") {
		t.Error(text)
	}
	missing := httptest.NewServer(http.NotFoundHandler())
	defer missing.Close()
	check, err = approbots.CheckRobots(t.Context(), &app.App{}, missing.URL, []string{"Googlebot"})
	if err != nil || check.Date != "" || len(check.Robots) != 1 || !check.Robots[0].Allowed ||
		!strings.Contains(check.In(catalog.For(catalog.English)), "robots.txt answered 404") {
		t.Errorf("%+v, %v", check, err)
	}
}
