package crawl

import (
	"errors"
	"os"
	"slices"
	"testing"

	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/config"
	"github.com/mapatools/mapa/internal/app/setting"
)

// TestCheckCredentials refuses credentials that several sites of a run share.
func TestCheckCredentials(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("a.example", 0o700); err != nil { // of an earlier crawl
		t.Fatal(err)
	}
	file := "sites:\n- {url: https://a.example/, user: 'me:secret'}\n- {url: https://b.example/, user: 'me:secret'}\n"
	if err := os.WriteFile(config.DefaultName, []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	named, err := config.Read(new(app.App), config.DefaultName, config.Tables{Crawl: NewSettings().All()})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		sites   []config.Site
		refused bool
	}{
		{[]config.Site{{URL: "https://a.example/"}, {URL: "a.example"}, {URL: "./folder"}}, false},
		{[]config.Site{{URL: "https://a.example/"}, {URL: "https://b.example/"}}, true},
		{[]config.Site{{URL: "https://a.example/"}, {URL: "http://a.example/"}}, true},
		{[]config.Site{{URL: "a.example"}, {URL: "b.example"}}, true},
		{[]config.Site{named.Sites[0], named.Sites[1]}, false},
		{[]config.Site{named.Sites[0], {URL: "https://b.example/"}}, false},
		{[]config.Site{named.Sites[0], {URL: "https://b.example/"}, {URL: "https://c.example/"}}, true},
	} {
		settings := NewSettings()
		settings.Access.User = "me:secret"
		err := CheckCredentials(test.sites, slices.Repeat([]*Settings{settings}, len(test.sites)))
		setting, is := errors.AsType[*setting.Error](err)
		if test.refused != is || is && setting.Name != "user" {
			t.Errorf("%+v: %v", test.sites, err)
		}
	}
}
