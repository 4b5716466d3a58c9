package sitemap_test

import (
	"fmt"
	"testing"

	"github.com/mapatools/mapa/sitemap"
)

// TestNamespaceSpellings reads one entry under every spelling of the protocol's
// namespace that files have.
func TestNamespaceSpellings(t *testing.T) {
	for _, c := range []struct {
		namespace string
		want      sitemap.FaultKind
	}{
		{"http://www.sitemaps.org/schemas/sitemap/0.9", ""},
		{"https://www.sitemaps.org/schemas/sitemap/0.9", sitemap.FaultNamespaceVariant},
		{"http://www.sitemaps.org/schemas/sitemap/0.9/", sitemap.FaultNamespaceVariant},
		{"https://www.sitemaps.org/schemas/sitemap/0.9/", sitemap.FaultNamespaceVariant},
		{"http://sitemaps.org/schemas/sitemap/0.9", sitemap.FaultNamespaceVariant},
		{"https://sitemaps.org/schemas/sitemap/0.9", sitemap.FaultNamespaceVariant},
		{"https://sitemaps.org/schemas/sitemap/0.9/", sitemap.FaultNamespaceVariant},
		{"//www.sitemaps.org/schemas/sitemap/0.9", sitemap.FaultNamespaceVariant},
		{"www.sitemaps.org/schemas/sitemap/0.9", sitemap.FaultNamespaceVariant},
		{"HTTP://WWW.SITEMAPS.ORG/schemas/sitemap/0.9", sitemap.FaultNamespaceVariant},
		{" http://www.sitemaps.org/schemas/sitemap/0.9 ", sitemap.FaultNamespaceVariant},
		{"http://www.google.com/schemas/sitemap/0.84", sitemap.FaultNamespaceVariant},
		{"https://www.google.com/schemas/sitemap/0.84", sitemap.FaultNamespaceVariant},
		{"http://www.google.com/schemas/sitemap/0.9", sitemap.FaultNamespaceVariant},
		{"http://www.google.com/schemas/sitemap/0.90", sitemap.FaultNamespaceVariant},
		{"http://www.ejemplo.com/schemas/sitemap/0.9", sitemap.FaultNamespaceWrong},
		{"http://www.sitemaps.org/schemas/sitemap/1.0", sitemap.FaultNamespaceWrong},
		{"", sitemap.FaultNamespaceMissing},
	} {
		var want []sitemap.FaultKind
		if c.want != "" {
			want = append(want, c.want)
		}
		for _, shape := range []string{
			`<urlset xmlns="%s"><url><loc>http://example.com/</loc></url></urlset>`,
			`<s:urlset xmlns:s="%s"><s:url><s:loc>http://example.com/</s:loc></s:url></s:urlset>`,
			`<sitemapindex xmlns='%s'><sitemap><loc>http://example.com/</loc></sitemap></sitemapindex>`,
		} {
			got := read(t, fmt.Sprintf(shape, c.namespace), sitemap.ReaderOptions{})
			got.wantErr(t, "")
			got.wantLocs(t, "http://example.com/")
			got.wantKinds(t, want...)
		}
	}
}

func TestNamespaceShapes(t *testing.T) {
	const right = `"http://www.sitemaps.org/schemas/sitemap/0.9"`
	for name, c := range map[string]struct {
		document string
		want     []sitemap.FaultKind
	}{
		"none": {`<urlset><url><loc>http://a/</loc></url></urlset>`,
			[]sitemap.FaultKind{sitemap.FaultNamespaceMissing}},
		"prefix without namespace": {`<s:urlset><s:url><s:loc>http://a/</s:loc></s:url></s:urlset>`,
			[]sitemap.FaultKind{sitemap.FaultNamespaceMissing}},
		"the same twice": {
			`<urlset xmlns=` + right + ` xmlns=` + right + `><url><loc>http://a/</loc></url></urlset>`,
			[]sitemap.FaultKind{sitemap.FaultDuplicateAttribute},
		},
		"of two the first counts": {
			`<urlset xmlns="http://a/" xmlns=` + right + `><url><loc>http://a/</loc></url></urlset>`,
			[]sitemap.FaultKind{sitemap.FaultDuplicateAttribute, sitemap.FaultNamespaceWrong},
		},
		"right one first": {
			`<urlset xmlns=` + right + ` xmlns="http://a/"><url><loc>http://a/</loc></url></urlset>`,
			[]sitemap.FaultKind{sitemap.FaultDuplicateAttribute},
		},
		"children without the prefix": {`<s:urlset xmlns:s=` + right + `><url><loc>http://a/</loc></url></s:urlset>`, nil},
		"children with a prefix of their own": {
			`<urlset xmlns=` + right + ` xmlns:s=` + right + `><s:url><s:loc>http://a/</s:loc></s:url></urlset>`, nil,
		},
		"entity in the name": {`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0&#46;9"><url><loc>http://a/</loc></url></urlset>`, nil},
		"white space in tags": {
			"<urlset\n\txmlns = " + right + "\r\n><url ><loc\n>http://a/</loc ></url\t></urlset\n>", nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := read(t, c.document, sitemap.ReaderOptions{})
			got.wantErr(t, "")
			got.wantLocs(t, "http://a/")
			got.wantKinds(t, c.want...)
		})
	}
}

// TestExtensionNamespaces reads one extension of every vocabulary under every
// spelling of its namespace, and under a prefix that is not the usual one.
func TestExtensionNamespaces(t *testing.T) {
	parts := map[string]struct {
		inner string
		found func(*sitemap.Extensions) bool
		names map[string]sitemap.FaultKind
	}{
		"image": {`<%[1]simage><%[1]sloc>b</%[1]sloc></%[1]simage>`,
			func(e *sitemap.Extensions) bool { return len(e.Images) == 1 && e.Images[0].Loc == "b" },
			map[string]sitemap.FaultKind{
				"http://www.google.com/schemas/sitemap-image/1.1":   "",
				"https://www.google.com/schemas/sitemap-image/1.1":  sitemap.FaultExtensionVariant,
				"http://www.google.com/schemas/sitemap-image/1.1/":  sitemap.FaultExtensionVariant,
				"http://www.google.com/schemas/sitemap-image/1.0":   sitemap.FaultExtensionVariant,
				"//www.google.com/schemas/sitemap-image/1.1":        sitemap.FaultExtensionVariant,
				"https://google.com/schemas/sitemap-image/1.1":      sitemap.FaultExtensionVariant,
				" http://www.google.com/schemas/sitemap-image/1.1 ": sitemap.FaultExtensionVariant,
			}},
		"video": {`<%[1]svideo><%[1]stitle>b</%[1]stitle></%[1]svideo>`,
			func(e *sitemap.Extensions) bool { return len(e.Videos) == 1 && e.Videos[0].Title == "b" },
			map[string]sitemap.FaultKind{
				"http://www.google.com/schemas/sitemap-video/1.1":  "",
				"https://www.google.com/schemas/sitemap-video/1.1": sitemap.FaultExtensionVariant,
			}},
		"news": {`<%[1]snews><%[1]stitle>b</%[1]stitle></%[1]snews>`,
			func(e *sitemap.Extensions) bool { return len(e.News) == 1 && e.News[0].Title == "b" },
			map[string]sitemap.FaultKind{
				"http://www.google.com/schemas/sitemap-news/0.9":  "",
				"https://www.google.com/schemas/sitemap-news/0.9": sitemap.FaultExtensionVariant,
				"http://www.google.com/schemas/sitemap-news/0.84": sitemap.FaultExtensionVariant,
			}},
		"xhtml": {`<%[1]slink rel="alternate" hreflang="de" href="b"/>`,
			func(e *sitemap.Extensions) bool { return len(e.Alternates) == 1 && e.Alternates[0].Href == "b" },
			map[string]sitemap.FaultKind{
				"http://www.w3.org/1999/xhtml":   "",
				"http://www.w3.org/1999/xhtml/":  sitemap.FaultExtensionVariant,
				"https://www.w3.org/1999/xhtml":  sitemap.FaultExtensionVariant,
				"https://www.w3.org/1999/xhtml/": sitemap.FaultExtensionVariant,
			}},
		"mobile": {`<%[1]smobile/>`, func(e *sitemap.Extensions) bool { return e.Mobile },
			map[string]sitemap.FaultKind{
				"http://www.google.com/schemas/sitemap-mobile/1.0":  "",
				"https://www.google.com/schemas/sitemap-mobile/1.0": sitemap.FaultExtensionVariant,
			}},
		"pagemap": {`<%[1]sPageMap><%[1]sTemplate src="b"/></%[1]sPageMap>`,
			func(e *sitemap.Extensions) bool { return len(e.PageMaps) == 1 && e.PageMaps[0].Template == "b" },
			map[string]sitemap.FaultKind{
				"http://www.google.com/schemas/sitemap-pagemap/1.0":  "",
				"https://www.google.com/schemas/sitemap-pagemap/1.0": sitemap.FaultExtensionVariant,
			}},
	}
	const open = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"`
	for name, part := range parts {
		for namespace, kind := range part.names {
			for _, prefix := range []string{name, "x"} {
				inner := fmt.Sprintf(part.inner, prefix+":")
				atRoot := read(t, open+` xmlns:`+prefix+`="`+namespace+`">`+url("http://a/", inner)+`</urlset>`,
					sitemap.ReaderOptions{})
				atRoot.wantErr(t, "")
				if kind == "" {
					atRoot.wantKinds(t)
				} else {
					atRoot.wantKinds(t, kind)
				}
				entry := `<url xmlns:` + prefix + `="` + namespace + `"><loc>http://a/</loc>` + inner + `</url>`
				atEntry := read(t, open+`>`+entry+`</urlset>`, sitemap.ReaderOptions{})
				for _, got := range []reading{atRoot, atEntry} {
					if len(got.Entries) != 1 || !part.found(&got.Entries[0].Extensions) {
						t.Errorf("%s as %s:\n%s", namespace, prefix, got.describe())
					}
				}
			}
			own := fmt.Sprintf(part.inner, "")
			end := len("<image")
			for i, c := range own {
				if c == '>' || c == ' ' || c == '/' {
					end = i
					break
				}
			}
			own = own[:end] + ` xmlns="` + namespace + `"` + own[end:]
			got := read(t, open+`>`+url("http://a/", own)+`</urlset>`, sitemap.ReaderOptions{})
			if len(got.Entries) != 1 || !part.found(&got.Entries[0].Extensions) {
				t.Errorf("%s as the default:\n%s", namespace, got.describe())
			}
		}
	}
}

// TestUndeclaredPrefix reads an undeclared prefix as what it usually means, and
// keeps an unknown one.
func TestUndeclaredPrefix(t *testing.T) {
	got := read(t, `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`+
		url("http://a/", `<image:image><image:loc>b</image:loc></image:image><x:y>z</x:y>`)+`</urlset>`,
		sitemap.ReaderOptions{})
	got.wantKinds(t, sitemap.FaultExtensionUndeclared, sitemap.FaultExtensionUndeclared)
	extensions := got.Entries[0].Extensions
	if len(extensions.Images) != 1 || len(extensions.Other) != 1 || extensions.Other[0].XML != "<x:y>z</x:y>" {
		t.Errorf("%+v", extensions)
	}
}

// TestProtocolPageFaults reads the faulty examples that translations of the
// protocol page have carried for years: a namespace on the translator's own
// host, addresses with bare ampersands, a namespace given twice, Google's of
// 2005.
func TestProtocolPageFaults(t *testing.T) {
	const entries = `
  <url>
    <loc>http://www.ejemplo.com/</loc>
    <lastmod>2005-01-01</lastmod>
    <changefreq>monthly</changefreq>
    <priority>0.8</priority>
  </url>
  <url>
    <loc>http://www.ejemplo.com/catalogo?item=12&desc=vacaciones_hawai</loc>
    <changefreq>weekly</changefreq>
  </url>
  <url>
    <loc>http://www.ejemplo.com/catalogo?item=73&amp;desc=vacaciones_españa</loc>
    <lastmod>2004-12-23T18:00:15+00:00</lastmod>
    <priority>0.3</priority>
  </url>
</urlset>`
	want := []readEntry{
		{Loc: "http://www.ejemplo.com/", LastMod: "2005-01-01", ChangeFreq: "monthly", Priority: "0.8"},
		{Loc: "http://www.ejemplo.com/catalogo?item=12&desc=vacaciones_hawai", LastMod: absent, ChangeFreq: "weekly",
			Priority: absent},
		{Loc: "http://www.ejemplo.com/catalogo?item=73&desc=vacaciones_españa", LastMod: "2004-12-23T18:00:15+00:00",
			ChangeFreq: absent, Priority: "0.3"},
	}
	for root, kinds := range map[string][]sitemap.FaultKind{
		`<urlset xmlns="http://www.ejemplo.com/schemas/sitemap/0.9">`: {sitemap.FaultNamespaceWrong},
		`<urlset xmlns="http://www.google.com/schemas/sitemap/0.84">`: {sitemap.FaultNamespaceVariant},
		`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"` +
			` xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`: {sitemap.FaultDuplicateAttribute},
		`<urlset xmlns="http://www.google.com/schemas/sitemap/0.84"` +
			` xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`: {
			sitemap.FaultDuplicateAttribute, sitemap.FaultNamespaceVariant},
		`<urlset xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"` +
			` xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`: nil,
		`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"` +
			` xsi:schemaLocation="http://www.sitemaps.org/sitemap.xsd">`: nil,
	} {
		got := read(t, `<?xml version="1.0" encoding="UTF-8"?>`+"\n"+root+entries, sitemap.ReaderOptions{})
		got.wantErr(t, "")
		got.wantKinds(t, append(kinds, sitemap.FaultBareAmpersand)...)
		if len(got.Entries) != len(want) {
			t.Fatalf("%d entries, want %d", len(got.Entries), len(want))
		}
		for i, w := range want {
			g := got.Entries[i]
			if g.Loc != w.Loc || g.LastMod != w.LastMod || g.ChangeFreq != w.ChangeFreq || g.Priority != w.Priority {
				t.Errorf("entry %d: %+v, want %+v", i, g, w)
			}
		}
		if f := got.Faults[len(got.Faults)-1]; f.Line != 10 ||
			f.Column != len("    <loc>http://www.ejemplo.com/catalogo?item=12")+1 || f.Element != "loc" {
			t.Errorf("bare ampersand at line %d, column %d in %s", f.Line, f.Column, f.Element)
		}
	}
}
