package answers

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/sqlite"
)

// newCache returns a cache whose failures are those of the test.
func newCache(t *testing.T, name, profile string) *Cache {
	t.Helper()
	c := New(name, profile, func(err error) { t.Error(err) })
	t.Cleanup(c.Close)
	return c
}

func fileOf(t *testing.T) string { return filepath.Join(t.TempDir(), "mapa", "answers.sqlite") }

// found is an answer as the file keeps it.
var found = crawl.Answer{Time: time.UnixMilli(1_800_000_000_123), Status: 200, MediaType: "text/html", Size: 7}

// TestKeep finds an answer again, also by another cache, and replaces it.
func TestKeep(t *testing.T) {
	name := fileOf(t)
	failed := crawl.Answer{Time: time.UnixMilli(1), Failure: "no-host"}
	for _, want := range []crawl.Answer{found, failed, {Time: time.UnixMilli(2), Status: 301, Failure: "redirect-loop"}} {
		c := newCache(t, name, "")
		c.Keep("https://other.example/", want)
		c.Close()
		c = newCache(t, name, "")
		if got, ok := c.Lookup("https://other.example/"); !ok || got != want {
			t.Errorf("%v, %+v, want %+v", ok, got, want)
		}
		if got, ok := c.Lookup("https://other.example/2"); ok {
			t.Errorf("found %+v", got)
		}
		c.Close()
	}
	if n := count(t, name); n != 1 {
		t.Errorf("%d answers", n)
	}
}

// TestProfile shares no answers between crawls that request in other ways.
func TestProfile(t *testing.T) {
	name := fileOf(t)
	for _, profile := range []string{"", "proxy"} {
		c := newCache(t, name, profile)
		if _, ok := c.Lookup("https://other.example/"); ok {
			t.Errorf("%q has an answer of another profile", profile)
		}
		c.Keep("https://other.example/", found)
		c.Close()
	}
}

// TestPrivate makes the folder and the file for the user alone, keeps no URL, and makes nothing
// before it is asked.
func TestPrivate(t *testing.T) {
	name := fileOf(t)
	c := newCache(t, name, "")
	c.Close()
	if _, err := os.Stat(filepath.Dir(name)); err == nil {
		t.Error("a cache that is not used has a folder")
	}
	c = newCache(t, name, "")
	c.Keep("https://other.example/?token=secret", found)
	long := found
	long.MediaType = strings.Repeat("x", maxMediaType+1)
	c.Keep("https://long.example/", long)
	c.Close()
	text, err := os.ReadFile(name)
	if err != nil || strings.Contains(string(text), "secret") || strings.Contains(string(text), "xxx") {
		t.Errorf("%v: the file has a URL or a long text", err)
	}
}

// TestBound removes the oldest answers.
func TestBound(t *testing.T) {
	name := fileOf(t)
	keep := func(urls ...string) {
		c := newCache(t, name, "")
		for _, url := range urls {
			c.Keep(url, found)
		}
		c.Close()
	}
	keep("https://old.example/", "https://again.example/", "https://new.example/")
	execute(t, name, fmt.Sprintf("update answer set id = %d where id = 3", maxAnswers))
	keep("https://again.example/", "https://last.example/")
	c := newCache(t, name, "")
	for url, want := range map[string]bool{
		"https://old.example/": false, "https://again.example/": true, "https://new.example/": true,
		"https://last.example/": true,
	} {
		if _, ok := c.Lookup(url); ok != want {
			t.Errorf("%s: %v", url, ok)
		}
	}
}

// TestShared lets several caches write one file at once, and reads what others have written.
func TestShared(t *testing.T) {
	usual := spec
	t.Cleanup(func() { spec = usual })
	// On a machine with other work, a batch may take longer than a crawl would wait for it.
	spec.Wait = time.Minute
	name := fileOf(t)
	const caches, each = 4, 3 * batchSize
	var working sync.WaitGroup
	for i := range caches {
		c := newCache(t, name, "")
		working.Go(func() {
			for n := range each {
				url := fmt.Sprintf("https://other.example/%d/%d", i, n)
				c.Lookup(url)
				c.Keep(url, found)
			}
			c.Close()
		})
	}
	working.Wait()
	if n := count(t, name); n != caches*each {
		t.Errorf("%d answers", n)
	}
}

// TestBusy goes on without the file while a process that hangs holds it, and uses it again
// after that.
func TestBusy(t *testing.T) {
	name := fileOf(t)
	var failures []error
	c := New(name, "", func(err error) { failures = append(failures, err) })
	c.Keep("https://other.example/", found)
	other, err := sqlite.Open(t.Context(), name, &spec, sqlite.Write)
	if err != nil {
		t.Fatal(err)
	}
	err = other.InTransaction(func() error {
		for n := range 3 * batchSize {
			c.Keep(fmt.Sprint("https://other.example/", n), found)
		}
		return nil
	})
	if err := errors.Join(err, other.Close()); err != nil {
		t.Fatal(err)
	}
	c.Close()
	if len(failures) != 1 || !errors.Is(failures[0], sqlite.ErrLocked) {
		t.Errorf("failures %v", failures)
	}
	c = newCache(t, name, "")
	c.Keep("https://other.example/", found)
	c.Close()
	if n := count(t, name); n != 1 {
		t.Errorf("%d answers", n)
	}
}

// TestUnusable says once what is wrong with a file, and goes on without it.
func TestUnusable(t *testing.T) {
	written := func(t *testing.T) string {
		name := fileOf(t)
		c := newCache(t, name, "")
		for n := range 2000 {
			c.Keep(fmt.Sprint("https://other.example/", n), found)
		}
		c.Close()
		return name
	}
	for name, test := range map[string]struct {
		spoil func(t *testing.T) string
		want  error
	}{
		"something else": {func(t *testing.T) string {
			name := written(t)
			write(t, name, strings.Repeat("text ", 1000))
			return name
		}, sqlite.ErrForeign},
		"damaged": {func(t *testing.T) string {
			name := written(t)
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for i := 8192; i < len(text); i++ {
				text[i] = 0xff
			}
			write(t, name, string(text))
			return name
		}, sqlite.ErrDamaged},
		"cut off": {func(t *testing.T) string {
			name := written(t)
			if err := os.Truncate(name, 20_000); err != nil {
				t.Fatal(err)
			}
			return name
		}, sqlite.ErrDamaged},
		"without its table": {func(t *testing.T) string {
			name := written(t)
			execute(t, name, "drop table answer; create table other (x)")
			return name
		}, sqlite.ErrDamaged},
		"a file in place of the folder": {func(t *testing.T) string {
			folder := filepath.Join(t.TempDir(), "mapa")
			write(t, folder, "")
			return filepath.Join(folder, "answers.sqlite")
		}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			var failures []error
			c := New(test.spoil(t), "", func(err error) { failures = append(failures, err) })
			for n := range 2000 {
				url := fmt.Sprint("https://other.example/", n)
				c.Lookup(url)
				c.Keep(url, found)
			}
			c.Close()
			if len(failures) != 1 || test.want != nil && !errors.Is(failures[0], test.want) {
				t.Errorf("failures %v", failures)
			}
		})
	}
}

// writerVariable makes the test a program that keeps answers until it is killed.
const writerVariable = "MAPA_TEST_ANSWERS"

// TestKilled kills a program that keeps answers. All but its last batch are kept.
func TestKilled(t *testing.T) {
	if name := os.Getenv(writerVariable); name != "" {
		c := newCache(t, name, "")
		for n := 1; ; n++ {
			c.Keep(fmt.Sprint("https://other.example/", n), found)
			if n%batchSize == 0 {
				fmt.Println("kept", n)
			}
		}
	}
	name := fileOf(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	writer := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestKilled$")
	writer.Env = append(os.Environ(), writerVariable+"="+name)
	output, err := writer.StdoutPipe()
	if err == nil {
		err = writer.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(output)
	kept := 0
	for range 20 {
		if !lines.Scan() {
			t.Fatal("the program ended")
		}
		if _, err := fmt.Sscanf(lines.Text(), "kept %d", &kept); err != nil {
			t.Fatal(err)
		}
	}
	cancel()
	for lines.Scan() {
		if _, err := fmt.Sscanf(lines.Text(), "kept %d", &kept); err != nil {
			t.Fatal(err)
		}
	}
	_ = writer.Wait() // it was killed
	c := newCache(t, name, "")
	for n := 1; n <= kept; n++ {
		if _, ok := c.Lookup(fmt.Sprint("https://other.example/", n)); !ok {
			t.Fatalf("answer %d of %d is lost", n, kept)
		}
	}
	c.Keep("https://new.example/", found)
	c.Close()
	if n := count(t, name); n < kept+1 || n > kept+batchSize+1 {
		t.Errorf("%d answers, %d were kept", n, kept)
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func execute(t *testing.T, name, statements string) {
	t.Helper()
	file, err := sqlite.Open(t.Context(), name, &spec, sqlite.Write)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(file.Exec(statements), file.Close()); err != nil {
		t.Fatal(err)
	}
}

// count returns the number of answers in a file, which must be whole.
func count(t *testing.T, name string) (n int) {
	t.Helper()
	file, err := sqlite.Open(t.Context(), name, &spec, sqlite.Write)
	if err != nil {
		t.Fatal(err)
	}
	whole := ""
	const read = "select (select count(*) from answer), integrity_check from pragma_integrity_check"
	err = file.Query(read, func(r sqlite.Row) bool {
		n, whole = r.Count(0), r.Text(1)
		return false
	})
	if err := errors.Join(err, file.Close()); err != nil || whole != "ok" {
		t.Fatal(err, whole)
	}
	return n
}
