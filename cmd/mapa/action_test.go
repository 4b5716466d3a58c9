//go:build unix

package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/programtest"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
	"go.yaml.in/yaml/v3"
)

// release is the version that [serveRelease] serves.
const release = "1.2.3"

// serveRelease serves a release whose program is this test, as GitHub does, and returns its address and
// the folder of its files.
func serveRelease(t *testing.T) (address, files string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program := fmt.Appendf(nil, "#!/bin/sh\n%s=1 exec '%s' \"$@\"\n", runVariable, self)
	files = t.TempDir()
	var sums bytes.Buffer
	for name, write := range map[string]func(io.Writer, []byte) error{
		"mapa_" + release + "_linux_amd64.tar.gz":  writeTar,
		"mapa_" + release + "_linux_arm64.tar.gz":  writeTar,
		"mapa_" + release + "_darwin_arm64.tar.gz": writeTar,
		"mapa_" + release + "_windows_amd64.zip":   writeZip,
	} {
		var archive bytes.Buffer
		if err := write(&archive, program); err != nil {
			t.Fatal(err)
		}
		writeFile(t, filepath.Join(files, name), archive.String())
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(archive.Bytes()), name)
	}
	writeFile(t, filepath.Join(files, "SHA256SUMS"), sums.String())
	writeFile(t, filepath.Join(files, "SHA256SUMS.sigstore.json"), sums.String())
	mux := http.NewServeMux()
	download := "/releases/download/v" + release
	mux.Handle(download+"/", http.StripPrefix(download, http.FileServer(http.Dir(files))))
	mux.Handle("/releases/latest", http.RedirectHandler("/releases/tag/v"+release, http.StatusFound))
	mux.HandleFunc("/releases/tag/", func(http.ResponseWriter, *http.Request) {})
	mux.Handle("/none/latest", http.RedirectHandler("/none", http.StatusFound))
	mux.HandleFunc("/none", func(http.ResponseWriter, *http.Request) {})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL, files
}

// installCosign returns a folder with a cosign to which the signature of a list is the list itself.
func installCosign(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	program := filepath.Join(folder, "cosign")
	writeFile(t, program, `#!/bin/sh
[ "$1 $3 $5 $6 $7" = "verify-blob --bundle --certificate-oidc-issuer https://token.actions.githubusercontent.com --certificate-identity" ] &&
[ "$8" = "https://github.com/mapatools/mapa/.github/workflows/release.yml@refs/tags/v`+release+`" ] && exec cmp "$2" "$4"
`)
	if err := os.Chmod(program, 0o755); err != nil {
		t.Fatal(err)
	}
	return folder
}

func writeTar(w io.Writer, program []byte) error {
	packed := gzip.NewWriter(w)
	archive := tar.NewWriter(packed)
	for name, content := range map[string][]byte{"README.md": []byte("a text"), "mapa": program} {
		if err := archive.WriteHeader(&tar.Header{Name: name, Mode: 0o755, Size: int64(len(content))}); err != nil {
			return err
		}
		if _, err := archive.Write(content); err != nil {
			return err
		}
	}
	if err := archive.Close(); err != nil {
		return err
	}
	return packed.Close()
}

func writeZip(w io.Writer, program []byte) error {
	archive := zip.NewWriter(w)
	header := &zip.FileHeader{Name: "mapa.exe"}
	header.SetMode(0o755)
	file, err := archive.CreateHeader(header)
	if err != nil {
		return err
	}
	if _, err := file.Write(program); err != nil {
		return err
	}
	return archive.Close()
}

func writeFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// A runner runs action.yml in jobs on the same machine, as far as the action needs it.
type runner struct {
	folder   string            // of the workspace, temporary files and tools
	releases string            // their address
	programs string            // a folder of PATH
	system   string            // RUNNER_OS
	machine  string            // RUNNER_ARCH
	steps    []actionStep      // of action.yml
	defaults map[string]string // values of inputs
}

type actionStep struct {
	ID, If, Uses, Shell, Run string
	Env                      map[string]string
}

// A jobResult is what a run of the action leaves.
type jobResult struct {
	code                int
	log, summary, paths string
	values              map[string]string // of expressions
}

func newRunner(t *testing.T, releases string) *runner {
	t.Helper()
	for _, program := range []string{"bash", "curl", "tar", "unzip"} {
		programtest.Find(t, program, program)
	}
	text, err := os.ReadFile("../../action.yml")
	if err != nil {
		t.Fatal(err)
	}
	var action struct {
		Inputs map[string]struct{ Default string }
		Runs   struct{ Steps []actionStep }
	}
	if err := yaml.Unmarshal(text, &action); err != nil {
		t.Fatal(err)
	}
	r := &runner{folder: t.TempDir(), releases: releases, programs: installCosign(t), system: "Linux", machine: "X64",
		steps: action.Runs.Steps, defaults: map[string]string{}}
	for name, input := range action.Inputs {
		r.defaults["inputs."+name] = input.Default
	}
	for _, name := range []string{"work", "temp", "tools"} {
		if err := os.Mkdir(filepath.Join(r.folder, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

var expression = regexp.MustCompile(`\$\{\{ (.*?) \}\}`)

// run runs the action with these inputs, up to the first step that fails.
func (r *runner) run(t *testing.T, inputs map[string]string) *jobResult {
	t.Helper()
	job := &jobResult{values: maps.Clone(r.defaults)}
	for name, value := range inputs {
		if _, is := r.defaults["inputs."+name]; !is {
			t.Fatalf("the action has no input %s", name)
		}
		job.values["inputs."+name] = value
	}
	action, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	files := t.TempDir()
	summary, paths := filepath.Join(files, "summary"), filepath.Join(files, "paths")
	for i, step := range r.steps {
		if step.Uses != "" || !job.holds(step.If) {
			continue
		}
		if step.Shell != "bash" || expression.MatchString(step.Run) {
			t.Fatalf("shell %q runs %q: inputs have to come from the environment", step.Shell, step.Run)
		}
		output := filepath.Join(files, fmt.Sprint("output", i))
		c := exec.CommandContext(t.Context(), "bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step.Run)
		c.Dir = filepath.Join(r.folder, "work")
		c.Env = append(os.Environ(), "MAPA_RELEASES="+r.releases, "RUNNER_OS="+r.system, "RUNNER_ARCH="+r.machine,
			"RUNNER_TEMP="+filepath.Join(r.folder, "temp"), "RUNNER_TOOL_CACHE="+filepath.Join(r.folder, "tools"),
			"GITHUB_ACTION_PATH="+action, "GITHUB_STEP_SUMMARY="+summary, "GITHUB_OUTPUT="+output, "GITHUB_PATH="+paths,
			"XDG_CACHE_HOME="+filepath.Join(r.folder, "cache"),
			"PATH="+strings.Join([]string{strings.TrimSpace(readAny(t, paths)), r.programs, os.Getenv("PATH")}, ":"))
		for name, value := range step.Env {
			c.Env = append(c.Env, name+"="+job.fill(value))
		}
		log, err := c.CombinedOutput()
		job.log += string(log)
		for line := range strings.Lines(readAny(t, output)) {
			name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
			job.values["steps."+step.ID+".outputs."+name] = value
		}
		if job.code = c.ProcessState.ExitCode(); err != nil {
			break
		}
	}
	job.summary, job.paths = readAny(t, summary), readAny(t, paths)
	return job
}

// holds evaluates a condition: one of some values has to be set.
func (j *jobResult) holds(condition string) bool {
	for value := range strings.SplitSeq(condition, "||") {
		if value == "" || j.values[strings.TrimSpace(value)] != "" {
			return true
		}
	}
	return false
}

func (j *jobResult) fill(text string) string {
	return expression.ReplaceAllStringFunc(text, func(e string) string {
		return j.values[expression.FindStringSubmatch(e)[1]]
	})
}

// commands returns the lines of the log that a runner takes as commands: those that begin with two
// colons, and those with ##[, unless it has been stopped.
func (j *jobResult) commands(t *testing.T) (commands []string) {
	t.Helper()
	stopped := ""
	for line := range strings.Lines(j.log) {
		line = strings.TrimSpace(line)
		token, stops := strings.CutPrefix(line, "::stop-commands::")
		switch {
		case stopped == "" && stops:
			stopped = token
		case stopped != "" && line == "::"+stopped+"::":
			stopped = ""
		case stopped == "" && (strings.HasPrefix(line, "::") || strings.Contains(line, "##[")):
			commands = append(commands, line)
		}
	}
	if stopped != "" {
		t.Error("the log ends without commands")
	}
	return commands
}

// readAny returns the text of a file, or an empty one if the file does not exist.
func readAny(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return string(text)
}

// hostilePage links to nothing, with a text that would be commands, Markdown and HTML.
const hostilePage = `<title>##[add-mask]x</title><p>home</p><a href="gone.html">
::error::x ##[add-mask]y %0A::error::z
` + "```" + ` </details><script>alert(1)</script><b>|[a](javascript:x)&lt;/details>&lt;img src=x> @octocat #12 </a>`

func TestActionCrawl(t *testing.T) {
	t.Parallel()
	address, _ := serveRelease(t)
	r := newRunner(t, address+"/releases")
	folder := filepath.Join(r.folder, "work", "public")
	inputs := map[string]string{"folder": "public", "base-url": "https://example.com/"}

	writeFile(t, filepath.Join(folder, "index.html"), hostilePage)
	job := r.run(t, inputs)
	if job.code != 1 || job.values["steps.crawl.outputs.exit-code"] != "1" || job.values["steps.crawl.outputs.findings"] != "1" {
		t.Errorf("exit code %d, %q\n%s", job.code, job.values, job.log)
	}
	commands := job.commands(t)
	if len(commands) != 1 || !strings.HasPrefix(commands[0], "::error file=public/index.html,line=1,col=") {
		t.Errorf("commands %q\n%s", commands, job.log)
	}
	if !strings.Contains(job.summary, "\n| `public/index.html:1:40` | error | `link-broken` | https://example.com/gone.html is broken (404 Not Found)") {
		t.Errorf("summary:\n%s", job.summary)
	}
	if !strings.Contains(job.summary, " `@octocat` `#12` ") {
		t.Errorf("the summary mentions people or issues:\n%s", job.summary)
	}
	if markup := markupOf(t, job.summary); markup != "<details><summary>The crawl</summary>\n</details>\n" {
		t.Errorf("the summary has markup of the page: %q\n%s", markup, job.summary)
	}
	crawl := job.values["steps.site.outputs.crawl"]
	if _, err := os.Stat(filepath.Join(crawl, "report.html")); err != nil {
		t.Error(err)
	}

	accepted := maps.Clone(inputs)
	accepted["report-args"] = "--allow ^/g*"
	writeFile(t, filepath.Join(r.folder, "work", "^", "gx"), "a file that the shell must not name in place of the pattern")
	if job := r.run(t, accepted); job.code != 0 || job.values["steps.crawl.outputs.findings"] != "0" || len(job.commands(t)) != 0 {
		t.Errorf("exit code %d\n%s", job.code, job.log)
	}

	lenient := maps.Clone(inputs)
	lenient["fail-on"] = ""
	if job := r.run(t, lenient); job.code != 0 || !strings.Contains(strings.Join(job.commands(t), "\n"), "::warning ") {
		t.Errorf("exit code %d\n%s", job.code, job.log)
	}

	// What was crawled before fails no run: here, a sitemap of more pages.
	for _, name := range []string{"index.html", "b.html", "c.html", "d.html"} {
		writeFile(t, filepath.Join(folder, name), `<title>A page</title><a href="/b.html">b</a><a href="/c.html">c</a><a href="/d.html">d</a>`)
	}
	if job := r.run(t, inputs); job.code != 0 {
		t.Errorf("exit code %d\n%s", job.code, job.log)
	}
	if err := os.RemoveAll(folder); err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(folder, "index.html"), "<title>Home</title><p>home</p>")
	job = r.run(t, inputs)
	if job.code != 0 || job.values["steps.crawl.outputs.findings"] != "0" || len(job.commands(t)) != 0 {
		t.Errorf("exit code %d\n%s", job.code, job.log)
	}
	if !strings.HasPrefix(job.summary, "### Mapa\n\nnothing found\n") || job.values["steps.site.outputs.crawl"] != crawl {
		t.Errorf("crawl in %s, summary:\n%s", job.values["steps.site.outputs.crawl"], job.summary)
	}
}

// markupOf returns the HTML of a Markdown text.
func markupOf(t *testing.T, markdown string) string {
	t.Helper()
	var html strings.Builder
	source := []byte(markdown)
	root := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader(source))
	err := ast.Walk(root, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		switch node := node.(type) {
		case *ast.HTMLBlock:
			if entering {
				html.Write(node.Lines().Value(source))
			}
		case *ast.RawHTML:
			html.Write(node.Segments.Value(source))
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return html.String()
}

// TestActionSite crawls sites, each into a folder of its own, and fails with the codes of the program.
func TestActionSite(t *testing.T) {
	t.Parallel()
	address, _ := serveRelease(t)
	r := newRunner(t, address+"/releases")
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `<title>Home</title><p>home</p><a href="/?x">x</a>`)
	}))
	defer site.Close()
	folders := map[string]bool{}
	for _, c := range []struct {
		inputs  map[string]string
		code    int
		command string
	}{
		{map[string]string{"url": site.URL, "args": "--rate 0\n--max-pages 5"}, 0, ""},
		{map[string]string{"url": site.URL + "/?x", "args": "--rate 0 --prefix /"}, 0, ""},
		{map[string]string{"url": strings.Replace(site.URL, "//", "//me:Secret1@", 1), "args": "--rate 0"}, 0, ""},
		{map[string]string{"url": site.URL, "args": "--wrong"}, 2, "the exit code is 2"},
		{map[string]string{"url": site.URL, "report-args": "--wrong"}, 2, "the exit code is 2"},
		{map[string]string{"url": site.URL, "args": "--rate 0 --no-list ."}, 3, "the exit code is 3"},
		{map[string]string{"url": "--help"}, 2, "the exit code is 2"},
		{map[string]string{"url": "http://127.0.0.1:1/"}, 4, "the exit code is 4"},
		{map[string]string{"url": site.URL, "folder": "public"}, 2, "url and folder are both set"},
	} {
		job := r.run(t, c.inputs)
		commands := strings.Join(job.commands(t), "\n")
		if job.code != c.code || !strings.Contains(commands, c.command) || c.command == "" && commands != "" {
			t.Errorf("%v: exit code %d, want %d\n%s", c.inputs, job.code, c.code, job.log)
		}
		if strings.Contains(job.log+job.summary, "Secret1") {
			t.Errorf("%v: a password is shown\n%s\n%s", c.inputs, job.log, job.summary)
		}
		folders[job.values["steps.site.outputs.crawl"]] = true
	}
	if len(folders) != 6 {
		t.Errorf("crawls in %d folders", len(folders))
	}
	if left, err := filepath.Glob(filepath.Join(r.folder, "temp", "mapa-*")); len(left) > 0 || err != nil {
		t.Errorf("temporary files are left: %s, %v", left, err)
	}
}

// TestActionInstall installs programs whose checksum is right and signed, and no others.
func TestActionInstall(t *testing.T) {
	t.Parallel()
	address, files := serveRelease(t)
	sums := readAny(t, filepath.Join(files, "SHA256SUMS"))
	archive := filepath.Join(files, "mapa_"+release+"_linux_amd64.tar.gz")
	packed := readAny(t, archive)
	for name, c := range map[string]struct {
		version, system, machine, releases string
		sums, archive                      string
		signature                          string // sums if empty
		fails                              string // with this message
	}{
		"latest":            {sums: sums, archive: packed},
		"a version":         {version: "v" + release, sums: sums, archive: packed},
		"macOS":             {system: "macOS", machine: "ARM64", sums: sums, archive: packed},
		"Windows":           {system: "Windows", sums: sums, archive: packed},
		"another signature": {sums: sums, archive: packed, signature: "x", fails: "the signature of SHA256SUMS is not that of the release v1.2.3"},
		"another archive":   {sums: sums, archive: packed + "x", fails: ", not " + sha256Of(packed) + " in SHA256SUMS"},
		"no checksum":       {sums: "", archive: packed, fails: ", not named in SHA256SUMS"},
		"another name":      {sums: strings.ReplaceAll(sums, "_linux_amd64.tar.gz", "_linux_amd64.tar.gz.sbom"), archive: packed, fails: ", not named in SHA256SUMS"},
		"two checksums":     {sums: sums + sha256Of("x") + "  " + filepath.Base(archive) + "\n", archive: packed, fails: " in SHA256SUMS"},
		"no such version":   {version: "v9.9.9", sums: sums, archive: packed, fails: "SHA256SUMS of v9.9.9 was not downloaded"},
		"no release":        {releases: "/none", sums: sums, archive: packed, fails: "the version is none, not one such as v1.2.3"},
		"no server":         {releases: ":1/", sums: sums, archive: packed, fails: "the latest release was not found"},
		"a path as version": {version: "../../x", sums: sums, archive: packed, fails: `the version is ../../x, not`},
		"a command":         {version: "v1.2.3\n::error::x", sums: sums, archive: packed, fails: `the version is $'v1.2.3\n::error::x', not`},
		"no such processor": {machine: "ARM", sums: sums, archive: packed, fails: "no release has a program for ARM"},
		"an unknown system": {system: "BSD", sums: sums, archive: packed, fails: "no release has a program for BSD"},
		"a broken archive":  {sums: sha256Of("x") + "  " + filepath.Base(archive) + "\n", archive: "x", fails: "tar"},
		"a missing archive": {system: "macOS", sums: sums, archive: packed, fails: "mapa_1.2.3_darwin_amd64.tar.gz of v1.2.3 was not downloaded"},
	} {
		t.Run(name, func(t *testing.T) {
			writeFile(t, filepath.Join(files, "SHA256SUMS"), c.sums)
			writeFile(t, filepath.Join(files, "SHA256SUMS.sigstore.json"), cmp.Or(c.signature, c.sums))
			writeFile(t, archive, c.archive)
			r := newRunner(t, address+"/releases")
			if c.releases != "" {
				r.releases = address + c.releases
			}
			if strings.HasPrefix(c.releases, ":") {
				r.releases = "http://127.0.0.1" + c.releases
			}
			if c.system != "" {
				r.system = c.system
			}
			if c.machine != "" {
				r.machine = c.machine
			}
			inputs := map[string]string{}
			if c.version != "" {
				inputs["version"] = c.version
			}
			job := r.run(t, inputs)
			installed := strings.TrimSpace(job.paths)
			if c.fails == "" {
				if job.code != 0 || !strings.HasPrefix(installed, filepath.Join(r.folder, "tools", "mapa", release)) {
					t.Errorf("exit code %d, installed in %s\n%s", job.code, installed, job.log)
				}
				r.releases = "http://127.0.0.1:1" // the second job takes the tool of the first
				inputs["version"] = "v" + release
				if job := r.run(t, inputs); job.code != 0 || strings.TrimSpace(job.paths) != installed {
					t.Errorf("exit code %d, installed in %s\n%s", job.code, job.paths, job.log)
				}
				return
			}
			if job.code != 2 || !strings.Contains(job.log, c.fails) {
				t.Errorf("exit code %d, want %q\n%s", job.code, c.fails, job.log)
			}
			if len(job.commands(t)) > 1 || installed != "" || strings.Contains(job.log, "\n::error::x") {
				t.Errorf("installed in %s, commands %q", installed, job.commands(t))
			}
			left, err := filepath.Glob(filepath.Join(r.folder, "t*", "*"))
			if err != nil || len(left) > 0 {
				t.Errorf("left: %s, %v", left, err)
			}
		})
	}
}

// TestActionWithoutCosign compares the checksum only.
func TestActionWithoutCosign(t *testing.T) {
	t.Parallel()
	if program, err := exec.LookPath("cosign"); err == nil {
		t.Skip(program)
	}
	address, files := serveRelease(t)
	writeFile(t, filepath.Join(files, "SHA256SUMS.sigstore.json"), "x")
	r := newRunner(t, address+"/releases")
	r.programs = t.TempDir()
	if job := r.run(t, nil); job.code != 0 {
		t.Errorf("exit code %d\n%s", job.code, job.log)
	}
}

func sha256Of(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text))) }
