package sitemap_test

import (
	"encoding/xml"
	"testing"
	"time"

	"github.com/mapatools/mapa/sitemap"
)

// feedURLs are what the feeds below list: a page, an article, a video.
func feedURLs(t testing.TB) []*sitemap.URL {
	return []*sitemap.URL{
		{Loc: "https://example.com/ä?a&b", LastMod: date(t, "2024-02-29")},
		{Loc: "https://example.com/article", LastMod: date(t, "2024-02-28T23:30:00.5-01:00"),
			Extensions: sitemap.Extensions{News: []sitemap.News{{Title: "<Fire & ice>"}}}},
		{Loc: "https://example.com/video", LastMod: date(t, "2023"),
			Extensions: sitemap.Extensions{Videos: []sitemap.Video{{Title: "A video"}}}},
	}
}

func TestWriteRSS(t *testing.T) {
	var got struct {
		XMLName xml.Name `xml:"rss"`
		Version string   `xml:"version,attr"`
		Channel struct {
			Title       string `xml:"title"`
			Link        string `xml:"link"`
			Description string `xml:"description"`
			Items       []struct {
				Title string `xml:"title"`
				Link  string `xml:"link"`
				GUID  string `xml:"guid"`
				Date  string `xml:"pubDate"`
			} `xml:"item"`
		} `xml:"channel"`
	}
	options := &sitemap.WriterOptions{Format: sitemap.FormatRSS,
		Feed: sitemap.Feed{Title: "Example & Sons", Link: "https://example.com/ü?a&b"}}
	urls := append(feedURLs(t), &sitemap.URL{Loc: "https://example.com/undated"})
	document := write(t, options, urls...)
	if err := xml.Unmarshal([]byte(document), &got); err != nil {
		t.Fatalf("%v in\n%s", err, document)
	}
	channel := got.Channel
	if got.Version != "2.0" || channel.Title != "Example & Sons" || channel.Description != channel.Title ||
		channel.Link != "https://example.com/%C3%BC?a&b" {
		t.Errorf("channel %+v of version %s", channel, got.Version)
	}
	want := [][3]string{
		{"https://example.com/%C3%A4?a&b", "https://example.com/%C3%A4?a&b", "Thu, 29 Feb 2024 00:00:00 +0000"},
		{"https://example.com/article", "<Fire & ice>", "Wed, 28 Feb 2024 23:30:00 -0100"},
		{"https://example.com/video", "A video", "Sun, 01 Jan 2023 00:00:00 +0000"},
		{"https://example.com/undated", "https://example.com/undated", ""},
	}
	if len(channel.Items) != len(want) {
		t.Fatalf("%d items in\n%s", len(channel.Items), document)
	}
	for i, item := range channel.Items {
		if item.Link != want[i][0] || item.GUID != want[i][0] || item.Title != want[i][1] || item.Date != want[i][2] {
			t.Errorf("item %+v, want %q", item, want[i])
		}
	}
	assertFeedRead(t, document, sitemap.FormatRSS, urls, time.Second)
}

func TestWriteAtom(t *testing.T) {
	type link struct {
		Rel  string `xml:"rel,attr"`
		Href string `xml:"href,attr"`
	}
	var got struct {
		XMLName xml.Name  `xml:"http://www.w3.org/2005/Atom feed"`
		Title   string    `xml:"title"`
		ID      string    `xml:"id"`
		Link    link      `xml:"link"`
		Author  string    `xml:"author>name"`
		Updated time.Time `xml:"updated"`
		Entries []struct {
			Title   string    `xml:"title"`
			Link    link      `xml:"link"`
			ID      string    `xml:"id"`
			Updated time.Time `xml:"updated"`
		} `xml:"entry"`
	}
	options := &sitemap.WriterOptions{Format: sitemap.FormatAtom, Feed: feed}
	urls := feedURLs(t)
	document := write(t, options, urls...)
	if err := xml.Unmarshal([]byte(document), &got); err != nil {
		t.Fatalf("%v in\n%s", err, document)
	}
	if got.Title != feed.Title || got.Author != feed.Title || got.ID != feed.Link ||
		got.Link != (link{"alternate", feed.Link}) {
		t.Errorf("feed %+v", got)
	}
	newest := time.Date(2024, 2, 29, 0, 30, 0, 5e8, time.UTC)
	if !got.Updated.Equal(newest) {
		t.Errorf("updated %v, want the newest, %v", got.Updated, newest)
	}
	titles := []string{"https://example.com/%C3%A4?a&b", "<Fire & ice>", "A video"}
	if len(got.Entries) != len(urls) {
		t.Fatalf("%d entries in\n%s", len(got.Entries), document)
	}
	for i, entry := range got.Entries {
		if entry.Title != titles[i] || entry.Link != (link{"alternate", entry.ID}) ||
			!entry.Updated.Equal(urls[i].LastMod.Time()) {
			t.Errorf("entry %+v", entry)
		}
	}
	assertFeedRead(t, document, sitemap.FormatAtom, urls, 0)
}

// assertFeedRead reads a feed with the package's own reader; a date may be off
// by less than precision.
func assertFeedRead(t *testing.T, document string, format sitemap.Format, want []*sitemap.URL,
	precision time.Duration) {
	t.Helper()
	got, err := readURLs(document)
	if err != nil || len(got) != len(want) {
		t.Fatalf("read back %d entries of %s: %v", len(got), format, err)
	}
	for i, u := range got {
		loc := want[i].Loc
		if i == 0 {
			loc = "https://example.com/%C3%A4?a&b"
		}
		off := want[i].LastMod.Time().Sub(u.LastMod.Time())
		if u.Loc != loc || off < 0 || off > precision || u.LastMod.IsZero() != want[i].LastMod.IsZero() {
			t.Errorf("read %s %v, want %s %v", u.Loc, u.LastMod, loc, want[i].LastMod)
		}
	}
}

func TestFeedTitleRefused(t *testing.T) {
	for _, format := range []sitemap.Format{sitemap.FormatRSS, sitemap.FormatAtom} {
		refused(t, format, &sitemap.URL{Loc: page, LastMod: sitemap.DayOf(noon),
			Extensions: sitemap.Extensions{News: []sitemap.News{{Title: "\x00"}}}}, "news:title", sitemap.ErrText)
		refused(t, format, &sitemap.URL{Loc: page, LastMod: sitemap.DayOf(noon),
			Extensions: sitemap.Extensions{Videos: []sitemap.Video{{Title: "\xff"}}}}, "video:title", sitemap.ErrText)
	}
}
