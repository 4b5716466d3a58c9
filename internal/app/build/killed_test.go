package build

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/outputs"
)

// The variables of the process to kill: its folder, and when it dies.
const (
	buildKilledIn = "BUILD_TEST_KILLED_IN"
	buildKilledAt = "BUILD_TEST_KILLED_AT"
)

// TestBuildKilled kills a build before and after its files get their names. The next build
// replaces what it left, and no file that somebody else has written.
func TestBuildKilled(t *testing.T) {
	if folder := os.Getenv(buildKilledIn); folder != "" {
		killedBuild(t, folder, os.Getenv(buildKilledAt))
	}
	t.Parallel()
	for _, at := range []string{"claimed", "published"} {
		folder := filepath.Join(t.TempDir(), "out")
		command := exec.Command(os.Args[0], "-test.run=^TestBuildKilled$")
		command.Env = append(os.Environ(), buildKilledIn+"="+folder, buildKilledAt+"="+at)
		output, err := command.CombinedOutput()
		if exit, ok := errors.AsType[*exec.ExitError](err); !ok || exit.ExitCode() != 7 {
			t.Fatalf("%s: %v: %s", at, err, output)
		}
		sitemap := filepath.Join(folder, "sitemap.xml")
		if _, err := os.Stat(sitemap); (err == nil) != (at == "published") {
			t.Fatalf("%s: %v", at, err)
		}
		if err := os.WriteFile(filepath.Join(folder, "urllist.txt"), []byte("mine"), 0o600); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if _, err := Run(t.Context(), new(app.App), killedSettings(t, folder, "xml")); err != nil {
				t.Errorf("%s: %v", at, err)
			}
		}
		_, err = Run(t.Context(), new(app.App), killedSettings(t, folder, "xml", "txt"))
		if foreign, ok := errors.AsType[*outputs.ForeignFileError](err); !ok || filepath.Base(foreign.File) != "urllist.txt" {
			t.Errorf("%s: %v", at, err)
		}
	}
}

func killedSettings(t *testing.T, folder string, outputs ...string) *Settings {
	list := filepath.Join(t.TempDir(), "list.txt")
	if err := os.WriteFile(list, []byte("/\n/a\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := NewSettings()
	s.Lists, s.BaseURL, s.Output, s.Publish.Outputs = []string{list}, "https://example.com/", folder, outputs
	return s
}

// killedBuild does what Build does, and exits at a step.
func killedBuild(t *testing.T, folder, at string) {
	b, err := newBuild(new(app.App), killedSettings(t, folder, "xml"))
	if err == nil {
		err = b.openFolder()
	}
	if err != nil {
		t.Fatal(err)
	}
	if claim := b.publish.BeforePublish; at == "claimed" {
		b.publish.BeforePublish = func() error {
			if err := claim(); err != nil {
				return err
			}
			os.Exit(7)
			return nil
		}
	}
	if err := b.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	os.Exit(7)
}
