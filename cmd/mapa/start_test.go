package main

import (
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// The most bytes that initializing packages may allocate: one of this module, and all of
// them. Every command pays for them, so what only some commands need, such as a regular
// expression, is made when it is first used.
const (
	packageBudget = 16 << 10
	moduleBudget  = 48 << 10
)

// TestInitialization measures what the packages of the program allocate before it runs.
func TestInitialization(t *testing.T) {
	program := exec.Command(os.Args[0], "version")
	program.Env = append(os.Environ(), runVariable+"=1", "GODEBUG=inittrace=1")
	var trace strings.Builder
	program.Stderr = &trace
	if err := program.Run(); err != nil {
		t.Fatal(err)
	}
	line := regexp.MustCompile(`(?m)^init (github\.com/mapatools/mapa/\S+) .* (\d+) bytes`)
	packages, total := line.FindAllStringSubmatch(trace.String(), -1), 0
	for _, p := range packages {
		if strings.Contains(p[1], "test") { // of the tests in this binary
			continue
		}
		bytes, err := strconv.Atoi(p[2])
		if err != nil {
			t.Fatal(err)
		}
		if total += bytes; bytes > packageBudget {
			t.Errorf("%s allocates %d bytes, more than %d", p[1], bytes, packageBudget)
		}
	}
	if len(packages) < 5 || total > moduleBudget {
		t.Errorf("%d packages allocate %d bytes, more than %d", len(packages), total, moduleBudget)
	}
}
