package config_test

import (
	"os"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/config"
	appcrawl "github.com/mapatools/mapa/internal/app/crawl"
)

// TestConfigCredentials gives the secrets of a mapa.yaml to the origins that it names only.
func TestConfigCredentials(t *testing.T) {
	t.Chdir(t.TempDir())
	// The folders of earlier crawls are named after their hosts.
	for _, folder := range []string{"a.example", "stranger.example"} {
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	const common, own = "user: me:common\nheader: ['X-Key: common']\n", "{url: 'https://a.example/', user: 'me:own', cookie: a=own}"
	for _, test := range []struct {
		file, site string
		want       string // user
	}{
		{common + "url: https://a.example/", "https://a.example/", "me:common"},
		{common + "url: https://a.example/", "A.example", "me:common"},
		{common + "url: https://a.example/", "https://a.example/shop/", "me:common"},
		{common + "url: https://a.example/", "http://a.example/", ""},
		{common + "url: https://a.example/", "https://a.example:8443/", ""},
		{common + "url: https://a.example/", "https://www.a.example/", ""},
		{common + "url: https://a.example/", "https://stranger.example/", ""},
		{common + "url: https://a.example/", "stranger.example", ""},
		{common + "url: a.example", "stranger.example/shop", ""},
		{common + "url: a.example", "./stranger.example", "me:common"}, // a folder gets no request
		{common, "https://stranger.example/", "me:common"},
		{"sites: [" + own + ", 'https://b.example/']", "https://a.example/x", "me:own"},
		{"sites: [" + own + ", 'https://b.example/']", "http://a.example/", ""},
		{"sites: [" + own + ", 'https://b.example/']", "https://b.example/", ""},
		{"sites: ['http://a.example/', " + own + "]", "https://a.example/", "me:own"},
		{"sites: ['http://a.example/', " + own + "]", "http://a.example/", ""},
	} {
		if err := os.WriteFile(config.DefaultName, []byte(test.file), 0o600); err != nil {
			t.Fatal(err)
		}
		var notices []string
		a := &app.App{OnEvent: func(e app.Event) {
			if n, ok := e.(app.Notice); ok {
				notices = append(notices, n.Text)
			}
		}}
		settings := appcrawl.NewSettings()
		file, err := config.Read(a, config.DefaultName, config.Tables{Crawl: settings.All()})
		if err == nil {
			err = apply(file.Crawl(file.Site(test.site)), settings.All())
		}
		if err != nil {
			t.Fatal(err)
		}
		got := &settings.Access
		if got.User != test.want || test.want == "" && (got.Cookie != "" || len(got.Header) > 0) {
			t.Errorf("%s, crawling %s: user %q, cookie %q, header %q", test.file, test.site, got.User, got.Cookie, got.Header)
		}
		dropped := test.want == "" && !file.HasSecretsFor(file.Site(test.site))
		if dropped != (len(notices) > 0) || strings.Contains(strings.Join(notices, ""), "me:") {
			t.Errorf("%s, crawling %s: notices %q", test.file, test.site, notices)
		}
	}
}
