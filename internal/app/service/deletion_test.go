package service

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/app"
	appcrawl "github.com/mapatools/mapa/internal/app/crawl"
	"github.com/mapatools/mapa/internal/jobs"
	"github.com/mapatools/mapa/internal/result"
	"github.com/mapatools/mapa/internal/sqlite"
)

// tree returns the digests of all files of a folder, by their paths.
func tree(t *testing.T, folder string) map[string]string {
	t.Helper()
	digests := map[string]string{}
	err := filepath.WalkDir(folder, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			digests[name] = "folder"
			return err
		}
		text, err := os.ReadFile(name)
		digests[name] = fmt.Sprintf("%x", sha256.Sum256(text))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return digests
}

// changed returns the paths that differ between two trees.
func changed(before, after map[string]string) (names []string) {
	for name, digest := range before {
		if after[name] != digest {
			names = append(names, "lost or changed: "+name)
		}
	}
	for name := range after {
		if before[name] == "" {
			names = append(names, "new: "+name)
		}
	}
	return names
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	text, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// crawlInto crawls a site so often in a folder, and returns the crawls. Before each it calls
// before.
func crawlInto(t *testing.T, folder, url string, before ...func()) (ids []string) {
	t.Helper()
	for _, call := range before {
		call()
		s, stop := start(t, Options{Folder: folder})
		ids = append(ids, ended(t, s, request(t, s, url).ID).ID)
		stop()
	}
	return ids
}

// TestLostState starts a server whose state is lost, damaged in ways that SQLite takes for an
// empty file, older than the crawls, or from elsewhere. Every crawl stays as it was, the log
// names those that the list does not, once, and new crawls touch none of them.
func TestLostState(t *testing.T) {
	t.Parallel()
	web := newSite(t, 3)
	for name, test := range map[string]struct {
		damage  func(t *testing.T, state, older string)
		unknown int
	}{
		"lost":  {func(t *testing.T, state, _ string) { remove(t, state) }, 3},
		"empty": {func(t *testing.T, state, _ string) { write(t, state, "") }, 3},
		"truncated": {func(t *testing.T, state, _ string) {
			if err := os.Truncate(state, 0); err != nil {
				t.Fatal(err)
			}
		}, 3},
		"older": {func(t *testing.T, state, older string) {
			copyFile(t, older, state)
			_ = os.Remove(state + "-wal") // what a backup does not have, if it is there
		}, 1},
		"elsewhere": {func(t *testing.T, state, _ string) { copyFile(t, elsewhere(t, web.URL), state) }, 3},
		"lost, but not its log": {func(t *testing.T, state, _ string) {
			remove(t, state)
			write(t, state+"-wal", "log")
		}, 3},
		"lost, with the lock": {func(t *testing.T, state, _ string) {
			remove(t, state)
			remove(t, state+"-lock")
		}, 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			state, older := filepath.Join(folder, "mapa.sqlite"), filepath.Join(t.TempDir(), "older")
			nothing := func() {}
			ids := crawlInto(t, folder, web.URL, nothing, nothing, func() { copyFile(t, state, older) })
			test.damage(t, state, older)
			before := tree(t, filepath.Join(folder, "crawls"))
			for range 2 {
				var log bytes.Buffer
				s, stop := start(t, Options{Folder: folder, Keep: 1, Logger: slog.New(slog.NewTextHandler(&log, nil))})
				lines := strings.Count(log.String(), "level=WARN")
				if want := fmt.Sprintf("number=%d", test.unknown); lines != 1 || !strings.Contains(log.String(), want) {
					t.Errorf("%d warnings, want %s: %s", lines, want, &log)
				}
				if left := changed(before, tree(t, s.crawlsFolder())); len(left) > 0 {
					t.Fatalf("%q", left)
				}
				stop()
			}
			s, _ := start(t, Options{Folder: folder})
			added := ended(t, s, request(t, s, web.URL).ID)
			after := tree(t, s.crawlsFolder())
			maps.DeleteFunc(after, func(name, _ string) bool { return strings.Contains(name, added.ID) })
			if left := changed(before, after); len(left) > 0 || slices.Contains(ids, added.ID) {
				t.Errorf("crawl %s: %q", added.ID, left)
			}
			for _, id := range ids {
				if !appcrawl.HasCrawl(s.folder(id)) {
					t.Errorf("%s cannot be read", id)
				}
			}
		})
	}
}

func remove(t *testing.T, name string) {
	t.Helper()
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// elsewhere returns the state of another folder with a crawl.
func elsewhere(t *testing.T, url string) string {
	folder := t.TempDir()
	crawlInto(t, folder, url, func() {})
	return filepath.Join(folder, "mapa.sqlite")
}

// TestOlderState restores a list in which a crawl has yet to begin, or is running, that has
// ended since. Its folder is taken as it is, also when the site does not answer any more.
func TestOlderState(t *testing.T) {
	t.Parallel()
	for _, began := range []bool{false, true} {
		t.Run(fmt.Sprint("began ", began), func(t *testing.T) {
			t.Parallel()
			web, folder := newSite(t, 5), t.TempDir()
			s := open(t, Options{Folder: folder})
			id := request(t, s, web.URL).ID
			if began {
				_, err := s.modify(t.Context(), id, func(_ *jobs.Tx, c *jobs.Crawl) error {
					c.State, c.Began = StateRunning, c.Created
					return nil
				})
				if err != nil {
					t.Fatal(err)
				}
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			state, older := filepath.Join(folder, "mapa.sqlite"), filepath.Join(t.TempDir(), "older")
			copyFile(t, state, older)
			s, stop := start(t, Options{Folder: folder})
			want := ended(t, s, id)
			stop()
			copyFile(t, older, state)
			web.CloseClientConnections()
			web.Close()
			s, _ = start(t, Options{Folder: folder})
			if c := ended(t, s, id); c.State != StateDone || c.Counts.Listed != want.Counts.Listed || names(c) != names(want) {
				t.Errorf("%+v, want %+v", c, want)
			}
		})
	}
}

// TestDeletionKilled opens a folder in which a kill left a deletion after each of its steps, and
// things that were never deleted.
func TestDeletionKilled(t *testing.T) {
	t.Parallel()
	const folder, mark, renamed, temporary, listed = 1, 2, 4, 8, 16
	for name, test := range map[string]struct{ before, after int }{
		"marked":                    {folder | mark | listed, 0},
		"marked, not prepared":      {mark | listed, 0},
		"marked, being prepared":    {mark | listed | temporary, 0},
		"marked, not in the list":   {folder | mark, 0},
		"folder removed":            {mark, 0},
		"the folder has the name":   {renamed | listed, 0},
		"that, and not in the list": {renamed, 0},
		"being prepared":            {temporary, 0},
		"being prepared, listed":    {temporary | listed, listed},
		"not deleted":               {folder | listed, folder | listed},
		"not in the list":           {folder, folder},
		"without a folder":          {listed, listed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, Options{Folder: t.TempDir()})
			id := request(t, s, "https://example.com/").ID
			for bit, path := range map[int]string{
				folder: s.folder(id), renamed: s.markOf(id), temporary: s.folder(id) + temporarySuffix,
			} {
				if test.before&bit != 0 {
					if err := os.MkdirAll(filepath.Join(path, "below"), 0o700); err != nil {
						t.Fatal(err)
					}
				}
			}
			if test.before&mark != 0 {
				if err := s.mark(id); err != nil {
					t.Fatal(err)
				}
			}
			if test.before&listed == 0 {
				if err := s.store.Update(t.Context(), func(tx *jobs.Tx) error { return tx.DeleteCrawl(id) }); err != nil {
					t.Fatal(err)
				}
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			s = open(t, s.options)
			defer s.Close()
			after := 0
			for bit, path := range map[int]string{
				folder: s.folder(id), mark: s.markOf(id), temporary: s.folder(id) + temporarySuffix,
			} {
				if _, err := os.Lstat(path); err == nil {
					after |= bit
				}
			}
			if _, missing := stored(t, s, id); !missing {
				after |= listed
			}
			if after != test.after {
				t.Errorf("left %b, want %b", after, test.after)
			}
		})
	}
}

// TestKillDelete kills a server when a crawl has left the list, and its folder has not gone. The
// next one removes it, also with a list that is lost or still has the crawl.
func TestKillDelete(t *testing.T) {
	t.Parallel()
	for _, state := range []string{"present", "lost", "older"} {
		t.Run(state, func(t *testing.T) {
			t.Parallel()
			web, folder := newSite(t, 3), t.TempDir()
			ids := crawlInto(t, folder, web.URL, func() {}, func() {})
			name, older := filepath.Join(folder, "mapa.sqlite"), filepath.Join(t.TempDir(), "older")
			copyFile(t, name, older)
			killed := &child{Folder: folder, Delete: ids[0], KillAt: "crawl deleted"}
			process, output := killed.start(t)
			var text bytes.Buffer
			_, _ = text.ReadFrom(output)
			if err := process.Wait(); err == nil || text.Len() > 0 {
				t.Fatalf("%v: %s", err, &text)
			}
			if left := len(tree(t, filepath.Join(folder, "crawls", ids[0]))); left < 3 {
				t.Fatalf("%d files are left: it was killed too late", left)
			}
			if state != "present" {
				for _, suffix := range []string{"", "-wal", "-shm"} {
					_ = os.Remove(name + suffix) // which of them are there depends on the kill
				}
			}
			if state == "older" {
				copyFile(t, older, name)
			}
			s := open(t, Options{Folder: folder})
			defer s.Close()
			if left := folders(t, s); len(left) != 1 || left[0] != ids[1] {
				t.Errorf("left: %q of %q", left, ids)
			}
			if _, missing := stored(t, s, ids[0]); !missing {
				t.Error("the crawl is in the list")
			}
		})
	}
}

// TestForeignFolders leaves what is not the server's alone.
func TestForeignFolders(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	foreign := []string{
		"UPPERCASE234567ABCDEFGHIJK", "notes", "notes.deleted", "notes.new", newID() + ".deleted.bak", newID() + ".old",
	}
	for _, name := range foreign {
		if err := os.MkdirAll(filepath.Join(folder, "crawls", name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	s := open(t, Options{Folder: folder})
	defer s.Close()
	slices.Sort(foreign)
	if left := folders(t, s); !slices.Equal(left, foreign) {
		t.Errorf("left: %q, want %q", left, foreign)
	}
}

// TestManyUnknown names some of many crawls in one line.
func TestManyUnknown(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	for range 1000 {
		if err := os.MkdirAll(filepath.Join(folder, "crawls", newID()), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	var log bytes.Buffer
	s := open(t, Options{Folder: folder, Logger: slog.New(slog.NewTextHandler(&log, nil))})
	defer s.Close()
	if text := log.String(); strings.Count(text, "\n") != 1 || !strings.Contains(text, "number=1000") || len(text) > 1000 {
		t.Errorf("%d bytes: %s", len(text), text)
	}
}

// TestDeletionFails takes the marks back when the list cannot be changed. A list that names
// another folder as a crawl deletes nothing there.
func TestDeletionFails(t *testing.T) {
	t.Parallel()
	s := open(t, Options{Folder: t.TempDir()})
	defer s.Close()
	id := request(t, s, "https://example.com/").ID
	elsewhere := "../../" + filepath.Base(s.options.Folder) + "/other"
	hostile := &jobs.Crawl{ID: elsewhere, Site: "example.com", State: StateDone}
	other := filepath.Join(s.crawlsFolder(), hostile.ID)
	if err := errors.Join(os.MkdirAll(other, 0o700), os.MkdirAll(s.folder(id), 0o700)); err != nil {
		t.Fatal(err)
	}
	if err := s.store.Update(t.Context(), func(tx *jobs.Tx) error { return tx.AddCrawl(hostile) }); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Delete(t.Context(), hostile.ID); !errors.Is(err, sqlite.ErrDamaged) {
		t.Errorf("a crawl named %s: %v", hostile.ID, err)
	}
	_, err := s.deleteFromList(t.Context(), func(tx *jobs.Tx) (all []*jobs.Crawl, err error) {
		for _, id := range []string{id, hostile.ID} {
			c, err := tx.Crawl(id)
			if err != nil {
				return nil, err
			}
			all = append(all, c)
		}
		return all, nil
	})
	if _, missing := stored(t, s, id); err == nil || missing || s.isMarked(id) {
		t.Errorf("missing %t, marked %t, %v", missing, s.isMarked(id), err)
	}
	s.removeDeleted(id)
	for _, folder := range []string{other, s.folder(id)} {
		if _, err := os.Stat(folder); err != nil {
			t.Error(err)
		}
	}
}

// TestReadOnly reads crawls, opens and compares results for queries, and leaves the data folder
// as it is, whatever state it is in. Servers and readers exclude each other.
func TestReadOnly(t *testing.T) {
	t.Parallel()
	web, folder := newSite(t, 5), t.TempDir()
	ids := crawlInto(t, folder, web.URL, func() {}, func() { web.broken.Store(true) })
	remove(t, filepath.Join(folder, "crawls", ids[1], "result.sqlite")) // it is written again elsewhere
	s := open(t, Options{Folder: folder})
	_, err := Open(t.Context(), Options{Folder: folder, ReadOnly: true, App: &app.App{}})
	if !errors.Is(err, sqlite.ErrLocked) {
		t.Errorf("a reader next to a server: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for _, damage := range []func(state string){
		func(string) {}, func(state string) { write(t, state, "") }, func(state string) { remove(t, state) },
		func(string) { write(t, filepath.Join(folder, "crawls", ids[0]+deletedSuffix), "") },
	} {
		damage(filepath.Join(folder, "mapa.sqlite"))
		before := tree(t, folder)
		s := open(t, Options{Folder: folder, ReadOnly: true})
		other := open(t, Options{Folder: folder, ReadOnly: true})
		if _, err := Open(t.Context(), Options{Folder: folder, App: &app.App{}}); !errors.Is(err, sqlite.ErrLocked) {
			t.Errorf("a server next to a reader: %v", err)
		}
		crawls, _, err := s.Crawls(t.Context(), "", "", 10)
		if err != nil {
			t.Error(err)
		}
		for i := range crawls {
			opened, release, err := s.OpenResult(t.Context(), crawls[i].ID)
			if err != nil {
				t.Fatal(err)
			}
			if list, err := opened.Pages(t.Context(), result.Filter{}, "", 10); err != nil || len(list.Pages) != 6 {
				t.Errorf("%+v, %v", list, err)
			}
			release()
		}
		if len(crawls) == 2 {
			comparison, err := s.OpenComparison(t.Context(), ids[0], ids[1])
			if err != nil {
				t.Fatal(err)
			}
			if _, err := comparison.Changes(t.Context(), "", "", 10); err != nil {
				t.Error(err)
			}
			comparison.Close()
		}
		if err := errors.Join(s.Close(), other.Close()); err != nil {
			t.Error(err)
		}
		if left := changed(before, tree(t, folder)); len(left) > 0 {
			t.Errorf("%q", left)
		}
	}
}

// TestReadOnlyNowhere opens a folder that is not there, and makes none.
func TestReadOnlyNowhere(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "none")
	s := open(t, Options{Folder: folder, ReadOnly: true})
	if crawls, _, err := s.Crawls(t.Context(), "", "", 10); len(crawls) > 0 || err != nil {
		t.Errorf("%v, %v", crawls, err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	for _, name := range []string{folder, s.scratch} {
		if _, err := os.Stat(name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestReadKilled reads the list of a server that was killed, and moves nothing of its log.
func TestReadKilled(t *testing.T) {
	t.Parallel()
	web, folder := newSite(t, 3), t.TempDir()
	web.gate = make(chan struct{})
	defer close(web.gate)
	s := open(t, Options{Folder: folder})
	id := request(t, s, web.URL).ID
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	process, output := (&child{Folder: folder, KillAt: "crawl runs"}).start(t)
	var text bytes.Buffer
	_, _ = text.ReadFrom(output)
	_ = process.Wait() // it was killed
	before := tree(t, folder)
	if before[filepath.Join(folder, "mapa.sqlite-wal")] == "" {
		t.Fatal("the server left no log")
	}
	s = open(t, Options{Folder: folder, ReadOnly: true})
	if c, missing := stored(t, s, id); missing || c.State != StateRunning {
		t.Errorf("%+v, missing %t", c, missing)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if left := changed(before, tree(t, folder)); len(left) > 0 {
		t.Errorf("%q", left)
	}
}
