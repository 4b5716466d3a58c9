package extract

import (
	"strings"
	"testing"
)

// TestLists reads lists of pages: the titles in them are their text. Menus and lists of related
// pages are not.
func TestLists(t *testing.T) {
	const menu = `<div><a href=/>Home</a> <a href=/about>About us</a> <a href=/shop>Shop</a> <a href=/blog>Blog</a></div>`
	titles := func(of string) string {
		return strings.Repeat(`<div><a href=/a>How we make `+of+` at night</a></div>`, 3)
	}
	text := `<p>` + strings.Repeat("some more text ", 10)
	for _, test := range []struct {
		name, before, after string // of the list
		words               int
		isList              bool
	}{
		{"in the main element", menu + "<main><h1>All posts</h1>", "<div><a href=/tags>Tags</a></div></main>", 21, true},
		{"main element of links", menu + "<main>", "</main>", 18, true},
		{"no main element", menu + "<h1>All posts</h1>", "", 20, true},
		{"text before", "<main>" + text, "</main>", 48, false},
		{"text outside the main element", text + "<main>", "</main>", 30, false},
		{"navigation", "<p>Text<nav>", "</nav>", 1, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			var scanner Scanner
			scan := func(of string) (digest uint64, words int) {
				page := scanner.Scan([]byte(test.before+titles(of)+test.after), "text/html; charset=utf-8", Options{})
				return page.Digest, page.Words
			}
			bread, words := scan("bread")
			wine, _ := scan("wine")
			if words != test.words || (bread != wine) != test.isList {
				t.Errorf("%d words, want %d; digests %x and %x, want others: %t", words, test.words, bread, wine, test.isList)
			}
		})
	}
}
