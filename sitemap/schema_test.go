package sitemap_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/programtest"
)

// TestSchemaAccepts keeps the schemas from being stricter than the protocol:
// every document of schema/good is valid.
func TestSchemaAccepts(t *testing.T) {
	eachSchemaDocument(t, "good", func(t *testing.T, document []byte) {
		validate(t, "all.xsd", document)
	})
}

// TestSchemaRefuses keeps the schemas from being laxer than the protocol: every
// document of schema/bad has one fault, and its comment says which.
func TestSchemaRefuses(t *testing.T) {
	refused := regexp.MustCompile(`<!-- refused: (.+) -->`)
	eachSchemaDocument(t, "bad", func(t *testing.T, document []byte) {
		want := refused.FindSubmatch(document)
		if want == nil {
			t.Fatal("the document does not say why it is refused")
		}
		faults := validityErrors(t, "all.xsd", document)
		if len(faults) != 1 || !strings.HasPrefix(faults[0], string(want[1])) {
			t.Errorf("found %q, want one fault that begins with %q", faults, want[1])
		}
	})
}

func eachSchemaDocument(t *testing.T, kind string, check func(t *testing.T, document []byte)) {
	paths, err := filepath.Glob(filepath.Join("testdata", "schema", kind, "*.xml"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no documents in testdata/schema/%s: %v", kind, err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			document, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			check(t, document)
		})
	}
}

// validate fails the test unless document is valid under the schema of that
// file name in testdata/schema. "all.xsd" knows every root and every extension.
func validate(t *testing.T, schemaName string, document []byte) {
	t.Helper()
	for _, fault := range validityErrors(t, schemaName, document) {
		t.Errorf("not valid under %s: %s", schemaName, fault)
	}
}

// qualifier is how xmllint shows a namespace in a message.
var qualifier = regexp.MustCompile(`\{https?://[^}]*\}`)

// validityErrors returns what xmllint finds wrong with document, names without
// their namespace. A document that is not well-formed, or a schema that does
// not compile, ends the test: the first says nothing about the schema, the
// second nothing about the document.
func validityErrors(t *testing.T, schemaName string, document []byte) []string {
	t.Helper()
	const invalid = 3 // xmllint(1), ERROR RETURN CODES
	output, status := runProgram(t, document, "libxml2-utils",
		"xmllint", "--nonet", "--noout", "--schema", filepath.Join("testdata", "schema", schemaName), "-")
	if status != 0 && status != invalid {
		t.Fatalf("xmllint ended with status %d: %s", status, output)
	}
	var faults []string
	for line := range strings.Lines(output) {
		if _, fault, found := strings.Cut(line, "Schemas validity error : "); found {
			faults = append(faults, qualifier.ReplaceAllString(strings.TrimSpace(fault), ""))
		}
	}
	if (status == invalid) != (len(faults) > 0) {
		t.Fatalf("xmllint ended with status %d but reported: %s", status, output)
	}
	return faults
}

// runProgram gives input to a program and returns what it printed, to either stream,
// and its exit status. debianPackage is the package that installs it.
func runProgram(t *testing.T, input []byte, debianPackage, program string, arguments ...string) (output string,
	status int) {
	t.Helper()
	command := exec.CommandContext(t.Context(), programtest.Find(t, program, debianPackage), arguments...)
	command.Stdin = bytes.NewReader(input)
	printed, err := command.CombinedOutput()
	if err != nil && command.ProcessState == nil {
		t.Fatal(fmt.Errorf("run %s: %w", program, err))
	}
	return string(printed), command.ProcessState.ExitCode()
}
