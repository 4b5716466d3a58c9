package sitemap

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var small = Limits{URLs: 3}

func options(gzip bool) *SetOptions {
	return &SetOptions{BaseURL: "https://example.com", Gzip: gzip, Limits: small, Stylesheets: []Stylesheet{CSS()}}
}

// pages are addresses that differ between sets.
func pages(set string, n int) []string {
	var locs []string
	for i := range n {
		locs = append(locs, fmt.Sprintf("https://example.com/%s/%d", set, i))
	}
	return locs
}

func writeFolder(dir string, options *SetOptions, locs []string, step func(string)) error {
	folder, err := NewFolder(dir, options)
	if err != nil {
		return err
	}
	if step != nil {
		folder.step = step
	}
	for _, loc := range locs {
		if err := folder.Write(&URL{Loc: loc}); err != nil {
			return errors.Join(err, folder.Abort())
		}
	}
	return folder.Close()
}

// writeGroups writes every second page into a group.
func writeGroups(dir string, options *SetOptions, locs []string, step func(string)) error {
	folder, err := NewFolder(dir, options)
	if err != nil {
		return err
	}
	if step != nil {
		folder.step = step
	}
	odd, err := folder.Group("odd", Limits{})
	if err != nil {
		return errors.Join(err, folder.Abort())
	}
	for i, loc := range locs {
		write := folder.Write
		if i%2 == 1 {
			write = odd.Write
		}
		if err := write(&URL{Loc: loc}); err != nil {
			return errors.Join(err, folder.Abort())
		}
	}
	return folder.Close()
}

// writers are the two ways to write a folder, for tests that do the same with both.
var writers = map[bool]func(dir string, options *SetOptions, locs []string, step func(string)) error{false: writeFolder,
	true: writeGroups}

// readFolder follows the file to submit as a search engine would.
func readFolder(t *testing.T, dir, entrance string) []string {
	t.Helper()
	var locs []string
	for _, entry := range readAll(t, filepath.Join(dir, entrance)) {
		if entry.IsSitemap() {
			for _, page := range readAll(t, filepath.Join(dir, path.Base(string(entry.Loc)))) {
				locs = append(locs, string(page.Loc))
			}
			continue
		}
		locs = append(locs, string(entry.Loc))
	}
	return locs
}

func readAll(t *testing.T, name string) []*Entry {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var entries []*Entry
	for entry, err := range NewReader(file, nil).Entries() {
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		entries = append(entries, entry.Clone())
	}
	return entries
}

func fileNames(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, entry := range entries {
		found = append(found, entry.Name())
	}
	return found
}

func TestFolderNames(t *testing.T) {
	tests := []struct {
		name  string
		sizes []int // of the sets written one after the other
		gzip  []bool
		want  string
	}{
		{"one file", []int{2}, []bool{false}, "sitemap.css sitemap.xml"},
		{"no page", []int{0}, []bool{false}, "sitemap.css sitemap.xml"},
		{"exactly full", []int{3}, []bool{false}, "sitemap.css sitemap.xml"},
		{"an index", []int{7}, []bool{false},
			"sitemap-1.xml sitemap-2.xml sitemap-3.xml sitemap.css sitemap.xml"},
		{"again", []int{7, 4}, []bool{false, false}, "sitemap-1b.xml sitemap-2b.xml sitemap.css sitemap.xml"},
		{"and again", []int{7, 4, 5}, []bool{false, false, false},
			"sitemap-1.xml sitemap-2.xml sitemap.css sitemap.xml"},
		{"index to one file", []int{7, 1}, []bool{false, false}, "sitemap.css sitemap.xml"},
		{"to gzip", []int{7, 4}, []bool{false, true},
			"sitemap-1b.xml.gz sitemap-2b.xml.gz sitemap.css sitemap.xml.gz"},
		{"from gzip", []int{7, 1}, []bool{true, false}, "sitemap.css sitemap.xml"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			for i, size := range test.sizes {
				locs := pages(strconv.Itoa(i), size)
				if err := writeFolder(dir, options(test.gzip[i]), locs, nil); err != nil {
					t.Fatal(err)
				}
				entrance := "sitemap.xml"
				if test.gzip[i] {
					entrance += ".gz"
				}
				if got := readFolder(t, dir, entrance); !slices.Equal(got, locs) {
					t.Errorf("set %d: read %v", i, got)
				}
			}
			if got := strings.Join(fileNames(t, dir), " "); got != test.want {
				t.Errorf("files: %s, want %s", got, test.want)
			}
		})
	}
}

// TestFolderLeavesStrangers keeps files that look like parts but are not.
func TestFolderLeavesStrangers(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"sitemap-2023.xml", "sitemap-1.txt", "sitemap-news.xml", "page.html"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, size := range []int{7, 4, 1} {
		if err := writeFolder(dir, &SetOptions{BaseURL: "https://example.com/", Limits: small}, pages("a", size),
			nil); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := strings.Join(fileNames(t, dir), " "),
		"page.html sitemap-1.txt sitemap-2023.xml sitemap-news.xml sitemap.xml"; got != want {
		t.Errorf("files: %s, want %s", got, want)
	}
}

func TestFolderAfterFailure(t *testing.T) {
	dir := t.TempDir()
	old := pages("old", 7)
	if err := writeFolder(dir, options(false), old, nil); err != nil {
		t.Fatal(err)
	}
	before := fileNames(t, dir)
	limited := options(false)
	limited.Limits.Sitemaps = 2
	if err := writeFolder(dir, limited, pages("new", 9), nil); !errors.Is(err, ErrTooManySitemaps) {
		t.Fatalf("error %v", err)
	}
	if after := fileNames(t, dir); !slices.Equal(after, before) {
		t.Errorf("files: %v, want %v", after, before)
	}
	if got := readFolder(t, dir, "sitemap.xml"); !slices.Equal(got, old) {
		t.Errorf("read %v", got)
	}
}

// TestFolderClosedAfterFailure wants no part of a set in place though only Close is
// asked whether all went well.
func TestFolderClosedAfterFailure(t *testing.T) {
	for _, gzip := range []bool{false, true} {
		dir := t.TempDir()
		limited := options(gzip)
		limited.Limits.Sitemaps = 2
		f, err := NewFolder(dir, limited)
		if err != nil {
			t.Fatal(err)
		}
		for _, loc := range pages("new", 9) {
			_ = f.Write(&URL{Loc: loc})
		}
		if err := f.Close(); !errors.Is(err, ErrTooManySitemaps) {
			t.Errorf("gzip %t: Close ends with %v", gzip, err)
		}
		if names := fileNames(t, dir); len(names) > 0 {
			t.Errorf("gzip %t: files %v", gzip, names)
		}
	}
}

// TestSetClosedAfterFailure writes no index of a set that lacks a part.
func TestSetClosedAfterFailure(t *testing.T) {
	broken := errors.New("no room")
	for _, gzip := range []bool{false, true} {
		var made []string
		set, err := NewSetWriter(func(name string) (io.WriteCloser, error) {
			made = append(made, name)
			if len(made) == 2 {
				return nil, broken
			}
			return nowhere{}, nil
		}, options(gzip))
		if err != nil {
			t.Fatal(err)
		}
		for _, loc := range pages("new", 9) {
			_ = set.Write(&URL{Loc: loc})
		}
		if err := set.Close(); !errors.Is(err, broken) || len(made) != 2 {
			t.Errorf("gzip %t: Close ends with %v, files %v", gzip, err, made)
		}
	}
}

type nowhere struct{}

func (nowhere) Write(p []byte) (int, error) { return len(p), nil }
func (nowhere) Close() error                { return nil }

func TestFolderStaysInside(t *testing.T) {
	for _, name := range []string{"../sitemap", "a/b", `a\b`} {
		if _, err := NewFolder(t.TempDir(), &SetOptions{BaseURL: "https://example.com/", Name: name}); !errors.Is(err,
			errFileName) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestFolderNeedsAddress(t *testing.T) {
	for _, o := range []*SetOptions{nil, {}, {BaseURL: "example.com"}} {
		if _, err := NewFolder(t.TempDir(), o); err == nil {
			t.Errorf("%+v: no error", o)
		}
	}
}

const crashAt = "SITEMAP_TEST_CRASH_AT"

// TestFolderCrash ends a process at every step of replacing one set by another
// and looks at what it leaves, and at what the next run makes of it.
func TestFolderCrash(t *testing.T) {
	if at := os.Getenv(crashAt); at != "" {
		crash(t, at)
	}
	for _, mode := range []struct{ gzip, grouped bool }{{false, false}, {true, false}, {false, true}} {
		gzip, grouped := mode.gzip, mode.grouped
		for _, sizes := range [][2]int{{7, 10}, {10, 4}, {2, 7}, {7, 2}, {2, 1}} {
			t.Run(fmt.Sprintf("gzip=%t/groups=%t/%d-%d", gzip, grouped, sizes[0], sizes[1]), func(t *testing.T) {
				t.Parallel() // nearly all of the time is waiting for processes and the disk
				old, fresh := pages("old", sizes[0]), pages("new", sizes[1])
				seen := map[string]bool{}
				for step := 1; ; step++ {
					dir := t.TempDir()
					if err := writers[grouped](dir, options(gzip), old, nil); err != nil {
						t.Fatal(err)
					}
					finished := runCrashing(t, fmt.Sprintf("%t %t %d %d %s", gzip, grouped, sizes[1], step, dir))
					seen[checkSet(t, dir, gzip, old, fresh)] = true
					if err := writers[grouped](dir, options(gzip), fresh, nil); err != nil {
						t.Fatal(err)
					}
					if got := checkSet(t, dir, gzip, old, fresh); got != "new" {
						t.Errorf("step %d: the run after the crash leaves the %s set", step, got)
					}
					checkNoLeftovers(t, dir, len(fresh), grouped)
					if finished {
						break
					}
				}
				if !seen["old"] || !seen["new"] {
					t.Errorf("the crashes left %v, want the old set at first and the new one later", seen)
				}
			})
		}
	}
}

// crash is the process that dies, in the middle of writing a set.
func crash(t *testing.T, at string) {
	var dir string
	var gzip, grouped bool
	var size, step, count int
	if _, err := fmt.Sscanf(at, "%t %t %d %d %s", &gzip, &grouped, &size, &step, &dir); err != nil {
		t.Fatal(err)
	}
	err := writers[grouped](dir, options(gzip), pages("new", size), func(string) {
		if count++; count == step {
			os.Exit(7)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	os.Exit(0)
}

// runCrashing reports whether the process got to its end.
func runCrashing(t *testing.T, at string) (finished bool) {
	t.Helper()
	command := exec.Command(os.Args[0], "-test.run=^TestFolderCrash$")
	command.Env = append(os.Environ(), crashAt+"="+at)
	output, err := command.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 7) {
		t.Fatalf("%v: %s", err, output)
	}
	return err == nil
}

// checkSet returns which set the folder holds; anything else fails.
func checkSet(t *testing.T, dir string, gzip bool, old, fresh []string) string {
	t.Helper()
	entrance := "sitemap.xml"
	if gzip {
		entrance += ".gz"
	}
	switch got := slices.Sorted(slices.Values(readFolder(t, dir, entrance))); {
	case slices.Equal(got, slices.Sorted(slices.Values(old))):
		return "old"
	case slices.Equal(got, slices.Sorted(slices.Values(fresh))):
		return "new"
	default:
		t.Fatalf("neither the old set nor the new: %v", got)
		return ""
	}
}

func checkNoLeftovers(t *testing.T, dir string, pages int, grouped bool) {
	t.Helper()
	parts := func(pages int) int { return (pages + small.URLs - 1) / small.URLs }
	want := 2
	switch {
	case grouped:
		want += parts((pages+1)/2) + parts(pages/2)
	case pages > small.URLs:
		want += parts(pages)
	}
	if found := fileNames(t, dir); len(found) != want {
		t.Errorf("%d files, want %d: %v", len(found), want, found)
	}
}
