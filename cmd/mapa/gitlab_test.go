//go:build linux

package main

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/programtest"
	"go.yaml.in/yaml/v3"
)

// A gitlabJob is the job of templates/mapa.yml.
type gitlabJob struct {
	Variables map[string]any
	Script    []string
	Artifacts struct{ Reports struct{ JUnit string } }
}

// readGitLabJob returns the job of templates/mapa.yml with these inputs.
func readGitLabJob(t *testing.T, inputs map[string]string) *gitlabJob {
	t.Helper()
	text, err := os.ReadFile("../../templates/mapa.yml")
	if err != nil {
		t.Fatal(err)
	}
	header, content, _ := strings.Cut(string(text), "\n---\n")
	var spec struct {
		Spec struct {
			Inputs map[string]struct{ Default *string }
		}
	}
	if err := yaml.Unmarshal([]byte(header), &spec); err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	content = regexp.MustCompile(`\$\[\[ inputs\.([a-z-]+) \]\]`).ReplaceAllStringFunc(content, func(e string) string {
		name := strings.Fields(e)[1][len("inputs."):]
		input, is := spec.Spec.Inputs[name]
		if value, given := inputs[name]; given {
			used[name] = true
			return value
		}
		if !is || input.Default == nil {
			t.Fatalf("input %s has no value", name)
		}
		return *input.Default
	})
	if len(used) != len(inputs) {
		t.Fatalf("inputs %v, used: %v", inputs, used)
	}
	var jobs map[string]*gitlabJob
	if err := yaml.Unmarshal([]byte(content), &jobs); err != nil {
		t.Fatal(err)
	}
	return jobs["mapa"]
}

// TestGitLabComponent runs the script of templates/mapa.yml against a release on this machine.
func TestGitLabComponent(t *testing.T) {
	t.Parallel()
	for _, program := range []string{"bash", "curl", "tar"} {
		programtest.Find(t, program, program)
	}
	address, files := serveRelease(t)
	public := map[string]string{"site": "public", "base-url": "https://example.com/", "version": "v" + release}
	with := func(name, value string) map[string]string {
		inputs := maps.Clone(public)
		inputs[name] = value
		return inputs
	}
	for name, c := range map[string]struct {
		inputs map[string]string
		code   int
		junit  string
	}{
		"broken":          {public, 1, `<failure message="https://example.com/gone.html is broken`},
		"accepted":        {with("report-args", "--allow ^/g*"), 0, `failures="0"`},
		"no page to list": {with("args", "--no-list ."), 3, `<failure message="https://example.com/gone.html is broken`},
		"none fails":      {with("fail-on", ""), 0, `<failure message="https://example.com/gone.html is broken`},
		"crawl fails":     {with("args", "--fail-on broken"), 1, `<failure message="https://example.com/gone.html is broken`},
		"wrong":           {with("args", "--wrong"), 2, ""},
		"unreachable":     {map[string]string{"site": "http://127.0.0.1:1/", "version": "v" + release}, 4, ""},
		"no such version": {with("version", "v9.9.9"), 22, ""},
	} {
		t.Run(name, func(t *testing.T) {
			code, log, junit := runGitLabJob(t, address, readGitLabJob(t, c.inputs))
			if code != c.code || !strings.Contains(junit, c.junit) || c.junit == "" && junit != "" {
				t.Errorf("exit code %d, want %d\n%s\n%s", code, c.code, log, junit)
			}
		})
	}
	right := readAny(t, filepath.Join(files, "SHA256SUMS"))
	wrong := sha256Of("x") + "  mapa_" + release + "_linux_amd64.tar.gz\n"
	for name, c := range map[string]struct{ sums, signature string }{
		"another checksum":  {wrong, wrong},
		"no checksum":       {"", ""},
		"another signature": {right, "x"},
	} {
		t.Run(name, func(t *testing.T) {
			writeFile(t, filepath.Join(files, "SHA256SUMS"), c.sums)
			writeFile(t, filepath.Join(files, "SHA256SUMS.sigstore.json"), c.signature)
			if code, log, _ := runGitLabJob(t, address, readGitLabJob(t, public)); code != 1 || strings.Contains(log, "crawl") {
				t.Errorf("exit code %d\n%s", code, log)
			}
		})
	}
}

// runGitLabJob runs a job in a project with a broken link, and returns its JUnit report too.
func runGitLabJob(t *testing.T, address string, job *gitlabJob) (code int, log, junit string) {
	t.Helper()
	project := t.TempDir()
	writeFile(t, filepath.Join(project, "public", "index.html"), `<title>Home</title><p>home</p><a href="gone.html">gone</a>`)
	writeFile(t, filepath.Join(project, "^", "gx"), "a file that the shell must not name in place of the pattern")
	c := exec.CommandContext(t.Context(), "bash", "-eo", "pipefail", "-c", strings.Join(job.Script, "\n"))
	c.Dir = project
	c.Env = append(os.Environ(), "MAPA_RELEASES="+address+"/releases", "TMPDIR="+t.TempDir(),
		"PATH="+installCosign(t)+":"+os.Getenv("PATH"))
	for name, value := range job.Variables {
		if about, is := value.(map[string]any); is && about["expand"] == false {
			c.Env = append(c.Env, name+"="+about["value"].(string))
		} else {
			c.Env = append(c.Env, name+"="+strings.ReplaceAll(value.(string), "$CI_PROJECT_DIR", project))
		}
	}
	output, _ := c.CombinedOutput()
	return c.ProcessState.ExitCode(), string(output), readAny(t, filepath.Join(project, job.Artifacts.Reports.JUnit))
}
