package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/store"
)

const site = "https://example.com"

// folders returns the folders of texts such as "/a/b/ 3", sorted. Each counts those in it. The first text is
// that of the folder of all origins.
func folders(total int64, lines ...string) []store.Folder {
	all := []store.Folder{{Total: total}}
	for _, line := range lines {
		var f store.Folder
		if _, err := fmt.Sscan(line, &f.URL, &f.Total, &f.Listed, &f.Broken); err != nil {
			panic(err)
		}
		if strings.HasPrefix(f.URL, "/") {
			f.URL = site + f.URL
		}
		f.Level = strings.Count(f.URL, "/") - 2
		all = append(all, f)
	}
	return all
}

// TestPictured checks which folders the picture of a site shows.
func TestPictured(t *testing.T) {
	for name, test := range map[string]struct {
		folders []store.Folder
		want    string
	}{
		"nothing":      {folders(0), ""},
		"one folder":   {folders(3, "/ 3 0 0"), ""},
		"two":          {folders(4, "/ 4 0 0", "/a/ 3 0 0"), "/ 4, /a/ 3"},
		"three levels": {folders(4, "/ 4 0 0", "/a/ 3 0 0", "/a/b/ 3 0 0", "/a/b/c/ 3 0 0"), "/ 4, /a/ 3, /a/b/ 3, /a/b/c/ 3"},
		"a path": {
			folders(5, "/ 5 0 0", "/shop/ 5 0 0", "/shop/a/ 3 0 0", "/shop/b/ 2 0 0"), "/shop/ 5, /shop/a/ 3, /shop/b/ 2",
		},
		"two origins": {folders(4, "https://b.example/ 3 0 0", "/ 1 0 0"), "all 4, https://b.example/ 3, / 1"},
		"small":       {folders(1001, "/ 1001 0 0", "/a/ 1000 0 0", "/b/ 1 0 0"), "/ 1001, /a/ 1000, /b/ 1"},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, f := range pictured(test.folders) {
				url := f.URL
				if url == "" {
					url = "all"
				}
				got = append(got, fmt.Sprint(strings.Replace(url, site, "", 1), " ", f.Total))
			}
			if text := strings.Join(got, ", "); text != test.want {
				t.Errorf("%s, want %s", text, test.want)
			}
		})
	}
}

// TestPicturedMany checks that folders are opened until there are some fields, and that the largest of many are shown.
func TestPicturedMany(t *testing.T) {
	lines := []string{"/ 130 0 0", "/s/ 129 0 0"}
	for i := range 64 {
		lines = append(lines, fmt.Sprintf("/s/%03d/ 2 0 0", i))
	}
	lines[len(lines)-1] = "/s/zzz/ 3 0 0"
	found := pictured(folders(130, lines...))
	if last := found[len(found)-1]; len(found) != maxFields || last.URL != site+"/s/zzz/" {
		t.Errorf("%d folders, the last %v", len(found), last)
	}
	deep := []string{"/ 1000 0 0", "/a/ 40 0 0", "/b/ 900 0 0", "/b/c/ 880 0 0"}
	for i := range 10 {
		deep = append(deep, fmt.Sprintf("/b/c/%d/ %d 0 0", i, 88-i*8))
	}
	found = pictured(folders(1000, deep...))
	if len(found) != 14 {
		t.Errorf("the deep folder is not open: %v", found)
	}
}

// TestTreemapNumbers checks that each URL is in one field.
func TestTreemapNumbers(t *testing.T) {
	o := &Overview{Folders: pictured(folders(5, "/ 5 3 1", "/a/ 3 1 1", "/a/b/ 2 0 1", "/c/ 1 1 0"))}
	var got []string
	href := func(_, choice string) string { return choice }
	for _, f := range o.Treemap(catalog.For(catalog.English), href).Fields {
		got = append(got, f.Href+" "+f.Title())
	}
	const want = `https://example.com/a/b/ /a/b/: 2 addresses: 0 listed, 1 left out, 1 broken
https://example.com/a/ /a/ (others): 1 address: 1 listed, 0 left out, 0 broken
https://example.com/c/ /c/: 1 address: 1 listed, 0 left out, 0 broken
 / (others): 1 address: 1 listed, 0 left out, 0 broken`
	if text := strings.Join(got, "\n"); text != want {
		t.Errorf("%s\nwant\n%s", text, want)
	}
}
