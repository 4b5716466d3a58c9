package service

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestFullDisk fills a file system of its own, which only root may mount. The crawl says
// why it failed, the old result stays, and the crawl goes on when there is room again.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	folder := smallDisk(t, "4m")
	small, large := newSite(t, 20), newSite(t, 1500)
	s, stop := start(t, Options{Folder: folder})
	t.Cleanup(stop) // before the file system is unmounted
	old := ended(t, s, request(t, s, small.URL).ID)
	ballast := filepath.Join(folder, "ballast")
	if err := os.WriteFile(ballast, make([]byte, 2<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	c := ended(t, s, request(t, s, large.URL).ID)
	if c.State != StateFailed || c.Failure.Code != FailureDiskFull {
		t.Errorf("%+v, %+v", c, c.Failure)
	}
	if again, err := s.Crawl(t.Context(), old.ID); err != nil || names(again) != names(old) || again.State != StateDone {
		t.Errorf("the old result: %+v, %v", again, err)
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Resume(t.Context(), c.ID); err != nil {
		t.Fatal(err)
	}
	if c = ended(t, s, c.ID); c.State != StateDone || c.Counts.Pages != 1501 {
		t.Errorf("with room again: %+v, %+v", c, c.Failure)
	}
}

// smallDisk returns the folder of a file system of its own.
func smallDisk(t *testing.T, size string) (folder string) {
	t.Helper()
	folder = t.TempDir()
	if err := syscall.Mount("tmpfs", folder, "tmpfs", 0, "size="+size); err != nil {
		t.Skipf("mount a small file system: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(folder, 0); err != nil {
			t.Error(err)
		}
	})
	return folder
}

// TestBackupFullDisk leaves nothing on a disk that is too small for a backup.
func TestBackupFullDisk(t *testing.T) {
	t.Parallel()
	web, folder, disk := newSite(t, 20), t.TempDir(), smallDisk(t, "256k")
	crawlInto(t, folder, web.URL, func() {})
	if _, err := Backup(t.Context(), folder, filepath.Join(disk, "mapa.tar")); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("a backup on the small disk: %v", err)
	}
	if left, err := os.ReadDir(disk); len(left) > 0 || err != nil {
		t.Errorf("it left %v, %v", left, err)
	}
}
