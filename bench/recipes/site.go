package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// A site is a copy of the sources of a recipe, where its commands run.
type site struct {
	*recipe
	dir string
	bin string // the folder of the program under test
}

// ownList is the file with the entries of the framework's own sitemap.
const ownList = "own.jsonl"

// commitDate is the date of every file of a site, for frameworks that ask git.
const commitDate = "2026-02-20T09:30:00Z"

// maxOutput is how much of a command's output an error repeats, in bytes.
const maxOutput = 4 << 10

// prepare copies the sources, installs the packages of npm, and makes a repository.
func (s *site) prepare(ctx context.Context, sources string) error {
	if err := s.clear(); err != nil {
		return err
	}
	if err := os.CopyFS(s.dir, os.DirFS(sources)); err != nil {
		return err
	}
	if err := s.installPackages(ctx); err != nil {
		return err
	}
	return s.bash(ctx, `
git init --quiet
echo /node_modules/ > .git/info/exclude
git add .
GIT_AUTHOR_DATE=`+commitDate+` GIT_COMMITTER_DATE=`+commitDate+` \
	git -c user.name=recipes -c user.email=recipes@example.com -c commit.gpgsign=false commit --quiet --message site
`)
}

// modules is the folder of npm's packages, which stays between runs.
const modules = "node_modules"

// clear removes everything but the packages of npm.
func (s *site) clear() error {
	entries, err := os.ReadDir(s.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, entry := range entries {
		if entry.Name() == modules {
			continue
		}
		if err := os.RemoveAll(filepath.Join(s.dir, entry.Name())); err != nil {
			return err
		}
	}
	return nil
}

// installPackages installs what package-lock.json lists, unless that is there. The lists lack
// packages for other platforms that the registry did not have: `npm ci` refuses such a list.
func (s *site) installPackages(ctx context.Context) error {
	lock, err := os.ReadFile(filepath.Join(s.dir, "package-lock.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	installed := filepath.Join(s.dir, modules, "installed.json")
	if present, err := os.ReadFile(installed); err == nil && bytes.Equal(present, lock) {
		return nil
	}
	if err := s.bash(ctx, "npm install --silent --no-fund --no-audit --ignore-scripts"); err != nil {
		return fmt.Errorf("could not install the packages from npm: %w", err)
	}
	return os.WriteFile(installed, lock, 0o666)
}

// bash types lines in the folder of the site, until one fails. What it leaves running ends.
func (s *site) bash(ctx context.Context, lines string) error {
	command := s.command(ctx, "bash", "-euo", "pipefail", "-c", lines)
	log := filepath.Join(s.dir, "output.log")
	output, err := os.Create(log)
	if err != nil {
		return err
	}
	defer output.Close()
	command.Stdout, command.Stderr = output, output
	err = command.Run()
	if command.Process != nil {
		_ = kill(command)
	}
	if err == nil {
		return nil
	}
	text, readErr := os.ReadFile(log)
	if readErr != nil {
		return errors.Join(err, readErr)
	}
	return fmt.Errorf("%w\n%s", err, text[max(0, len(text)-maxOutput):])
}

// command returns a command in the folder of the site. It leads a group of processes. Debian's
// Python comes first, which has Debian's packages.
func (s *site) command(ctx context.Context, name string, args ...string) *exec.Cmd {
	command := exec.CommandContext(ctx, name, args...)
	command.Dir = s.dir
	command.Env = append(os.Environ(), "CI=true", "TZ=UTC",
		"PATH="+s.bin+":/usr/bin:"+os.Getenv("PATH"))
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	command.Cancel = func() error { return kill(command) }
	return command
}

// kill ends a command and what it has started.
func kill(command *exec.Cmd) error { return syscall.Kill(-command.Process.Pid, syscall.SIGKILL) }

// serve starts the server of the recipe, if it has one, and waits until it answers.
func (s *site) serve(ctx context.Context) (stop func(), err error) {
	if s.server == nil {
		return func() {}, nil
	}
	command := s.command(ctx, s.server[0], s.server[1:]...)
	if err := command.Start(); err != nil {
		return nil, err
	}
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	stop = func() {
		_ = kill(command)
		<-ended
	}
	for range time.Tick(200 * time.Millisecond) {
		if response, err := http.Get(s.url); err == nil {
			return stop, response.Body.Close()
		}
		select {
		case err := <-ended:
			return nil, fmt.Errorf("%s ended: %w", strings.Join(s.server, " "), err)
		default:
		}
	}
	return stop, nil
}
