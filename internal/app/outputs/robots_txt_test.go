package outputs

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

// TestPatchRobotsLink patches the file that a link names, and refuses a link to nothing.
func TestPatchRobotsLink(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "real.txt"), filepath.Join(dir, "robots.txt")
	if err := os.Symlink("real.txt", link); err != nil {
		t.Skip(err)
	}
	if _, err := PatchRobots(link, "https://example.com/sitemap.xml"); err == nil {
		t.Error("a link to nothing was followed or replaced")
	}
	if err := os.WriteFile(file, []byte("User-agent: *\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if edit, err := PatchRobots(link, "https://example.com/sitemap.xml"); err != nil || edit != RobotsAdded {
		t.Errorf("edit %q, error %v", edit, err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("%v, error %v: the link was replaced", info.Mode(), err)
	}
	text, err := os.ReadFile(file)
	if want := "User-agent: *\nSitemap: https://example.com/sitemap.xml\n"; err != nil || string(text) != want {
		t.Errorf("%q, error %v", text, err)
	}
}
