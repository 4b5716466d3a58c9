package main

import (
	"compress/gzip"
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/mapatools/mapa/internal/cli"
	"github.com/mapatools/mapa/internal/programtest"
	"github.com/rogpeppe/go-internal/testscript"
)

// runVariable makes the test's own binary the program, for tests that kill it.
const runVariable = "MAPA_TEST_RUN"

// raceVariable has the options of the race detector.
const raceVariable = "GORACE"

func TestMain(m *testing.M) {
	if os.Getenv(runVariable) != "" {
		main()
	}
	// With the race detector, each of some hundred programs would wait for a second before it exits.
	if os.Getenv(raceVariable) == "" {
		if err := os.Setenv(raceVariable, "atexit_sleep_ms=0"); err != nil {
			panic(err)
		}
	}
	// The scripts wait for programs more than they compute. A flag replaces this.
	if err := flag.Set("test.parallel", "8"); err != nil {
		panic(err)
	}
	testscript.Main(m, map[string]func(){
		"mapa": func() {
			programtest.RefuseNames()
			os.Exit(cli.Run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
		},
	})
}

// TestScripts drives the program as a person would. Each script has a website of
// its own: what lies in www is served at $SITE, and once more, as another host,
// at $OTHER. SITE in a file there stands for the address.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       os.Getenv("UPDATE_GOLDEN") != "",
		Setup:               serve,
		Condition:           condition,
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"pack":    pack,
			"cut":     cut,
			"sql":     execute,
			"code":    code,
			"engines": engines,
			"server":  server,
		},
	})
}

// condition is the conditions of scripts besides those of testscript: permissions mean nothing to root.
func condition(name string) (bool, error) {
	if name == "permissions" {
		return runtime.GOOS != "windows" && os.Geteuid() != 0, nil
	}
	return false, fmt.Errorf("unknown condition %q", name)
}

// published is when the files of a website were changed last, long enough ago
// for a later change to show in a Last-Modified of whole seconds.
var published = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func serve(env *testscript.Env) error {
	www := filepath.Join(env.WorkDir, "www")
	server := &scriptServer{held: make(chan struct{})}
	env.Values[scriptServerKey{}] = server
	site := httptest.NewServer(website(www, server, func() string { return env.Getenv("OTHER") }))
	other := httptest.NewServer(website(www, server, func() string { return env.Getenv("SITE") }))
	env.Defer(site.Close)
	env.Defer(other.Close)
	env.Values[enginesKey{}] = &scriptEngines{}
	env.Setenv(raceVariable, os.Getenv(raceVariable))
	env.Setenv("SITE", site.URL)
	env.Setenv("OTHER", strings.Replace(other.URL, "127.0.0.1", "localhost", 1))
	return filepath.WalkDir(www, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		filled := strings.NewReplacer("SITE", env.Getenv("SITE"), "OTHER", env.Getenv("OTHER")).Replace(string(text))
		if err := os.WriteFile(name, []byte(filled), 0o644); err != nil {
			return err
		}
		return os.Chtimes(name, published, published)
	})
}

// website serves files, answers a status that a path asks for, refuses a search engine, waits,
// and leads away to another host.
func website(dir string, held http.Handler, other func() string) http.Handler {
	mux, files := http.NewServeMux(), http.FileServer(http.Dir(dir))
	mux.Handle("/held/", held)
	mux.Handle("/", files)
	mux.HandleFunc("/picky/", func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.UserAgent(), "Googlebot") {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		files.ServeHTTP(w, r)
	})
	mux.HandleFunc("/forbidden/", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) })
	mux.HandleFunc("/away", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, other()+"/", http.StatusMovedPermanently)
	})
	mux.HandleFunc("/moved/", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, strings.TrimPrefix(r.URL.Path, "/moved"), http.StatusMovedPermanently)
	})
	return mux
}

// pack compresses a file: pack FILE makes FILE.gz.
func pack(ts *testscript.TestScript, _ bool, args []string) {
	text := ts.ReadFile(args[0])
	file, err := os.Create(ts.MkAbs(args[0] + ".gz"))
	ts.Check(err)
	zip := gzip.NewWriter(file)
	_, err = io.WriteString(zip, text)
	ts.Check(err)
	ts.Check(zip.Close())
	ts.Check(file.Close())
}

// cut ends a file before the first occurrence of a text: cut FILE TEXT.
func cut(ts *testscript.TestScript, _ bool, args []string) {
	before, _, found := strings.Cut(ts.ReadFile(args[0]), args[1])
	if !found {
		ts.Fatalf("%s does not hold %q", args[0], args[1])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(before), 0o644))
}

// execute changes a SQLite file as another program may: sql FILE STATEMENT.
func execute(ts *testscript.TestScript, _ bool, args []string) {
	db, err := sql.Open("sqlite", ts.MkAbs(args[0]))
	ts.Check(err)
	_, err = db.Exec(args[1])
	ts.Check(errors.Join(err, db.Close()))
}

// code runs the program and compares its exit code: code 3 mapa list FILE.
func code(ts *testscript.TestScript, _ bool, args []string) {
	err := ts.Exec(args[1], args[2:]...)
	got := "0"
	if err != nil {
		got = strings.TrimPrefix(err.Error(), "exit status ")
	}
	if got != args[0] {
		ts.Fatalf("exit code %s, want %s", got, args[0])
	}
}
