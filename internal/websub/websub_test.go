package websub_test

import (
	"bytes"
	"net/http"
	"slices"
	"testing"

	"github.com/mapatools/mapa/internal/websub"
	"github.com/mapatools/mapa/sitemap"
)

// TestWritten finds the links in feeds that package sitemap writes.
func TestWritten(t *testing.T) {
	hubs := []string{"https://hub.example/?a=1&b=2", "https://other.example/"}
	for _, format := range []sitemap.Format{sitemap.FormatRSS, sitemap.FormatAtom} {
		const self = "https://example.com/ä/feed.xml?x&y"
		var feed bytes.Buffer
		w := sitemap.NewWriter(&feed, &sitemap.WriterOptions{Format: format, Feed: sitemap.Feed{
			Title: "t", Link: "https://example.com/", Hubs: hubs, Self: self,
		}})
		day, err := sitemap.ParseDate("2026-01-31")
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write(&sitemap.URL{Loc: "https://example.com/page", LastMod: day}); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		found := websub.Discover(http.Header{}, feed.Bytes(), "https://example.com/feed.xml")
		if !slices.Equal(found.Hubs, hubs) || found.Self != "https://example.com/%C3%A4/feed.xml?x&y" {
			t.Errorf("%v: found %+v in %s", format, found, feed.String())
		}
	}
}

// TestUsers finds a hub and a topic without the user information that a site names.
func TestUsers(t *testing.T) {
	header := http.Header{"Link": {`<https://ann:hunter2@hub.example/>; rel="hub", <https://ann@example.com/feed>; rel="self"`}}
	found := websub.Discover(header, nil, "https://example.com/feed.xml")
	if !slices.Equal(found.Hubs, []string{"https://hub.example/"}) || found.Self != "https://example.com/feed" {
		t.Errorf("found %+v", found)
	}
}

// TestPage finds the links in the head of a page, whatever their case, and no others.
func TestPage(t *testing.T) {
	const page = `<!doctype html><html><head><title>t</title><LINK REL="Self alternate" HREF='/topic?a&amp;b'>
<link rel=stylesheet href=/style.css><link rel=hub href=" https://hub.example/ "></head>
<body><link rel=hub href=https://other.example/></body></html>`
	header := http.Header{"Content-Type": {"text/html; charset=utf-8"}}
	found := websub.Discover(header, []byte(page), "https://example.com/")
	if !slices.Equal(found.Hubs, []string{"https://hub.example/"}) || found.Self != "https://example.com/topic?a&b" {
		t.Errorf("%+v", found)
	}
}

// FuzzDiscover reads hostile topics without an end to it.
func FuzzDiscover(f *testing.F) {
	f.Add("text/html", "<a>; rel=hub", `<head><link rel=hub href=//b>`)
	f.Add("application/rss+xml", "", `<rss><channel><atom:link rel="hub self" href="http://a/"/>`)
	f.Fuzz(func(t *testing.T, contentType, link, body string) {
		header := http.Header{"Content-Type": {contentType}, "Link": {link}}
		found := websub.Discover(header, []byte(body), "https://example.com/feed")
		if len(found.Hubs) > websub.MaxHubs {
			t.Errorf("%d hubs", len(found.Hubs))
		}
	})
}
