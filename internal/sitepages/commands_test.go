package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/cli"
)

// help returns what the program prints about a command.
func help(t *testing.T, command string) string {
	t.Helper()
	var out, failed bytes.Buffer
	args := append(strings.Fields(strings.TrimPrefix(command, "mapa ")), "--help")
	if code := cli.Run(t.Context(), args, strings.NewReader(""), &out, &failed); code != 0 {
		t.Fatalf("%s --help: exit code %d: %s", command, code, failed.String())
	}
	return out.String()
}

var flagInHelp = regexp.MustCompile(`(?m)^  (?:-\w, |    )--([a-z-]+)`)

// TestCommandPages wants a page for each command that help lists, with an anchor for each flag that its help lists.
func TestCommandPages(t *testing.T) {
	pages := map[string]page{}
	for _, p := range commandPages() {
		pages[p.path] = p
	}
	listed := regexp.MustCompile(`(?m)^  ([a-z]+)  +\S`).FindAllStringSubmatch(help(t, ""), -1)
	if len(listed) < 15 || len(pages) <= len(listed) {
		t.Fatalf("%d commands in the help, %d pages", len(listed), len(pages))
	}
	for _, command := range listed {
		if p, found := pages["commands/"+command[1]+".md"]; !found && command[1] != "help" {
			t.Errorf("there is no page of mapa %s: %+v", command[1], p)
		}
	}
	for _, command := range cli.CommandPages() {
		if command.Command == "mapa announce ping" {
			continue // it always says what replaced the pings
		}
		body := pages["commands/"+commandName(command.Command)+".md"].body
		flags := flagInHelp.FindAllStringSubmatch(help(t, command.Command), -1)
		if len(flags) == 0 {
			t.Errorf("the help of %s lists no flag", command.Command)
		}
		for _, flag := range flags {
			if !strings.Contains(body, "--"+flag[1]) || !strings.Contains(body, "{#"+flag[1]+"}\n") {
				t.Errorf("%s: --%s has no anchor", command.Command, flag[1])
			}
		}
		if anchors := strings.Count(body, "### `-"); anchors != len(flags) {
			t.Errorf("%s: %d flags on the page, %d in the help", command.Command, anchors, len(flags))
		}
	}
}

// TestCommandMarkdown checks lists, code and links to flags in the page of a command.
func TestCommandMarkdown(t *testing.T) {
	d := commandDocument{command: cli.CommandPage{
		Command: "mapa job list", Short: "List", Usage: "mapa job list",
		Text: []string{"First <a> paragraph.", "Kinds:\n  - a list: of \"mapa list x\",\n    and more\n  - b_c\nof --all, not --none in a.xml."},
		Groups: []cli.FlagGroup{{Title: "Flags", Flags: []cli.FlagHelp{
			{Name: "all", Short: "a", Value: "N", Text: "as docs/watch.md says", Default: "[1]"},
			{Name: "url", Text: `https://a.example/b/, www.a.example or {"a":[...]}.`}}}},
	}}
	d.write()
	for _, want := range []string{
		"First \\<a\\> paragraph.\n", "- a list: of `mapa list x`,\n  and more\n- b\\_c\n\nof [`--all`](#all), not `--none` in `a.xml`.\n",
		"### `-a, --all N` {#all}\n\nas [watch](/docs/watch/) says (default `1`)\n",
		"`https://a.example/b/`, `www.a.example` or `{\"a\":[...]}`.\n", "[`mapa job`](/commands/job/)",
	} {
		if !strings.Contains(d.text.String(), want) {
			t.Errorf("the page lacks %q:\n%s", want, d.text.String())
		}
	}
}

// guides yields the texts of the guides and of the documents.
func guides(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for _, pattern := range []string{"README.md", "docs/*.md", "docs/recipes/*.md", "site/content/*/*.md"} {
		names, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(pattern)))
		if err != nil || names == nil {
			t.Fatalf("%s: %v", pattern, err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			texts[filepath.ToSlash(name)] = string(text)
		}
	}
	return texts
}

var (
	typedCommand = regexp.MustCompile("(?m)(?:^\\$ |^|`)mapa ((?:[a-z]+ )*[a-z]+)\\b([^`\n|]*)")
	typedFlag    = regexp.MustCompile(`(?:^|\s)--([a-z][a-z-]*)`)
)

// TestGuides wants the commands of guides and documents to exist, with their flags.
func TestGuides(t *testing.T) {
	flags := map[string][]string{}
	for _, c := range cli.CommandPages() {
		var names []string
		for _, g := range c.Groups {
			for _, f := range g.Flags {
				names = append(names, f.Name)
			}
		}
		flags[strings.TrimPrefix(c.Command, "mapa ")] = names
	}
	checked := 0
	for name, text := range guides(t) {
		for _, typed := range typedCommand.FindAllStringSubmatch(text, -1) {
			words := strings.Fields(typed[1])
			for len(words) > 0 && flags[strings.Join(words, " ")] == nil {
				words = words[:len(words)-1]
			}
			if len(words) == 0 {
				continue // prose
			}
			command := strings.Join(words, " ")
			for _, flag := range typedFlag.FindAllStringSubmatch(typed[2], -1) {
				checked++
				if !slices.Contains(flags[command], flag[1]) && flag[1] != "help" {
					t.Errorf("%s: mapa %s has no flag --%s: %s", name, command, flag[1], typed[0])
				}
			}
		}
	}
	if checked < 200 {
		t.Errorf("only %d flags were checked", checked)
	}
}

// TestSearchConsole wants the reasons of Search Console in the guide of each language, in English as in its exports.
func TestSearchConsole(t *testing.T) {
	texts := guides(t)
	plain := strings.NewReplacer("‘", "'", "’", "'").Replace
	reasons := catalog.For(catalog.English).WithPrefix("index.reason.")
	if len(reasons) < 18 {
		t.Fatalf("the catalog has %d reasons", len(reasons))
	}
	for _, sentence := range reasons {
		for _, language := range catalog.Languages() {
			name := "../../site/content/" + string(language) + "/search-console.md"
			if !strings.Contains(plain(texts[name]), plain(sentence)) {
				t.Errorf("%s lacks %s", name, sentence)
			}
		}
	}
}
