package report

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/catalog"
)

// TestLargestFolders checks which folders the picture of a site shows.
func TestLargestFolders(t *testing.T) {
	const site = "https://example.com/"
	times := func(n int, url string) []string { return slices.Repeat([]string{url}, n) }
	var deep, ties []string
	for i := range maxFolders {
		deep = append(deep, fmt.Sprintf("%sa/b/c/%d/page", site, i))
	}
	for i := range 2 * maxPicture {
		ties = append(ties, fmt.Sprintf("%s%03d/page", site, i))
	}
	for name, test := range map[string]struct {
		urls []string
		want string
	}{
		"nothing":      {},
		"one folder":   {times(3, site+"page"), ""},
		"two":          {append(times(3, site+"a/page"), site), "/ 4, /a/ 3"},
		"three levels": {append(times(3, site+"a/b/c/page"), site), "/ 4, /a/ 3, /a/b/ 3"},
		"a path": {
			append(times(3, site+"shop/a/page"), times(2, site+"shop/b/page")...), "/shop/ 5, /shop/a/ 3, /shop/b/ 2",
		},
		"two origins": {append(times(3, "https://b.example/page"), site), "all 4, https://b.example/ 3, / 1"},
		"small":       {append(times(1000, site+"a/page"), site+"b/page"), "/ 1001, /a/ 1000"},
		"cut": {
			append(times(3, site+strings.Repeat("x", 2*maxSegment)+"/page"), site+"a/page"), "/ 4, /a/ 1",
		},
		"control characters": {append(times(3, site+"a\u202e/page"), site), "/ 4, /a/ 3"},
		"after deep ones":    {append(deep, times(5000, site+"z/page")...), "/ 10000, /a/ 5000, /a/b/ 5000, /z/ 5000"},
	} {
		t.Run(name, func(t *testing.T) {
			var all tree
			for _, url := range test.urls {
				all.add(url, false, false)
			}
			var got []string
			for _, f := range all.largest() {
				url := f.URL
				if url == "" {
					url = "all"
				}
				got = append(got, fmt.Sprint(strings.Replace(url, site, "/", 1), " ", f.Total))
			}
			if text := strings.Join(got, ", "); text != test.want {
				t.Errorf("%s, want %s", text, test.want)
			}
		})
	}
	var all tree
	for _, url := range append(ties, times(2, site+"zzz/page")...) {
		all.add(url, false, false)
	}
	found := all.largest()
	if len(found) != maxPicture || found[maxPicture-1].URL != site+"zzz/" {
		t.Errorf("%d folders, the last %v", len(found), found[len(found)-1])
	}
}

// TestTreemapNumbers checks that each URL is in one field.
func TestTreemapNumbers(t *testing.T) {
	var all tree
	for url, is := range map[string][2]bool{
		"https://example.com/": {true, false}, "https://example.com/a/1": {true, false},
		"https://example.com/a/b/1": {false, true}, "https://example.com/a/b/2": {false, false},
		"https://example.com/c/": {true, false},
	} {
		all.add(url, is[0], is[1])
	}
	o := &Overview{Folders: all.largest()}
	var got []string
	href := func(_, choice string) string { return choice }
	for _, f := range o.Treemap(catalog.For(catalog.English), href).Fields {
		got = append(got, f.Href+" "+f.Title())
	}
	const want = `https://example.com/a/ /a/ (others): 1 address: 1 listed, 0 left out, 0 broken
https://example.com/a/b/ /a/b/: 2 addresses: 0 listed, 1 left out, 1 broken
https://example.com/c/ /c/: 1 address: 1 listed, 0 left out, 0 broken
 / (others): 1 address: 1 listed, 0 left out, 0 broken`
	if text := strings.Join(got, "\n"); text != want {
		t.Errorf("%s\nwant\n%s", text, want)
	}
}
