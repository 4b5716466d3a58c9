package store

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/sqlite"
	"github.com/mapatools/mapa/internal/statefile"
)

// childFile is the environment variable with the crawl file that this program, when
// it runs as a child, fills until it is killed.
const childFile = "STORE_TEST_CHILD_FILE"

var childSite = site{pages: 200, links: 5}

func TestMain(m *testing.M) {
	if name := os.Getenv(childFile); name != "" {
		fmt.Println("failed:", fill(name))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// fill opens or creates the file and appends for ever. It prints a line before and
// after every commit.
func fill(name string) error {
	f, err := Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		f, err = Create(name, crawl.Meta{})
	}
	if err != nil {
		return err
	}
	var pages int64
	err = f.db.Query("select count(*) from fetch", func(r sqlite.Row) bool {
		pages = r.Number(0)
		return true
	})
	if err != nil {
		return err
	}
	for number := int(pages) / childSite.pages; ; number++ {
		commit := childSite.commit(number)
		fmt.Println("begin", number)
		if err := f.Append(context.Background(), commit); err != nil {
			return err
		}
		fmt.Println("end", number)
	}
}

// fillAndKill runs fill in another process and kills it after the given number
// of lines. It returns how many commits the process knew to be kept.
func fillAndKill(t *testing.T, name string, lines int, alive func()) (kept int) {
	t.Helper()
	child := exec.CommandContext(t.Context(), os.Args[0])
	child.Env = append(os.Environ(), childFile+"="+name)
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	scanner := bufio.NewScanner(out)
	read := func() bool {
		if !scanner.Scan() {
			return false
		}
		var number int
		if n, _ := fmt.Sscanf(scanner.Text(), "end %d", &number); n == 1 {
			kept = number + 1
		} else if strings.HasPrefix(scanner.Text(), "failed") {
			t.Error(scanner.Text())
		}
		return true
	}
	for range lines {
		read()
	}
	alive()
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	for read() { // the lines from before the kill
	}
	if err := child.Wait(); err == nil {
		t.Error("the child ended by itself")
	}
	return kept
}

// verify checks that the file holds the first commits of a site and nothing
// else, and returns how many.
func verify(t *testing.T, f *File, s site) int {
	t.Helper()
	var links, pages int
	err := f.Replay(t.Context(), func(c crawl.Commit) error {
		for _, l := range c.Found {
			links++
			if want := s.link(crawl.ID(links)); l != want {
				return fmt.Errorf("link %+v, not %+v", l, want)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for record, err := range f.Pages(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		pages++
		want := s.page(crawl.ID(pages))
		want.Links, want.Anchors = nil, nil
		if !reflect.DeepEqual(record.Page, want) {
			t.Fatalf("page %+v, not %+v", record.Page, want)
		}
	}
	if links%s.pages != 0 || links != pages {
		t.Fatalf("%d links and %d pages are not whole commits of %d", links, pages, s.pages)
	}
	verifyEdges(t, f, s, pages)
	return pages / s.pages
}

func verifyEdges(t *testing.T, f *File, s site, pages int) {
	t.Helper()
	edges := 0
	for e, err := range f.Edges(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if want := s.page(e.From).Links[edges%s.links]; e.Edge != want || int(e.From) != edges/s.links+1 {
			t.Fatalf("edge %d is %+v, not %+v", edges, e, want)
		}
		edges++
	}
	if edges != pages*s.links {
		t.Fatalf("%d edges, not %d", edges, pages*s.links)
	}
}

func TestKill(t *testing.T) {
	name := filepath.Join(t.TempDir(), "crawl.sqlite")
	random := rand.New(rand.NewPCG(1, 2))
	before := 0
	for range 12 {
		kept := fillAndKill(t, name, random.IntN(24), func() {})
		f, err := Open(name)
		if errors.Is(err, fs.ErrNotExist) && before == 0 && kept == 0 {
			continue // killed before the file was there
		}
		if err != nil {
			t.Fatal(err)
		}
		found := verify(t, f, childSite)
		if found < max(before, kept) {
			t.Errorf("%d commits are left of at least %d", found, max(before, kept))
		}
		// This process continues the file, and closes it.
		if err := f.Append(t.Context(), childSite.commit(found)); err != nil {
			t.Fatal(err)
		}
		closeFile(t, f)
		before = found + 1
	}
	if before < 24 {
		t.Errorf("only %d commits were made", before)
	}
}

func TestLocked(t *testing.T) {
	name := filepath.Join(t.TempDir(), "crawl.sqlite")
	fillAndKill(t, name, 3, func() {
		if _, err := Open(name); !errors.Is(err, sqlite.ErrLocked) {
			t.Errorf("opening while another process has it open: %v", err)
		}
		if _, err := Create(name, crawl.Meta{}); !errors.Is(err, sqlite.ErrLocked) {
			t.Errorf("creating while another process has it open: %v", err)
		}
	})
	f, err := Open(name)
	if err != nil {
		t.Fatalf("the lock outlives its process: %v", err)
	}
	if _, err := Open(name); !errors.Is(err, sqlite.ErrLocked) {
		t.Errorf("opening twice: %v", err)
	}
	closeFile(t, f)
}

// TestPowerLoss cuts the log at random, as a loss of power may do.
func TestPowerLoss(t *testing.T) {
	f, name := create(t)
	s := site{pages: 20, links: 3}
	for number := range 20 {
		if err := f.Append(t.Context(), s.commit(number)); err != nil {
			t.Fatal(err)
		}
	}
	main, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	log, err := os.ReadFile(name + "-wal")
	if err != nil {
		t.Fatal(err)
	}
	closeFile(t, f)
	random := rand.New(rand.NewPCG(3, 4))
	seen := make(map[int]bool)
	for range 30 {
		size := len(log)/4 + random.IntN(len(log)*3/4)
		torn := append(log[:size:size], make([]byte, random.IntN(10_000))...)
		name := filepath.Join(t.TempDir(), "crawl.sqlite")
		writeFile(t, name, main)
		writeFile(t, name+"-wal", torn)
		f, err := Open(name)
		if err != nil {
			t.Fatalf("log cut at %d of %d: %v", size, len(log), err)
		}
		found := verify(t, f, s)
		seen[found] = true
		if err := f.Append(t.Context(), s.commit(found)); err != nil {
			t.Errorf("log cut at %d of %d: %v", size, len(log), err)
		}
		closeFile(t, f)
	}
	if len(seen) < 5 {
		t.Errorf("the cuts left only %d different states", len(seen))
	}
}

func writeFile(t *testing.T, name string, content []byte) {
	t.Helper()
	if err := os.WriteFile(name, content, 0o666); err != nil {
		t.Fatal(err)
	}
}

// change executes statements in a crawl file, as another program does.
func change(t *testing.T, name, text string) {
	t.Helper()
	db, err := sqlite.Open(t.Context(), name, &spec, sqlite.Write)
	if err == nil {
		err = errors.Join(db.Exec(text), db.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestOpenRefuses(t *testing.T) {
	f, name := create(t)
	s := site{pages: 500, links: 3}
	if err := f.Append(t.Context(), s.commit(0)); err != nil {
		t.Fatal(err)
	}
	closeFile(t, f)
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	query := func(text string) func(t *testing.T, name string) {
		return func(t *testing.T, name string) {
			writeFile(t, name, whole)
			change(t, name, text)
		}
	}
	content := func(b []byte) func(t *testing.T, name string) {
		return func(t *testing.T, name string) { writeFile(t, name, b) }
	}
	for _, test := range []struct {
		what string
		make func(t *testing.T, name string)
		want error
	}{
		{"missing", func(*testing.T, string) {}, fs.ErrNotExist},
		{"empty", content(nil), fs.ErrNotExist},
		{"a folder", func(t *testing.T, name string) {
			if err := os.Mkdir(name, 0o777); err != nil {
				t.Fatal(err)
			}
		}, sqlite.ErrForeign},
		{"garbage", content([]byte(strings.Repeat("not a crawl", 1000))), sqlite.ErrForeign},
		{"short garbage", content([]byte("x")), sqlite.ErrForeign},
		{"of another program", query("pragma application_id = 7"), sqlite.ErrForeign},
		{"of another version", query("pragma user_version = 99"), statefile.ErrNewer},
		{"of no version", query("pragma user_version = 0"), statefile.ErrVersion},
		{"of before a column", query("drop view page; alter table fetch drop column faults"), statefile.ErrVersion},
		{"with another column", query("alter table fetch add column later"), statefile.ErrNewer},
		{"of no start", query("delete from meta"), sqlite.ErrDamaged},
		{"a part", content(whole[:len(whole)/2]), sqlite.ErrDamaged},
	} {
		t.Run(test.what, func(t *testing.T) {
			name := filepath.Join(t.TempDir(), "crawl.sqlite")
			test.make(t, name)
			before, _ := os.ReadFile(name)
			f, err := Open(name)
			if !errors.Is(err, test.want) {
				t.Fatalf("error %v, not %v", err, test.want)
			}
			if f != nil {
				t.Error("a file comes with the error")
			}
			if after, _ := os.ReadFile(name); string(after) != string(before) {
				t.Error("the file changed")
			}
		})
	}
}

func TestCreateKeepsExistingFile(t *testing.T) {
	f, name := create(t)
	closeFile(t, f)
	if _, err := Create(name, crawl.Meta{}); !errors.Is(err, fs.ErrExist) {
		t.Errorf("error %v of a file that exists", err)
	}
	garbage := filepath.Join(t.TempDir(), "other")
	writeFile(t, garbage, []byte(strings.Repeat("not a crawl", 1000)))
	if _, err := Create(garbage, crawl.Meta{}); !errors.Is(err, sqlite.ErrForeign) {
		t.Errorf("error %v of another file", err)
	}
	empty := filepath.Join(t.TempDir(), "what? 100%#1.sqlite")
	writeFile(t, empty, nil)
	g, err := Create(empty, crawl.Meta{Start: "x"})
	if err != nil {
		t.Fatal(err)
	}
	g = reopen(t, g, false)
	equal(t, "start", g.Meta().Start, "x")
	closeFile(t, g)
	entries, err := os.ReadDir(filepath.Dir(empty))
	if err != nil || len(entries) != 1 {
		t.Errorf("the folder has %v, error %v", entries, err)
	}
}

// TestFull makes SQLite refuse to grow the file.
func TestFull(t *testing.T) {
	f, _ := create(t)
	if err := f.db.Exec("pragma max_page_count = 200"); err != nil {
		t.Fatal(err)
	}
	appendUntilFull(t, f, func(f *File) *File { return reopen(t, f, false) })
}

// appendUntilFull fills the file and verifies that only the commit without enough
// disk space is missing, before and after there is space again.
func appendUntilFull(t *testing.T, f *File, free func(*File) *File) {
	t.Helper()
	s := site{pages: 50, links: 20}
	number := 0
	var err error
	for ; err == nil && number < 1000; number++ {
		err = f.Append(t.Context(), s.commit(number))
	}
	if !errors.Is(err, sqlite.ErrFull) {
		t.Fatalf("error %v after %d commits", err, number)
	}
	if found := verify(t, f, s); found != number-1 || found == 0 {
		t.Errorf("%d commits are left of %d", found, number-1)
	}
	f = free(f)
	if err := f.Append(t.Context(), s.commit(number-1)); err != nil {
		t.Errorf("append when there is space again: %v", err)
	}
	if found := verify(t, f, s); found != number {
		t.Errorf("%d commits in the end, not %d", found, number)
	}
	closeFile(t, f)
}
