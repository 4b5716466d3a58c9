package config_test

import (
	"os"
	"slices"
	"testing"

	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/config"
	appcrawl "github.com/mapatools/mapa/internal/app/crawl"
)

// TestSite takes the settings of the site that is on the host, or is the folder, of an
// address.
func TestSite(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, test := range []struct {
		named, typed string
		same         bool
	}{
		{"https://a.example/", "a.example/shop", true},
		{"https://a.example/", "http://A.example:80", true},
		{"bücher.example", "https://xn--bcher-kva.example/", true},
		{"https://a.example/", "https://b.example/", false},
		{"https://a.example/", "https://a.example:8443/", false},
		{"./public", "./public/", true},
		{"./public", "./other", false},
		{"/srv/public", "/srv/public", true},
		{"/srv/public", "/srv/other", false},
		{"./a.example", "a.example", false},
	} {
		text := "sites: [{url: '" + test.named + "', max-pages: 7}]"
		if err := os.WriteFile("mapa.yaml", []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		file, err := config.Read(new(app.App), "mapa.yaml", config.Tables{Crawl: appcrawl.NewSettings().All()})
		if err != nil {
			t.Fatal(err)
		}
		site := file.Site(test.typed)
		if got := slices.Contains(file.Assigned(site, ""), "max-pages"); got != test.same {
			t.Errorf("%s in the file, %s typed: %t", test.named, test.typed, got)
		}
	}
}
