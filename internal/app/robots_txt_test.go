package app

import (
	"os"
	"path/filepath"
	"testing"
)

func TestPatchRobots(t *testing.T) {
	name := filepath.Join(t.TempDir(), "robots.txt")
	for _, want := range []RobotsEdit{RobotsAdded, RobotsUnchanged} {
		if edit, err := PatchRobots(name, "https://example.com/sitemap.xml"); err != nil || edit != want {
			t.Fatalf("edit %q, error %v, want %q", edit, err, want)
		}
	}
	if err := os.WriteFile(name, []byte("User-agent: *\r\nSitemap: http://example.com/sitemap.xml\r\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(name, 0o600); err != nil {
		t.Fatal(err)
	}
	if edit, err := PatchRobots(name, "https://example.com/sitemap.xml"); err != nil || edit != RobotsCorrected {
		t.Errorf("edit %q, error %v", edit, err)
	}
	text, err := os.ReadFile(name)
	if want := "User-agent: *\r\nSitemap: https://example.com/sitemap.xml\r\n"; err != nil || string(text) != want {
		t.Errorf("%q, error %v", text, err)
	}
	if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, error %v: the mode changed", info.Mode(), err)
	}
	if _, err := PatchRobots(t.TempDir(), "https://example.com/sitemap.xml"); err == nil {
		t.Error("a folder was patched")
	}
}
