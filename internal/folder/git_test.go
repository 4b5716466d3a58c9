package folder_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/mapatools/mapa/internal/folder"
)

// git runs git in a folder, at a time.
func git(t *testing.T, root, at string, arguments ...string) {
	t.Helper()
	c := exec.Command("git", append([]string{"-C", root, "-c", "user.name=a", "-c", "user.email=a@example.com",
		"-c", "init.defaultBranch=main", "-c", "protocol.file.allow=always"}, arguments...)...)
	c.Env = append(os.Environ(), "GIT_COMMITTER_DATE="+at, "GIT_AUTHOR_DATE="+at, "GIT_CONFIG_GLOBAL="+os.DevNull)
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v: %s", arguments, err, out)
	}
}

const (
	first  = "2024-01-02T03:04:05Z"
	second = "2025-01-02T03:04:05Z"
)

// TestGitDates reads the dates of a folder inside a repository. No program that its
// configuration names may run.
func TestGitDates(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	root := write(t, map[string]string{
		"public/index.html": "home", "public/a b.html": "a", "public/sub/ü.html": "u", "public/edited.html": "e",
		"public/staged.html": "s", "other.html": "o",
	})
	git(t, root, first, "init", "-q")
	git(t, root, first, "add", ".")
	git(t, root, first, "commit", "-q", "-m", "first")
	public := filepath.Join(root, "public")
	change := func(name string) {
		if err := os.WriteFile(filepath.Join(public, name), []byte("changed "+name), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	change("index.html")
	git(t, root, second, "commit", "-q", "-a", "-m", "second")
	change("edited.html")
	change("staged.html")
	git(t, root, second, "add", "public/staged.html")
	change("untracked.html")

	ran := filepath.Join(root, "ran")
	program := filepath.Join(root, "program.sh")
	if err := os.WriteFile(program, []byte("#!/bin/sh\ntouch "+ran+"\nexit 1\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{
		"core.fsmonitor", "core.pager", "pager.log", "diff.external", "gpg.program", "core.sshCommand", "core.editor",
		"filter.x.clean", "filter.x.smudge", "diff.x.textconv", "diff.x.command", "core.askPass", "credential.helper",
	} {
		git(t, root, second, "config", name, program)
	}
	git(t, root, second, "config", "log.showSignature", "true")
	hooks := filepath.Join(root, ".git", "hooks")
	os.MkdirAll(hooks, 0o777)
	for _, hook := range []string{"post-index-change", "pre-auto-gc", "reference-transaction"} {
		os.Symlink(program, filepath.Join(hooks, hook))
	}
	attributes := []byte("*.html filter=x diff=x\n")
	if err := os.WriteFile(filepath.Join(public, ".gitattributes"), attributes, 0o666); err != nil {
		t.Fatal(err)
	}

	dates, err := folder.GitDates(context.Background(), public)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"index.html": second, "a b.html": first, "sub/ü.html": first, "edited.html": "", "staged.html": "",
		"untracked.html": "", "other.html": "", "../other.html": "",
	} {
		got := ""
		if at, ok := dates[name]; ok {
			got = at.Format("2006-01-02T15:04:05Z07:00")
		}
		if got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if _, err := os.Stat(ran); err == nil {
		t.Error("a program of the repository was run")
	}

	clone := filepath.Join(t.TempDir(), "clone")
	for _, name := range []string{"core.fsmonitor", "filter.x.clean", "log.showSignature"} {
		git(t, root, second, "config", "--unset", name)
	}
	git(t, root, second, "clone", "-q", "--depth", "1", "file://"+filepath.ToSlash(root), clone)
	_, err = folder.GitDates(context.Background(), filepath.Join(clone, "public"))
	if !errors.Is(err, folder.ErrShallow) {
		t.Errorf("shallow clone: %v", err)
	}
	if dates, err := folder.GitDates(context.Background(), t.TempDir()); len(dates) > 0 || err != nil {
		t.Errorf("no repository: %v, %v", dates, err)
	}
}
