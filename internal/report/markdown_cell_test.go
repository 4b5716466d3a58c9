package report

import (
	"regexp"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/format"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
)

// parseCell parses a cell of a table, as GitHub does. It returns what people read, and what of it is neither
// code nor a link: the text in which GitHub and GitLab look for names.
func parseCell(t testing.TB, cell string) (visible, searched string) {
	t.Helper()
	source := []byte("| a | b |\n|---|---|\n| " + cell + " | last |\n")
	root := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader(source))
	var all, plain strings.Builder
	cells := 0
	err := ast.Walk(root, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch node.Kind().String() {
		case "TableCell":
			cells++
		case "CodeSpan":
			for child := node.FirstChild(); child != nil; child = child.NextSibling() {
				all.Write(child.(*ast.Text).Segment.Value(source))
			}
			plain.WriteString("\x00")
			return ast.WalkSkipChildren, nil
		case "AutoLink":
			all.Write(node.(*ast.AutoLink).Label(source))
			plain.WriteString("\x00")
		case "Text":
			value := strings.ReplaceAll(string(node.(*ast.Text).Segment.Value(source)), `\|`, "|")
			all.WriteString(value)
			plain.WriteString(value)
		case "Document", "Table", "TableHeader", "TableRow":
		default:
			t.Errorf("%q has a %s", cell, node.Kind())
		}
		return ast.WalkContinue, nil
	})
	if err != nil || cells != 4 {
		t.Fatalf("%q: %d cells, %v", cell, cells, err)
	}
	visible, _ = strings.CutPrefix(all.String(), "ab")
	searched, _ = strings.CutPrefix(plain.String(), "ab")
	return strings.TrimSuffix(visible, "last"), strings.TrimSuffix(searched, "last")
}

// named matches what GitHub or GitLab reads as the name of somebody or something, or as an emoji.
var named = regexp.MustCompile(`[@#!$%&~^*_\x60<\[\]\\]|[A-Za-z]-?[0-9]|\b[0-9a-fA-F]{7,}\b|:[a-z+]|://`)

func TestMarkdownCell(t *testing.T) {
	for input, want := range map[string]string{
		"":                              "",
		"see @octocat, please":          "see `@octocat`, please",
		"@everyone":                     "`@everyone`",
		"“@org/team” and (#12)":         "“`@org/team`” and (`#12`)",
		"org/repo#5 GH-12 gh-3":         "`org/repo#5` `GH-12` `gh-3`",
		"ann@example.com":               "`ann@example.com`",
		"in 1a2b3c4 or deadbeef 123456": "in `1a2b3c4` or `deadbeef` 123456",
		"org/repo@1a2b3c4d":             "`org/repo@1a2b3c4d`",
		"is broken (404 Not Found), 3":  "is broken (404 Not Found), 3",
		"a dead link's well-known text": "a dead link's well-known text",
		"a|@b|\\|c\\":                   "a\\|`@b`\\|`\\`\\|`c\\`",
		"a`b `c` ``":                    "``a`b`` `` `c` `` ``` `` ```",
		"`":                             "`` ` ``",
		"<b>&amp;[x](y)![z] ~l %m !1":   "`<b>&amp;[x](y)![z]` `~l` `%m` `!1`",
		"(f(1)), javascript:g(2)":       "(`f(1))`, `javascript:g(2)`",
		":smile: :+1: a: b":             "`:smile`: `:+1`: a: b",
		"a  b |":                        "a  b \\|",
		"größe – 中文 → …":                "größe – 中文 → …",

		"https://example.com/a/b.html":             "https://example.com/a/b.html",
		"(https://example.com/?a=1), x":            "(`https://example.com/?a=1`), x",
		"https://example.com/a/#part-2":            "https://example.com/a/#part-2",
		"https://example.com/2024/01/post":         "https://example.com/2024/01/post",
		"“https://example.com/”":                   "“`https://example.com/`”",
		"http://localhost/@a":                      "`http://localhost/@a`",
		"https://example.com/@octocat":             "`https://example.com/@octocat`",
		"https://example.com/#12":                  "`https://example.com/#12`",
		"https://me@example.com/":                  "`https://me@example.com/`",
		"https://github.com/o/r/issues/12.":        "`https://github.com/o/r/issues/12`.",
		"https://github.com/o/r/pull/12#note":      "`https://github.com/o/r/pull/12#note`",
		"https://github.com/o/r/pull/12/files":     "`https://github.com/o/r/pull/12/files`",
		"https://github.com/o/r/commit/deadbeef":   "`https://github.com/o/r/commit/deadbeef`",
		"https://gitlab.com/g/s/r/-/work_items/12": "`https://gitlab.com/g/s/r/-/work_items/12`",
		"content/about.md:3:1":                     "`content/about.md:3:1`",
	} {
		if got := markdownCell(input); got != want {
			t.Errorf("%q is written as %q, want %q", input, got, want)
		}
		checkCell(t, input)
	}
}

// checkCell fails if a text is not shown as it is, or if something in it is taken for a name.
func checkCell(t testing.TB, input string) {
	t.Helper()
	visible, searched := parseCell(t, markdownCell(input))
	if strings.TrimSpace(visible) != strings.TrimSpace(format.Printable(input)) {
		t.Errorf("%q is shown as %q", input, visible)
	}
	if name := named.FindString(searched); name != "" {
		t.Errorf("%q has %q as text: %q", input, name, searched)
	}
}

func FuzzMarkdownCell(f *testing.F) {
	f.Add("@a|`b` https://example.com/a.b, :c: \\| <d>")
	f.Fuzz(func(t *testing.T, input string) {
		if strings.ContainsFunc(input, func(r rune) bool { return r > '~' }) {
			return // named knows no other letters
		}
		checkCell(t, input)
	})
}
