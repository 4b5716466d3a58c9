package documents

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"
	xhtml "golang.org/x/net/html"
)

// FuzzMarkdownLinks compares the links of Markdown without HTML with those of the page that
// goldmark makes of it, and looks for each at its place.
func FuzzMarkdownLinks(f *testing.F) {
	for _, source := range []string{
		"[a](b \"c\") ![d *e*](f)\n\n> * [g][h]\n\n[h]: <i j> 'k'", "| a |\n|-|\n| [x](y) www.z.example |\n", "Text[^1]\n\n[^1]: [a](b)",
		"[a\\]](b\\(c\\)) [x](&auml;) http://a.example/b_. `[c](d)`", "# [a](b) #\n\n[c](d)\n===\n\n1. [e](f)\n\n       [g](h)\n",
		"$x[a](b)$ [$$c$$](d) [![e](f)](g)", "---\na: [b](c)\n---\n[d](e)", "[&amp;lt;](a) [b&#92;*](c) [\\&amp;](d)",
	} {
		f.Add(source)
	}
	f.Fuzz(func(t *testing.T, source string) {
		if strings.ContainsAny(source, "<\x00") || !utf8.ValidString(source) {
			t.Skip() // what browsers make of HTML is tested with the scanner
		}
		var got []string
		for _, l := range readPlain([]byte(source)).links {
			got = append(got, linkLine(l.Image, string(util.URLEscape([]byte(l.URL), false)), l.Text))
			checkPlace(t, source, l)
		}
		slices.Sort(got)
		if want := renderedLinks(t, source); !slices.Equal(got, want) {
			t.Errorf("%q:\n%q, want\n%q", source, got, want)
		}
	})
}

func linkLine(image bool, address, text string) string {
	return fmt.Sprintf("%v %s %s", image, address, strings.Join(strings.Fields(text), " "))
}

// checkPlace fails the test unless a link is where it says.
func checkPlace(t *testing.T, source string, l Link) {
	t.Helper()
	lines := strings.Split(source, "\n")
	if l.Line < 1 || l.Line > len(lines) || l.Column < 1 || l.Column > utf8.RuneCountInString(lines[l.Line-1]) {
		t.Fatalf("%q: %s is at %d:%d", source, l.URL, l.Line, l.Column)
	}
	rest := string([]rune(lines[l.Line-1])[l.Column-1:])
	switch {
	case l.Image && strings.HasPrefix(rest, "!["), strings.HasPrefix(rest, "["):
	case strings.HasPrefix(rest, l.Text): // an autolink
	default:
		t.Errorf("%q: %s is at %d:%d: %q", source, l.URL, l.Line, l.Column, rest)
	}
}

// pages makes pages of what markdown reads.
var pages = goldmark.New(
	goldmark.WithExtensions(extension.GFM, extension.Footnote),
	goldmark.WithParserOptions(parser.WithInlineParsers(util.Prioritized(mathParser{}, 150))),
	goldmark.WithRendererOptions(html.WithUnsafe()),
)

// renderedLinks returns the links of the page that goldmark makes, sorted.
func renderedLinks(t *testing.T, source string) (links []string) {
	t.Helper()
	text := blankFrontMatter([]byte(source))
	var page bytes.Buffer
	if err := pages.Convert(text, &page); err != nil {
		t.Fatal(err)
	}
	root, err := xhtml.Parse(&page)
	if err != nil {
		t.Skip(err) // too deep
	}
	for node := range root.Descendants() {
		if address, is := attributeOf(node, "href"); is && node.Data == "a" {
			if class, _ := attributeOf(node, "class"); !strings.HasPrefix(class, "footnote-") {
				links = append(links, linkLine(false, string(util.URLEscape([]byte(address), false)), textIn(node)))
			}
		}
		if address, is := attributeOf(node, "src"); is && node.Data == "img" {
			alt, _ := attributeOf(node, "alt")
			links = append(links, linkLine(true, string(util.URLEscape([]byte(address), false)), alt))
		}
	}
	slices.Sort(links)
	return links
}

func attributeOf(node *xhtml.Node, name string) (string, bool) {
	for _, a := range node.Attr {
		if a.Key == name {
			return a.Val, true
		}
	}
	return "", false
}

// textIn returns the text of an element, and the alt texts of its images.
func textIn(node *xhtml.Node) string {
	var text strings.Builder
	for n := range node.Descendants() {
		if n.Type == xhtml.TextNode {
			text.WriteString(n.Data)
		}
		if alt, is := attributeOf(n, "alt"); is {
			text.WriteString(alt)
		}
	}
	return text.String()
}

// TestMarkdownGenerated finds the links of generated documents, with their lines and columns.
func TestMarkdownGenerated(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		source, want := generateMarkdown(random)
		if got := shown(readPlain([]byte(source))); got != want {
			t.Fatalf("%s\n\n%s\n\nwant\n%s", source, got, want)
		}
	}
}

// generateMarkdown returns a document, and its links as shown has them.
func generateMarkdown(random *rand.Rand) (source, want string) {
	fillers := []string{
		"word ", "é日 ", "*b* ", "`[c](d)` ", "a\\[b](c\\) ", "1 < 2 ", "x_y_z ", "🚀 ", "$5 ", "[none] ", "<!-- [h](i) --> ",
	}
	prefixes := []string{"", "> ", "* ", "1. ", "## ", "| ", "- [ ] ", "> > "}
	var text, links strings.Builder
	var defined []func(line int) // write the definition of a link, and the link
	line, number := 1, 0
	for range 1 + random.IntN(8) {
		prefix := prefixes[random.IntN(len(prefixes))]
		if prefix == "| " {
			text.WriteString("| a |\n|---|\n")
			line += 2
		}
		column := 1 + utf8.RuneCountInString(prefix)
		text.WriteString(prefix + "w ")
		column += 2
		for range random.IntN(6) {
			part := fillers[random.IntN(len(fillers))]
			if random.IntN(2) == 0 {
				number++
				address, label := fmt.Sprintf("t/%d.md#a", number), fmt.Sprintf("text %d", number)
				kind := ""
				switch random.IntN(5) {
				case 0:
					part = fmt.Sprintf("[%s](%s 'title') ", label, address)
				case 1:
					part = fmt.Sprintf("[*%s*](<%s>) ", label, address)
				case 2:
					part, kind = fmt.Sprintf("![%s](%s) ", label, address), "!"
				case 3:
					part = fmt.Sprintf("[%s][r%d] ", label, number)
					reference := fmt.Sprintf("[r%d]: %s \"title\"\n", number, address)
					defined = append(defined, func(line int) {
						text.WriteString(reference)
						fmt.Fprintf(&links, "%d:1 %s %q\n", line, address, label)
					})
				case 4:
					part = fmt.Sprintf("<a class=x href='%s'>%s</a> ", address, label)
				}
				if !strings.HasPrefix(part, "["+label+"][") {
					fmt.Fprintf(&links, "%d:%d %s%s %q\n", line, column, kind, address, label)
				}
			}
			text.WriteString(part)
			column += utf8.RuneCountInString(part)
		}
		if prefix == "| " {
			text.WriteString("|")
		}
		text.WriteString("\n\n")
		line += 2
	}
	for i, define := range defined {
		define(line + i)
	}
	return text.String(), strings.TrimSuffix(links.String(), "\n")
}
