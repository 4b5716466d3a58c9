package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/cli"
	"go.yaml.in/yaml/v3"
)

// recipeAddress is where a recipe of docs/ci.md serves the site.
const recipeAddress = "http://127.0.0.1:8080/"

// TestRecipe runs the crawls and reports of docs/ci.md against a site without problems,
// and against one with a broken link. Only lines with --fail-on may fail, and only those
// without a baseline that knows the link. A report ignores what its crawl did.
func TestRecipe(t *testing.T) {
	document, err := os.ReadFile("../../docs/ci.md")
	if err != nil {
		t.Fatal(err)
	}
	lines := regexp.MustCompile(`(?m)^(?: *- run: | *"postbuild": ")?mapa ((?:crawl|report) .*?)"?$`).FindAllStringSubmatch(string(document), -1)
	if len(lines) != 8 {
		t.Fatalf("docs/ci.md has %d lines", len(lines))
	}
	for name, broken := range map[string]bool{"fine": false, "broken": true} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			page := `<title>Home</title><p>home</p><a href="about.html">about</a>`
			if broken { // only with --base-url is it a link of the site
				page += `<a href="https://example.com/gone.html">gone</a>`
			}
			for _, folder := range []string{"public", "dist"} {
				if err := os.Mkdir(folder, 0o755); err != nil {
					t.Fatal(err)
				}
				for file, text := range map[string]string{"index.html": page, "about.html": "<title>About</title><p>about</p>"} {
					if err := os.WriteFile(filepath.Join(folder, file), []byte(text), 0o644); err != nil {
						t.Fatal(err)
					}
				}
			}
			site := httptest.NewServer(http.FileServer(http.Dir("public")))
			defer site.Close()
			for _, line := range lines {
				want := 0
				if broken && strings.Contains(line[1], "--fail-on") && !strings.Contains(line[1], "--baseline") &&
					!strings.HasPrefix(line[1], "report") {
					want = 1
				}
				if strings.Contains(line[1], "-o change ") {
					if err := os.CopyFS("change", os.DirFS("main")); err != nil {
						t.Fatal(err)
					}
					want = 0 // the main branch has the same link
				}
				args := strings.Fields(strings.ReplaceAll(line[1], recipeAddress, site.URL+"/"))
				var output bytes.Buffer
				if code := cli.Run(t.Context(), args, strings.NewReader(""), &output, &output); code != want {
					t.Errorf("mapa %s: exit code %d, want %d\n%s", line[1], code, want, &output)
				}
			}
		})
	}
}

// TestProblemMatcher matches a line of mapa lint with the expression of docs/ci.md for VS Code.
func TestProblemMatcher(t *testing.T) {
	document, err := os.ReadFile("../../docs/ci.md")
	if err != nil {
		t.Fatal(err)
	}
	_, block, _ := strings.Cut(string(document), "```json\n{\"owner\"")
	block, _, _ = strings.Cut(block, "```")
	var matcher struct {
		Pattern struct {
			Expression                            string `json:"regexp"`
			File, Line, Column, Severity, Message int
		}
	}
	if err := json.Unmarshal([]byte(`{"owner"`+block), &matcher); err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	const text = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n<url><loc>/</loc></url></urlset>"
	if err := os.WriteFile("sitemap.xml", []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	var output bytes.Buffer
	cli.Run(t.Context(), []string{"lint", "sitemap.xml"}, strings.NewReader(""), &output, &output)
	found := regexp.MustCompile("(?m)"+matcher.Pattern.Expression).FindAllStringSubmatch(output.String(), -1)
	if len(found) != 1 {
		t.Fatalf("%d matches in\n%s", len(found), &output)
	}
	p := matcher.Pattern
	got := []string{found[0][p.File], found[0][p.Line], found[0][p.Column], found[0][p.Severity], found[0][p.Message]}
	if want := []string{"sitemap.xml", "2", "11", "error", `"/" is relative [loc-relative]`}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestReleaseFiles keeps the files that other services read from losing their syntax or
// naming what is not there.
func TestReleaseFiles(t *testing.T) {
	for name, keys := range map[string][]string{
		"action.yml": {"name", "description", "inputs", "runs"},
		".goreleaser.yaml": {
			"version", "builds", "archives", "nfpms", "checksum", "sboms", "signs", "homebrew_casks", "scoops",
		},
		".github/workflows/release.yml": {"name", "jobs", "permissions"},
		".github/workflows/test.yml":    {"name", "jobs", "permissions"},
		".github/workflows/fuzz.yml":    {"name", "jobs", "permissions"},
		".github/workflows/site.yml":    {"name", "jobs", "permissions"},
	} {
		text, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		var content map[string]any
		if err := yaml.Unmarshal(text, &content); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, key := range keys {
			if content[key] == nil {
				t.Errorf("%s: %s is missing", name, key)
			}
		}
	}
	release, err := os.ReadFile("../../.goreleaser.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var config struct {
		Builds []struct {
			Main              string
			Env, Goos, Goarch []string
		}
		Casks []struct {
			Manpages []string
		} `yaml:"homebrew_casks"`
		Packages []struct {
			Contents []struct {
				Source string `yaml:"src"`
			}
		} `yaml:"nfpms"`
	}
	if err := yaml.Unmarshal(release, &config); err != nil {
		t.Fatal(err)
	}
	if len(config.Builds) != 1 {
		t.Fatalf("%d builds", len(config.Builds))
	}
	build := config.Builds[0]
	if _, err := os.Stat(filepath.Join("..", "..", build.Main)); err != nil {
		t.Error(err)
	}
	if strings.Join(build.Env, " ") != "CGO_ENABLED=0" || strings.Join(build.Goos, " ") != "linux darwin windows" ||
		strings.Join(build.Goarch, " ") != "amd64 arm64" {
		t.Errorf("it builds %+v", build)
	}
	pages := t.TempDir()
	if code := cli.Run(t.Context(), []string{"man", pages}, nil, io.Discard, io.Discard); code != 0 {
		t.Fatalf("mapa man: exit code %d", code)
	}
	var written []string
	for _, page := range readNames(t, pages) {
		written = append(written, "manpages/"+page+".gz")
	}
	if len(config.Casks) != 1 || !slices.Equal(config.Casks[0].Manpages, written) {
		t.Errorf("the cask has other manual pages than mapa man, which writes\n%s", strings.Join(written, ", "))
	}
	for _, p := range config.Packages {
		for _, content := range p.Contents {
			source := content.Source
			if source == "" || strings.HasPrefix(source, ".release/") { // made by make release-files
				continue
			}
			found, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(source)))
			if err != nil || len(found) == 0 {
				t.Errorf("a package contains %s, which does not exist (%v)", source, err)
			}
		}
	}
}

// TestWorkflows checks that workflows and the action name other actions by a commit, and that no step which
// runs a target of the Makefile has a token.
func TestWorkflows(t *testing.T) {
	files, err := filepath.Glob("../../.github/workflows/*.yml")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d workflows, %v", len(files), err)
	}
	used := regexp.MustCompile(`(?m)^ *(?:- )?uses: (.*)$`)
	pinned := regexp.MustCompile(`^(?:\./.*|[\w/-]+@[0-9a-f]{40} # v[0-9]+\.[0-9]+\.[0-9]+)$`)
	secret := regexp.MustCompile(`github\.token|secrets\.`)
	for _, file := range append(files, "../../action.yml") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range used.FindAllSubmatch(text, -1) {
			if !pinned.Match(match[1]) {
				t.Errorf("%s uses %s, whose content may change", file, match[1])
			}
		}
		var workflow struct {
			Jobs map[string]struct {
				Env   map[string]string
				Steps []struct {
					Run string
					Env map[string]string
				}
			}
		}
		if err := yaml.Unmarshal(text, &workflow); err != nil {
			t.Fatal(err)
		}
		for name, job := range workflow.Jobs {
			for _, step := range job.Steps {
				if strings.Contains(step.Run, "make ") && secret.MatchString(fmt.Sprint(job.Env, step.Env)) {
					t.Errorf("%s, job %s: %q has a token", file, name, step.Run)
				}
			}
		}
	}
}

// readNames returns the sorted names of the files in a folder.
func readNames(t *testing.T, folder string) []string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

// TestUnits keeps the hardening of two units of systemd the same: of those that may render,
// and of those that do not.
func TestUnits(t *testing.T) {
	hardening := regexp.MustCompile(`(?ms)^CapabilityBoundingSet=$.*^SystemCallFilter=[^\n]*`)
	for _, pair := range [][2]string{{"mapa-serve", "mapa-crawl@"}, {"mapa-worker", "mapa-watch@"}} {
		var blocks [2]string
		for i, name := range pair {
			text, err := os.ReadFile(filepath.Join("../../packaging", name+".service"))
			if err != nil {
				t.Fatal(err)
			}
			blocks[i] = hardening.FindString(string(text))
		}
		if blocks[0] == "" || blocks[0] != blocks[1] {
			t.Errorf("%s and %s are hardened differently:\n%s\n\n%s", pair[0], pair[1], blocks[0], blocks[1])
		}
	}
}

// TestHooks runs the hooks of .pre-commit-hooks.yaml on a file that is right and on one that is not.
func TestHooks(t *testing.T) {
	text, err := os.ReadFile("../../.pre-commit-hooks.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var hooks []struct{ ID, Entry, Language, Files string }
	if err := yaml.Unmarshal(text, &hooks); err != nil {
		t.Fatal(err)
	}
	const sitemap = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>%</loc></url></urlset>`
	samples := map[string][2]string{ // a right one and a wrong one
		"a.md":        {"# A\n[a](#a)\n", "[a](b.md)\n"},
		"sitemap.xml": {strings.Replace(sitemap, "%", "https://example.com/", 1), strings.Replace(sitemap, "%", "/", 1)},
	}
	t.Chdir(t.TempDir())
	for _, hook := range hooks {
		name := "a.md"
		if hook.Files != "" {
			name = "sitemap.xml"
			if !regexp.MustCompile(hook.Files).MatchString("public/" + name) {
				t.Errorf("%s: %s does not match %s", hook.ID, hook.Files, name)
			}
		}
		words := strings.Fields(hook.Entry)
		if words[0] != "mapa" || hook.Language != "golang" {
			t.Fatalf("%s runs %s in %s", hook.ID, hook.Entry, hook.Language)
		}
		for want, sample := range samples[name] {
			if err := os.WriteFile(name, []byte(sample), 0o644); err != nil {
				t.Fatal(err)
			}
			var output bytes.Buffer
			if code := cli.Run(t.Context(), append(words[1:], name), strings.NewReader(""), &output, &output); code != want {
				t.Errorf("%s: exit code %d, want %d\n%s", hook.ID, code, want, &output)
			}
		}
	}
}
