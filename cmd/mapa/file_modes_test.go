package main

import (
	"bufio"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/mapatools/mapa/internal/programtest"
)

// A modeRow is a row of the table in SECURITY.md: the permissions of the files and folders
// that match one of its patterns.
type modeRow struct {
	patterns []string // relative to the current folder; a folder ends in a slash
	mode     fs.FileMode
	umask    bool // in place of mode
}

// readModes reads the table.
func readModes(t *testing.T) (rows []*modeRow) {
	t.Helper()
	text, err := os.ReadFile("../../SECURITY.md")
	if err != nil {
		t.Fatal(err)
	}
	line := regexp.MustCompile("^\\| (`.*`) \\| (0[0-7]{3}|umask) \\|")
	pattern := regexp.MustCompile("`([^`]+)`")
	for text := range strings.Lines(string(text)) {
		found := line.FindStringSubmatch(text)
		if found == nil {
			continue
		}
		row := &modeRow{umask: found[2] == "umask"}
		mode, _ := strconv.ParseUint(found[2], 8, 32)
		row.mode = fs.FileMode(mode)
		for _, name := range pattern.FindAllStringSubmatch(found[1], -1) {
			row.patterns = append(row.patterns, strings.NewReplacer("$TMPDIR", "tmp", "$CACHE", userCache()).Replace(name[1]))
		}
		rows = append(rows, row)
	}
	return rows
}

// userCache returns the folder for caches of the user whose home is home.
func userCache() string {
	if runtime.GOOS == "darwin" {
		return "home/Library/Caches"
	}
	return "home/.cache"
}

// matches reports which pattern of the row fits a name, or "".
func (r *modeRow) matches(name string) string {
	for _, pattern := range r.patterns {
		if fits, err := path.Match(pattern, name); fits && err == nil {
			return pattern
		}
	}
	return ""
}

// fits reports whether a mode is that of the row. SQLite makes the file of a crawl without
// the permission of others to write, whatever the umask is.
func (r *modeRow) fits(name string, mode, umask fs.FileMode) bool {
	switch {
	case !r.umask:
		return mode == r.mode
	case strings.HasSuffix(name, "/"):
		return mode == 0o777&^umask
	}
	return mode == 0o666&^umask || strings.Contains(name, ".sqlite") && mode == 0o644&^umask
}

// A modeWatch runs the program in a folder of its own, and looks at the permissions of its
// files at every request that it sends.
type modeWatch struct {
	t     *testing.T
	root  string
	umask string
	site  *httptest.Server
	runs  atomic.Int64

	mutex sync.Mutex
	seen  map[string]fs.FileMode // by name, with a slash after that of a folder
}

func newModeWatch(t *testing.T, umask string) *modeWatch {
	w := &modeWatch{t: t, root: t.TempDir(), umask: umask, seen: map[string]fs.FileMode{}}
	if err := os.Mkdir(filepath.Join(w.root, "tmp"), 0o700); err != nil {
		t.Fatal(err)
	}
	w.site = httptest.NewServer(http.HandlerFunc(func(answer http.ResponseWriter, r *http.Request) {
		w.record()
		switch r.URL.Path {
		case "/", "/about":
			answer.Header().Set("Content-Type", "text/html")
			fmt.Fprintf(answer, "<title>%s</title><p>text of %s <a href=/about>about</a> <a href=/gone>gone</a>"+
				"<a href=http://other.example/>other</a>", r.URL.Path, r.URL.Path)
		case "/sitemap.xml":
			fmt.Fprintf(answer, "http://%s/%d\n", r.Host, w.runs.Load()) // a new page in every run
		default:
			http.NotFound(answer, r)
		}
	}))
	t.Cleanup(w.site.Close)
	return w
}

// record notes the permissions of all files that are there now.
func (w *modeWatch) record() {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	_ = filepath.WalkDir(w.root, func(name string, entry fs.DirEntry, err error) error {
		relative, failed := filepath.Rel(w.root, name)
		if err != nil || failed != nil || relative == "." || relative == "tmp" {
			return nil // files come and go
		}
		if strings.HasPrefix(userCache()+"/", filepath.ToSlash(relative)+"/") {
			return nil // not Mapa's
		}
		if info, err := entry.Info(); err == nil {
			if info.IsDir() {
				relative += "/"
			}
			w.seen[relative] = info.Mode().Perm()
		}
		return nil
	})
}

func (w *modeWatch) command(arguments ...string) *exec.Cmd {
	shell := append([]string{"-c", `umask "$0"; exec "$@"`, w.umask, os.Args[0]}, arguments...)
	command := exec.Command("sh", shell...)
	command.Dir = w.root
	command.Env = append(os.Environ(), runVariable+"=1", "TMPDIR="+filepath.Join(w.root, "tmp"),
		"HOME="+filepath.Join(w.root, "home"), "XDG_CACHE_HOME=", "HTTP_PROXY="+w.site.URL, "http_proxy="+w.site.URL)
	command.Stderr = w.t.Output()
	return command
}

// run runs the program to its end, which may report findings.
func (w *modeWatch) run(arguments ...string) {
	w.t.Helper()
	command := w.command(arguments...)
	if err := command.Run(); err != nil && command.ProcessState.ExitCode() != 1 {
		w.t.Fatalf("%v: %v", arguments, err)
	}
	w.record()
}

// serve runs the server, crawls the site with it, and looks at the result.
func (w *modeWatch) serve() {
	w.t.Helper()
	command := w.command("serve", "--listen", "127.0.0.1:0")
	out, err := command.StdoutPipe()
	if err == nil {
		err = command.Start()
	}
	if err != nil {
		w.t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		w.t.Fatal(err)
	}
	server := strings.TrimSuffix(strings.TrimSpace(strings.TrimPrefix(line, "Mapa is at ")), "/")
	body := `{"url":"` + w.site.URL + `","options":{"rate":0,"user":"me:secret"}}`
	answer, err := http.Post(server+"/api/v1/crawls", "application/json", strings.NewReader(body))
	if err != nil || answer.StatusCode != http.StatusCreated {
		w.t.Fatalf("%v, %v", answer, err)
	}
	answer.Body.Close()
	crawl := server + answer.Header.Get("Location")
	for _, part := range []string{"/events", "/pages"} { // the first ends with the crawl
		answer, err := http.Get(crawl + part)
		if err != nil {
			w.t.Fatal(err)
		}
		if _, err := bufio.NewReader(answer.Body).WriteTo(w.t.Output()); err != nil {
			w.t.Fatal(err)
		}
		answer.Body.Close()
	}
	w.run("serve", "backup", fmt.Sprintf("backup%d.tar", w.runs.Load()))
	if err := command.Process.Signal(syscall.SIGTERM); err != nil {
		w.t.Fatal(err)
	}
	if err := command.Wait(); err != nil {
		w.t.Fatal(err)
	}
	w.record()
}

// runAll runs every command that keeps state.
func (w *modeWatch) runAll() {
	w.t.Helper()
	w.runs.Add(1)
	w.run("crawl", w.site.URL, "-o", "out", "--rate", "0", "--fresh", "--external")
	w.run("lint", w.site.URL+"/sitemap.xml", "--fix", "fixed", "--force")
	w.serve()
	w.run("watch", w.site.URL+"/sitemap.xml", "--webhook", w.site.URL+"/hook")
	for _, more := range [][]string{nil, {"--dry-run"}, {"--ledger", "mapa-data/announce.sqlite"}} {
		w.run(append([]string{"announce", "out", "--to", "robots"}, more...)...)
	}
}

// check compares what was seen with the table, and forgets it. used gets the patterns that
// fit something.
func (w *modeWatch) check(rows []*modeRow, used map[string]bool) {
	w.t.Helper()
	umask, err := strconv.ParseUint(w.umask, 8, 32)
	if err != nil {
		w.t.Fatal(err)
	}
	w.mutex.Lock() // the site may still answer a program that ended
	defer w.mutex.Unlock()
	for name, mode := range w.seen {
		i := slices.IndexFunc(rows, func(r *modeRow) bool { return r.matches(name) != "" })
		if i < 0 {
			w.t.Errorf("%s is not in the table", name)
			continue
		}
		used[rows[i].matches(name)] = true
		if !rows[i].fits(name, mode, fs.FileMode(umask)) {
			w.t.Errorf("%s has mode %04o", name, mode)
		}
	}
	clear(w.seen)
}

// widen gives everybody the permission to read all state, as a copy may.
func (w *modeWatch) widen() {
	w.t.Helper()
	for _, pattern := range []string{
		userCache() + "/mapa/answers.sqlite", "*.sqlite*", "out/announce.sqlite", "mapa-data/*.sqlite*", "mapa-data/reserve",
	} {
		names, _ := filepath.Glob(filepath.Join(w.root, pattern))
		if len(names) == 0 {
			w.t.Errorf("no file %s", pattern)
		}
		for _, name := range names {
			if err := os.Chmod(name, 0o644); err != nil {
				w.t.Fatal(err)
			}
		}
	}
	if err := os.Chmod(filepath.Join(w.root, "mapa-data", "crawls"), 0o755); err != nil {
		w.t.Fatal(err)
	}
}

// TestFileModes compares the permissions of the files of real runs with the table in
// SECURITY.md: state is private whatever the umask is, and whatever it was before.
func TestFileModes(t *testing.T) {
	programtest.SkipShort(t, "it runs every command three times")
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no permissions of owner, group and others")
	}
	rows := readModes(t)
	used := map[string]bool{}
	for _, umask := range []string{"000", "022", "077"} {
		t.Run("umask "+umask, func(t *testing.T) {
			w := newModeWatch(t, umask)
			w.runAll()
			w.check(rows, used)
			w.widen()
			w.runAll()
			w.check(rows, used)
		})
	}
	for _, row := range rows {
		for _, pattern := range row.patterns {
			if !used[pattern] {
				t.Errorf("no run made %s of the table", pattern)
			}
		}
	}
}
