package crawl

import (
	"errors"
	"io/fs"
	"maps"
	"path/filepath"
	"testing"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/app/crawlfile"
	"github.com/mapatools/mapa/internal/app/outputs"
	"github.com/mapatools/mapa/internal/store"
)

// crawlFiles are the crawl files of a folder, by their names. Each is named after what it is.
type crawlFiles map[string]string

// The kinds of crawls in a folder. Only good passed its checks; running has not ended.
const (
	goodCrawl    = "good"
	failedCrawl  = "failed"
	runningCrawl = "running"
	newCrawl     = "new"
)

func (files crawlFiles) write(t *testing.T, folder string) {
	t.Helper()
	for name, kind := range files {
		file, err := store.Create(filepath.Join(folder, name), aboutCrawl(kind))
		if err != nil {
			t.Fatal(err)
		}
		if kind != runningCrawl {
			err = file.Finish(t.Context())
		}
		if kind == goodCrawl {
			err = errors.Join(err, file.SetNote(store.NoteBase, true))
		}
		if err = errors.Join(err, file.Close()); err != nil {
			t.Fatal(err)
		}
	}
}

func aboutCrawl(kind string) crawl.Meta {
	return crawl.Meta{Start: "https://site.example/", Program: kind, Options: "{}"}
}

// readCrawlFiles returns the crawl files of a folder.
func readCrawlFiles(t *testing.T, folder string) crawlFiles {
	t.Helper()
	files := crawlFiles{}
	for _, name := range []string{crawlfile.Name, crawlfile.PreviousName, crawlfile.ReplacedName} {
		file, err := store.Open(filepath.Join(folder, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		files[name] = file.Meta().Program
		if err := file.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// TestBase opens the crawl of a folder in each state that a crawl, or a kill at any moment of it, can
// leave. The next crawl is compared with the last good one. One that does not begin changes nothing.
func TestBase(t *testing.T) {
	t.Parallel()
	const current, previous, replaced = crawlfile.Name, crawlfile.PreviousName, crawlfile.ReplacedName
	for _, test := range []struct {
		name   string
		before crawlFiles
		fresh  bool
		base   string     // that the crawl is compared with, or empty
		after  crawlFiles // a crawl that has a page
		back   crawlFiles // one that does not begin; nil is as before
	}{
		{"the first", nil, false, "", crawlFiles{current: newCrawl}, crawlFiles{}},
		{"after a good one", crawlFiles{current: goodCrawl}, false,
			goodCrawl, crawlFiles{current: newCrawl, previous: goodCrawl}, nil},
		{"after two good ones", crawlFiles{current: goodCrawl, previous: goodCrawl}, false,
			goodCrawl, crawlFiles{current: newCrawl, previous: goodCrawl}, crawlFiles{current: goodCrawl}},
		{"after one that failed its checks", crawlFiles{current: failedCrawl, previous: goodCrawl}, false,
			goodCrawl, crawlFiles{current: newCrawl, previous: goodCrawl}, nil},
		{"after a first one that failed its checks", crawlFiles{current: failedCrawl}, false,
			failedCrawl, crawlFiles{current: newCrawl, previous: failedCrawl}, nil},
		{"after one that was stopped", crawlFiles{current: runningCrawl, previous: goodCrawl}, false,
			goodCrawl, crawlFiles{current: runningCrawl, previous: goodCrawl}, nil},

		{"killed after a good one was moved", crawlFiles{previous: goodCrawl}, false,
			goodCrawl, crawlFiles{current: newCrawl, previous: goodCrawl}, crawlFiles{current: goodCrawl}},
		{"killed after a failed one was moved", crawlFiles{previous: goodCrawl, replaced: failedCrawl}, false,
			goodCrawl, crawlFiles{current: newCrawl, previous: goodCrawl},
			crawlFiles{current: failedCrawl, previous: goodCrawl}},
		{"killed before the first page", crawlFiles{current: runningCrawl, previous: goodCrawl, replaced: failedCrawl}, false,
			goodCrawl, crawlFiles{current: runningCrawl, previous: goodCrawl}, nil},
		{"killed before its checks", crawlFiles{current: failedCrawl, previous: goodCrawl, replaced: failedCrawl}, false,
			goodCrawl, crawlFiles{current: newCrawl, previous: goodCrawl},
			crawlFiles{current: failedCrawl, previous: goodCrawl}},

		{"afresh", crawlFiles{current: goodCrawl, previous: goodCrawl}, true,
			"", crawlFiles{current: newCrawl}, crawlFiles{current: goodCrawl}},
		{"afresh after one that failed its checks", crawlFiles{current: failedCrawl, previous: goodCrawl}, true,
			"", crawlFiles{current: newCrawl}, nil},
		{"afresh after one that was stopped", crawlFiles{current: runningCrawl, previous: goodCrawl}, true,
			"", crawlFiles{current: newCrawl}, nil},
		{"afresh after a first one that was stopped", crawlFiles{current: runningCrawl}, true,
			"", crawlFiles{current: newCrawl}, nil},
		{"afresh after a kill", crawlFiles{current: runningCrawl, replaced: failedCrawl}, true,
			"", crawlFiles{current: newCrawl}, crawlFiles{current: runningCrawl}},
	} {
		for _, begins := range []bool{true, false} {
			folder := t.TempDir()
			test.before.write(t, folder)
			file, err := openCrawl(folder, aboutCrawl(newCrawl), &outputs.WrittenFiles{}, test.fresh, false)
			if err != nil {
				t.Fatalf("%s: %v", test.name, err)
			}
			base := ""
			if file.previous != nil {
				base = file.previous.Meta().Program
			}
			want, end := test.after, file.dropReplaced
			if !begins {
				end = file.takeBack
				if want = test.back; want == nil {
					want = test.before
				}
			}
			if err := errors.Join(end(), file.close()); err != nil {
				t.Fatalf("%s: %v", test.name, err)
			}
			if got := readCrawlFiles(t, folder); !maps.Equal(got, want) || base != test.base {
				t.Errorf("%s, begins %v: %v compared with %q, want %v with %q", test.name, begins, got, base, want, test.base)
			}
		}
	}
}
