package programtest

import (
	"bytes"
	"context"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// Browse opens a file, with a fragment, in a headless browser, and returns the document after its scripts
// ran, and the console output. The clock of the page stands still while scripts run.
func Browse(t testing.TB, file, fragment string, flags ...string) (document, console string) {
	t.Helper()
	chromium := Find(t, "chromium", "chromium")
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	// Chromium needs --no-sandbox where it is run by root, as in containers.
	run := exec.CommandContext(ctx, chromium, append(flags, "--headless=new", "--no-sandbox", "--disable-gpu",
		"--no-first-run", "--disable-extensions", "--disable-background-networking", "--user-data-dir="+t.TempDir(),
		"--enable-logging=stderr", "--virtual-time-budget=30000", "--dump-dom", "file://"+file+"#"+fragment)...)
	var out, said bytes.Buffer
	run.Stdout, run.Stderr = &out, &said
	if err := run.Run(); err != nil {
		t.Fatalf("chromium: %v: %s", err, said.String())
	}
	for line := range strings.Lines(said.String()) {
		if strings.Contains(line, "CONSOLE") {
			console += line
		}
	}
	return out.String(), console
}
