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

// changes returns the changes as lines: kind, path, fields.
func changes(t *testing.T, c *Comparison) []string {
	t.Helper()
	var lines []string
	for change, err := range c.Changes(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		line := fmt.Sprintf("%s %s", change.Kind, strings.TrimPrefix(change.URL, origin))
		for _, field := range change.Fields {
			line += " " + string(field)
		}
		lines = append(lines, line)
	}
	return lines
}

func TestCrawls(t *testing.T) {
	home := page{path: "/", status: 200}
	tests := []struct {
		name     string
		old, new []page
		want     []string
		unseen   int
	}{
		{name: "nothing", old: []page{home, {path: "/a", on: "/", status: 404, reason: crawl.ReasonClientError}},
			new: []page{{path: "/a", status: 404, reason: crawl.ReasonClientError}, home}},
		{
			name: "added and removed",
			old:  []page{home, {path: "/gone", on: "/", status: 200}},
			new: []page{home, {path: "/come", on: "/", status: 200},
				{path: "/dead", on: "/", status: 404, reason: crawl.ReasonClientError}},
			want: []string{"added /come", "added /dead", "removed /gone"},
		},
		{
			name: "status",
			old: []page{home, {path: "/a", status: 200, lastMod: "2026-01-01", digest: 1}, {path: "/b", status: 200},
				{path: "/c", reason: crawl.ReasonUnreachable},
				{path: "/d", status: 301, reason: crawl.ReasonRedirect, target: "/"}},
			new: []page{home, {path: "/a", status: 404, reason: crawl.ReasonClientError},
				{path: "/b", reason: crawl.ReasonUnreachable}, {path: "/c", status: 200},
				{path: "/d", status: 302, reason: crawl.ReasonRedirect, target: "/"}},
			want: []string{"status /a status decision", "status /b status decision", "status /c status decision",
				"status /d status"},
		},
		{
			name: "decision",
			old: []page{home, {path: "/a", status: 200, digest: 1}, {path: "/b", status: 200},
				{path: "/c", status: 200, lastMod: "2026-01-01"}},
			new: []page{home, {path: "/a", status: 200, digest: 2, reason: crawl.ReasonNoIndex},
				{path: "/b", reason: crawl.ReasonRobots}, {path: "/c", reason: crawl.ReasonExcluded}},
			want: []string{"decision /a decision words", "decision /b decision", "decision /c decision"},
		},
		{
			name: "moved",
			old: []page{home, {path: "/x", status: 301, reason: crawl.ReasonRedirect, target: "/"},
				{path: "/c", status: 200, reason: crawl.ReasonCanonical, target: "/"}},
			new: []page{home, {path: "/x", status: 301, reason: crawl.ReasonRedirect, target: "/c"},
				{path: "/c", status: 200, reason: crawl.ReasonCanonical, target: "/x"}},
			want: []string{"moved /c target", "moved /x target"},
		},
		{
			name: "content and lastmod",
			old: []page{home, {path: "/a", status: 200, digest: 1}, {path: "/b", status: 200, lastMod: "2026-01-01"},
				{path: "/c", status: 200, digest: 1, lastMod: "2026-01-01"}, {path: "/d", status: 200, digest: 1},
				{path: "/e", status: 200, lastMod: "2026-01-01T00:00:00Z"}},
			new: []page{home, {path: "/a", status: 200, digest: 2}, {path: "/b", status: 200},
				{path: "/c", status: 200, digest: 2, lastMod: "2026-01-02"}, {path: "/d", status: 200},
				{path: "/e", status: 200, lastMod: "2026-01-01T01:00:00+01:00"}},
			want: []string{"changed /a words", "changed /b lastmod", "changed /c words lastmod"},
		},
		{
			name: "URLs that are not fetched are not added or removed",
			old: []page{home, {path: "/a", reason: crawl.ReasonExcluded}, {path: "/b", reason: crawl.ReasonExcluded},
				{path: "/p", reason: crawl.ReasonAdded}},
			new: []page{home, {path: "/b", reason: crawl.ReasonTrap}, {path: "/c", reason: crawl.ReasonNofollow},
				{path: "/q", reason: crawl.ReasonAdded}},
			want: []string{"removed /p", "added /q"},
		},
		{
			name: "the new crawl waits",
			old: []page{home, {path: "/a", on: "/", status: 200}, {path: "/b", on: "/", status: 200},
				{path: "/c", on: "/", status: 200, digest: 1}},
			new: []page{home, {path: "/a", on: "/"}, {path: "/c", on: "/", status: 200, digest: 2},
				{path: "/d", on: "/", status: 200}},
			want:   []string{"changed /c words", "added /d"},
			unseen: 2,
		},
		{
			name:   "the new crawl had a limit",
			old:    []page{home, {path: "/a", on: "/", status: 200}, {path: "/b", on: "/", status: 200}},
			new:    []page{home, {path: "/a", on: "/", reason: crawl.ReasonLimit}},
			unseen: 2,
		},
		{
			name:   "the old crawl had a limit",
			old:    []page{home, {path: "/a", on: "/", reason: crawl.ReasonLimit}, {path: "/b", on: "/", status: 200}},
			new:    []page{home, {path: "/a", on: "/", status: 200}},
			want:   []string{"removed /b"},
			unseen: 1,
		},
		{
			name: "the linking page failed",
			old: []page{home, {path: "/hub", on: "/", status: 200}, {path: "/hub/a", on: "/hub", status: 200},
				{path: "/hub/a/b", on: "/hub/a", status: 200},
				{path: "/shelf", on: "/", status: 200}, {path: "/shelf/a", on: "/shelf", status: 200}},
			new: []page{home, {path: "/hub", on: "/", status: 503, reason: crawl.ReasonServerError},
				{path: "/shelf", on: "/", status: 200}},
			want:   []string{"status /hub status decision", "removed /shelf/a"},
			unseen: 2,
		},
		{
			name: "the linking page is blocked now",
			old: []page{home, {path: "/hub", on: "/", status: 200}, {path: "/hub/a", on: "/hub", status: 200},
				{path: "/b", on: "/hub", status: 200}},
			new:    []page{home, {path: "/hub", on: "/", reason: crawl.ReasonRobots}},
			want:   []string{"decision /hub decision"},
			unseen: 2,
		},
		{
			name: "the linking page is gone",
			old:  []page{home, {path: "/hub", on: "/", status: 200}, {path: "/hub/a", on: "/hub", status: 200}},
			new:  []page{home, {path: "/hub", on: "/", status: 404, reason: crawl.ReasonClientError}},
			want: []string{"status /hub status decision", "removed /hub/a"},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := &Comparison{Old: openCrawl(t, test.old), New: openCrawl(t, test.new)}
			for range 2 {
				got := changes(t, c)
				if !slices.Equal(got, test.want) {
					t.Errorf("got %q, want %q", got, test.want)
				}
				if c.Unseen != test.unseen {
					t.Errorf("%d unseen, want %d", c.Unseen, test.unseen)
				}
			}
		})
	}
}

// TestLongPath removes a long chain of pages in reverse order. Without a cache each page
// would cost a walk to the start.
func TestLongPath(t *testing.T) {
	home := page{path: "/", status: 200}
	old := []page{home}
	for i := range 12_000 {
		old = append(old, page{path: fmt.Sprintf("/%05d", 12_000-i), on: old[i].path, status: 200})
	}
	c := &Comparison{Old: openCrawl(t, old), New: openCrawl(t, []page{home})}
	if got := changes(t, c); len(got)+c.Unseen != 12_000 || c.Unseen > maxRemembered {
		t.Errorf("%d removed, %d unseen", len(got), c.Unseen)
	}
}

func TestSitemaps(t *testing.T) {
	old := openSitemap(t, origin+"/a 2026-01-01", origin+"/b 2026-01-01", origin+"/b 2026-01-05", origin+"/c",
		origin+"/d soon")
	new := openSitemap(t, origin+"/d later", origin+"/%61 2026-01-01T00:00:00Z", "HTTPS://EXAMPLE.com:443/b 2026-01-05",
		origin+"/e")
	got := changes(t, &Comparison{Old: old, New: new})
	want := []string{"removed /c", "changed /d lastmod", "added /e"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestOneOfEach(t *testing.T) {
	crawled := openCrawl(t, []page{
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
			[]string{"changed / lastmod", "decision /noindex decision", "removed /nowhere", "added /orphan"}},
		{Comparison{Old: crawled, New: listed},
			[]string{"changed / lastmod", "decision /noindex decision", "added /nowhere", "removed /orphan"}},
	} {
		if got := changes(t, &test.comparison); !slices.Equal(got, test.want) {
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
	if got, want := changes(t, c), []string{"added /b"}; !slices.Equal(got, want) || c.Unseen != 1 {
		t.Errorf("got %q and %d unseen, want %q and 1", got, c.Unseen, want)
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

// TestTitles has the titles of pages that have another one, and only of those.
func TestTitles(t *testing.T) {
	const before, after = "Shoes", "Boots"
	gone := page{path: "/b", on: "/", status: 404, reason: crawl.ReasonClientError, title: after}
	c := &Comparison{
		Old: openCrawl(t, []page{{path: "/", status: 200, title: before},
			{path: "/a", status: 200, digest: 1, title: before},
			{path: "/b", on: "/", status: 200, title: before}, {path: "/c", status: 200, title: before},
			{path: "/d", status: 200, title: before, digest: 1}}),
		New: openCrawl(t, []page{{path: "/", status: 200, title: before},
			{path: "/a", status: 200, digest: 2, title: after},
			gone, {path: "/c", status: 200}, {path: "/d", status: 200, title: before, digest: 2},
			{path: "/e", status: 200, title: after}}),
	}
	var got []string
	for change, err := range c.Changes(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		titles := ""
		for _, state := range []*State{change.Old, change.New} {
			if state != nil {
				titles += " " + state.Title
			}
		}
		got = append(got, strings.TrimSpace(fmt.Sprint(change.URL, change.Fields, titles)))
	}
	want := []string{
		origin + "/a[words title] Shoes Boots", origin + "/b[status decision]", origin + "/d[words]", origin + "/e[]",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestInconclusive finds no change of a page that was not rendered to its end, apart from its status.
func TestInconclusive(t *testing.T) {
	failed := &crawl.Rendered{Failure: crawl.DetailRenderPartial}
	c := &Comparison{
		Old: openCrawl(t, []page{{path: "/", status: 200},
			{path: "/a", status: 200, digest: 1, title: "A", lastMod: "2026-01-01"},
			{path: "/b", status: 200, reason: crawl.ReasonCanonical, target: "/a"}, {path: "/c", status: 404}}),
		New: openCrawl(t, []page{{path: "/", status: 200}, {path: "/a", status: 200, title: "App", rendered: failed},
			{path: "/b", status: 200, rendered: failed}, {path: "/c", status: 200, rendered: failed}}),
	}
	if got, want := changes(t, c), []string{"status /c status"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestAbsentInDoubt does not take pages for gone that only a page links to which was not rendered to its end.
func TestAbsentInDoubt(t *testing.T) {
	old := []page{
		{path: "/", status: 200}, {path: "/list", on: "/", status: 200}, {path: "/item", on: "/list", status: 200},
	}
	for _, test := range []struct {
		list page
		want []string
	}{
		{page{path: "/list", status: 200}, []string{"removed /item"}},
		{page{path: "/list", status: 200, rendered: &crawl.Rendered{Failure: crawl.DetailMaxRender}}, nil},
	} {
		c := &Comparison{Old: openCrawl(t, old), New: openCrawl(t, []page{{path: "/", status: 200}, test.list})}
		if got := changes(t, c); !slices.Equal(got, test.want) {
			t.Errorf("%+v: got %q, want %q", test.list, got, test.want)
		}
	}
}

func TestStates(t *testing.T) {
	c := &Comparison{
		Old: openCrawl(t, []page{{path: "/", status: 200, digest: 1, lastMod: "2026-01-01"}}),
		New: openCrawl(t, []page{{path: "/", status: 200, digest: 1 << 63, lastMod: "2026-01-02"}}),
	}
	for change, err := range c.Changes(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if change.Old.Digest != "0000000000000001" || change.New.Digest != "8000000000000000" {
			t.Errorf("digests %s and %s", change.Old.Digest, change.New.Digest)
		}
		if change.LastMod != "2026-01-02" || !change.Time.Equal(asked) || change.Old.Decision != Listed {
			t.Errorf("%+v", change)
		}
	}
}
