package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/mapatools/mapa/announce/announcetest"
)

// TestAnnounceKill kills an announcement when the engine has received a batch, before it
// answers. The next run sends the batch
// again and says so, and the one after sends nothing.
func TestAnnounceKill(t *testing.T) {
	key := engineSecrets["INDEXNOW_KEY"]
	folder := t.TempDir()
	site := httptest.NewServer(http.FileServer(http.Dir(folder)))
	defer site.Close()
	for name, text := range map[string]string{
		key + ".txt": key, "index.html": "<p>home</p>", "a.html": "<p>a</p>",
		"sitemap.xml": `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>` + site.URL +
			`/</loc></url><url><loc>` + site.URL + `/a.html</loc></url></urlset>`,
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	server := announcetest.New(announcetest.Options{Sites: []string{site.URL}})
	received := make(chan struct{}, 1)
	var answers atomic.Bool
	engine := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !answers.Load() {
			_, _ = io.Copy(io.Discard, r.Body) // the end of the client shows only after the body
			received <- struct{}{}
			<-r.Context().Done()
			return
		}
		server.ServeHTTP(w, r)
	}))
	defer engine.Close()
	run := func() *exec.Cmd {
		c := exec.Command(os.Args[0], "announce", folder, "--to", "indexnow", "--all", "--yes", "--endpoint", engine.URL)
		c.Env = append(os.Environ(), runVariable+"=1", "INDEXNOW_KEY="+key)
		return c
	}
	killed := run()
	if err := killed.Start(); err != nil {
		t.Fatal(err)
	}
	<-received
	if err := killed.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = killed.Wait() // it was killed
	answers.Store(true)
	for _, want := range [][]string{
		{"an earlier run sent 2 items to indexnow", "and was cut off", "2 URLs sent", "some items are sent again"},
		{"2 URLs sent before"},
	} {
		out, err := run().CombinedOutput()
		for _, text := range want {
			if err != nil || !strings.Contains(string(out), text) {
				t.Errorf("error %v, no %q in\n%s", err, text, out)
			}
		}
		if strings.Contains(string(out), key) {
			t.Errorf("the key is in\n%s", out)
		}
	}
	if sent := server.Requests(); len(sent) != 1 {
		t.Errorf("%d requests after the kill, want 1", len(sent))
	}
}
