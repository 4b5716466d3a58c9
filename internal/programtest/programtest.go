// Package programtest finds the programs that tests run besides Go.
package programtest

import (
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

// Missing fails the test on Linux, where `make programs` installs what tests need, and skips
// it on other systems.
func Missing(t testing.TB, text string) {
	t.Helper()
	if runtime.GOOS == "linux" {
		t.Fatal(text)
	}
	t.Skip(text)
}
