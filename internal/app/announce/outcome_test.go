package announce

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/mapatools/mapa/announce"
	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/outputs"
)

// TestAnnounceOutcome counts a provider as reached that took a part before it failed.
func TestAnnounceOutcome(t *testing.T) {
	gone := &announce.Error{Reason: announce.ReasonUnreachable}
	for name, test := range map[string]struct {
		result announce.Result
		want   Outcome
	}{
		"never reached":       {announce.Result{Err: gone, Failed: 5}, AnnouncedNone},
		"gone after a part":   {announce.Result{Err: gone, Sent: 2000, Failed: 500}, AnnouncedPart},
		"all sent":            {announce.Result{Sent: 5}, AnnouncedAll},
		"a part was not sent": {announce.Result{Sent: 5, Failed: 1}, AnnouncedPart},
	} {
		r := &Result{Results: []ProviderResult{{Result: test.result}}}
		if got := r.Outcome(); got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}

// TestRobotsOutcome excuses a missing line that was added to the file, and nothing else.
func TestRobotsOutcome(t *testing.T) {
	for name, test := range map[string]struct {
		robots  announce.RobotsCheck
		patched outputs.RobotsEdit
		want    Outcome
	}{
		"fine":                   {announce.RobotsCheck{Named: true}, "", AnnouncedAll},
		"not named":              {announce.RobotsCheck{Problems: []string{"no line"}}, "", AnnouncedRefused},
		"added":                  {announce.RobotsCheck{Problems: []string{"no line"}}, "added", AnnouncedAll},
		"added, but blocked":     {announce.RobotsCheck{Problems: []string{"no line", "blocked"}}, "added", AnnouncedRefused},
		"site does not answer":   {announce.RobotsCheck{Unanswered: "no such host"}, "", AnnouncedNone},
		"robots does not answer": {announce.RobotsCheck{Unanswered: "no answer", SitemapStatus: 200}, "", AnnouncedAll},
		"unchanged and blocked": {
			announce.RobotsCheck{Named: true, Problems: []string{"blocked"}}, "unchanged", AnnouncedRefused,
		},
	} {
		r := &Result{RobotsAlone: true, Robots: &test.robots, Patched: test.patched}
		if got := r.Outcome(); got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}

// TestAnnounceInPunycode names a sitemap as its pages are named.
func TestAnnounceInPunycode(t *testing.T) {
	folder := t.TempDir()
	text := `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://b` + "\u00fc" +
		"cher.example/a</loc></url></urlset>"
	if err := os.WriteFile(filepath.Join(folder, "sitemap.xml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, base := range []string{"", "https://b\u00fccher.example/", "https://xn--bcher-kva.example/"} {
		settings := NewSettings()
		settings.BaseURL = base
		source, err := openAnnounceSource(t.Context(), (&app.App{}), folder, settings)
		if err != nil {
			t.Fatal(err)
		}
		if source.sitemap != "https://xn--bcher-kva.example/sitemap.xml" {
			t.Errorf("base %q: the sitemap is %s", base, source.sitemap)
		}
		if err := source.close(); err != nil {
			t.Error(err)
		}
	}
}

// TestAnnouncePlace takes the place of an index from the files next to it that it lists.
func TestAnnouncePlace(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"sitemap.xml":   "<sitemapindex><sitemap><loc>https://example.com/shop/sitemap-1.xml</loc></sitemap></sitemapindex>",
		"sitemap-1.xml": "<urlset><url><loc>https://example.com/shop/a</loc></url></urlset>",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for location, want := range map[string]string{
		folder:                                 "https://example.com/shop/sitemap.xml",
		filepath.Join(folder, "sitemap-1.xml"): "https://example.com/sitemap-1.xml",
	} {
		source, err := openAnnounceSource(t.Context(), &app.App{}, location, NewSettings())
		if err != nil {
			t.Fatal(err)
		}
		if source.sitemap != want {
			t.Errorf("the sitemap is %s, want %s", source.sitemap, want)
		}
		if err := source.close(); err != nil {
			t.Error(err)
		}
	}
}
