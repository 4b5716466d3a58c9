package sitemap

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func makeGroup(t *testing.T, folder *Folder, name string, limits Limits) *Group {
	t.Helper()
	group, err := folder.Group(name, limits)
	if err != nil {
		t.Fatal(err)
	}
	return group
}

func writePages(t *testing.T, write func(*URL) error, locs []string) {
	t.Helper()
	for _, loc := range locs {
		if err := write(&URL{Loc: loc}); err != nil {
			t.Fatal(err)
		}
	}
}

func indexed(t *testing.T, dir, entrance string) string {
	t.Helper()
	var names []string
	for _, entry := range readAll(t, filepath.Join(dir, entrance)) {
		names = append(names, strings.TrimPrefix(string(entry.Loc), "https://example.com/"))
	}
	return strings.Join(names, " ")
}

// TestGroupNames looks at the index: in order, with a group's own limits, without
// groups that are empty.
func TestGroupNames(t *testing.T) {
	tests := []struct {
		name             string
		rest, shop, news int
		want             string
	}{
		{"all", 4, 1, 3, "sitemap-1.xml sitemap-2.xml sitemap-news-1.xml sitemap-news-2.xml sitemap-shop-1.xml"},
		{"one page", 0, 1, 0, "sitemap-shop-1.xml"},
		{"none in a group", 1, 0, 0, "sitemap-1.xml"},
		{"none at all", 0, 0, 0, "sitemap-1.xml"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			folder, err := NewFolder(dir, options(false))
			if err != nil {
				t.Fatal(err)
			}
			shop, news := makeGroup(t, folder, "shop", Limits{}), makeGroup(t, folder, "news", Limits{URLs: 2})
			writePages(t, shop.Write, pages("shop", test.shop))
			writePages(t, news.Write, pages("news", test.news))
			writePages(t, folder.Write, pages("rest", test.rest))
			if err := folder.Close(); err != nil {
				t.Fatal(err)
			}
			if got := indexed(t, dir, "sitemap.xml"); got != test.want {
				t.Errorf("the index lists %s, want %s", got, test.want)
			}
			if got := len(fileNames(t, dir)); got != 2+len(strings.Fields(test.want)) {
				t.Errorf("files: %v", fileNames(t, dir))
			}
			if folder.Count() != test.rest || shop.Count() != test.shop || news.Count() != test.news {
				t.Errorf("counted %d, %d and %d", folder.Count(), shop.Count(), news.Count())
			}
		})
	}
}

// TestGroupOfRefused begins a part for a page that cannot be written.
func TestGroupOfRefused(t *testing.T) {
	dir := t.TempDir()
	folder, err := NewFolder(dir, options(false))
	if err != nil {
		t.Fatal(err)
	}
	shop := makeGroup(t, folder, "shop", Limits{})
	if err := shop.Write(&URL{Loc: "no address"}); err == nil {
		t.Fatal("no error")
	}
	writePages(t, folder.Write, pages("rest", 1))
	if err := folder.Close(); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(fileNames(t, dir), " "); got != "sitemap-1.xml sitemap.css sitemap.xml" {
		t.Errorf("files: %s", got)
	}
}

func TestGroupAgain(t *testing.T) {
	folder, err := NewFolder(t.TempDir(), options(false))
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Abort()
	first := makeGroup(t, folder, "a", Limits{})
	if again := makeGroup(t, folder, "a", Limits{}); again != first {
		t.Error("a group begun twice is two")
	}
	for _, name := range []string{"", "A", "../x", "a--b", "-a", "ä", strings.Repeat("a", maxGroupName+1)} {
		if _, err := folder.Group(name, Limits{}); err == nil {
			t.Errorf("%q may be a group", name)
		}
	}
	for i := range maxGroups - 1 {
		makeGroup(t, folder, fmt.Sprint("group", i), Limits{})
	}
	if _, err := folder.Group("more", Limits{}); err == nil {
		t.Error("groups without end")
	}
}

// TestGroupsByTurns writes to as many groups as there may be, by turns and more
// than what waits to be compressed may hold, so that all of them are open at once.
func TestGroupsByTurns(t *testing.T) {
	for _, gzip := range []bool{false, true} {
		dir := t.TempDir()
		folder, err := NewFolder(dir, &SetOptions{BaseURL: "https://example.com", Gzip: gzip, Limits: Limits{URLs: 4000}})
		if err != nil {
			t.Fatal(err)
		}
		var groups []*Group
		for i := range maxGroups {
			groups = append(groups, makeGroup(t, folder, fmt.Sprint("group", i), Limits{}))
		}
		loc := "https://example.com/" + strings.Repeat("x", 100)
		const pages = 300_000
		for i := range pages {
			if err := groups[i%maxGroups].Write(&URL{Loc: loc}); err != nil {
				t.Fatal(err)
			}
		}
		if err := folder.Close(); err != nil {
			t.Fatal(err)
		}
		entrance := "sitemap.xml"
		if gzip {
			entrance += ".gz"
		}
		if n := len(readFolder(t, dir, entrance)); n != pages {
			t.Errorf("gzip=%t: %d pages read, want %d", gzip, n, pages)
		}
	}
}

// TestFolderPrepared aborts a set that is ready, and finds the one before.
func TestFolderPrepared(t *testing.T) {
	dir := t.TempDir()
	if err := writeGroups(dir, options(false), pages("old", 7), nil); err != nil {
		t.Fatal(err)
	}
	before := fileNames(t, dir)
	folder, err := NewFolder(dir, options(false))
	if err != nil {
		t.Fatal(err)
	}
	writePages(t, folder.Write, pages("new", 9))
	if err := folder.Prepare(); err != nil {
		t.Fatal(err)
	}
	if err := folder.Write(&URL{Loc: "https://example.com/late"}); err == nil {
		t.Error("a page is taken after the end")
	}
	if _, err := os.Stat(filepath.Join(dir, ".sitemap-3.tmp")); err != nil {
		t.Errorf("not ready: %v", err)
	}
	if err := folder.Abort(); err != nil {
		t.Fatal(err)
	}
	if after := fileNames(t, dir); strings.Join(after, " ") != strings.Join(before, " ") {
		t.Errorf("files: %v, want %v", after, before)
	}
}
