package cli_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/cli"
	"github.com/mapatools/mapa/internal/programtest"
	"github.com/rogpeppe/go-internal/txtar"
)

// TestLinkCases runs what users do with programs that check links. Each case of
// testdata/link-cases.txt is a command, the files for it, and what it must find.
//
//	=== NAME | PROGRAMS | note
//	$ ARGUMENTS                  SITE and OTHER are the origins of two servers
//	exit CODE                    else 1 with findings, and 0 without
//	> RULE FILE:LINE TARGET      a finding; there must be no others
//	-- FILE --                   of the command, and of the site below www/
//
// The programs that have the case are l (lychee), m (muffet) and k (linkinator).
func TestLinkCases(t *testing.T) {
	programtest.SkipShort(t, "it crawls more than a hundred sites")
	text, err := os.ReadFile("testdata/link-cases.txt")
	if err != nil {
		t.Fatal(err)
	}
	for i, source := range strings.Split("\n"+string(text), "\n=== ")[1:] {
		c := parseLinkCase(source)
		t.Run(fmt.Sprintf("%03d %s", i+1, c.name), c.run)
	}
}

// A linkCase is one case of [TestLinkCases].
type linkCase struct {
	name    string
	command []string
	code    int
	stdin   string
	want    []string // findings
	files   []txtar.File
}

func parseLinkCase(source string) (c linkCase) {
	archive := txtar.Parse([]byte(source))
	lines := strings.Split(string(archive.Comment), "\n")
	c.name, _, _ = strings.Cut(lines[0], " |")
	c.code = -1
	for _, line := range lines[1:] {
		switch {
		case strings.HasPrefix(line, "$ "):
			c.command = strings.Fields(line[2:])
		case strings.HasPrefix(line, "> "):
			c.want = append(c.want, line[2:])
		case strings.HasPrefix(line, "exit "):
			_, _ = fmt.Sscan(line[5:], &c.code)
		}
	}
	if c.code < 0 {
		c.code = min(len(c.want), 1)
	}
	c.files = archive.Files
	return c
}

// run runs the command of the case.
func (c *linkCase) run(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("MAPA_EXTERNAL_MAX_AGE", "0")
	site, other := &linkSite{}, &linkSite{}
	tls := startTLS(t)
	names := strings.NewReplacer("SITE", startLinkSite(t, site), "OTHER", startLinkSite(t, other), "TLS", tls)
	c.write(t, names)
	site.files, other.files = "www", "www"
	args := slices.Clone(c.command)
	for i := range args {
		args[i] = names.Replace(args[i])
	}
	args = addDefault(args, "--rate", "0")
	args = addDefault(args, "--only", "link-broken,link-inconclusive,link-invalid,anchor-missing,redirect-loop")
	args = addDefault(args, "--fail-on", "broken,anchors,redirect-loop,link-invalid")
	if args[0] == "crawl" {
		args = append(args, "-o", "out")
	} else {
		args = append(addDefault(args, "--format", "jsonl"), "--all")
	}
	code, stdout, stderr := runWith(t, names.Replace(c.stdin), args...)
	if code != c.code {
		t.Errorf("exit code %d, want %d: %s%s", code, c.code, stdout, stderr)
	}
	if args[0] == "crawl" {
		_, stdout, _ = runWith(t, "", "report", "out", "--format", "jsonl", "--all")
	}
	back := strings.NewReplacer(site.origin, "SITE", other.origin, "OTHER", tls, "TLS")
	got, want := findingsOf(t, back.Replace(stdout)), slices.Sorted(slices.Values(c.want))
	if !slices.Equal(got, want) {
		t.Errorf("got\n  %s\nwant\n  %s\n%s", strings.Join(got, "\n  "), strings.Join(want, "\n  "), stderr)
	}
}

// addDefault adds a flag with a value unless it is there.
func addDefault(args []string, flag, value string) []string {
	if slices.Contains(args, flag) {
		return args
	}
	return append(args, flag, value)
}

// write writes the files of the case.
func (c *linkCase) write(t *testing.T, names *strings.Replacer) {
	t.Helper()
	if err := os.Mkdir(".git", 0o700); err != nil { // the folder that no link leads out of
		t.Fatal(err)
	}
	for _, file := range c.files {
		text := names.Replace(string(file.Data))
		if file.Name == "stdin" {
			c.stdin = text
			continue
		}
		err := os.MkdirAll(filepath.Dir(file.Name), 0o700)
		switch {
		case strings.HasSuffix(file.Name, "/.keep"):
			continue
		case strings.HasPrefix(text, "symlink "):
			err = errors.Join(err, os.Symlink(strings.TrimSpace(text[8:]), file.Name))
		case strings.HasPrefix(text, "sparse "):
			size, _ := strconv.ParseInt(strings.TrimSpace(text[7:]), 10, 64)
			err = errors.Join(err, os.WriteFile(file.Name, nil, 0o600), os.Truncate(file.Name, size))
		default:
			err = errors.Join(err, os.WriteFile(file.Name, []byte(text), 0o600))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// runWith runs the program.
func runWith(t *testing.T, stdin string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = cli.Run(t.Context(), args, strings.NewReader(stdin), &out, &errs)
	return code, out.String(), errs.String()
}

// findingsOf returns findings as the cases have them.
func findingsOf(t *testing.T, lines string) (found []string) {
	t.Helper()
	for line := range strings.Lines(lines) {
		var f struct {
			Rule, URL, Other, File string
			Line                   int
		}
		if err := json.Unmarshal([]byte(line), &f); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		place := f.File
		if place == "" || strings.HasPrefix(f.URL, "SITE") {
			place = strings.TrimPrefix(f.URL, "SITE")
		}
		if f.Line > 0 {
			place = fmt.Sprintf("%s:%d", place, f.Line)
		}
		found = append(found, strings.TrimSpace(f.Rule+" "+place+" "+f.Other))
	}
	slices.Sort(found)
	return found
}

func startLinkSite(t *testing.T, s *linkSite) string {
	t.Helper()
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	s.origin = server.URL
	return server.URL
}
