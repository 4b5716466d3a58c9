package archtest

import (
	"os"
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
	if !strings.Contains(read(t, "sitemap/example_folder_test.go"), indented) {
		t.Errorf("no example holds the README's sample:\n%s", indented)
	}
}

var link = regexp.MustCompile(`\]\(([^)#]+)\)`)

// TestLinks keeps the documents from naming files that are not there.
func TestLinks(t *testing.T) {
	for _, document := range []string{"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"} {
		for _, match := range link.FindAllStringSubmatch(read(t, document), -1) {
			if strings.Contains(match[1], "://") {
				continue
			}
			if _, err := os.Stat(filepath.Join("..", "..", filepath.FromSlash(match[1]))); err != nil {
				t.Errorf("%s: %v", document, err)
			}
		}
	}
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

// TestExitCodes keeps the README's table equal to what the program prints.
func TestExitCodes(t *testing.T) {
	readme := strings.ReplaceAll(read(t, "README.md"), "`", "")
	words := read(t, "internal/cli/text.go")
	_, printed, _ := strings.Cut(words, "Exit codes:\n")
	printed, _, _ = strings.Cut(printed, "`")
	lines := strings.Split(strings.TrimSpace(printed), "\n")
	if len(lines) < 6 {
		t.Fatalf("found %d exit codes", len(lines))
	}
	for _, line := range lines {
		code, meaning, _ := strings.Cut(strings.TrimSpace(line), " ")
		if row := "| " + code + " | " + strings.TrimSpace(meaning) + " |"; !strings.Contains(readme, row) {
			t.Errorf("the README lacks the row %s", row)
		}
	}
}
