package publish

import (
	"errors"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// killedIn is the variable with the folder of the process to kill.
const killedIn = "PUBLISH_TEST_KILLED_IN"

// TestKilled kills a process while it writes pages and checks the folder before and after
// the next run.
func TestKilled(t *testing.T) {
	options := Options{Home: home, Outputs: AllOutputs(), Sets: setsOf(t, "odd=[13579]$"), MaxShrink: 30}
	if options.Folder = os.Getenv(killedIn); options.Folder != "" {
		_, err := Run(t.Context(), func(yield func(*Page, error) bool) {
			for _, p := range site(2 * linksPerPage) {
				if !yield(p, nil) {
					return
				}
			}
			os.Exit(7)
		}, &options)
		t.Fatal(err)
	}
	options.Folder = t.TempDir()
	mustRun(t, options, site(3*linksPerPage))
	before := contents(t, options.Folder)

	command := exec.Command(os.Args[0], "-test.run=^TestKilled$")
	command.Env = append(os.Environ(), killedIn+"="+options.Folder)
	output, err := command.CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 7 {
		t.Fatalf("%v: %s", err, output)
	}
	left := strings.Fields(fileNames(t, options.Folder))
	isTemporary := func(name string) bool { return strings.HasSuffix(name, ".tmp") }
	if !slices.ContainsFunc(left, isTemporary) {
		t.Fatalf("nothing is left: %v", left)
	}
	for i := 0; i < len(before); i += 2 {
		if read(t, options.Folder, before[i]) != before[i+1] {
			t.Errorf("%s is not as it was", before[i])
		}
	}

	mustRun(t, options, site(3*linksPerPage))
	after := strings.Fields(fileNames(t, options.Folder))
	if slices.ContainsFunc(after, isTemporary) {
		t.Errorf("files %v", after)
	}
	validateAll(t, options.Folder)
}
