package main

import (
	"database/sql"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/testsite/database"
	"github.com/mapatools/mapa/sitemap"
)

func TestShop(t *testing.T) {
	db, err := sql.Open("postgres", database.StartPostgres(t))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, statement := range []string{schema, `insert into products (slug, name, image, changed, sold_out) values
		('teapot', 'Teapot & lid', 'https://cdn.example.com/teapot.jpg', '2024-02-29T12:00:00Z', false),
		('tray', 'Tray', null, '2024-03-01T12:00:00Z', true)`} {
		if _, err := db.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	server := httptest.NewUnstartedServer(nil)
	base := "http://" + server.Listener.Addr().String()
	sitemaps, err := newSitemaps(base, db)
	if err != nil {
		t.Fatal(err)
	}
	defer sitemaps.Close()
	server.Config.Handler = newSite(db, sitemaps)
	server.Start()
	defer server.Close()

	if robots := fetch(t, base+"/robots.txt"); !strings.HasSuffix(robots, "\nSitemap: "+base+"/sitemap.xml\n") {
		t.Errorf("robots.txt: %s", robots)
	}
	var listed []string
	for _, part := range locs(t, fetch(t, base+"/sitemap.xml")) {
		listed = append(listed, locs(t, fetch(t, part))...)
	}
	if got, want := strings.Join(listed, " "), base+"/products/teapot "+base+"/"; got != want {
		t.Errorf("listed are %s, want %s", got, want)
	}
	for _, page := range listed {
		if fetch(t, page) == "" {
			t.Errorf("%s is empty", page)
		}
	}
}

func fetch(t *testing.T, url string) string {
	t.Helper()
	response, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s: %v", url, response.Status, err)
	}
	return string(body)
}

func locs(t *testing.T, text string) []string {
	t.Helper()
	var found []string
	for entry, err := range sitemap.NewReader(strings.NewReader(text)).Entries() {
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, string(entry.Loc))
	}
	return found
}
