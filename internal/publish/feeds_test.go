package publish

import (
	"encoding/xml"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mapatools/mapa/sitemap"
)

// TestNewest compares the feeds with a sort of all pages.
func TestNewest(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, maxFeedItems, maxFeedItems + 1, 1000} {
		dir := t.TempDir()
		pages := site(n)[1:]
		for _, p := range pages {
			p.LastMod = sitemap.DateOf(day1.Add(time.Duration(random.IntN(n)) * time.Minute))
			if random.IntN(10) == 0 {
				p.LastMod = sitemap.Date{}
			}
		}
		mustRun(t, Options{Folder: dir, Outputs: []Output{OutputRSS, OutputAtom}}, pages)
		var want []string
		dated := slices.DeleteFunc(slices.Clone(pages), func(p *Page) bool { return p.LastMod.IsZero() })
		slices.SortFunc(dated, func(a, b *Page) int {
			if by := b.LastMod.Unix() - a.LastMod.Unix(); by != 0 {
				return int(by)
			}
			return strings.Compare(a.Loc, b.Loc)
		})
		for _, p := range dated[:min(len(dated), maxFeedItems)] {
			want = append(want, p.Loc+" "+p.Title)
		}
		var rss struct {
			Items []struct {
				Title string `xml:"title"`
				Link  string `xml:"link"`
			} `xml:"channel>item"`
		}
		if err := xml.Unmarshal([]byte(read(t, dir, "rss.xml")), &rss); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, item := range rss.Items {
			got = append(got, item.Link+" "+item.Title)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d pages: the feed has %q, want %q", n, got, want)
		}
		if has := strings.Contains(fileNames(t, dir), "atom.xml"); has != (len(want) > 0) {
			t.Errorf("%d dated pages: there is an Atom feed: %t", len(want), has)
		}
		validateAll(t, dir)
	}
}

func TestFeedTitle(t *testing.T) {
	for title, want := range map[string]string{"Home & <garden>": "<title>Home &amp; &lt;garden&gt;</title>",
		"": "<title>example.com</title>"} {
		dir := t.TempDir()
		mustRun(t, Options{Folder: dir, Outputs: []Output{OutputRSS, OutputAtom}}, []*Page{page("/", title)})
		for _, name := range []string{"rss.xml", "atom.xml"} {
			if text := read(t, dir, name); !strings.Contains(text, want) {
				t.Errorf("%s lacks %s:\n%s", name, want, text)
			}
		}
	}
}

// TestAtomGoes removes a feed that would be empty.
func TestAtomGoes(t *testing.T) {
	dir := t.TempDir()
	options := Options{Folder: dir, Outputs: []Output{OutputAtom}}
	mustRun(t, options, site(1))
	undated := page("/", "Home")
	undated.LastMod = sitemap.Date{}
	published := mustRun(t, options, []*Page{undated})
	if got := fileNames(t, dir); got != "" || len(published.Files) > 0 {
		t.Errorf("files %s, said to be %v", got, published.Files)
	}
}
