package cli_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// A linkedServer is a site that pages of another one link to. It records what it gets.
type linkedServer struct {
	*httptest.Server
	mutex sync.Mutex
	got   map[string]http.Header // by path
}

func newLinkedServer(t *testing.T, handler http.HandlerFunc) *linkedServer {
	t.Helper()
	s := &linkedServer{got: map[string]http.Header{}}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mutex.Lock()
		s.got[r.URL.Path] = r.Header.Clone()
		s.mutex.Unlock()
		handler(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

// TestLinkCredentials sends the credentials of an entry to its origin and to no other, also after
// redirects, and writes them nowhere.
func TestLinkCredentials(t *testing.T) {
	const password, token = "open-sesame", "token-abc123"
	t.Chdir(t.TempDir())
	notFound := func(w http.ResponseWriter, r *http.Request) { http.NotFound(w, r) }
	stranger := newLinkedServer(t, notFound)
	intranet := newLinkedServer(t, func(w http.ResponseWriter, r *http.Request) {
		name, given, _ := r.BasicAuth()
		switch {
		case r.URL.Path == "/robots.txt":
			http.NotFound(w, r)
		case r.URL.Path == "/leave":
			http.Redirect(w, r, stranger.URL+"/caught", http.StatusFound)
		case name != "me" || given != password || r.Header.Get("X-Token") != token ||
			r.Header.Get("Cookie") != "session="+token:
			w.WriteHeader(http.StatusUnauthorized)
		}
	})
	site := newLinkedServer(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<title>Home</title><p>home</p><a href=%s/wiki>wiki</a> <a href=%s/leave>leave</a> "+
			"<a href=%s/other>other</a>", intranet.URL, intranet.URL, stranger.URL)
	})
	t.Setenv("PASSWORD_OF_INTRANET", "me:"+password)
	config := fmt.Sprintf("external: true\nlink-policy:\n- url: %s/\n  user: $PASSWORD_OF_INTRANET\n  header: ['X-Token: %s']\n"+
		"  cookie: session=%s\n  rate: 0\n", intranet.URL, token, token)
	if err := os.WriteFile("mapa.yaml", []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	code, stdout, stderr := crawlWith(t, "--config", "mapa.yaml", "--format", "json", "--verbose", site.URL)
	if code != 0 {
		t.Fatal(stderr)
	}
	for path, header := range intranet.got {
		if header.Get("Authorization") == "" || header.Get("X-Token") != token {
			t.Errorf("the intranet got for %s: %v", path, header)
		}
	}
	if intranet.got["/wiki"] == nil || stranger.got["/caught"] == nil || stranger.got["/other"] == nil {
		t.Fatalf("not all links were requested: %v, %v", intranet.got, stranger.got)
	}
	for _, other := range []*linkedServer{site, stranger} {
		for path, header := range other.got {
			if header.Get("Authorization") != "" || header.Get("X-Token") != "" || header.Get("Cookie") != "" {
				t.Errorf("another origin got for %s: %v", path, header)
			}
		}
	}
	secrets := []string{password, token, base64.StdEncoding.EncodeToString([]byte("me:" + password))}
	noSecret := func(where string, text []byte) {
		for _, secret := range secrets {
			if bytes.Contains(text, []byte(secret)) {
				t.Errorf("%s has %s", where, secret)
			}
		}
	}
	noSecret("the output", []byte(stdout+stderr))
	if strings.Contains(stdout, intranet.URL+"/wiki") {
		t.Errorf("the link to the intranet is a finding: %s", stdout)
	}
	err := filepath.WalkDir("out", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		noSecret(name, text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}

	// A file that is only found may be of strangers, who would send these anywhere.
	intranet.got = map[string]http.Header{}
	for _, key := range []string{
		"user: me:" + password, "header: ['X-Token: " + token + "']", "cookie: a=" + token, "rate: 0",
	} {
		config := fmt.Sprintf("link-policy:\n- url: ^x\n  level: skip\n- url: %s/\n  %s\n", intranet.URL, key)
		if err := os.WriteFile("mapa.yaml", []byte(config), 0o600); err != nil {
			t.Fatal(err)
		}
		code, stdout, stderr := crawlWith(t, "--external", site.URL)
		name, _, _ := strings.Cut(key, ":")
		want := "mapa.yaml, line 5: link-policy, entry 2: " + name + " is refused in a file that nobody named: " +
			"if you trust the file, use --config mapa.yaml"
		if code != 2 || !strings.Contains(stderr, want) || len(intranet.got) > 0 {
			t.Errorf("%s: %d, %s", name, code, stderr)
		}
		noSecret("the refusal", []byte(stdout+stderr))
	}
}
