package compare

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mapatools/mapa/crawl"
)

// changes returns the changes as lines: kind, path, facts.
func changes(t *testing.T, c *Comparison) (lines []string, counts Counts) {
	t.Helper()
	found, err := c.Find(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer found.Close()
	for change, err := range found.Rows(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		line := fmt.Sprintf("%s %s", change.Kind, strings.TrimPrefix(change.URL, origin))
		if change.Pages > 0 {
			line += fmt.Sprintf("%s (%d of %d)", strings.TrimPrefix(change.Template, origin), change.Pages, change.Of)
		}
		for _, fact := range change.Facts {
			line += " " + fact.Fact
		}
		if change.MovedTo != "" {
			line += " to " + strings.TrimPrefix(change.MovedTo, origin)
		}
		lines = append(lines, line)
	}
	return lines, found.Counts
}

func TestCrawls(t *testing.T) {
	home := made{path: "/", status: 200}
	tests := []struct {
		name     string
		old, new []made
		want     []string
		unseen   int
	}{
		{name: "nothing", old: []made{home, {path: "/a", on: "/", status: 404, reason: crawl.ReasonClientError}},
			new: []made{{path: "/a", status: 404, reason: crawl.ReasonClientError}, home}},
		{
			name: "added and removed",
			old:  []made{home, {path: "/gone", on: "/", status: 200}},
			new: []made{home, {path: "/come", on: "/", status: 200},
				{path: "/dead", on: "/", status: 404, reason: crawl.ReasonClientError}},
			want: []string{"newly-broken /dead", "removed /gone", "new /come"},
		},
		{
			name: "status",
			old: []made{home, {path: "/a", status: 200, lastMod: "2026-01-01", digest: 1}, {path: "/b", status: 200},
				{path: "/c", reason: crawl.ReasonUnreachable},
				{path: "/d", status: 301, reason: crawl.ReasonRedirect, target: "/"}},
			new: []made{home, {path: "/a", status: 404, reason: crawl.ReasonClientError},
				{path: "/b", reason: crawl.ReasonUnreachable}, {path: "/c", status: 200},
				{path: "/d", status: 302, reason: crawl.ReasonRedirect, target: "/"}},
			want: []string{"newly-broken /a status decision", "newly-broken /b status decision",
				"fixed /c status decision", "changed /d status"},
		},
		{
			name: "decision",
			old: []made{home, {path: "/a", status: 200, digest: 1}, {path: "/b", status: 200},
				{path: "/c", status: 200, lastMod: "2026-01-01"}},
			new: []made{home, {path: "/a", status: 200, digest: 2, reason: crawl.ReasonNoIndex},
				{path: "/b", reason: crawl.ReasonRobots}, {path: "/c", reason: crawl.ReasonExcluded}},
			want: []string{"left-sitemap /a decision words", "left-sitemap /b decision"},
		},
		{
			name: "another target",
			old: []made{home, {path: "/x", status: 301, reason: crawl.ReasonRedirect, target: "/"},
				{path: "/c", status: 200, reason: crawl.ReasonCanonical, target: "/"}},
			new: []made{home, {path: "/x", status: 301, reason: crawl.ReasonRedirect, target: "/c"},
				{path: "/c", status: 200, reason: crawl.ReasonCanonical, target: "/x"}},
			want: []string{"changed /c target", "changed /x target"},
		},
		{
			name: "content and lastmod",
			old: []made{home, {path: "/a", status: 200, digest: 1}, {path: "/b", status: 200, lastMod: "2026-01-01"},
				{path: "/c", status: 200, digest: 1, lastMod: "2026-01-01"}, {path: "/d", status: 200, digest: 1},
				{path: "/e", status: 200, lastMod: "2026-01-01T00:00:00Z"}},
			new: []made{home, {path: "/a", status: 200, digest: 2}, {path: "/b", status: 200},
				{path: "/c", status: 200, digest: 2, lastMod: "2026-01-02"}, {path: "/d", status: 200},
				{path: "/e", status: 200, lastMod: "2026-01-01T01:00:00+01:00"}},
			want: []string{"changed /a words", "changed /b lastmod", "changed /c words"},
		},
		{
			name: "URLs that are not fetched are not added or removed",
			old: []made{home, {path: "/a", reason: crawl.ReasonExcluded}, {path: "/b", reason: crawl.ReasonExcluded},
				{path: "/p", reason: crawl.ReasonAdded}},
			new: []made{home, {path: "/b", reason: crawl.ReasonTrap}, {path: "/c", reason: crawl.ReasonNofollow},
				{path: "/q", reason: crawl.ReasonAdded}},
			want: []string{"removed /p", "new /q"},
		},
		{
			name: "the new crawl waits",
			old: []made{home, {path: "/a", on: "/", status: 200}, {path: "/b", on: "/", status: 200},
				{path: "/c", on: "/", status: 200, digest: 1}},
			new: []made{home, {path: "/a", on: "/"}, {path: "/c", on: "/", status: 200, digest: 2},
				{path: "/d", on: "/", status: 200}},
			want:   []string{"new /d", "changed /c words"},
			unseen: 2,
		},
		{
			name:   "the new crawl had a limit",
			old:    []made{home, {path: "/a", on: "/", status: 200}, {path: "/b", on: "/", status: 200}},
			new:    []made{home, {path: "/a", on: "/", reason: crawl.ReasonLimit}},
			unseen: 2,
		},
		{
			name:   "the old crawl had a limit",
			old:    []made{home, {path: "/a", on: "/", reason: crawl.ReasonLimit}, {path: "/b", on: "/", status: 200}},
			new:    []made{home, {path: "/a", on: "/", status: 200}},
			want:   []string{"removed /b"},
			unseen: 1,
		},
		{
			name: "the linking page failed",
			old: []made{home, {path: "/hub", on: "/", status: 200}, {path: "/hub/a", on: "/hub", status: 200},
				{path: "/hub/a/b", on: "/hub/a", status: 200},
				{path: "/shelf", on: "/", status: 200}, {path: "/shelf/a", on: "/shelf", status: 200}},
			new: []made{home, {path: "/hub", on: "/", status: 503, reason: crawl.ReasonServerError},
				{path: "/shelf", on: "/", status: 200}},
			want:   []string{"newly-broken /hub status decision", "removed /shelf/a"},
			unseen: 2,
		},
		{
			name: "the linking page is blocked now",
			old: []made{home, {path: "/hub", on: "/", status: 200}, {path: "/hub/a", on: "/hub", status: 200},
				{path: "/b", on: "/hub", status: 200}},
			new:    []made{home, {path: "/hub", on: "/", reason: crawl.ReasonRobots}},
			want:   []string{"left-sitemap /hub decision"},
			unseen: 2,
		},
		{
			name: "the linking page is gone",
			old:  []made{home, {path: "/hub", on: "/", status: 200}, {path: "/hub/a", on: "/hub", status: 200}},
			new:  []made{home, {path: "/hub", on: "/", status: 404, reason: crawl.ReasonClientError}},
			want: []string{"newly-broken /hub status decision", "removed /hub/a"},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := &Comparison{Old: openCrawl(t, test.old), New: openCrawl(t, test.new)}
			for range 2 {
				got, counts := changes(t, c)
				if !slices.Equal(got, test.want) {
					t.Errorf("got %q, want %q", got, test.want)
				}
				if counts.Unseen != test.unseen {
					t.Errorf("%d unseen, want %d", counts.Unseen, test.unseen)
				}
			}
		})
	}
}

// TestLongPath removes a long chain of pages in reverse order. Without a cache each page
// would cost a walk to the start.
func TestLongPath(t *testing.T) {
	home := made{path: "/", status: 200}
	old := []made{home}
	for i := range 12_000 {
		old = append(old, made{path: fmt.Sprintf("/%05d", 12_000-i), on: old[i].path, status: 200})
	}
	c := &Comparison{Old: openCrawl(t, old), New: openCrawl(t, []made{home})}
	if got, counts := changes(t, c); len(got)+counts.Unseen != 12_000 || counts.Unseen > maxRemembered {
		t.Errorf("%d removed, %d unseen", len(got), counts.Unseen)
	}
}

func TestSitemaps(t *testing.T) {
	old := openSitemap(t, origin+"/a 2026-01-01", origin+"/b 2026-01-01", origin+"/b 2026-01-05", origin+"/c",
		origin+"/d soon")
	new := openSitemap(t, origin+"/d later", origin+"/%61 2026-01-01T00:00:00Z", "HTTPS://EXAMPLE.com:443/b 2026-01-05",
		origin+"/e")
	got, _ := changes(t, &Comparison{Old: old, New: new})
	want := []string{"removed /c", "new /e", "changed /d lastmod"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestOneOfEach(t *testing.T) {
	crawled := openCrawl(t, []made{
		{path: "/", status: 200},
		{path: "/orphan", status: 200},
		{path: "/left", status: 404, reason: crawl.ReasonClientError},
		{path: "/noindex", status: 200, reason: crawl.ReasonNoIndex},
		{path: "/dated", status: 200, lastMod: "2026-02-02", digest: 7},
	})
	listed := openSitemap(t, origin+"/ 2026-01-01", origin+"/dated 2026-02-02", origin+"/noindex", origin+"/nowhere")
	for _, test := range []struct {
		comparison Comparison
		want       []string
	}{
		{Comparison{Old: listed, New: crawled},
			[]string{"left-sitemap /noindex decision", "removed /nowhere", "new /orphan", "changed / lastmod"}},
		{Comparison{Old: crawled, New: listed},
			[]string{"removed /orphan", "entered-sitemap /noindex decision", "new /nowhere", "changed / lastmod"}},
	} {
		if got, _ := changes(t, &test.comparison); !slices.Equal(got, test.want) {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
}

// TestBrokenSitemap reports no removals if the sitemap could not be read completely.
func TestBrokenSitemap(t *testing.T) {
	name := filepath.Join(t.TempDir(), "cut.xml")
	cut := `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>` + origin + `/b</loc></url><url><lo`
	if err := os.WriteFile(name, []byte(cut), 0o666); err != nil {
		t.Fatal(err)
	}
	new := open(t, name)
	if len(new.Faults) != 1 || new.complete || new.Files != 1 {
		t.Errorf("faults %v, complete %t, files %d", new.Faults, new.complete, new.Files)
	}
	c := &Comparison{Old: openSitemap(t, origin+"/a"), New: new}
	got, counts := changes(t, c)
	if want := []string{"new /b"}; !slices.Equal(got, want) || counts.Unseen != 1 {
		t.Errorf("got %q and %d unseen, want %q and 1", got, counts.Unseen, want)
	}
}

func TestOpenRefuses(t *testing.T) {
	empty := t.TempDir()
	if _, err := Open(t.Context(), empty, nil); !errors.Is(err, ErrNoCrawl) {
		t.Errorf("an empty folder: %v", err)
	}
	missing, err := Open(t.Context(), filepath.Join(empty, "none.xml"), nil)
	if err != nil || len(missing.Faults) != 1 || missing.Files != 0 {
		t.Errorf("a missing file: %+v, %v", missing, err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Open(ended, filepath.Join(empty, "none.xml"), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
}

// TestInconclusive finds no change of a page that was not rendered to its end, apart from its status.
func TestInconclusive(t *testing.T) {
	failed := &crawl.Rendered{Failure: crawl.DetailRenderPartial}
	c := &Comparison{
		Old: openCrawl(t, []made{{path: "/", status: 200},
			{path: "/a", status: 200, digest: 1, title: "A", lastMod: "2026-01-01"},
			{path: "/b", status: 200, reason: crawl.ReasonCanonical, target: "/a"}, {path: "/c", status: 404}}),
		New: openCrawl(t, []made{{path: "/", status: 200}, {path: "/a", status: 200, title: "App", rendered: failed},
			{path: "/b", status: 200, rendered: failed}, {path: "/c", status: 200, rendered: failed}}),
	}
	got, _ := changes(t, c)
	if want := []string{"changed /c status"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestAbsentInDoubt does not take pages for gone that only a page links to which was not rendered to its end.
func TestAbsentInDoubt(t *testing.T) {
	old := []made{
		{path: "/", status: 200}, {path: "/list", on: "/", status: 200}, {path: "/item", on: "/list", status: 200},
	}
	for _, test := range []struct {
		list made
		want []string
	}{
		{made{path: "/list", status: 200}, []string{"removed /item"}},
		{made{path: "/list", status: 200, rendered: &crawl.Rendered{Failure: crawl.DetailMaxRender}}, nil},
	} {
		c := &Comparison{Old: openCrawl(t, old), New: openCrawl(t, []made{{path: "/", status: 200}, test.list})}
		if got, _ := changes(t, c); !slices.Equal(got, test.want) {
			t.Errorf("%+v: got %q, want %q", test.list, got, test.want)
		}
	}
}

func TestStates(t *testing.T) {
	c := &Comparison{
		Old: openCrawl(t, []made{{path: "/", status: 200, digest: 1, lastMod: "2026-01-01"}}),
		New: openCrawl(t, []made{{path: "/", status: 200, digest: 1 << 63, lastMod: "2026-01-02"}}),
	}
	for pair, err := range c.Pairs(t.Context(), &Unpaired{}) {
		if err != nil {
			t.Fatal(err)
		}
		if pair.Old.Digest != "0000000000000001" || pair.New.Digest != "8000000000000000" {
			t.Errorf("digests %s and %s", pair.Old.Digest, pair.New.Digest)
		}
		if pair.New.LastMod != "2026-01-02" || !pair.New.Time.Equal(asked) || pair.Old.Decision != Listed || !pair.Updated {
			t.Errorf("%+v", pair)
		}
	}
}
