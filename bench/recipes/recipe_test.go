package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPages reads every page, which fails where what it says for CI is not what its commands
// say. Each has a recipe, a site and a row in the table.
func TestPages(t *testing.T) {
	const folder = "../../docs/recipes"
	table, err := os.ReadFile(filepath.Join(folder, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	pages, err := filepath.Glob(filepath.Join(folder, "*.md"))
	if err != nil || len(pages) != len(recipes)+1 {
		t.Errorf("%d pages for %d recipes: %v", len(pages), len(recipes), err)
	}
	for _, r := range recipes {
		if _, err := readPage(filepath.Join(folder, r.name+".md")); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(filepath.Join("testdata", r.name, listedName)); err != nil {
			t.Error(err)
		}
		if !strings.Contains(string(table), "]("+r.name+".md)") {
			t.Errorf("README.md does not list %s", r.name)
		}
	}
}

// TestReadPage refuses pages that contradict themselves.
func TestReadPage(t *testing.T) {
	const arguments = "public --base-url https://example.com/ --no-list '^/x' --robots-txt public/r.txt"
	const commands = "```sh\nhugo # builds\nmapa crawl " + arguments + "\n```\n"
	plain := strings.ReplaceAll(arguments, "'", "")
	for text, valid := range map[string]bool{
		commands: true,
		commands + `    "postbuild": "npx @mapatools/mapa crawl ` + plain + "\"\n": true,
		commands + `    "postbuild": "npx @mapatools/mapa crawl public"` + "\n":    false,
		commands + "      folder: public\n      base-url: https://example.com/\n":  true,
		commands + "      args: --no-list ^/x --robots-txt public/r.txt\n":         true,
		commands + "      folder: pub\n":                                           false,
		commands + "      base-url: https://example.com/docs\n":                    false,
		commands + "      args: --force\n":                                         false,
		commands + strings.Repeat("\n", maxLines):                                  false,
		"no commands\n":      false,
		"```sh\nhugo\n```\n": false,
	} {
		name := filepath.Join(t.TempDir(), "page.md")
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		p, err := readPage(name)
		if (err == nil) != valid {
			t.Errorf("%s\n%v", text, err)
		}
		const script = "hugo\nmapa list --format jsonl own > own.jsonl\nmapa crawl " + arguments + "\n"
		if err == nil && (p.robots != "public/r.txt" || p.script("own") != script) {
			t.Errorf("%s\nrobots.txt %q, script %s", text, p.robots, p.script("own"))
		}
	}
}
