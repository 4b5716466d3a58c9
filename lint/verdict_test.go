package lint_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mapatools/mapa/lint"
)

const (
	indexHead     = `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + "\n"
	extensionHead = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
 xmlns:image="http://www.google.com/schemas/sitemap-image/1.1" xmlns:video="http://www.google.com/schemas/sitemap-video/1.1"
 xmlns:news="http://www.google.com/schemas/sitemap-news/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">` + "\n"
	plainVideo = "<video:thumbnail_loc>https://example.com/a.png</video:thumbnail_loc><video:title>t</video:title>" +
		"<video:description>d</video:description><video:content_loc>https://example.com/a.mp4</video:content_loc>"
	plainNews = "<news:publication><news:name>n</news:name><news:language>en</news:language></news:publication>" +
		"<news:publication_date>2025-06-15</news:publication_date><news:title>t</news:title>"
)

func link(hreflang, href string) string {
	return `<xhtml:link rel="alternate" hreflang="` + hreflang + `" href="https://example.com/` + href + `"/>`
}

// TestVerdicts checks small files under rule sets: the severities, the rules and words
// of the messages.
func TestVerdicts(t *testing.T) {
	entry := func(extensions string) string {
		return extensionHead + "<url><loc>https://example.com/a</loc>" + extensions + "</url></urlset>"
	}
	for name, c := range map[string]struct {
		engines lint.Engines
		text    string
		want    []string // severity, rule, part of the message
	}{
		"white space first": {text: "\n\n" + head + "<url><loc>https://example.com/</loc></url></urlset>"},
		"white space before a declaration": {text: "\n<?xml version='1.0'?>" + head + "<url>" +
			"<loc>https://example.com/</loc></url></urlset>",
			want: []string{"error leading-whitespace declaration"}},
		"a declaration twice": {text: head + "<url><loc>https://example.com/</loc></url></urlset><?xml version='1.0'?>",
			want: []string{"error late-declaration "}},
		"a late stylesheet": {text: head + "<url><loc>https://example.com/</loc></url></urlset>\n" +
			"<?xml-stylesheet href='/a.xsl'?>",
			want: []string{"warning pi-after-root 3:1"}},
		"a harmless instruction": {text: head + "<?php-cache 1?><url><?x?><loc>https://example.com/</loc></url>" +
			"</urlset><?y?>"},
		"an unclosed entry": {text: head + "<url><loc>https://example.com/a</loc>\n<url>" +
			"<loc>https://example.com/b</loc></url></urlset>",
			want: []string{"error unclosed-entry 2:1"}},

		"an empty loc": {text: head + "<url><loc></loc></url><url><loc>https://example.com/a</loc></url></urlset>",
			want: []string{"error missing-loc <url> has no <loc> with a URL"}},
		"a short word": {text: head + "<url><loc>https://example.com/a</loc><foo>x</foo></url></urlset>",
			want: []string{"error unknown-element of its vocabulary"}},

		"a misspelled image": {text: entry("<image:imge><image:loc>https://example.com/a.png</image:loc></image:imge>"),
			want: []string{"warning extension-element did you mean <image:image>?"}},
		"children that do not exist": {text: entry("<image:image><image:loc>https://example.com/a.png</image:loc>" +
			"<image:alt>x</image:alt></image:image>" +
			"<video:video>" + plainVideo + "<video:expiry_date>2030-01-01</video:expiry_date></video:video>" +
			"<news:news>" + plainNews + "<news:author>x</news:author></news:news>"),
			want: []string{"warning extension-element <image:alt>", "warning extension-element <video:expiry_date>",
				"warning extension-element <news:author>"}},
		"the same under the schema": {engines: lint.EngineSchema, text: entry("<image:image>" +
			"<image:loc>https://example.com/a.png</image:loc><image:alt>x</image:alt></image:image>"),
			want: []string{"error extension-element <image:alt>"}},
		"a foreign namespace": {text: head + `<url><loc>https://example.com/a</loc>` +
			`<x:y xmlns:x="http://example.com/x"/></url></urlset>`,
			want: []string{"info ext-ns-unknown <x:y>"}},
		"a misspelled core element": {text: head + "<url><loc>https://example.com/a</loc>" +
			"<lastMod>2024-01-08</lastMod></url></urlset>",
			want: []string{"error unknown-element did you mean <lastmod>?"}},

		"a host that is not ASCII": {text: head + "<url><loc>https://bücher.example/süd</loc></url></urlset>",
			want: []string{"warning loc-not-percent-encoded https://xn--bcher-kva.example/s%C3%BCd"}},
		"an empty label": {text: head + "<url><loc>https://a..example/</loc></url><url>" +
			"<loc>https://.example.com/</loc></url><url><loc>https://example.com./a</loc></url></urlset>",
			want: []string{"error loc-unparsable a..example", "error loc-unparsable .example.com"}},

		"Atom without a namespace": {text: `<feed><entry><link href="https://example.com/a"/></entry></feed>`,
			want: []string{"error atom-namespace no namespace"}},
		"Atom in another namespace": {text: `<a:feed xmlns="http://www.w3.org/2005/Atom" xmlns:a="http://example.com/"><a:entry><a:link href="https://example.com/a"/></a:entry></a:feed>`,
			want: []string{"error atom-namespace http://example.com/"}},
		"Atom with a prefix": {text: `<a:feed xmlns:a="http://www.w3.org/2005/Atom"><a:entry>` +
			`<a:link href="https://example.com/a"/></a:entry></a:feed>`},
		"Atom 0.3": {text: `<feed version="0.3" xmlns="http://purl.org/atom/ns#"><entry>` +
			`<link href="https://example.com/a"/></entry></feed>`},
		"an empty channel": {text: `<rss version="2.0"><channel><title>t</title></channel>` +
			`</rss>`, want: []string{"info empty-feed "}},

		"X-DEFAULT": {engines: lint.EngineAll, text: entry(link("en", "a") + link("de", "b") + link("X-DEFAULT", "a")),
			want: []string{"info hreflang-case x-default"}},
		"x_default": {engines: lint.EngineAll, text: entry(link("en", "a") + link("de", "b") + link("x_default", "a")),
			want: []string{"error hreflang-separator x-default"}},
		"x_default by default": {text: entry(link("en", "a") + link("de", "b") + link("x_default", "a")),
			want: []string{"error hreflang-separator x-default"}},

		"an index of relative addresses": {text: indexHead + "<sitemap><loc>/a.xml</loc></sitemap></sitemapindex>",
			want: []string{"error loc-relative 2:15"}},
		"an empty index in one line": {text: `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"></sitemapindex>` + "\n",
			want: []string{"error index-empty 1:82"}},
		"a short relative address": {text: head + "<url><loc>/about/</loc></url><url><loc>a.de</loc></url></urlset>",
			want: []string{"error loc-relative /about/", "error loc-relative a.de"}},
		"a short address": {text: head + "<url><loc>http://a.b</loc></url></urlset>",
			want: []string{"error loc-too-short 10 characters"}},
		"another vocabulary with a title": {text: "<?xml version='1.0'?><page><head><title>RSS</title></head></page>",
			want: []string{"error root-unknown the root element is <page>"}},
		"a page": {text: "<?xml version='1.0'?><html><head><title>RSS</title></head></html>",
			want: []string{"error html-instead-of-xml RSS"}},
		"a template": {text: "{% for page in pages %}" + head + "<url><loc>https://example.com/a</loc></url></urlset>",
			want: []string{"error leading-content {% for page in pages %}"}},
		"a value of a later line": {text: extensionHead + "<url><loc>https://example.com/a</loc>\n<news:news>" +
			strings.Replace(plainNews, "<news:language>en", "\n<news:language>pt-br", 1) + "</news:news>\n" +
			"<video:video>" + plainVideo + "\n<video:rating>9</video:rating></video:video></url></urlset>",
			engines: lint.EngineAll,
			want:    []string{"error news-language 6:1", "error video-rating-range 8:1"}},
		"a feed that breaks off": {text: "<feed xmlns='http://www.w3.org/2005/Atom'>\n<<<<<<< HEAD\n" +
			"<entry><link href='https://example.com/a'/></entry></feed>",
			want: []string{"error xml-not-wellformed 2:1"}},

		"dead elements": {text: entry("<video:video>" + plainVideo + `<video:price currency="EUR">1,99</video:price>` +
			`</video:video>` +
			"<news:news>" + strings.Replace(plainNews, "</news:publication>", "</news:publication>"+
			"<news:access>Free</news:access><news:genres>Nonsense</news:genres>", 1) +
			"</news:news>"),
			want: []string{"info obsolete-value-invalid 1,99", "info obsolete-value-invalid Free",
				"info obsolete-value-invalid Nonsense"}},
		"dead elements under the schema": {engines: lint.EngineSchema,
			text: entry("<video:video>" + plainVideo + `<video:id type="isbn">1</video:id></video:video>`),
			want: []string{"error obsolete-value-invalid isbn"}},
		"dead elements that the schema allows": {text: entry("<video:video>" + plainVideo + `<video:category>c</video:category><video:price currency="EUR">1.99</video:price></video:video>`)},

		"elements in any order": {text: extensionHead + "<url><image:image><image:caption>c</image:caption>" +
			"<image:loc>https://example.com/a.png</image:loc></image:image>" +
			"<lastmod>2024-01-08</lastmod><loc>https://example.com/a</loc></url></urlset>",
			want: []string{"info extension-order <image:loc> must come earlier", "info element-order loc is after lastmod",
				"info extension-before-core "}},
		"elements in any order under the schema": {engines: lint.EngineSchema,
			text: extensionHead + "<url><lastmod>2024-01-08</lastmod><loc>https://example.com/a</loc></url></urlset>",
			want: []string{"error element-order loc is after lastmod"}},
	} {
		t.Run(name, func(t *testing.T) {
			found := check(t, lint.Options{Engines: c.engines, Now: examplesToday, Disable: []string{
				"hreflang-not-reciprocal", "out-of-scope-host", "index-lastmod-missing"}}, write(t, "sitemap.xml", c.text))
			var got []string
			for _, f := range found {
				got = append(got, fmt.Sprintf("%v %s %d:%d %s", f.Severity, f.Rule.ID, f.Line, f.Column, f.Message))
			}
			for _, want := range c.want {
				severity, rest, _ := strings.Cut(want, " ")
				id, words, _ := strings.Cut(rest, " ")
				i := slices.IndexFunc(got, func(line string) bool {
					return strings.HasPrefix(line, severity+" "+id+" ") && strings.Contains(line, words)
				})
				if i < 0 {
					t.Errorf("no %q in\n%s", want, strings.Join(got, "\n"))
					continue
				}
				got = slices.Delete(got, i, i+1)
			}
			if len(got) > 0 {
				t.Errorf("found more:\n%s", strings.Join(got, "\n"))
			}
		})
	}
}

// TestUsedByMisspelled finds that a namespace is used, although no element is spelled
// right, and that another is not.
func TestUsedByMisspelled(t *testing.T) {
	const unused = "<url><loc>https://example.com/a</loc></url></urlset>"
	const used = `<url><loc>https://example.com/a</loc><image:imge/></url></urlset>`
	head := strings.Replace(head, ">", ` xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">`, 1)
	for text, want := range map[string]int{unused: 1, used: 0} {
		options := lint.Options{Only: []string{"ext-ns-unused"}}
		if found := check(t, options, write(t, "sitemap.xml", head+text)); len(found) != want {
			t.Errorf("%s: found %s", text, listed(found))
		}
	}
}

// TestInconsistentLanguages compares the languages that several pages give a version,
// which may be listed or not.
func TestInconsistentLanguages(t *testing.T) {
	page := func(loc, links string) string {
		return "<url><loc>https://example.com/" + loc + "</loc>" + links + "</url>\n"
	}
	self := func(language string) string { return link(language, language) }
	english := page("en", self("en")+link("de", "de"))
	french := func(german string) string { return page("fr", self("fr")+link(german, "de")) }
	for name, c := range map[string]struct {
		entries string
		lines   []int
	}{
		"the page says another":     {english + page("de", self("en")+link("de-AT", "de")), []int{4}},
		"two others differ":         {english + french("de-AT") + page("de", self("en")+self("fr")), []int{5}},
		"the version is not listed": {english + french("de-AT"), []int{5}},
		"the others agree":          {english + french("de"), nil},
		"two languages of one":      {page("en", self("en")+self("de")+link("de-AT", "de")) + page("fr", self("de")), nil},
		"x-default": {page("en", self("en")+link("x-default", "en")) + page("fr", link("X-Default", "en")),
			nil},
	} {
		t.Run(name, func(t *testing.T) {
			options := lint.Options{Only: []string{"hreflang-inconsistent-language"}}
			var lines []int
			for _, f := range check(t, options, write(t, "sitemap.xml", extensionHead+c.entries+"</urlset>")) {
				lines = append(lines, f.Line)
			}
			if !slices.Equal(lines, c.lines) {
				t.Errorf("found in lines %v, want %v", lines, c.lines)
			}
		})
	}
}

// TestOneFaultOnce counts a listed sitemap that cannot be read once, with the reason.
func TestOneFaultOnce(t *testing.T) {
	index := `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<sitemap><loc>https://example.com/gone.xml</loc></sitemap>
<sitemap><loc>https://example.com/page.xml</loc></sitemap>
<sitemap><loc>https://example.com/good.xml</loc></sitemap>
</sitemapindex>`
	archive := "-- /gone.xml --\nHTTP 200\nFailure: dns\n\n-- /page.xml --\n<!DOCTYPE html><title>Welcome</title>\n" +
		"-- /good.xml --\n" + head + "<url><loc>https://example.com/</loc></url></urlset>\n"
	options := exampleOptions(t, []byte(archive))
	options.Disable = []string{"index-lastmod-missing"}
	path := write(t, "index.xml", index)
	found := check(t, options, path)
	if len(found) != 2 || found[0].Rule.ID != "child-unreachable" || found[0].Line != 2 ||
		!strings.Contains(found[0].Message.String(), "host not found") ||
		found[1].Rule.ID != "child-not-sitemap" || found[1].Line != 3 ||
		!strings.Contains(found[1].Message.String(), "Welcome") {
		t.Errorf("found\n%s", listed(found))
	}
	options.Disable = append(options.Disable, "child-unreachable", "child-not-sitemap")
	if got := ids(check(t, options, path)); !slices.Equal(got, []string{"dns", "html-instead-of-xml"}) {
		t.Errorf("without the rules of the index found %v", got)
	}
}

// TestMissingFile has a cure about files, not servers.
func TestMissingFile(t *testing.T) {
	found := check(t, lint.Options{}, filepath.Join(t.TempDir(), "sitemap.xml"))
	if len(found) != 1 || found[0].Rule.ID != "file-unreadable" ||
		!strings.Contains(found[0].Rule.Fix().String(), "path") ||
		strings.Contains(found[0].Rule.Fix().String(), "server") {
		t.Errorf("found\n%s", listed(found))
	}
}

// TestCompressedTwin counts a sitemap and its compressed copy in a folder once.
func TestCompressedTwin(t *testing.T) {
	text := head + "<url><loc>https://example.com/</loc></url></urlset>"
	folder := t.TempDir()
	for name, content := range map[string]string{"sitemap.xml": text, "sitemap.xml.gz": compressed(t, text)} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if found := check(t, lint.Options{Engines: lint.EngineAll}, folder); len(found) != 0 {
		t.Errorf("found\n%s", listed(found))
	}
}
