package crawl_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mapatools/mapa/crawl"
)

// TestBrokenLinks finds every link to what is broken, also those of one page to the same URL,
// and none to a redirect.
func TestBrokenLinks(t *testing.T) {
	t.Parallel()
	origin := serve(t, parse(t, `
-- / --
<title>Home</title><p>home</p><a href="/gone">one</a> <a href="/fine">two</a> <a href="/gone#part">three</a>
<a href="/moved">four</a> <a href="/hidden">five</a>
-- /fine --
<title>Fine</title><p>fine</p><a href="/gone">six</a>
-- /moved --
HTTP 301
Location: /lost
-- /hidden --
<meta name="robots" content="noindex"><p>hidden</p>
`))
	var store crawl.MemoryStore
	if _, err := run(t, &store, &crawl.Options{Start: origin}); err != nil {
		t.Fatal(err)
	}
	var got []string
	for link, err := range store.BrokenLinks(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		text := fmt.Sprint(link.Page, " ", link.Link.Text, " ", link.URL, " ", link.Status, " ", link.Reason, " ",
			link.Detail)
		got = append(got, strings.ReplaceAll(text, origin, ""))
	}
	slices.Sort(got)
	want := []string{
		"/ one /gone 404 client-error Not Found", "/ three /gone 404 client-error Not Found",
		"/fine six /gone 404 client-error Not Found",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for range store.BrokenLinks(t.Context()) {
		break
	}
}
