package announce_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/mapatools/mapa/announce"
)

// googleFacts are from the discovery document of Search Console, revision 20260805
// (https://searchconsole.googleapis.com/$discovery/rest?version=v1): rootUrl, and of each
// method httpMethod, path, whether it takes a body, and the scope that allows it.
const googleRootURL = "https://searchconsole.googleapis.com/"

var googleFacts = map[string]struct{ method, path string }{
	"sites.list":      {http.MethodGet, "webmasters/v3/sites"},
	"sitemaps.list":   {http.MethodGet, "webmasters/v3/sites/{siteUrl}/sitemaps"},
	"sitemaps.get":    {http.MethodGet, "webmasters/v3/sites/{siteUrl}/sitemaps/{feedpath}"},
	"sitemaps.submit": {http.MethodPut, "webmasters/v3/sites/{siteUrl}/sitemaps/{feedpath}"},
	"sitemaps.delete": {http.MethodDelete, "webmasters/v3/sites/{siteUrl}/sitemaps/{feedpath}"},
}

// TestGoogleFacts compares the requests with the facts. Every parameter of a path is one
// segment, percent-encoded as a whole.
func TestGoogleFacts(t *testing.T) {
	const sitemap = origin + "/a b/sitemap+ä.xml?x=1&y=%2F"
	ctx := t.Context()
	for name, call := range map[string]func(*announce.Google) error{
		"sites.list":      func(g *announce.Google) error { _, err := g.Properties(ctx); return err },
		"sitemaps.list":   func(g *announce.Google) error { _, err := g.List(ctx, origin+"/"); return err },
		"sitemaps.submit": func(g *announce.Google) error { return g.Submit(ctx, origin+"/", sitemap) },
		"sitemaps.get": func(g *announce.Google) error {
			if err := g.Submit(ctx, origin+"/", sitemap); err != nil {
				return err
			}
			_, err := g.Get(ctx, origin+"/", sitemap)
			return err
		},
		"sitemaps.delete": func(g *announce.Google) error {
			if err := g.Submit(ctx, origin+"/", sitemap); err != nil {
				return err
			}
			return g.Delete(ctx, origin+"/", sitemap)
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, nil)
			if err := call(w.announcer(t, announce.ProviderGoogle).(*announce.Google)); err != nil {
				t.Fatal(err)
			}
			requests := w.Requests()
			got := requests[len(requests)-1]
			path := strings.NewReplacer("{siteUrl}", "https%3A%2F%2Fexample.com%2F", "{feedpath}",
				"https%3A%2F%2Fexample.com%2Fa%20b%2Fsitemap%2B%C3%A4.xml%3Fx%3D1%26y%3D%252F").Replace(googleFacts[name].path)
			if got.Method != googleFacts[name].method || got.Path != "/"+path || got.Query != "" || got.Body != "" {
				t.Errorf("%s %s?%s %q, want %s /%s", got.Method, got.Path, got.Query, got.Body, googleFacts[name].method, path)
			}
			if authorization := got.Header.Get("Authorization"); authorization != "Bearer "+secrets[4] {
				t.Errorf("Authorization: %s", authorization)
			}
		})
	}
	for r, err := range newWorld(t, nil).announcer(t, announce.ProviderGoogle).Plan(announcement("1")) {
		isToken := r.URL == "https://oauth2.googleapis.com/token"
		if err != nil || !isToken && !strings.HasPrefix(r.URL, googleRootURL) {
			t.Errorf("%s, error %v", r.URL, err)
		}
	}
}

// TestGoogleSitemap reads numbers, which are JSON strings, and enumerations in the spelling
// of the documentation and of the discovery document.
func TestGoogleSitemap(t *testing.T) {
	for _, spelling := range []struct{ kind, content string }{{"rssFeed", "androidApp"}, {"RSS_FEED", "ANDROID_APP"}} {
		text := fmt.Sprintf(`{"path":"https://example.com/rss.xml","type":%q,"isPending":true,"isSitemapsIndex":false,
			"lastSubmitted":"2026-01-02T03:04:05.678Z","warnings":"9007199254740993","errors":"0",
			"contents":[{"type":%q,"submitted":"9007199254740993","indexed":"0"},{"type":"NEW_KIND","submitted":"1"}]}`,
			spelling.kind, spelling.content)
		var got announce.GoogleSitemap
		if err := json.Unmarshal([]byte(text), &got); err != nil {
			t.Fatal(err)
		}
		if got.Warnings != 9007199254740993 || got.Type != announce.TypeRSSFeed || got.LastSubmitted.Year() != 2026 ||
			got.Contents[0].Type != announce.ContentAndroidApp || got.Contents[0].Submitted != 9007199254740993 ||
			got.Contents[1].Type != "NEW_KIND" || !got.LastDownloaded.Equal(time.Time{}) {
			t.Errorf("got %+v", got)
		}
	}
	var got announce.GoogleSitemap
	if err := json.Unmarshal([]byte(`{"errors":"many"}`), &got); err == nil {
		t.Error("a count that is no number was read")
	}
}

func TestChooseProperty(t *testing.T) {
	const sitemap = "https://shop.example.com/en/sitemap.xml"
	property := func(url string) announce.GoogleProperty {
		return announce.GoogleProperty{URL: url, Permission: "siteFullUser"}
	}
	for _, test := range []struct {
		name       string
		properties []announce.GoogleProperty
		want       string
	}{
		{"prefix", []announce.GoogleProperty{property("https://example.com/"), property("https://shop.example.com/")},
			"https://shop.example.com/"},
		{"longest prefix", []announce.GoogleProperty{property("https://shop.example.com/en/"),
			property("https://shop.example.com/")}, "https://shop.example.com/en/"},
		{"prefix before domain", []announce.GoogleProperty{property("sc-domain:shop.example.com"),
			property("https://shop.example.com/")}, "https://shop.example.com/"},
		{"domain", []announce.GoogleProperty{property("sc-domain:example.com")}, "sc-domain:example.com"},
		{"scheme counts", []announce.GoogleProperty{property("http://shop.example.com/")}, ""},
		{"end of a domain", []announce.GoogleProperty{property("sc-domain:ample.com")}, ""},
		{"permission", []announce.GoogleProperty{{URL: "https://shop.example.com/en/", Permission: "siteRestrictedUser"},
			property("sc-domain:example.com")}, "sc-domain:example.com"},
		{"unverified", []announce.GoogleProperty{{URL: "https://shop.example.com/", Permission: "siteUnverifiedUser"}}, ""},
		{"none", nil, ""},
	} {
		got, found := announce.ChooseProperty(test.properties, sitemap)
		if got.URL != test.want || found != (test.want != "") {
			t.Errorf("%s: %q, found %t, want %q", test.name, got.URL, found, test.want)
		}
	}
}
