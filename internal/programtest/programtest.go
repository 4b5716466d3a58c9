// Package programtest has what tests share: it finds the programs that they run besides Go, accepts raw connections,
// makes tests independent of the names that a machine resolves, and checks the accessibility of pages.
package programtest

import (
	"os"
	"os/exec"
	"runtime"
	"testing"
)

// Find returns the path of a program. Where it is missing, Find calls [Missing] with the name
// of Debian's package.
func Find(t testing.TB, program, debianPackage string) string {
	t.Helper()
	path, err := exec.LookPath(program)
	if err != nil {
		Missing(t, program+" is missing: apt-get install "+debianPackage)
	}
	return path
}

// SkipShort skips a test in the short form, go test -short; reason says what takes long.
func SkipShort(t testing.TB, reason string) {
	t.Helper()
	if testing.Short() {
		t.Skip("with -short: " + reason)
	}
}

// Missing skips a test that needs something that is not installed; text says what. It fails
// the test on Linux where the environment sets CI, as `.ci/run` does: `make programs` installs
// everything there.
func Missing(t testing.TB, text string) {
	t.Helper()
	if runtime.GOOS == "linux" && os.Getenv("CI") != "" {
		t.Fatal(text)
	}
	t.Skip(text)
}
