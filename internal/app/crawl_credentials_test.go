package app

import (
	"errors"
	"os"
	"slices"
	"testing"
)

// TestCheckCredentials refuses credentials that several sites of a run share.
func TestCheckCredentials(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("a.example", 0o700); err != nil { // of an earlier crawl
		t.Fatal(err)
	}
	file := "sites:\n- {url: https://a.example/, user: 'me:secret'}\n- {url: https://b.example/, user: 'me:secret'}\n"
	if err := os.WriteFile(ConfigName, []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	named, err := new(App).ReadConfig(ConfigName, Tables{Crawl: NewCrawlSettings().All()})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		sites   []Site
		refused bool
	}{
		{[]Site{{URL: "https://a.example/"}, {URL: "a.example"}, {URL: "./folder"}}, false},
		{[]Site{{URL: "https://a.example/"}, {URL: "https://b.example/"}}, true},
		{[]Site{{URL: "https://a.example/"}, {URL: "http://a.example/"}}, true},
		{[]Site{{URL: "a.example"}, {URL: "b.example"}}, true},
		{[]Site{named.Sites[0], named.Sites[1]}, false},
		{[]Site{named.Sites[0], {URL: "https://b.example/"}}, false},
		{[]Site{named.Sites[0], {URL: "https://b.example/"}, {URL: "https://c.example/"}}, true},
	} {
		settings := NewCrawlSettings()
		settings.Access.User = "me:secret"
		err := CheckCredentials(test.sites, slices.Repeat([]*CrawlSettings{settings}, len(test.sites)))
		setting, is := errors.AsType[*SettingError](err)
		if test.refused != is || is && setting.Name != "user" {
			t.Errorf("%+v: %v", test.sites, err)
		}
	}
}
