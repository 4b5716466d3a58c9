package sitemap_test

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mapatools/mapa/sitemap"
)

const (
	coreNS    = `xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"`
	imageNS   = `xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"`
	videoNS   = `xmlns:video="http://www.google.com/schemas/sitemap-video/1.1"`
	newsNS    = `xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"`
	xhtmlNS   = `xmlns:xhtml="http://www.w3.org/1999/xhtml"`
	mobileNS  = `xmlns:mobile="http://www.google.com/schemas/sitemap-mobile/1.0"`
	pageMapNS = `xmlns="http://www.google.com/schemas/sitemap-pagemap/1.0"`
)

// TestRootDeclaresWhatIsUsed holds the namespaces of the root element, and that
// a refused entry declares none.
func TestRootDeclaresWhatIsUsed(t *testing.T) {
	all := everything(t)
	for _, test := range []struct {
		name       string
		extensions sitemap.Extensions
		root       string
		inside     string
	}{
		{"none", sitemap.Extensions{}, coreNS, ""},
		{"images", sitemap.Extensions{Images: all.Images}, coreNS + " " + imageNS, ""},
		{"videos", sitemap.Extensions{Videos: all.Videos}, coreNS + " " + videoNS, ""},
		{"news", sitemap.Extensions{News: all.News}, coreNS + " " + newsNS, ""},
		{"alternates", sitemap.Extensions{Alternates: all.Alternates}, coreNS + " " + xhtmlNS, ""},
		{"mobile", sitemap.Extensions{Mobile: true}, coreNS + " " + mobileNS, ""},
		{"page maps", sitemap.Extensions{PageMaps: all.PageMaps}, coreNS, "<PageMap " + pageMapNS + ">"},
		{"all", all.Extensions, strings.Join([]string{coreNS, imageNS, videoNS, newsNS, xhtmlNS, mobileNS}, " "),
			"<PageMap " + pageMapNS + ">"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var file strings.Builder
			w := sitemap.NewWriter(&file)
			refused := *all
			refused.Other = []sitemap.Element{{XML: "<"}}
			if err := w.Write(&refused); !errors.Is(err, sitemap.ErrElement) {
				t.Fatal(err)
			}
			if err := w.Write(&sitemap.URL{Loc: page, Extensions: test.extensions}); err != nil {
				t.Fatal(err)
			}
			if err := w.Write(&refused); !errors.Is(err, sitemap.ErrElement) {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			if root := between(t, file.String(), "<urlset ", ">\n"); root != test.root {
				t.Errorf("root declares\n%s, want\n%s", root, test.root)
			}
			inside := strings.Join(regexp.MustCompile(`<[^>]*xmlns[^>]*>`).FindAllString(between(t, file.String(), ">\n<url>",
				"</urlset>"), -1), "")
			if inside != test.inside {
				t.Errorf("below the root: %s, want %s", inside, test.inside)
			}
		})
	}
}

// TestLateNamespace uses every vocabulary for the first time when the root
// element is out of the writer's hands.
func TestLateNamespace(t *testing.T) {
	var file strings.Builder
	w := sitemap.NewWriter(&file)
	early := everything(t)
	early.Extensions = sitemap.Extensions{Images: early.Images}
	late := everything(t)
	late.Other = nil
	urls := append(slices.Repeat([]*sitemap.URL{{Loc: longLoc(2000)}}, 150), late, late)
	for _, u := range append([]*sitemap.URL{early}, urls...) {
		if err := w.Write(u); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	document := file.String()
	if root := between(t, document, "<urlset ", ">\n"); root != coreNS+" "+imageNS {
		t.Errorf("root declares %s", root)
	}
	for _, tag := range []string{"<video:video " + videoNS, "<news:news " + newsNS, "<xhtml:link " + xhtmlNS,
		"<mobile:mobile " + mobileNS + "/>", "<image:image>"} {
		if !strings.Contains(document, tag) {
			t.Errorf("no %s", tag)
		}
	}
	validate(t, "all.xsd", []byte(document))
	entries, err := readURLs(document)
	if err != nil || len(entries) != len(urls)+1 {
		t.Fatalf("read back %d entries: %v", len(entries), err)
	}
	assertSameURL(t, entries[len(entries)-1], entries[len(entries)-2])
}

// TestElementNamespaces holds how a verbatim element gets the declarations that
// it lacks.
func TestElementNamespaces(t *testing.T) {
	ns := func(prefix, uri string) []sitemap.Namespace { return []sitemap.Namespace{{Prefix: prefix, URI: uri}} }
	for _, test := range []struct {
		name    string
		element sitemap.Element
		want    string
	}{
		{"none needed", sitemap.Element{XML: "<a/>"}, "<a/>"},
		{"declared by itself", sitemap.Element{XML: `<x:a xmlns:x="u"><x:b/></x:a>`}, `<x:a xmlns:x="u"><x:b/></x:a>`},
		{"declared by itself and known", sitemap.Element{XML: `<x:a xmlns:x="u"/>`, Namespaces: ns("x", "v")},
			`<x:a xmlns:x="u"/>`},
		{"prefix", sitemap.Element{XML: "<x:a>b</x:a>", Namespaces: ns("x", "u?a&b")}, `<x:a xmlns:x="u?a&amp;b">b</x:a>`},
		{"prefix of an attribute", sitemap.Element{XML: "<a x:b='1'/>", Namespaces: ns("x", "u")},
			`<a xmlns:x="u" x:b='1'/>`},
		{"default", sitemap.Element{XML: "<a/>", Namespaces: ns("", "u")}, `<a xmlns="u"/>`},
		{"no namespace at all", sitemap.Element{XML: "<a/>", Namespaces: ns("", "")}, `<a xmlns=""/>`},
		{"declared inside", sitemap.Element{XML: `<a><x:b xmlns:x="u"/></a>`, Namespaces: ns("x", "")},
			`<a><x:b xmlns:x="u"/></a>`},
		{"of a vocabulary in use", sitemap.Element{XML: "<image:a/>",
			Namespaces: ns("image", "https://www.google.com/schemas/sitemap-image/1.1/")}, "<image:a/>"},
		{"of one in use, by another prefix",
			sitemap.Element{XML: "<i:a/>", Namespaces: ns("i", "http://www.google.com/schemas/sitemap-image/1.1")},
			"<i:a " + strings.Replace(imageNS, "image=", "i=", 1) + "/>"},
		{"of one not in use, in another spelling",
			sitemap.Element{XML: "<video:a/>", Namespaces: ns("video", "https://google.com/schemas/sitemap-video/1.1")},
			"<video:a " + videoNS + "/>"},
		{"a prefix in use for something else", sitemap.Element{XML: "<image:a/>", Namespaces: ns("image", "u")},
			`<image:a xmlns:image="u"/>`},
		{"comments and sections", sitemap.Element{XML: "<a b='>'><!-- <x:c> --><![CDATA[<x:d>&]]><?e f?></a>"},
			"<a b='>'><!-- <x:c> --><![CDATA[<x:d>&]]><?e f?></a>"},
	} {
		t.Run(test.name, func(t *testing.T) {
			extensions := sitemap.Extensions{Images: []sitemap.Image{{Loc: page}}, Other: []sitemap.Element{test.element}}
			file := write(t, nil, &sitemap.URL{Loc: page, Extensions: extensions})
			if got := between(t, file, "</image:image>", "</url>"); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

// TestManyNamespaces is a hostile document: the check must end, not hang.
func TestManyNamespaces(t *testing.T) {
	var e sitemap.Element
	for i := range 1000 {
		e.Namespaces = append(e.Namespaces, sitemap.Namespace{Prefix: fmt.Sprintf("p%d", i), URI: "u"})
	}
	e.XML = "<p0:a/>"
	refused(t, sitemap.FormatURLSet, &sitemap.URL{Loc: page, Extensions: sitemap.Extensions{Other: []sitemap.Element{e}}},
		"p0:a", sitemap.ErrElement)
}
