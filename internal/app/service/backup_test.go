package service

import (
	"archive/tar"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/app/baseline"
	appcrawl "github.com/mapatools/mapa/internal/app/crawl"
	"github.com/mapatools/mapa/internal/atomicfile"
	"github.com/mapatools/mapa/internal/jobs"
	"github.com/mapatools/mapa/internal/ledger"
	"github.com/mapatools/mapa/internal/sqlite"
)

// restore unpacks a backup into a new folder, as tar does.
func restore(t *testing.T, name string) (folder string) {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	folder = t.TempDir()
	for in := tar.NewReader(file); ; {
		header, err := in.Next()
		if errors.Is(err, io.EOF) {
			return folder
		}
		if err != nil {
			t.Fatal(err)
		}
		if !filepath.IsLocal(header.Name) || header.Mode&0o077 != 0 && !strings.Contains(header.Name, "/") {
			t.Errorf("%s has mode %o", header.Name, header.Mode)
		}
		path := filepath.Join(folder, filepath.FromSlash(header.Name))
		if header.Typeflag == tar.TypeDir {
			if err := os.Mkdir(path, header.FileInfo().Mode().Perm()); err != nil {
				t.Fatal(err)
			}
			continue
		}
		text, err := io.ReadAll(in)
		if err == nil {
			err = os.WriteFile(path, text, header.FileInfo().Mode().Perm())
		}
		if err == nil {
			err = os.Chtimes(path, header.ModTime, header.ModTime)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// backUp makes a backup of a folder and returns its name and what it holds.
func backUp(t *testing.T, folder string) (string, *BackupResult) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "mapa.tar")
	result, err := Backup(t.Context(), folder, name)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(name)
	if err != nil || info.Size() != result.Size || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%+v of %d bytes, %v", info, result.Size, err)
	}
	onlyFile(t, name)
	return name, result
}

// onlyFile fails when there is something next to a file.
func onlyFile(t *testing.T, name string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(name))
	if err != nil || len(entries) != 1 || entries[0].Name() != filepath.Base(name) {
		t.Errorf("%v, %v", entries, err)
	}
}

// TestBackup backs up a server that crawls, and starts another one on what was restored: it has
// the same results, and crawls again what had not ended.
func TestBackup(t *testing.T) {
	t.Parallel()
	web, held := newSite(t, 5), newSite(t, 30)
	held.gate = make(chan struct{})
	s, _ := start(t, Options{Folder: t.TempDir()})
	first := ended(t, s, request(t, s, web.URL).ID)
	second := ended(t, s, request(t, s, web.URL).ID)
	running := request(t, s, held.URL).ID
	<-held.reached
	queued := request(t, s, held.URL+"/page/1").ID
	schedule, err := s.PutSchedule(t.Context(), Schedule{
		URL: web.URL, Every: minEvery, Webhook: "https://hooks.example/secret",
		Options: map[string][]string{"user": {"u:secret"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(s.folder(newID()), 0o700); err != nil { // which the list does not know
		t.Fatal(err)
	}
	err = s.ChangeIgnored(t.Context(), first.Site, func([]*baseline.Entry) ([]*baseline.Entry, error) {
		return []*baseline.Entry{{Rule: "thin-content", Folder: "/", Reason: "short on purpose"}}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []*Crawl{first, second} { // somebody reads what changed
		_, release, err := s.OpenResult(t.Context(), c.ID)
		if err != nil {
			t.Fatal(err)
		}
		release()
	}
	write(t, filepath.Join(s.folder(first.ID), ".mapa-report.html.ABCDEFGH.tmp"), "half")
	name, result := backUp(t, s.options.Folder)
	if result.Crawls != 2 || result.Unended != 2 {
		t.Errorf("%+v", result)
	}
	remove(t, filepath.Join(s.folder(first.ID), ".mapa-report.html.ABCDEFGH.tmp"))
	folder := restore(t, name)
	restored := open(t, Options{Folder: folder})
	if left := folders(t, restored); len(left) != 2 {
		t.Errorf("folders %q", left)
	}
	if list, err := restored.Ignored(first.Site); err != nil || len(list) != 1 || list[0].Reason != "short on purpose" {
		t.Errorf("%d entries are ignored, %v", len(list), err)
	}
	for _, c := range []*Crawl{first, second} {
		before := tree(t, s.folder(c.ID))
		after := map[string]string{}
		for path, digest := range tree(t, restored.folder(c.ID)) {
			after[strings.Replace(path, folder, s.options.Folder, 1)] = digest
		}
		if left := changed(before, after); len(left) > 0 {
			t.Errorf("%q", left)
		}
		if got, err := restored.Crawl(t.Context(), c.ID); err != nil || got.State != StateDone || names(got) != names(c) {
			t.Errorf("%+v, %v", got, err)
		}
		tables := filepath.Join(restored.folder(c.ID), "result.sqlite")
		written, err := os.Stat(tables)
		if err != nil {
			t.Fatal(err)
		}
		_, release, err := restored.OpenResult(t.Context(), c.ID)
		if err != nil {
			t.Fatal(err)
		}
		release()
		if again, err := os.Stat(tables); err != nil || !os.SameFile(written, again) {
			t.Errorf("result.sqlite was written again: %v", err)
		}
	}
	if err := restored.Close(); err != nil {
		t.Fatal(err)
	}
	close(held.gate)
	restored, _ = start(t, Options{Folder: folder})
	for _, id := range []string{running, queued} {
		if c := ended(t, restored, id); c.State != StateDone || c.Counts.Pages < 30 {
			t.Errorf("%+v, %+v", c, c.Failure)
		}
	}
	err = restored.store.Update(t.Context(), func(tx *jobs.Tx) error {
		got, err := tx.Schedule(schedule.ID)
		if err == nil && (got.Webhook != "https://hooks.example/secret" || got.Options["user"][0] != "u:secret") {
			t.Errorf("%+v", got)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// TestBackupChanges changes crawls while they are added: their rows in the backup are those of
// the server, and only folders of crawls that have ended are in it.
func TestBackupChanges(t *testing.T) {
	t.Parallel()
	web := newSite(t, 5)
	s, stop := start(t, Options{Folder: t.TempDir()})
	kept, deleted, resumed, again := ended(t, s, request(t, s, web.URL).ID).ID, ended(t, s, request(t, s, web.URL).ID).ID,
		ended(t, s, request(t, s, web.URL).ID).ID, ended(t, s, request(t, s, web.URL).ID).ID
	stop()
	s = open(t, s.options)
	defer s.Close()
	name := filepath.Join(t.TempDir(), "mapa.tar")
	b := newBackup(t, s.options.Folder, name)
	if _, err := s.Delete(t.Context(), deleted); err != nil {
		t.Fatal(err)
	}
	for id, state := range map[string]State{resumed: StateQueued, again: StateStopped} {
		_, err := s.modify(t.Context(), id, func(_ *jobs.Tx, c *jobs.Crawl) error {
			if c.State, c.Ended = state, c.Ended.Add(1e9); state == StateQueued {
				c.Ended = c.Expires
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := b.write(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := b.file.Commit(); err != nil {
		t.Fatal(err)
	}
	if b.result.Crawls != 2 || b.result.Unended != 1 {
		t.Errorf("%+v", b.result)
	}
	restored := open(t, Options{Folder: restore(t, name)})
	defer restored.Close()
	for id, want := range map[string]State{kept: StateDone, deleted: "", resumed: StateQueued, again: StateStopped} {
		record, missing := stored(t, restored, id)
		if missing != (want == "") || !missing && record.State != want {
			t.Errorf("%s: %+v, want %q", id, record, want)
		}
		if appcrawl.HasCrawl(restored.folder(id)) != want.Ended() {
			t.Errorf("%s, which is %q, has a folder or has none", id, want)
		}
	}
}

// newBackup begins a backup as [Backup] does, and takes the copy of the list.
func newBackup(t *testing.T, folder, name string) *backup {
	t.Helper()
	b := &backup{folder: folder}
	var err error
	if b.present, err = jobs.OpenShared(t.Context(), folder); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.present.Close() })
	if b.file, err = atomicfile.CreateNew(name); err != nil {
		t.Fatal(err)
	}
	if err := b.copyState(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(b.copied) })
	return b
}

// TestBackupFails leaves no file, and replaces none.
func TestBackupFails(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	t.Setenv("TMP", temporary)
	web, folder := newSite(t, 3), t.TempDir()
	crawlInto(t, folder, web.URL, func() {})
	newer := t.TempDir()
	copyFile(t, filepath.Join(folder, jobs.FileName), filepath.Join(newer, jobs.FileName))
	badLedger := t.TempDir()
	crawlInto(t, badLedger, web.URL, func() {})
	write(t, filepath.Join(badLedger, ledger.Name), strings.Repeat("not a ledger", 1000))
	damaged := t.TempDir()
	write(t, filepath.Join(damaged, jobs.FileName), strings.Repeat("not a state", 1000))
	empty := t.TempDir()
	write(t, filepath.Join(empty, jobs.FileName), "")
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	for reason, test := range map[string]struct {
		ctx    context.Context
		folder string
		want   error
	}{
		"no folder":   {t.Context(), filepath.Join(folder, "none"), jobs.ErrNoFile},
		"no state":    {t.Context(), t.TempDir(), jobs.ErrNoFile},
		"empty":       {t.Context(), empty, jobs.ErrNoFile},
		"damaged":     {t.Context(), damaged, sqlite.ErrForeign},
		"no crawls":   {t.Context(), newer, fs.ErrNotExist},
		"bad ledger":  {t.Context(), badLedger, nil},
		"interrupted": {canceled, folder, context.Canceled},
	} {
		name := filepath.Join(t.TempDir(), "mapa.tar")
		if _, err := Backup(test.ctx, test.folder, name); err == nil || test.want != nil && !errors.Is(err, test.want) {
			t.Errorf("%s: %v", reason, err)
		}
		if entries, err := os.ReadDir(filepath.Dir(name)); len(entries) > 0 || err != nil {
			t.Errorf("%s: %v, %v", reason, entries, err)
		}
	}
	for reason, occupy := range map[string]func(name string) error{
		"a file":   func(name string) error { return os.WriteFile(name, []byte("kept"), 0o600) },
		"a folder": func(name string) error { return os.Mkdir(name, 0o700) },
		"a link":   func(name string) error { return os.Symlink("nowhere", name) },
	} {
		name := filepath.Join(t.TempDir(), "mapa.tar")
		if err := occupy(name); err != nil {
			t.Fatal(err)
		}
		before, _ := os.Lstat(name)
		if _, err := Backup(t.Context(), folder, name); !errors.Is(err, fs.ErrExist) {
			t.Errorf("%s: %v", reason, err)
		}
		if after, err := os.Lstat(name); err != nil || !os.SameFile(before, after) {
			t.Errorf("%s was replaced, %v", reason, err)
		}
		onlyFile(t, name)
	}
	if entries, err := os.ReadDir(temporary); len(entries) > 0 || err != nil {
		t.Errorf("temporary files: %v, %v", entries, err)
	}
}

// TestBackupInterrupted ends in the middle of a file.
func TestBackupInterrupted(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	b := &backup{tar: tar.NewWriter(io.Discard)}
	in, err := os.Open(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		t.Fatal(err)
	}
	if err := b.add(ctx, "file", info, in); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestBackupHostile refuses a list that names another folder as a crawl.
func TestBackupHostile(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	s := open(t, Options{Folder: filepath.Join(folder, "data")})
	write(t, filepath.Join(folder, "other"), "another file")
	hostile := &jobs.Crawl{ID: "../..", Site: "example.com", State: StateDone}
	err := s.store.Update(t.Context(), func(tx *jobs.Tx) error { return tx.AddCrawl(hostile) })
	if err = errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "mapa.tar")
	if _, err := Backup(t.Context(), s.options.Folder, name); !errors.Is(err, sqlite.ErrDamaged) {
		t.Error(err)
	}
}

// TestBackupKilled backs up the folder of a server that was killed, with what is in its log only.
func TestBackupKilled(t *testing.T) {
	t.Parallel()
	web, folder := newSite(t, 3), t.TempDir()
	ids := crawlInto(t, folder, web.URL, func() {}, func() {})
	process, output := (&child{Folder: folder, Delete: ids[0], KillAt: "crawl deleted"}).start(t)
	_, _ = io.ReadAll(output)
	_ = process.Wait() // it was killed
	name, result := backUp(t, folder)
	restored := open(t, Options{Folder: restore(t, name)})
	defer restored.Close()
	if left := folders(t, restored); result.Crawls != 1 || len(left) != 1 || left[0] != ids[1] {
		t.Errorf("%+v, %q of %q", result, left, ids)
	}
}

// TestBackupBusy backs up a server again and again that crawls and deletes. In each backup the
// list and the folders agree, and all crawls can be read.
func TestBackupBusy(t *testing.T) {
	t.Parallel()
	web := newSite(t, 20)
	s, _ := start(t, Options{Folder: t.TempDir(), Keep: 1, Parallel: 3})
	ctx, cancel := context.WithCancel(t.Context())
	crawling := make(chan struct{})
	go func() {
		defer close(crawling)
		for ctx.Err() == nil {
			c, err := s.Start(ctx, Request{URL: web.URL, Options: map[string][]string{"rate": {"0"}}})
			if err != nil {
				return
			}
			for range s.Watch(ctx, c.ID, 0) {
			}
		}
	}()
	for range 15 {
		name, _ := backUp(t, s.options.Folder)
		restored := open(t, Options{Folder: restore(t, name)})
		crawls, _, err := restored.Crawls(t.Context(), "", "", maxRows)
		if err != nil {
			t.Fatal(err)
		}
		ended := 0
		for i := range crawls {
			if !crawls[i].State.Ended() {
				continue
			}
			ended++
			_, release, err := restored.OpenResult(t.Context(), crawls[i].ID)
			if err != nil {
				t.Fatal(err)
			}
			release()
		}
		if left := folders(t, restored); len(left) != ended {
			t.Errorf("%d crawls have ended, folders %q", ended, left)
		}
		if err := restored.Close(); err != nil {
			t.Error(err)
		}
	}
	cancel()
	<-crawling
	if crawls, _, err := s.Crawls(t.Context(), "", "", 1); err != nil || len(crawls) == 0 {
		t.Errorf("nothing was crawled: %v", err)
	}
}
