package config

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/mapatools/mapa/internal/app/setting"
)

// TestUndeclaredRisk refuses a setting whose risk nobody has decided, in a file that is only
// found.
func TestUndeclaredRisk(t *testing.T) {
	undecided := &setting.Setting{Name: "new", Value: setting.String(new(string))}
	found, named := &File{name: DefaultName, found: true}, &File{name: DefaultName}
	if undecided.DeclaresRisk() || found.checkRisk(undecided, 1) == nil || named.checkRisk(undecided, 1) != nil {
		t.Errorf("%t, %v, %v", undecided.DeclaresRisk(), found.checkRisk(undecided, 1), named.checkRisk(undecided, 1))
	}
	both := &setting.Setting{Name: "both", CommandLineOnly: true, Risk: setting.RiskNone}
	if both.DeclaresRisk() {
		t.Error("a setting of the command line alone has a risk in mapa.yaml")
	}
}

// TestCheckBelow follows links, as a checkout of strangers may have them.
func TestCheckBelow(t *testing.T) {
	top := t.TempDir()
	t.Chdir(top)
	for _, name := range []string{
		"home/.token", "home/private/pages.txt", "home/crawls/crawl.sqlite", "co/pages.txt", "co/.env", "co/.git/config",
		"co/.output/public/sitemap.xml", "co/old/crawl.sqlite", "co/linked/pages.txt", "co/..data/pages.csv",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, target := range map[string]string{
		"co/out":                 "../home/.token",                 // a file
		"co/dir":                 "../home",                        // a folder
		"co/chain":               "dir/private",                    // through another link
		"co/dangling":            "../home/new",                    // to be created
		"co/absolute":            top + "/co/pages.txt",            // absolute, although it is inside
		"co/proc":                "/proc/self/environ",             // not a file of anybody
		"co/config":              ".git/config",                    // inside, and hidden
		"co/env.txt":             ".env",                           // inside, and hidden
		"co/git":                 ".git",                           // inside, and hidden
		"co/within":              "old",                            // inside
		"co/pages.csv":           "..data/pages.csv",               // as Kubernetes mounts files
		"co/linked/crawl.sqlite": "../../home/crawls/crawl.sqlite", // in a folder
		"co/https:":              "../home",                        // the name of a scheme
		"co/loop":                "loop",
	} {
		if err := os.Symlink(target, name); err != nil {
			t.Skip(err)
		}
	}
	t.Chdir("co")
	for path, want := range map[string]error{
		"": nil, "-": nil, ".": nil, "./": nil, "pages.txt": nil, "./pages.txt": nil, "new/folder/x.xml": nil, "old": nil,
		"within": nil, "within/crawl.sqlite": nil, "pages.csv": nil, ".output/public": nil, ".output": nil, "..data": nil,
		".output/public/sitemap.xml": nil, "https://example.com/sitemap.xml": errOutside, "example.com": nil,
		"http://example.com/.sitemap.xml": nil, "file:///etc/passwd": nil, // a path that is not there

		"..": errOutside, "../home/.token": errOutside, "/etc/passwd": errOutside, "old/../../home": errOutside,
		"old/../pages.txt": errOutside, "dir/../pages.txt": errOutside, "dir/../new": errOutside,
		"./../co/pages.txt":   errOutside,
		top + "/co/pages.txt": errOutside, "out": errOutside, "dir": errOutside, "dir/private/pages.txt": errOutside,
		"dir/new": errOutside, "chain/pages.txt": errOutside, "dangling": errOutside, "dangling/x": errOutside,
		"absolute": errOutside, "proc": errOutside, "loop": errOutside, "linked": errOutside,
		"linked/crawl.sqlite":      errOutside,
		"https:/private/pages.txt": errOutside,

		".env": errHidden, "env.txt": errHidden, ".git": errHidden, ".git/": errHidden, ".git/config": errHidden,
		".GIT/config": errHidden, "config": errHidden, "git/config": errHidden, "old/.git/x": errHidden,
		"new/.netrc": errHidden,
	} {
		if err := checkBelow(path); !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", path, err, want)
		}
	}
}

// TestNamesSite finds the sites that credentials would go to, as sources are opened.
func TestNamesSite(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.MkdirAll("https:/evil.example", 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("pages.txt", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for location, want := range map[string]bool{
		"-": false, "pages.txt": false, "./pages.txt": false, "https:": false, "evil.example": true,
		"https://evil.example":  true,
		"HTTPS://evil.example/": true, "http://evil.example/sitemap.xml": true, "me@evil.example": true,
	} {
		s := &setting.Setting{Name: "sources", Value: setting.Strings(&[]string{"-", location}), Risk: setting.RiskSource}
		if namesSite(s) != want {
			t.Errorf("%s: %t", location, !want)
		}
	}
}
