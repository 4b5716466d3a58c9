package source_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mapatools/mapa/sitemap"
	"github.com/mapatools/mapa/source"
)

// TestIndexes wants every index before the files that it lists, with all its
// entries, also those that are not followed.
func TestIndexes(t *testing.T) {
	host, _ := site(t, map[string]string{
		"/index.xml": index("HOST/page/1", "HOST/inner.xml", "http://other.example/a.xml"),
		"/inner.xml": index("HOST/page/2"),
	})
	var read []string
	for file, err := range source.Sitemaps(context.Background(), []string{host + "/index.xml"},
		&source.Options{Indexes: true}) {
		if err != nil {
			t.Fatal(err)
		}
		if file.Source != host+"/index.xml" {
			t.Errorf("%s: led to by %q", file.Location, file.Source)
		}
		if file.Response == nil || file.Address() != file.Location {
			t.Errorf("%s: address %q", file.Location, file.Address())
		}
		read = append(read, strings.TrimPrefix(file.Location, host)+" of "+strings.TrimPrefix(file.Index, host))
		for entry, err := range file.Entries() {
			if err != nil {
				t.Fatal(err)
			}
			if entry.IsSitemap() != (file.Format == sitemap.FormatIndex) {
				t.Errorf("%s in %s", entry.Loc, file.Location)
			}
			read = append(read, strings.TrimPrefix(string(entry.Loc), host))
		}
	}
	want := []string{
		"/index.xml of ", "/page/1", "/inner.xml", "http://other.example/a.xml",
		"/page/1 of /index.xml", "http://a.example/1",
		"/inner.xml of /index.xml", "/page/2",
		"/page/2 of /inner.xml", "http://a.example/2",
	}
	if !slices.Equal(read, want) {
		t.Errorf("read\n%q, want\n%q", read, want)
	}
}

// TestIndexClosedUnread follows no entry of an index that the caller closes unread.
func TestIndexClosedUnread(t *testing.T) {
	host, asked := site(t, map[string]string{"/index.xml": index("HOST/page/1")})
	for file, err := range source.Sitemaps(context.Background(), []string{host + "/index.xml"},
		&source.Options{Indexes: true}) {
		if err != nil {
			t.Fatal(err)
		}
		if err := file.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if n := asked("/page/1"); n != 0 {
		t.Errorf("the page was requested %d times", n)
	}
}

// TestIndexNamesDevice opens no file for an index on disk except those in its
// folder.
func TestIndexNamesDevice(t *testing.T) {
	pages, failed := list(t, &source.Options{Stdin: strings.NewReader(index("/dev/zero", "/etc/hostname"))}, "-")
	if len(pages) > 0 || len(failed) != 1 || !errors.Is(failed[0], source.ErrOpen) {
		t.Errorf("pages %v, errors %v", pages, failed)
	}
}

// TestRobotsNamesFiles opens no file for the robots.txt of a site, and for one on
// disk only files in its folder.
func TestRobotsNamesFiles(t *testing.T) {
	const lines = "Sitemap: scheme:secret.txt\nSitemap: %zz\nSitemap: /etc/hostname\nSitemap: -\nSitemap: page/1\n"
	host, _ := site(t, map[string]string{"/robots.txt": lines})
	folder := t.TempDir()
	t.Chdir(folder)
	for name, text := range map[string]string{
		"scheme:secret.txt": "http://a.example/secret\n", "%zz": "http://a.example/secret\n",
		"robots.txt": lines + "Sitemap: nearby.txt\n", "nearby.txt": "http://a.example/nearby\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	options := &source.Options{Stdin: strings.NewReader("http://a.example/typed\n")}
	for location, want := range map[string][]string{host: {"1"}, host + "/robots.txt": {"1"}, "robots.txt": {"nearby"}} {
		pages, failed := list(t, options, location)
		if !slices.Equal(pages, want) || len(failed) == 0 {
			t.Errorf("%s: pages %v, errors %v", location, pages, failed)
		}
		for _, err := range failed {
			if !errors.Is(err, source.ErrOpen) {
				t.Errorf("%s: error %v", location, err)
			}
		}
	}
}

// TestIndexLinks follows the links of an index on disk only within its folder.
func TestIndexLinks(t *testing.T) {
	folder := t.TempDir()
	public, secret := filepath.Join(folder, "public"), filepath.Join(folder, "secret.txt")
	for name, text := range map[string]string{
		secret: "https://secret.example/token\n", filepath.Join(folder, "private", "deep.txt"): "https://secret.example/deep\n",
		filepath.Join(public, "parts", "real.txt"): "https://a.example/1\n",
		filepath.Join(public, "robots.txt"): "Sitemap: out.txt\nSitemap: dir/deep.txt\n" +
			"Sitemap: ../secret.txt\nSitemap: within.txt\n",
		filepath.Join(public, "sitemap.xml"): index("http://127.0.0.1:1/out.txt", "http://127.0.0.1:1/absolute.txt",
			"http://127.0.0.1:1/dir/deep.txt", "http://127.0.0.1:1/chain.txt", "http://127.0.0.1:1/within.txt",
			"file://"+secret, "../secret.txt"),
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, target := range map[string]string{
		"out.txt": "../secret.txt", "absolute.txt": secret, "dir": "../private", "chain.txt": "out.txt",
		"within.txt": "parts/real.txt",
	} {
		if err := os.Symlink(target, filepath.Join(public, name)); err != nil {
			t.Skip(err)
		}
	}
	for _, name := range []string{"sitemap.xml", "robots.txt"} {
		var read []string
		for file, err := range source.Sitemaps(t.Context(), []string{filepath.Join(public, name)}, nil) {
			if err != nil {
				continue // nothing listens at the URL
			}
			for entry := range file.Entries() {
				read = append(read, string(entry.Loc))
			}
		}
		if !slices.Equal(read, []string{"https://a.example/1"}) {
			t.Errorf("%s: read %q", name, read)
		}
	}
}

// TestRedirectToPublicAddress ends a redirect to the public address of the same file, which
// would lead back for ever.
func TestRedirectToPublicAddress(t *testing.T) {
	requests := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests++
		http.Redirect(w, r, "https://public.example"+r.URL.Path, http.StatusMovedPermanently)
	}))
	defer server.Close()
	options := &source.Options{MapURL: func(address string) string {
		return strings.Replace(address, "https://public.example", server.URL, 1)
	}}
	for _, err := range source.Sitemaps(t.Context(), []string{server.URL + "/self.xml"}, options) {
		want := "it redirects to its own public address, https://public.example/self.xml"
		if !errors.Is(err, source.ErrRedirect) || !strings.HasSuffix(err.Error(), want) || requests != 1 {
			t.Errorf("%v after %d requests", err, requests)
		}
	}
}

// TestRedirectOfPublicAddress ends the same where the public address is requested, and the
// transport asks another server for it.
func TestRedirectOfPublicAddress(t *testing.T) {
	requests := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests++
		http.Redirect(w, r, "http://"+r.Host+r.URL.Path, http.StatusMovedPermanently)
	}))
	defer server.Close()
	options := &source.Options{MapURL: func(address string) string { return address }}
	for _, err := range source.Sitemaps(t.Context(), []string{server.URL + "/self.xml"}, options) {
		self, is := errors.AsType[*source.SelfRedirectError](err)
		if !is || self.Public != server.URL+"/self.xml" || requests != 1 {
			t.Errorf("%v after %d requests", err, requests)
		}
	}
}
