package documents

import (
	"fmt"
	"strings"
	"testing"
)

// shown writes the links of a document on lines: line, column, URL, text.
func shown(d *document) string {
	var lines []string
	for _, l := range d.links {
		kind := ""
		if l.Image {
			kind = "!"
		}
		lines = append(lines, fmt.Sprintf("%d:%d %s%s %q", l.Line, l.Column, kind, l.URL, l.Text))
	}
	return strings.Join(lines, "\n")
}

func TestMarkdownLinks(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ source, want string }{
		"inline": {"See [the *guide*](guide.md#a \"t\") and\n![logo](img/a.png).", "1:5 guide.md#a \"the guide\"\n2:1 !img/a.png \"logo\""},
		"reference": {"[a][r] [b](b)\n\n[r]: <x y.md> 'T'\n> [s]: s.md\n\n[R][] ![s]\n\n[r]: z.md",
			"1:8 b \"b\"\n3:1 x%20y.md \"a\"\n3:1 x%20y.md \"R\"\n4:3 !s.md \"s\""},
		"definition": {"[r]: a.md\n[r]: b.md\n[unused]: z.md\n\n[r]", "1:1 a.md \"r\""},
		"undefined":  {"[a][none] [none] [ ] a[1]", ""},
		"autolinks": {"<https://a.example/?a=1&b=2> https://b.example/x, www.c.example. <me@d.example>", "1:1 https://a.example/?a=1&b=2 \"https://a.example/?a=1&b=2\"\n" +
			"1:30 https://b.example/x \"https://b.example/x\"\n1:51 http://www.c.example \"www.c.example\"\n" +
			"1:66 mailto:me@d.example \"me@d.example\""},
		"code":     {"`[a](b)` and\n\n    [c](d)\n\n```md\n[e](f)\n<a href=g>\n```\n", ""},
		"table":    {"| a | b |\n|---|---|\n| é [x](y.md) | `[c](d)` |\n", "3:5 y.md \"x\""},
		"footnote": {"Text.[^1]\n\n[^1]: See [b](c.md).\n", "3:11 c.md \"b\""},
		"list":     {"* [a](b)\n  > ## [c](d)\n", "1:3 b \"a\"\n2:8 d \"c\""},
		"html": {"<p align=center>\n  <a href=\"x.md\">X &amp; Y</a> <img src=a.png alt=A>\n</p>\n\nIn <a href=y.md>the *text*</a> [z](z.md)",
			"2:3 x.md \"X & Y\"\n2:32 !a.png \"A\"\n5:4 y.md \"the text\"\n5:32 z.md \"z\""},
		"comment":    {"<!-- [a](b) <a href=c> -->\n[d](e)", "2:1 e \"d\""},
		"image link": {"[![alt](i.svg)](u)", "1:1 u \"alt\"\n1:2 !i.svg \"alt\""},
		"front":      {"---\ntitle: '[a](b)'\n---\n[c](d)", "4:1 d \"c\""},
		"toml":       {"+++\r\na = '[a](b)'\r\n+++\r\n[c](d)", "4:1 d \"c\""},
		"rule":       {"---\n[c](d)", "2:1 d \"c\""},
		"escapes":    {"[a\\]](b\\(c\\)) [x](<a&auml;b>)", "1:1 b(c) \"a]\"\n1:15 a%C3%A4b \"x\""},
		"empty":      {"[](a.md) ![](b.png)", "1:1 a.md \"\"\n1:10 !b.png \"\""},
		"math": {"$x[1](2)$ a$b[c](d)$ $5 [e](f) 6$ $$\\{b\\}[a](b)$$ \\$[g](h)$ $ [i](j)$ $[k](l)", "1:14 d \"c\"\n1:25 f \"e\"\n" +
			"1:53 h \"g\"\n1:63 j \"i\"\n1:72 l \"k\""},
		"setext": {"[a](b)\n======\n", "1:1 b \"a\""},
		"mdx":    {"import X from './x'\n\n<X href=\"no.md\">\n\n[a](b)\n\n</X>\n", "5:1 b \"a\""},
	} {
		if got := shown(readPlain([]byte(test.source))); got != test.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, test.want)
		}
	}
}

func TestMarkdownAnchors(t *testing.T) {
	t.Parallel()
	source := "# Hello, World!\n\n## `code` & *more* [link](x)\n\n### Hello World\n\n# a_b-c.d 1.2 Ñandú 日本\n\n" +
		"## Set {#set-it}\n\n<a name=\"old\"></a><h2 id=New>x</h2>\n\nTitle\n-----\n\n#### 🚀 Launch\n\n# A &amp; \\&amp; `&amp;` B\n"
	want := "hello-world code--more-link hello-world-1 a_b-cd-12-ñandú-日本 set-it set set-set-it title -launch a--amp-amp-b old New"
	got := strings.Join(readPlain([]byte(source)).anchors, " ")
	if got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

func TestTextLinks(t *testing.T) {
	t.Parallel()
	source := "See https://a.example/x. (https://b.example/y_(z)) [https://c.example/]\n'https://d.example/'\thttp://e.example/?q=1,2;\n" +
		"<loc>https://f.example/a&amp;b</loc> ftp://g.example/ https:// xhttps://h.example"
	want := "1:5 https://a.example/x \"https://a.example/x\"\n1:27 https://b.example/y_(z) \"https://b.example/y_(z)\"\n" +
		"1:53 https://c.example/ \"https://c.example/\"\n2:2 https://d.example/ \"https://d.example/\"\n" +
		"2:22 http://e.example/?q=1,2 \"http://e.example/?q=1,2\"\n3:6 https://f.example/a&amp;b \"https://f.example/a&amp;b\""
	if got := shown(readText([]byte(source), part{})); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// TestPagePositions finds each link of a document by its line in the page.
func TestPagePositions(t *testing.T) {
	t.Parallel()
	d := readPlain([]byte("[a](b\"c)\n\n[two\nlines](<d e>) <x@y.example>"))
	var page document
	page.addHTML([]byte(d.html(func(_ int, l *Link) (string, bool) { return l.URL, true })))
	if len(page.links) != 3 || len(page.links) != len(d.links) {
		t.Fatalf("%s", shown(&page))
	}
	for i, l := range page.links {
		if want := &d.links[i]; l.Line != i+1 || l.Text != want.Text {
			t.Errorf("link %d: %+v, want %+v in line %d", i, l, want, i+1)
		}
	}
}

// TestManyMarks reads emphasis that would take hours, and the paragraphs around it.
func TestManyMarks(t *testing.T) {
	t.Parallel()
	found := Markdown([]byte("[a](b)\n\n" + strings.Repeat("*a_\n", 1<<20) + "\n[c](d)\n| x_ | [e](f) |\n"))
	if len(found) != 3 || found[1].URL != "d" || found[1].Line != 1<<20+4 {
		t.Errorf("%d links, the second %+v", len(found), found[min(1, len(found)-1)])
	}
}

// TestManyDefinitions reads definitions that would take minutes, and the first of them.
func TestManyDefinitions(t *testing.T) {
	t.Parallel()
	text := "[first]: a.md\n" + strings.Repeat("[a]: b\n", 200_000) + "\n[first] [last]\n\n[last]: c.md\n"
	if got, want := shown(readPlain([]byte(text))), "1:1 a.md \"first\""; got != want {
		t.Errorf("%s", got)
	}
}

// readPlain reads Markdown that no program makes a page of.
func readPlain(source []byte) *document {
	d, err := readMarkdown(source, 0, nil)
	if err != nil {
		panic(err)
	}
	return d
}
