package web

import (
	"strings"
	"testing"
	"time"

	"github.com/mapatools/mapa/internal/catalog"
)

// TestMoments writes times for a browser in any zone, with those of the server for others.
func TestMoments(t *testing.T) {
	at := time.Date(2026, 11, 22, 23, 30, 0, 0, time.UTC)
	c := catalog.For(catalog.English).In(time.FixedZone("CET", 3600))
	const element = `<time datetime="2026-11-22T23:30:00Z"`
	if got, want := string(moment(c, at)), element+">23 November 2026, 00:30 CET</time>"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	got := string(markup(c, "web.publication.done", "/a<b>\x1b", at, "2 pages"))
	if want := "in /a&lt;b&gt;\\x1b on " + string(moment(c, at)) + ", with 2 pages."; !strings.HasSuffix(got, want) {
		t.Errorf("got %s, want %s", got, want)
	}
	for span, want := range map[time.Duration]string{
		0: "just now", 59 * time.Second: "just now", 89 * time.Second: "just now", 100 * time.Second: "2 minutes ago",
		3 * time.Hour: "3 hours ago", 100 * time.Hour: "5 days ago", 8 * day: "23 November 2026",
		-2 * time.Minute: "in 2 minutes", -8 * day: "23 November 2026",
	} {
		got := string(ago(c, at, at.Add(span)))
		if !strings.HasPrefix(got, element) || !strings.HasSuffix(got, ">"+want+"</time>") {
			t.Errorf("%v: %s, want %s", span, got, want)
		}
	}
}
