package folder_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/mapatools/mapa/internal/folder"
	"github.com/mapatools/mapa/internal/programtest"
)

// git runs git in a folder, at a time.
func git(t *testing.T, root, at string, arguments ...string) {
	t.Helper()
	askGit(t, root, at, "", arguments...)
}

// askGit runs git with an input, and returns the first line of its output.
func askGit(t *testing.T, root, at, input string, arguments ...string) string {
	t.Helper()
	program := programtest.Find(t, "git", "git")
	c := exec.Command(program, append([]string{"-C", root, "-c", "user.name=a", "-c", "user.email=a@example.com",
		"-c", "init.defaultBranch=main", "-c", "protocol.file.allow=always", "-c", "core.autocrlf=false"}, arguments...)...)
	c.Env = append(os.Environ(), "GIT_COMMITTER_DATE="+at, "GIT_AUTHOR_DATE="+at, "GIT_CONFIG_GLOBAL="+os.DevNull)
	c.Stdin = strings.NewReader(input)
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v: %s", arguments, err, out)
	}
	line, _, _ := strings.Cut(string(out), "\n")
	return line
}

const (
	first  = "2024-01-02T03:04:05Z"
	second = "2025-01-02T03:04:05Z"
	third  = "2026-01-02T03:04:05Z"
)

// change writes a file of a folder.
func change(t *testing.T, root, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// dateOf returns the date of a file, or an empty string.
func dateOf(h *folder.History, name string) string {
	at, found := h.Date(name)
	if !found {
		return ""
	}
	return at.Format(time.RFC3339)
}

// readHistory reads the history of a folder. No temporary file may stay.
func readHistory(t *testing.T, root string) (*folder.History, error) {
	t.Helper()
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	t.Setenv("TMP", temporary)
	history, err := open(t, root, folder.Options{}).ReadHistory(t.Context())
	if left, _ := filepath.Glob(filepath.Join(temporary, "*")); len(left) > 0 {
		t.Errorf("temporary files stay: %q", left)
	}
	return history, err
}

// commitSite makes a repository with two commits and returns it. The site is in a folder
// of the repository.
func commitSite(t *testing.T, public string, init ...string) string {
	t.Helper()
	root := write(t, map[string]string{
		public + "/index.html": "home", public + "/a b.html": "a", public + "/sub/ü.html": "u", "other.html": "o",
	})
	git(t, root, first, append([]string{"init", "-q"}, init...)...)
	git(t, root, first, "add", ".")
	git(t, root, first, "commit", "-q", "-m", "first")
	change(t, root, public+"/index.html", "new home")
	git(t, root, second, "commit", "-q", "-a", "-m", "second")
	return root
}

// expectSite compares the dates of a folder with those of commitSite.
func expectSite(t *testing.T, public string) {
	t.Helper()
	history, err := readHistory(t, public)
	if err != nil {
		t.Error(err)
	}
	for name, want := range map[string]string{
		"index.html": second, "a b.html": first, "sub/ü.html": first, "other.html": "", "../other.html": "",
	} {
		if got := dateOf(history, name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// TestHistory reads the dates of files in all states.
func TestHistory(t *testing.T) {
	root := write(t, map[string]string{
		"index.html": "home", "edited.html": "e", "staged.html": "s", "reset.html": "r", "removed.html": "d",
		"untracked.html": "u", "merged.html": "m",
	})
	change(t, root, ".gitignore", "untracked.html\n")
	git(t, root, first, "init", "-q")
	git(t, root, first, "add", ".")
	git(t, root, first, "commit", "-q", "-m", "first")
	git(t, root, second, "checkout", "-q", "-b", "other")
	change(t, root, "merged.html", "changed on a branch")
	git(t, root, second, "commit", "-q", "-a", "-m", "branch")
	git(t, root, second, "checkout", "-q", "main")
	change(t, root, "index.html", "changed")
	git(t, root, third, "commit", "-q", "-a", "-m", "third")
	git(t, root, third, "merge", "-q", "other", "-m", "merge")
	git(t, root, third, "rm", "-q", "--cached", "removed.html")
	git(t, root, third, "commit", "-q", "-m", "removed")
	for _, name := range []string{"edited.html", "staged.html", "reset.html"} {
		change(t, root, name, "changed "+name)
	}
	git(t, root, third, "add", "staged.html", "reset.html")
	change(t, root, "reset.html", "r")

	history, err := readHistory(t, root)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"index.html": third, "edited.html": "", "staged.html": "", "reset.html": first, "removed.html": "",
		"untracked.html": "", "merged.html": second, "missing.html": "",
	} {
		if got := dateOf(history, name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// TestHistoryContents compares files with what was committed.
func TestHistoryContents(t *testing.T) {
	long := strings.Repeat("x", 4095)
	files := map[string]struct {
		committed, now string
		dated          bool
	}{
		"same.html":     {"a\nb\n", "a\nb\n", true},
		"empty.html":    {"", "", true},
		"crlf.html":     {"a\nb\n", "a\r\nb\r\n", true},
		"mixed.html":    {"a\nb\n", "a\r\nb\n", true},
		"border.html":   {long + "\n" + long + "\n", long + "\r\n" + long + "\r\n", true},
		"kept.html":     {"a\r\nb\r", "a\r\nb\r", true},
		"cr.html":       {"a\r\nb\r", "a\r\nb\r\r", false},
		"lf.html":       {"a\r\nb\r\n", "a\nb\n", false},
		"lonely.html":   {"a\n", "a\r", false},
		"longer.html":   {"a\n", "a\nb", false},
		"shorter.html":  {"a\nb", "a\n", false},
		"line.html":     {"", "\r\n", false},
		"filtered.html": {"a version\n", "another version\n", false},
	}
	for _, format := range []string{"sha1", "sha256"} {
		t.Run(format, func(t *testing.T) {
			root := write(t, map[string]string{"index.html": "home"})
			for name, file := range files {
				change(t, root, name, file.committed)
			}
			git(t, root, first, "init", "-q", "--object-format="+format)
			git(t, root, first, "add", ".")
			git(t, root, first, "commit", "-q", "-m", "first")
			for name, file := range files {
				change(t, root, name, file.now)
			}
			// As git sees it, the content of one file has not changed.
			change(t, filepath.Join(root, ".git/info"), "attributes", "filtered.html filter=x\n")
			git(t, root, first, "config", "filter.x.clean", "echo a version")
			git(t, root, first, "diff", "--exit-code", "filtered.html")
			history, err := readHistory(t, root)
			if err != nil {
				t.Fatal(err)
			}
			for name, file := range files {
				if got := dateOf(history, name); (got == first) != file.dated {
					t.Errorf("%s: %q", name, got)
				}
			}
		})
	}
}

// TestHistoryLinks reads the dates of symbolic links.
func TestHistoryLinks(t *testing.T) {
	root := write(t, map[string]string{"index.html": "home"})
	link := func(target, name string) {
		if err := os.Symlink(target, filepath.Join(root, name)); err != nil {
			t.Skip(err)
		}
	}
	link("index.html", "same.html")
	link("index.html", "changed.html")
	git(t, root, first, "init", "-q")
	git(t, root, first, "add", ".")
	git(t, root, first, "commit", "-q", "-m", "first")
	os.Remove(filepath.Join(root, "changed.html"))
	link("same.html", "changed.html")
	history, err := readHistory(t, root)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"same.html": first, "changed.html": ""} {
		if got := dateOf(history, name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// TestHistoryLayouts reads the history wherever a repository keeps it.
func TestHistoryLayouts(t *testing.T) {
	url := func(root string) string { return "file://" + filepath.ToSlash(root) }
	layouts := map[string]func(t *testing.T, root, empty string) (public string){
		"loose objects": func(_ *testing.T, root, _ string) string { return filepath.Join(root, "public") },
		"packed objects": func(t *testing.T, root, _ string) string {
			git(t, root, first, "gc", "-q")
			return filepath.Join(root, "public")
		},
		"detached": func(t *testing.T, root, _ string) string {
			git(t, root, first, "checkout", "-q", "--detach")
			return filepath.Join(root, "public")
		},
		"worktree": func(t *testing.T, root, empty string) string {
			git(t, root, first, "worktree", "add", "-q", filepath.Join(empty, "tree"))
			return filepath.Join(empty, "tree", "public")
		},
		"submodule": func(t *testing.T, root, empty string) string {
			git(t, empty, first, "init", "-q")
			git(t, empty, first, "submodule", "--quiet", "add", url(root), "module")
			return filepath.Join(empty, "module", "public")
		},
		"alternates": func(t *testing.T, root, empty string) string {
			git(t, empty, first, "clone", "-q", "--shared", root, "clone")
			return filepath.Join(empty, "clone", "public")
		},
		"separate git folder": func(t *testing.T, root, empty string) string {
			git(t, empty, first, "clone", "-q", "--separate-git-dir", filepath.Join(empty, "x.git"), root, "clone")
			return filepath.Join(empty, "clone", "public")
		},
		"clone without blobs": func(t *testing.T, root, empty string) string {
			git(t, root, first, "config", "uploadpack.allowFilter", "true")
			git(t, empty, first, "clone", "-q", "--filter=blob:none", url(root), "clone")
			return filepath.Join(empty, "clone", "public")
		},
		"named work tree": func(t *testing.T, root, _ string) string {
			git(t, root, first, "config", "core.worktree", root)
			return filepath.Join(root, "public")
		},
		"variables of another repository": func(t *testing.T, root, empty string) string {
			git(t, empty, first, "init", "-q", ".")
			t.Setenv("GIT_DIR", filepath.Join(empty, ".git"))
			t.Setenv("GIT_WORK_TREE", empty)
			t.Setenv("GIT_OBJECT_DIRECTORY", filepath.Join(empty, ".git", "objects"))
			return filepath.Join(root, "public")
		},
		"settings of the user": func(t *testing.T, root, empty string) string {
			change(t, empty, ".gitconfig", "[log]\n\tshowRoot = false\n\tfollow = true\n[core]\n\tquotePath = true\n")
			t.Setenv("HOME", empty)
			return filepath.Join(root, "public")
		},
		"symbolic link": func(t *testing.T, root, empty string) string {
			if err := os.Symlink(filepath.Join(root, "public"), filepath.Join(empty, "link")); err != nil {
				t.Skip(err)
			}
			return filepath.Join(empty, "link")
		},
	}
	for name, layout := range layouts {
		t.Run(name, func(t *testing.T) {
			root := commitSite(t, "public")
			expectSite(t, layout(t, root, t.TempDir()))
		})
	}
	t.Run("SHA-256", func(t *testing.T) {
		expectSite(t, filepath.Join(commitSite(t, "public", "--object-format=sha256"), "public"))
	})
}

// TestHistoryNames reads the history of folders whose names mean something to git.
func TestHistoryNames(t *testing.T) {
	names := []string{"-x", "[a]", "public/sub^0", "ü"}
	if runtime.GOOS != "windows" {
		names = append(names, "*", ":(top)x", "a\nb", "\x01", " ", `"`, "\xff")
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			if runtime.GOOS == "darwin" && name == "\xff" {
				t.Skip("no such name on this system")
			}
			expectSite(t, filepath.Join(commitSite(t, name), name))
		})
	}
}

// TestNoHistory reads folders without a history.
func TestNoHistory(t *testing.T) {
	site := map[string]string{"index.html": "home"}
	t.Run("no repository", func(t *testing.T) { expectNoHistory(t, write(t, site), nil) })
	t.Run("no commit", func(t *testing.T) {
		root := write(t, site)
		git(t, root, first, "init", "-q")
		expectNoHistory(t, root, nil)
	})
	t.Run("no git", func(t *testing.T) {
		root := commitSite(t, "public")
		t.Setenv("PATH", t.TempDir())
		expectNoHistory(t, filepath.Join(root, "public"), nil)
	})
	t.Run("git of the folder", func(t *testing.T) {
		public := filepath.Join(commitSite(t, "public"), "public")
		program := "#!/bin/sh\ntouch ran\n"
		if err := os.WriteFile(filepath.Join(public, "git"), []byte(program), 0o777); err != nil {
			t.Fatal(err)
		}
		t.Chdir(public)
		t.Setenv("PATH", "."+string(filepath.ListSeparator)+os.Getenv("PATH"))
		_, _ = readHistory(t, ".")
		if _, err := os.Stat("ran"); err == nil {
			t.Error("a program of the folder ran")
		}
	})
	t.Run("untracked", func(t *testing.T) {
		root := commitSite(t, "source")
		public := filepath.Join(root, "public")
		if err := os.Mkdir(public, 0o777); err != nil {
			t.Fatal(err)
		}
		change(t, public, "index.html", "home")
		expectNoHistory(t, public, nil)
	})
	t.Run("bare", func(t *testing.T) {
		root := commitSite(t, "public")
		bare := filepath.Join(t.TempDir(), "bare")
		git(t, root, first, "clone", "-q", "--bare", ".", bare)
		change(t, bare, "index.html", "home")
		expectNoHistory(t, bare, nil)
	})
	t.Run("shallow", func(t *testing.T) {
		root := commitSite(t, "public")
		clone := filepath.Join(t.TempDir(), "clone")
		git(t, root, second, "clone", "-q", "--depth", "1", "file://"+filepath.ToSlash(root), clone)
		expectNoHistory(t, filepath.Join(clone, "public"), folder.ErrShallow)
	})
	t.Run("ended", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		site := open(t, filepath.Join(commitSite(t, "public"), "public"), folder.Options{})
		if history, err := site.ReadHistory(ctx); !errors.Is(err, context.Canceled) || dateOf(history, "index.html") != "" {
			t.Errorf("after the end of the context: %v", err)
		}
	})
}

// TestHistoryLimits reads trees that are small, because their folders are all the same,
// and have more or longer names than fit into memory.
func TestHistoryLimits(t *testing.T) {
	for name, limit := range map[string]struct {
		width, length int // of a folder, of a name in it
		want          string
	}{
		"many names":  {20, 16_000, "git tracks too many files"},
		"a long name": {1, 16_380, "git ls-tree: bufio.Scanner: token too long"},
	} {
		t.Run(name, func(t *testing.T) {
			root := commitSite(t, "public")
			line := "100644 blob " + askGit(t, root, second, "", "rev-parse", "HEAD:public/index.html")
			for range 4 {
				var tree strings.Builder
				for i := range limit.width {
					fmt.Fprintf(&tree, "%s\t%s%d\n", line, strings.Repeat("x", limit.length), i)
				}
				line = "040000 tree " + askGit(t, root, second, tree.String(), "mktree")
			}
			tree := askGit(t, root, second, line+"\tpublic\n", "mktree")
			git(t, root, second, "update-ref", "HEAD", askGit(t, root, second, "", "commit-tree", "-m", "x", tree))
			history, err := readHistory(t, filepath.Join(root, "public"))
			if err == nil || err.Error() != limit.want || dateOf(history, "index.html") != "" {
				t.Errorf("error %v, want %s", err, limit.want)
			}
		})
	}
}

func expectNoHistory(t *testing.T, root string, want error) {
	t.Helper()
	history, err := readHistory(t, root)
	if !errors.Is(err, want) {
		t.Errorf("error %v, want %v", err, want)
	}
	if got := dateOf(history, "index.html"); got != "" {
		t.Errorf("date %s", got)
	}
}
