package folder_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// filters are names of filters in every spelling. Git ends the name of an option -c at
// the first equals sign, and compares sections by their lower case.
var filters = []string{"plain", "a=b", "a=b=c", "=", "a.b", "Upper", "ü", "-x", "a\\\"b"}

// programSettings are the other settings of git that name a program.
var programSettings = []string{
	"alias.config", "alias.log", "alias.ls-tree", "alias.rev-parse", "browser.x.cmd", "core.alternateRefsCommand",
	"core.askPass", "core.editor", "core.fsmonitor", "core.gitProxy", "core.pager", "core.sshCommand",
	"credential.helper", "credential.https://example.com.helper", "diff.external", "diff.x.command", "diff.x.textconv",
	"difftool.x.cmd", "gc.recentObjectsHook", "gpg.openpgp.program", "gpg.program", "gpg.ssh.defaultKeyCommand",
	"gpg.ssh.program", "gpg.x509.program", "help.browser", "hook.x.command", "imap.tunnel", "instaweb.httpd",
	"interactive.diffFilter", "man.x.cmd", "merge.x.driver", "mergetool.x.cmd", "pager.log", "pager.ls-tree",
	"pager.rev-parse", "remote.origin.receivepack", "remote.origin.uploadpack", "remote.origin.vcs",
	"sendemail.smtpServer", "sendemail.toCmd", "sequence.editor", "submodule.x.update", "tar.tar.gz.command",
	"filter.process=.process", "trailer.x.cmd", "trailer.x.command", "uploadpack.packObjectsHook", "web.browser",
}

// armingSettings make git use programs, or fetch from one.
var armingSettings = []string{
	"core.untrackedCache=true", "core.checkStat=minimal", "log.showSignature=true", "log.diffMerges=on", "diff.tool=x",
	"gpg.format=openpgp", "hook.x.event=post-index-change", "remote.origin.promisor=true",
	"remote.origin.partialCloneFilter=blob:none", "remote.origin.url=ext::sh -c true", "protocol.allow=always",
	"protocol.ext.allow=always", "extensions.partialClone=origin", "core.commentChar=;", "pager.diff=true",
}

// hooks are the hooks that commands run which read or refresh a repository.
var hooks = []string{
	"fsmonitor-watchman", "post-checkout", "post-index-change", "pre-auto-gc", "pre-commit", "reference-transaction",
}

// traps are programs that leave a file with their number when they run.
type traps struct {
	root   string // of a repository with a site in its folder public
	public string
	folder string // of the programs
	ran    string // folder of the files that they leave
	names  []string
	index  []byte // of git
}

// newTraps makes a repository in which git must read the pages to compare them: they have
// the time of git's index, which cannot tell whether they were changed after it.
func newTraps(t *testing.T, pages ...string) *traps {
	t.Helper()
	root := commitSite(t, "public")
	p := &traps{root: root, public: filepath.Join(root, "public"), folder: t.TempDir(), ran: t.TempDir()}
	for _, page := range pages {
		change(t, p.public, page, "page")
	}
	for _, pattern := range []string{"*.html", "sub/*.html"} {
		names, _ := filepath.Glob(filepath.Join(p.public, pattern))
		for _, name := range names {
			makeOld(t, name)
		}
	}
	git(t, root, second, "add", ".")
	git(t, root, second, "commit", "-q", "--allow-empty", "-m", "pages")
	var err error
	if p.index, err = os.ReadFile(filepath.Join(root, ".git", "index")); err != nil {
		t.Fatal(err)
	}
	return p
}

func makeOld(t *testing.T, name string) {
	t.Helper()
	at := time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC)
	if err := os.Chtimes(name, at, at); err != nil {
		t.Fatal(err)
	}
}

// arm gives the repository the index of its first state.
func (p *traps) arm(t *testing.T) {
	t.Helper()
	change(t, p.root, ".git/index", string(p.index))
	makeOld(t, filepath.Join(p.root, ".git", "index"))
}

// set returns the path of a program with a number as its name. Its file says who ran it.
func (p *traps) set(t *testing.T, name string) string {
	t.Helper()
	p.names = append(p.names, name)
	path := filepath.Join(p.folder, fmt.Sprint(len(p.names)-1))
	p.write(t, path, len(p.names)-1)
	return path
}

func (p *traps) write(t *testing.T, path string, number int) {
	t.Helper()
	text := fmt.Sprintf("#!/bin/sh\ntouch '%s/%d'\nexit 1\n", p.ran, number)
	if err := os.WriteFile(path, []byte(text), 0o777); err != nil {
		t.Fatal(err)
	}
}

// sprung returns and forgets the names of the programs that ran.
func (p *traps) sprung() (names []string) {
	for i, name := range p.names {
		if os.Remove(filepath.Join(p.ran, fmt.Sprint(i))) == nil {
			names = append(names, name)
		}
	}
	return names
}

// expect expects that git runs programs for a user.
func (p *traps) expect(t *testing.T, names ...string) {
	t.Helper()
	for _, command := range []string{"status", "diff"} {
		p.arm(t)
		_ = exec.Command("git", "-C", p.root, command).Run() // the programs fail
	}
	ran := p.sprung()
	for _, name := range names {
		if !slices.Contains(ran, name) {
			t.Errorf("%s does not run: %q", name, ran)
		}
	}
}

// expectNone expects that reading the history of the site runs no program.
func (p *traps) expectNone(t *testing.T) {
	t.Helper()
	p.arm(t)
	expectSite(t, p.public)
	if ran := p.sprung(); len(ran) > 0 {
		t.Errorf("these programs of the repository ran: %q", ran)
	}
}

// line returns a setting as a configuration file has it.
func line(name, value string) string {
	section, rest, _ := strings.Cut(name, ".")
	at := strings.LastIndexByte(rest, '.')
	if at >= 0 {
		section += ` "` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(rest[:at]) + `"`
	}
	return fmt.Sprintf("[%s]\n\t%s = \"%s\"\n", section, rest[at+1:], value)
}

// TestHistoryRunsNothing reads the history of a folder whose repository names programs in
// all settings and hooks, from every file that git reads settings from.
func TestHistoryRunsNothing(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the programs are shell scripts")
	}
	for _, place := range []string{"config", "config.worktree", "include", "includeIf"} {
		t.Run(place, func(t *testing.T) {
			pages := []string{"edited.html"}
			expected := []string{"core.fsmonitor", "diff.x.command", "hook post-index-change"}
			for i, name := range filters {
				pages = append(pages, fmt.Sprintf("filter%d.html", i))
				expected = append(expected, "filter."+name+".clean")
			}
			p := newTraps(t, pages...)
			p.setAll(t, place)
			change(t, p.public, "edited.html", "edit")
			p.expect(t, expected...)
			change(t, p.public, "sub/.gitattributes", "*.html filter=process=\n")
			p.expect(t, "filter.process=.process") // ends git
			p.expectNone(t)
		})
	}
}

// TestHistoryRunsNoFilter reads the history of a folder whose repository names one
// program, so that nothing else ends git first.
func TestHistoryRunsNoFilter(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the programs are shell scripts")
	}
	for _, name := range append(filters, "process=") {
		t.Run(name, func(t *testing.T) {
			setting := "filter." + name + ".clean"
			if name == "process=" {
				setting = "filter." + name + ".process"
			}
			p := newTraps(t)
			p.configure(t, line(setting, p.set(t, setting)))
			change(t, p.public, ".gitattributes", "*.html filter="+name+"\n")
			p.expect(t, setting)
			p.expectNone(t)
		})
	}
}

// setAll writes all programs, and the settings and attributes that name them.
func (p *traps) setAll(t *testing.T, place string) {
	t.Helper()
	var settings strings.Builder
	attributes := "*.html diff=x merge=x\n"
	for i, name := range filters {
		for _, key := range []string{"clean", "smudge"} {
			full := "filter." + name + "." + key
			settings.WriteString(line(full, p.set(t, full)))
		}
		attributes += fmt.Sprintf("filter%d.html filter=%s\n", i, name)
	}
	for _, name := range programSettings {
		program := p.set(t, name)
		if strings.HasPrefix(name, "alias.") || strings.HasSuffix(name, ".update") {
			program = "!" + program
		}
		settings.WriteString(line(name, program))
	}
	for _, assignment := range armingSettings {
		name, value, _ := strings.Cut(assignment, "=")
		settings.WriteString(line(name, value))
	}
	hookFolder := filepath.Join(p.root, ".git", "hooks")
	if place != "config" {
		hookFolder = t.TempDir()
		settings.WriteString(line("core.hooksPath", hookFolder))
	}
	for _, name := range hooks {
		p.names = append(p.names, "hook "+name)
		p.write(t, filepath.Join(hookFolder, name), len(p.names)-1)
	}

	dir := filepath.Join(p.root, ".git")
	main := line("core.repositoryFormatVersion", "1")
	switch place {
	case "config":
		main += settings.String()
		change(t, p.public, ".gitattributes", attributes)
	case "config.worktree":
		main += line("extensions.worktreeConfig", "true")
		change(t, dir, place, settings.String())
		change(t, dir, "info/attributes", attributes)
	case "include":
		main += line("include.path", "more")
		change(t, dir, "more", settings.String())
		change(t, p.root, ".gitattributes", attributes)
	case "includeIf":
		main += line("includeIf.gitdir:**.path", "more") + line("core.attributesFile", filepath.Join(dir, "names"))
		change(t, dir, "more", settings.String())
		change(t, dir, "names", attributes)
	}
	p.configure(t, main)
}

// configure adds settings to the configuration of the repository.
func (p *traps) configure(t *testing.T, settings string) {
	t.Helper()
	name := filepath.Join(".git", "config")
	config, err := os.ReadFile(filepath.Join(p.root, name))
	if err != nil {
		t.Fatal(err)
	}
	change(t, p.root, name, string(config)+settings)
}
