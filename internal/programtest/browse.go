package programtest

import (
	"bytes"
	"context"
	"errors"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"
)

// Browse opens a file, with a fragment, in a headless browser, and returns the document after its scripts
// ran, and the console output. The clock of the page stops while scripts run. A browser that crashes is
// started again, twice: chromium does so now and then as it starts, whatever the page is.
func Browse(t testing.TB, file, fragment string, flags ...string) (document, console string) {
	t.Helper()
	SkipShort(t, "it starts a browser")
	chromium := Find(t, "chromium-headless-shell", "chromium-headless-shell")
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	var said string
	for try := 1; ; try++ {
		// Chromium needs --no-sandbox where it is run by root, as in containers.
		run := exec.CommandContext(ctx, chromium, slices.Concat(flags, []string{"--no-sandbox", "--disable-gpu",
			"--no-first-run", "--disable-extensions", "--disable-background-networking", "--user-data-dir=" + t.TempDir(),
			"--enable-logging=stderr", "--virtual-time-budget=30000", "--dump-dom", "file://" + file + "#" + fragment})...)
		var out, log bytes.Buffer
		run.Stdout, run.Stderr = &out, &log
		err := run.Run()
		if document, said = out.String(), log.String(); err == nil {
			break
		}
		exit, ended := errors.AsType[*exec.ExitError](err)
		if crashed := ended && exit.ExitCode() < 0 && ctx.Err() == nil; !crashed || try == 3 {
			t.Fatalf("chromium: %v: %s", err, said)
		}
		t.Logf("chromium crashed and is started again: %v", err)
	}
	for line := range strings.Lines(said) {
		if strings.Contains(line, "CONSOLE") {
			console += line
		}
	}
	return document, console
}
