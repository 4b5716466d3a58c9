//go:build unix

package main

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/mapatools/mapa/internal/testsite"
)

// TestClusterRollback lets the server lose what it has acknowledged, as a power cut does
// without sync_interval: its files are replaced by those of some time before.
func TestClusterRollback(t *testing.T) {
	torture(t)
	t.Parallel()
	const early, held = 100, 650
	c := newCluster(t, 1, &testsite.Many{Sites: 4, Pages: 700, Held: early})
	c.worker("one")
	folder := filepath.Join(c.folder, "results")
	wait := c.submit("rollback", folder, "--timeout", "10m")
	c.until("the sites are crawled", func(site int) bool { return c.sites.Requested(site) > early })
	data, copied := filepath.Join(c.folder, "n0.data"), filepath.Join(c.folder, "copied.data")
	if err := errors.Join(c.servers.Kill(0), os.CopyFS(copied, os.DirFS(data)), c.servers.StartOne(0)); err != nil {
		t.Fatal(err)
	}
	c.sites.HoldAt(held)
	c.until("more is stored", func(site int) bool { return c.sites.Requested(site) > held })
	err := errors.Join(c.servers.Kill(0), os.RemoveAll(data), os.Rename(copied, data), c.servers.StartOne(0))
	if err != nil {
		t.Fatal(err)
	}
	c.sites.Release()
	t.Log(wait())
	c.check(folder)
	for site := range c.sites.Sites {
		t.Logf("site %d: %d pages were requested again", site, c.sites.Again(site))
	}
}
