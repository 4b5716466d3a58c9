package hostile

import (
	"fmt"
	"html"
	"net/http"
	"strconv"
	"strings"
)

// A Text is a value that an output must not repeat as it is.
type Text struct {
	Name  string
	Value string
}

// Texts are the values that the tests put wherever a stranger may write: control
// characters, changes of direction, commands of CI runners, formulas, markup and
// broken encodings. A page that runs markup has an element <owned> or an attribute
// onowned.
var Texts = []Text{
	{"esc", "\x1b[31mred\x1b[2J"}, {"esc-title", "\x1b]0;owned\x07"}, {"bel", "bel\x07bel"},
	{"backspace", "safe\b\b\b\bevil"}, {"nul", "nul\x00nul"}, {"del", "del\x7fdel"},
	{"vertical-tab", "a\vb\fc"}, {"c1-csi", "\u009b31mred"}, {"c1-nel", "a\u0085::error::owned"},
	{"c1-raw", "\x9b31mred"}, {"shift-out", "a\x0eb\x0f"},
	{"bidi-rlo", "abc\u202egpj.exe"}, {"bidi-lro", "\u202dabc"}, {"bidi-isolate", "\u2066abc\u2069\u2067z"},
	{"bidi-mark", "abc\u200fdef\u061c"}, {"line-separator", "a\u2028::error::owned"}, {"paragraph-separator",
		"a\u2029##[error]owned"},
	{"bidi-left", "abc\u200edef\u200e"}, {"bidi-embed", "\u202aabc\u202bdef\u202cg"},
	{"bidi-strong", "\u2068abc\u2067def"}, {"invisible", "a\u00adb\u2060c\u2063d\u180ee\u206af"},
	{"filler", "a\u3164b\uffa0c\u115fd\u034fe"},
	{"zero-width", "ab\u200bc\ufeffd"}, {"tags", "ab\U000e0041\U000e007f"}, {"noncharacter", "a\ufffeb\uffff"},
	{"github-error", "::error::owned"}, {"github-file", "::error file=a,line=1::owned"}, {"github-stop",
		"  ::stop-commands::x"},
	{"github-old", "##[error]owned"}, {"github-line", "a\n::error::owned"}, {"github-cr", "a\r::error::owned"},
	{"azure", "##vso[task.complete result=Succeeded]done"}, {"azure-middle", "a ##vso[task.setvariable variable=x]y"},
	{"azure-crlf", "a\r\n##vso[task.complete]"}, {"teamcity", "##teamcity[buildStatus status='SUCCESS']"},
	{"formula-equals", "=HYPERLINK(\"http://evil.example\",\"x\")"}, {"formula-plus", "+1+cmd|' /C calc'!A0"},
	{"formula-minus", "-2+3+cmd|' /C calc'!A0"}, {"formula-at", "@SUM(1+1)"}, {"formula-tab", "\t=1+1"},
	{"formula-cr", "\r=1+1"}, {"formula-wide", "＝1+1"}, {"formula-wide-at", "＠SUM(1)"}, {"formula-quoted",
		"\"=1+1\",=2+2"},
	{"cdata", "]]>a<![CDATA[b"}, {"script-end", "</script><owned onowned=1>"}, {"attribute", "\" onowned=\"1"},
	{"comment", "--><owned><!--"}, {"entity", "&owned;&#27;&lt;owned&gt;"},
	{"utf8-invalid", "a\xff\xfe\xc0b"}, {"utf8-surrogate", "a\xed\xa0\x80\xed\xb0\x80b"}, {"utf8-overlong",
		"a\xc0\xaf\xe0\x80\x9b31m"},
	{"utf8-cut", "abc\xe2\x80"}, {"long", strings.Repeat("z\u202e", 20_000)},
}

// attribute writes a text as the value of an attribute in double quotes.
func attribute(text string) string {
	return strings.NewReplacer("&", "&amp;", `"`, "&quot;").Replace(text)
}

// references writes every character of a text as a numeric reference.
func references(text string) string {
	var b strings.Builder
	for _, r := range text {
		fmt.Fprintf(&b, "&#x%x;", r)
	}
	return b.String()
}

// headerValue removes what would end a header line.
func headerValue(text string) string {
	return strings.NewReplacer("\r", "", "\n", "", "\x00", "").Replace(text)
}

// TextSite is a site that says every text of Texts wherever a site can say anything:
// titles, descriptions, link texts, URLs, fragments, anchors, headers, media types,
// redirects, robots.txt and its sitemap. Its pages change with every generation.
func TextSite(generation func() int) Behaviour {
	texts := Texts
	return Behaviour{
		Name: "texts", Does: "says hostile texts everywhere",
		answer: func(x *exchange) {
			name, rest, _ := strings.Cut(strings.TrimPrefix(x.path, "/"), "-")
			n, err := strconv.Atoi(rest)
			switch {
			case x.path == "/":
				var b strings.Builder
				for i := range texts {
					fmt.Fprintf(&b, "<a href=/text-%d>t</a><a href=/type-%[1]d>t</a>", i)
					fmt.Fprintf(&b, "<a href=/move-%d>t</a><a href=/gone-%[1]d>t</a>\n", i)
				}
				x.reply(http.StatusOK, htmlType, "<title>home</title>"+b.String())
			case x.path == "/robots.txt":
				var b strings.Builder
				for _, text := range texts {
					b.WriteString("# " + text.Value + "\nDisallow: /private/" +
						headerValue(text.Value) + "\nSitemap: " + headerValue(text.Value) + "\n")
				}
				x.reply(http.StatusOK, textType, "User-agent: *\n"+b.String())
			case x.path == "/sitemap.xml":
				var b strings.Builder
				for i, text := range texts {
					fmt.Fprintf(&b, "<url><loc>%s/text-%d?%s</loc></url>\n", x.Server.URL, i, html.EscapeString(short(text.Value)))
				}
				x.reply(http.StatusOK, xmlType, "<urlset "+namespace+">"+b.String()+"</urlset>")
			case err != nil || n >= len(texts):
				x.reply(http.StatusNotFound, textType, "no")
			case name == "text":
				header := "Last-Modified: Mon, 05 Jan 2026 10:00:00 GMT\r\nETag: " + headerValue(texts[n].Value) + "\r\n" +
					"X-Robots-Tag: " + headerValue(short(texts[n].Value)) + "\r\n"
				x.reply(http.StatusOK, htmlType+header, textPage(texts[n].Value, n, generation()))
			case name == "type":
				x.reply(http.StatusOK, "Content-Type: "+headerValue(short(texts[n].Value))+"\r\n", document("type"))
			case name == "move":
				x.reply(http.StatusFound, "Location: /"+headerValue(short(texts[n].Value))+"\r\n", "")
			default:
				x.reply(500+n, "Content-Type: "+headerValue(short(texts[n].Value))+"\r\n", texts[n].Value)
			}
		},
	}
}

// short keeps a text from being too long for a header.
func short(text string) string { return text[:min(len(text), 2000)] }

// textPage is a page with one text in every place.
func textPage(text string, n, generation int) string {
	escaped, quoted, encoded := html.EscapeString(text), attribute(text), references(text)
	var b strings.Builder
	fmt.Fprintf(&b, "<!doctype html><html lang=\"%s\"><title>%s%d</title>", quoted, escaped, generation)
	fmt.Fprintf(&b, "<meta name=description content=\"%s\"><meta property=og:title content=\"%[1]s\">", quoted)
	fmt.Fprintf(&b, "<meta property=article:modified_time content=\"%s\">", quoted)
	fmt.Fprintf(&b, "<link rel=alternate hreflang=\"%s\" href=\"/text-%d?%[1]s\">", attribute(short(text)), n)
	fmt.Fprintf(&b, "<h1>%s</h1><p>%s</p>", escaped, strings.Repeat(strconv.Itoa(n)+" ", 30))
	for _, value := range []string{quoted, encoded} {
		fmt.Fprintf(&b, "<p id=\"%s\"><a href=\"%[1]s\">%[1]s</a><a href=\"/text-1#%[1]s\">%[1]s</a>", value)
		fmt.Fprintf(&b, "<a href=\"/dead/%s?q=%[1]s\">%[1]s</a><a href=\"http://%[1]s/\">%[1]s</a><a href=\"%[1]s:%[1]s\">z</a>", value)
		fmt.Fprintf(&b, "<img src=\"/image-%d.png?%s\" alt=\"%[2]s\" title=\"%[2]s\">", n, value)
	}
	fmt.Fprintf(&b, "<a href=\"/gone-%d\">%s</a><a href=\"/text-%d\">%[2]s</a>", n, escaped, (n+generation)%len(Texts))
	return b.String()
}

// TextSitemap is a sitemap with one text in every place. It may be no valid XML.
func TextSitemap(base, text string) string {
	escaped := html.EscapeString(text)
	return fmt.Sprintf(`<?xml version="1.0" encoding="UTF-8"?>
<urlset %s xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"
  xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"
  xmlns:video="http://www.google.com/schemas/sitemap-video/1.1">
<url><loc>%s/good</loc></url>
<url><loc>%[3]s</loc><lastmod>%[3]s</lastmod>
<changefreq>%[3]s</changefreq><priority>%[3]s</priority></url>
<url><loc>%[2]s/%[3]s?q=%[3]s#%[3]s</loc>
<image:image><image:loc>%[3]s</image:loc><image:title>%[3]s</image:title></image:image>
<news:news><news:publication><news:name>%[3]s</news:name>
<news:language>%[3]s</news:language></news:publication>
<news:publication_date>%[3]s</news:publication_date><news:title>%[3]s</news:title></news:news>
<video:video><video:title>%[3]s</video:title>
<video:description>%[3]s</video:description>
<video:thumbnail_loc>%[3]s</video:thumbnail_loc>
<video:duration>%[3]s</video:duration></video:video></url>
</urlset>
`, namespace, base, escaped)
}
