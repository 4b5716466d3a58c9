package main

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/cli"
)

// TestReadmeDemo compares the README's demo with what the program prints. Only the
// port and the seconds may differ.
func TestReadmeDemo(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(readme), "$ mapa demo\n")
	want, _, found := strings.Cut(rest, "```")
	if !found {
		t.Fatal("the README has no demo")
	}
	t.Chdir(t.TempDir())
	t.Setenv("LC_ALL", "C") // whatever the language of who runs the test
	var stdout, stderr bytes.Buffer
	if code := cli.Run(t.Context(), []string{"demo"}, strings.NewReader(""), &stdout, &stderr); code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr.String())
	}
	varying := regexp.MustCompile(`127\.0\.0\.1:[0-9]+|in [0-9.]+ s`)
	if got := varying.ReplaceAllString(stdout.String(), "X"); got != varying.ReplaceAllString(want, "X") {
		t.Errorf("the program prints\n%s\nthe README says\n%s", stdout.String(), want)
	}
}
