package extract

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

var update = os.Getenv("UPDATE_GOLDEN") != ""

// describe prints every fact of a page.
func describe(p *Page) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "encoding %s\nbase %s\nlang %s\ntitle %q\ndescription %q\nh1 %q\ncanonical %s\n",
		p.Encoding, p.Base, p.Lang, p.Title, p.Description, p.H1, p.Canonical)
	fmt.Fprintf(&b, "robots %+v\n", p.Robots.All)
	for _, bot := range p.Robots.Bots {
		fmt.Fprintf(&b, "robots of %s %+v\n", bot.Bot, bot.Directives)
	}
	og := p.OpenGraph
	fmt.Fprintf(&b, "refresh %s after %v\n", p.Refresh.URL, p.Refresh.Delay)
	fmt.Fprintf(&b, "open graph %q %q %q %s %s %q %s %s\n",
		og.Type, og.Title, og.Description, og.URL, og.Locale, og.SiteName, og.Image, og.Video)
	fmt.Fprintf(&b, "article %s %q %s %s\n", p.Article.Type, p.Article.Headline, p.Article.Published, p.Article.Modified)
	fmt.Fprintf(&b, "images %d, without alt %d, without size %d %q, item types %q, text %t, script %t\n",
		p.Images, p.ImagesWithoutAlt, p.ImagesWithoutSize, p.UnsizedImage, p.ItemTypes, p.HasText, p.HasScript)
	fmt.Fprintf(&b, "titles %d %q, descriptions %d %q, h1s %d %q, in the body %d and %d\n", p.Titles.Count, p.Titles.Second,
		p.Descriptions.Count, p.Descriptions.Second, p.H1s.Count, p.H1s.Second, p.DescriptionsInBody, p.RobotsInBody)
	fmt.Fprintf(&b, "form %t, password %t, video %t, viewport %t, targets %q, broken JSON-LD %s, asks for scripts %t\n",
		p.HasForm, p.HasPassword, p.HasVideo, p.HasViewport, p.FormTargets, fmt.Sprint(p.BrokenJSONLD), p.AsksForScript)
	for _, v := range p.Videos {
		fmt.Fprintf(&b, "video %q %q %s %s %s %s %s\n",
			v.Name, v.Description, v.Thumbnail, v.Content, v.Embed, v.Uploaded, v.Duration)
	}
	for source, dates := range p.Dates {
		fmt.Fprintf(&b, "dates in %v: published %s, modified %s\n", DateSource(source), dates.Published, dates.Modified)
	}
	for _, l := range p.Links {
		fmt.Fprintf(&b, "link %v %q text %q lang %q rel %b head %t load %d\n", l.Kind, l.URL, l.Text, l.Lang, l.Rel, l.Head, l.Load)
	}
	fmt.Fprintf(&b, "links dropped %d\nanchors %q\nwords %d\n", p.LinksDropped, p.Anchors, p.Words)
	return b.Bytes()
}

// TestGolden compares all facts of the pages in testdata with their golden
// files; UPDATE_GOLDEN=1 rewrites those.
func TestGolden(t *testing.T) {
	pages, err := filepath.Glob("testdata/*/*.html")
	if err != nil || len(pages) == 0 {
		t.Fatalf("no pages in testdata: %v", err)
	}
	var s Scanner
	for _, name := range pages {
		page, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		got := describe(s.Scan(page, "", Options{Forms: true}))
		golden := name + ".golden"
		if update {
			if err := os.WriteFile(golden, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s\n got:\n%s\nwant:\n%s", name, got, want)
		}
	}
}

// TestReuse shows that nothing of one page is left in the next.
func TestReuse(t *testing.T) {
	pages, _ := filepath.Glob("testdata/*/*.html")
	var reused Scanner
	for range 2 {
		for _, name := range pages {
			page, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			var fresh Scanner
			want := describe(fresh.Scan(page, "", Options{}))
			if got := describe(reused.Scan(page, "", Options{})); !bytes.Equal(got, want) {
				t.Errorf("%s: a used Scanner gives\n%s\na new one\n%s", name, got, want)
			}
		}
	}
	if got, want := describe(reused.Scan(nil, "", Options{})),
		describe(new(Scanner).Scan(nil, "", Options{})); !bytes.Equal(got, want) {
		t.Errorf("an empty page gives\n%s\nwant\n%s", got, want)
	}
}

func ExampleScanner() {
	page := []byte(`<!DOCTYPE html><title>Fish &amp; chips</title>
<link rel=canonical href=/menu>
<p>Our <a href="/fish?a=1&amp;b=2">fish</a> is fresh, <a href=//ads.example rel=sponsored>chips</a> too.`)

	var scanner Scanner // one per worker, used for all its pages
	found := scanner.Scan(page, "text/html; charset=utf-8", Options{})
	fmt.Printf("%s, canonical %s\n", found.Title, found.Canonical)
	for _, link := range found.Links {
		if link.Kind == KindAnchor {
			fmt.Printf("%s %q paid for: %t\n", link.URL, link.Text, link.Rel&RelSponsored != 0)
		}
	}
	// Output:
	// Fish & chips, canonical /menu
	// /fish?a=1&b=2 "fish" paid for: false
	// //ads.example "chips" paid for: true
}

func ExampleParseRobotsHeader() {
	header := []string{"noarchive", "googlebot: noindex, unavailable_after: 25 Jun 2030 15:00:00 PST"}
	robots := ParseRobotsHeader(header)
	fmt.Println(robots.For("Bingbot").NoIndex, robots.For("Googlebot").NoIndex)
	fmt.Println(robots.For("Googlebot").UnavailableAfter.UTC())
	// Output:
	// false true
	// 2030-06-25 23:00:00 +0000 UTC
}
