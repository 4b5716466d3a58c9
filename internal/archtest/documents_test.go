package archtest

import (
	"encoding/json"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestSample keeps the README's Go code equal to the example that the tests run.
func TestSample(t *testing.T) {
	_, rest, _ := strings.Cut(read(t, "README.md"), "```go\n")
	sample, _, found := strings.Cut(rest, "```")
	if !found || sample == "" {
		t.Fatal("the README has no Go code")
	}
	indented := regexp.MustCompile(`(?m)^(.)`).ReplaceAllString(sample, "\t$1")
	if !strings.Contains(read(t, "source/example_test.go"), indented) {
		t.Errorf("no example holds the README's sample:\n%s", indented)
	}
}

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	code    = regexp.MustCompile("(?s)```.*?```|`[^`\n]*`")
	heading = regexp.MustCompile(`(?m)^#+ (.*?)(?: \{#([^}]+)\})?$|<a id="([^"]+)">`)
	symbols = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// anchors returns the names of the headings of a document, as GitHub makes them or as the headings
// say, and of its anchor elements.
func anchors(text string) map[string]bool {
	names := map[string]bool{}
	for _, match := range heading.FindAllStringSubmatch(text, -1) {
		name := symbols.ReplaceAllString(strings.ToLower(strings.TrimSpace(match[1])), "")
		names[strings.ReplaceAll(name, " ", "-")] = true
		names[match[2]] = true
		names[match[3]] = true
	}
	return names
}

// TestLinks keeps the documents from naming files and headings that are not there.
func TestLinks(t *testing.T) {
	root := filepath.Join("..", "..")
	walk(t, func(document, text string) {
		for _, match := range link.FindAllStringSubmatch(code.ReplaceAllString(text, ""), -1) {
			if strings.Contains(match[1], "://") || strings.HasPrefix(match[1], "mailto:") {
				continue
			}
			name, anchor, _ := strings.Cut(match[1], "#")
			target := document
			if name != "" {
				target = path.Join(path.Dir(document), name)
			}
			if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(target))); err != nil {
				t.Errorf("%s: %v", document, err)
			} else if anchor != "" && strings.HasSuffix(target, ".md") && !anchors(read(t, target))[anchor] {
				t.Errorf("%s: %s has no heading %q", document, target, anchor)
			}
		}
	}, ".md")
}

// TestCommands keeps the documents from naming targets that the Makefile lacks.
func TestCommands(t *testing.T) {
	makefile := read(t, "Makefile")
	for _, document := range []string{"README.md", "CONTRIBUTING.md"} {
		for _, match := range regexp.MustCompile("(?m)(?:^\\$ |`)make ([a-z-]+)").FindAllStringSubmatch(read(t, document), -1) {
			if !strings.Contains(makefile, "\n"+match[1]+":") {
				t.Errorf("%s: the Makefile has no target %s", document, match[1])
			}
		}
	}
}

// TestServer keeps server.json, the entry in the registry of MCP servers, equal to the
// repository, the newest version in the changelog, and a command that starts.
func TestServer(t *testing.T) {
	var server struct {
		Name, Description, Version string
		Repository                 struct{ URL string }
		Packages                   []struct {
			Identifier, Version string
			PackageArguments    []struct{ Type, Value, Name string }
		}
	}
	if err := json.Unmarshal([]byte(read(t, "server.json")), &server); err != nil {
		t.Fatal(err)
	}
	repository := strings.TrimSuffix(module, "/")
	owner := strings.TrimPrefix(repository, "github.com/")
	if server.Name != "io.github."+owner || server.Repository.URL != "https://"+repository {
		t.Errorf("the server is %s of %s", server.Name, server.Repository.URL)
	}
	if len(server.Description) > 100 {
		t.Errorf("the description has %d characters, more than 100", len(server.Description))
	}
	newest := regexp.MustCompile(`(?m)^## ([0-9.]+)`).FindStringSubmatch(read(t, "CHANGELOG.md"))
	if newest == nil || server.Version != newest[1] {
		t.Errorf("the version is %s, the changelog has %q", server.Version, newest)
	}
	if len(server.Packages) == 0 {
		t.Error("the server has no package")
	}
	commands := read(t, "internal/cli/testdata/flags.txt")
	for _, p := range server.Packages {
		if p.Identifier != "@"+owner || p.Version != server.Version {
			t.Errorf("the package is %s %s", p.Identifier, p.Version)
		}
		_, flags, _ := strings.Cut(commands, "\nmapa "+p.PackageArguments[0].Value+"\n")
		flags, _, _ = strings.Cut(flags, "\nmapa ")
		for _, argument := range p.PackageArguments[1:] {
			if !strings.Contains(flags, "\t"+argument.Name+" ") {
				t.Errorf("mapa %s has no flag %q", p.PackageArguments[0].Value, argument.Name)
			}
		}
	}
}
