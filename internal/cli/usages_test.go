package cli_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/cli"
)

// word matches an argument of a command line: a quoted text, or one without spaces.
var word = regexp.MustCompile(`'[^']*'|[^ ']+`)

// notice matches what a command says on standard error besides its error.
var notice = regexp.MustCompile(`^mapa: (settings from |.*: line [0-9]+|http.*waiting for|.*: \d+ rows? |the crawl)`)

// TestUsages runs every command of testdata/usages.txt, whose first word has the exit codes that are right: commands of
// people who err, in a folder with what the file names. The answer is one sentence and at most one hint, and no name
// is looked up.
func TestUsages(t *testing.T) {
	list, err := os.ReadFile(filepath.Join("testdata", "usages.txt"))
	if err != nil {
		t.Fatal(err)
	}
	before := net.DefaultResolver
	t.Cleanup(func() { net.DefaultResolver = before })
	lookedUp := false
	net.DefaultResolver = &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		lookedUp = true
		return nil, errors.New("no network")
	}}
	t.Setenv("MAPA_RATE", "0")
	sites := usageSites(t)
	made := t.TempDir()
	makeUsageFiles(t, made, sites)
	for line := range strings.Lines(string(list)) {
		line = strings.TrimSpace(line)
		codes, command, _ := strings.Cut(line, " ")
		t.Chdir(t.TempDir())
		if err := os.CopyFS(".", os.DirFS(made)); err != nil {
			t.Fatal(err)
		}
		lookedUp = false
		code, stderr := runLine(t, sites.Replace(command))
		if !slices.Contains(strings.Split(codes, ","), strconv.Itoa(code)) {
			t.Errorf("%s\nexit code %d: %s", line, code, stderr)
		}
		sentences, hints := 0, 0
		for answer := range strings.Lines(stderr) {
			switch {
			case notice.MatchString(answer):
			case strings.HasPrefix(answer, "mapa: "):
				sentences++
			default:
				hints++
			}
		}
		if lookedUp || (code == 2 || code == 4) && (sentences > 1 || hints > 1) {
			t.Errorf("%s\n%d sentences, %d hints, looked up %t: %s", line, sentences, hints, lookedUp, stderr)
		}
	}
}

// runLine runs a command line, which may begin with an environment variable.
func runLine(t *testing.T, line string) (code int, stderr string) {
	words := word.FindAllString(line, -1)
	for i := range words {
		words[i] = strings.Trim(words[i], "'")
	}
	if name, value, is := strings.Cut(words[0], "="); is {
		t.Setenv(name, value)
		defer os.Unsetenv(name)
		words = words[1:]
	}
	var errs bytes.Buffer
	code = cli.Run(t.Context(), words[1:], strings.NewReader(""), io.Discard, &errs)
	return code, errs.String()
}

// usageSites serves the sites that the commands name, and replaces their names by addresses.
func usageSites(t *testing.T) *strings.Replacer {
	page := `<title>Home</title><h1>Home</h1><a href="/a">A</a>`
	form := `<title>Log in</title><form method="post"><input name="u"><input type="password" name="p"></form>`
	robots, answers := "", map[string]http.HandlerFunc{}
	answers["SITE"] = func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, page) }
	answers["OTHER"] = answers["SITE"]
	answers["LOGIN"] = func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, form) }
	answers["LOOP"] = func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.Path, http.StatusFound) }
	answers["ROBOTS"] = answers["SITE"]
	for _, status := range []int{401, 403, 404, 410, 429, 500} {
		answers["S"+strconv.Itoa(status)] = func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "86400")
			w.WriteHeader(status)
		}
	}
	var pairs []string
	for name, answer := range answers {
		robots = ""
		if name == "ROBOTS" {
			robots = "User-agent: *\nDisallow: /\n"
		}
		server := httptest.NewServer(usageSite(robots, answer))
		t.Cleanup(server.Close)
		pairs = append(pairs, name, strings.TrimPrefix(server.URL, "http://"))
	}
	return strings.NewReplacer(pairs...)
}

func usageSite(robots string, answer http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			io.WriteString(w, robots)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		answer(w, r)
	})
}

// makeUsageFiles makes the files and folders that the commands name.
func makeUsageFiles(t *testing.T, folder string, sites *strings.Replacer) {
	urls := `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://a.es/1</loc></url>`
	binary := strings.Repeat("\x00\x81\xfe\x03", 1024)
	for name, text := range map[string]string{
		"site/index.html": "<title>Home</title><p>Home", "empty/none/.keep": "", "file.txt": "some text\n",
		"s.xml": urls + "</urlset>", "trunc.xml": urls + "<url><lo", "empty.csv": "",
		"crawlbad/crawl.sqlite": binary, "bin.csv": binary,
		"syn.yaml": "max-pages: [\n", "under.yaml": "max_pages: 3\n", "type.yaml": "max-pages: many\n",
		"ftp.yaml": "sites:\n- url: ftp://a.es/\n", "sites.yaml": "sites: 3\n",
		"nourl.csv": "name,price\na,1\nb,2\n", "head.csv": "URL,Title\nhttps://a.es/x,X\n", "x.jsonl": "no JSON\n{\"x\":1}\n",
		"win1252.csv": "URL;Title\nhttps://a.es/\xf1;Ni\xf1o\n",
	} {
		name = filepath.Join(folder, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(folder)
	db, err := sql.Open("sqlite", "x.db")
	if err == nil {
		_, err = db.Exec("create table p(loc text)")
		err = errors.Join(err, db.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	if code, stderr := runLine(t, sites.Replace("mapa crawl SITE -o crawl -q")); code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
}
