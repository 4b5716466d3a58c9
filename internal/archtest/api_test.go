package archtest

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/format/formattest"
)

// publicPackages are those that other modules can import.
func publicPackages(t *testing.T) []string {
	t.Helper()
	out, err := exec.Command("go", "list", module+"...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var public []string
	for pkg := range strings.FieldsSeq(string(out)) {
		name := strings.TrimPrefix(pkg, module)
		program := strings.HasPrefix(name, "cmd/") || strings.HasPrefix(name, "examples/")
		if !program && !strings.Contains("/"+name+"/", "/internal/") {
			public = append(public, name)
		}
	}
	return public
}

// TestAPI compares the declarations of every public package with its golden
// file, so that a change of the API is seen in review. UPDATE_GOLDEN=1 rewrites
// the files.
func TestAPI(t *testing.T) {
	public := publicPackages(t)
	if len(public) < 5 {
		t.Fatalf("found only %d public packages: %q", len(public), public)
	}
	golden := map[string]bool{}
	for _, pkg := range public {
		out, err := exec.Command("go", "doc", "-all", module+pkg).Output()
		if err != nil {
			t.Fatalf("go doc %s: %v", pkg, err)
		}
		name := filepath.Join("testdata", "api", strings.ReplaceAll(pkg, "/", "_")+".txt")
		golden[filepath.Base(name)] = true
		formattest.Golden(t, name, declarations(out))
	}
	files, err := os.ReadDir(filepath.Join("testdata", "api"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if !golden[file.Name()] {
			t.Errorf("%s belongs to no package", file.Name())
		}
	}
}

var comment = regexp.MustCompile(`\s*//.*$`)

// declarations keeps the code of go doc's output and leaves out the prose, so
// that a better sentence is no change of the API.
func declarations(doc []byte) []byte {
	var b bytes.Buffer
	started := false
	for line := range strings.SplitSeq(string(doc), "\n") {
		heading := line == strings.ToUpper(line) && line != "" && line[0] >= 'A' && line[0] <= 'Z'
		started = started || heading
		prose := strings.HasPrefix(line, "    ")
		line = comment.ReplaceAllString(line, "")
		if !started || prose || strings.TrimSpace(line) == "" {
			continue
		}
		b.WriteString(strings.Join(strings.Fields(line), " ") + "\n")
	}
	return b.Bytes()
}
