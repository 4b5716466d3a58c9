package announce_test

import (
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/announce"
)

// many yields URLs of two hosts.
func many(n int) iter.Seq2[announce.Item, error] {
	return func(yield func(announce.Item, error) bool) {
		for i := range n {
			host := []string{"example.com", "www.example.com"}[i%2]
			if !yield(announce.Item{URL: fmt.Sprintf("https://%s/%d#top", host, i), Version: "1"}, nil) {
				return
			}
		}
	}
}

// TestIndexNowBatches sends one request for each host and 10,000 URLs.
func TestIndexNowBatches(t *testing.T) {
	w := newWorld(t, nil)
	var batches []string
	for r, err := range w.announcer(t, announce.ProviderIndexNow).Plan(&announce.Announcement{URLs: many(20_002)}) {
		if err != nil {
			t.Fatal(err)
		}
		host, _, _ := strings.Cut(strings.TrimPrefix(r.Body, `{"host":"`), `"`)
		batches = append(batches, fmt.Sprintf("%s %d", host, strings.Count(r.Body, "https://")))
		if strings.Contains(r.Body, "#") {
			t.Error("a fragment is sent")
		}
	}
	if got, want := strings.Join(batches, ", "), "example.com 10000, www.example.com 10000, example.com 1, www.example.com 1"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestIndexNowKey(t *testing.T) {
	for key, valid := range map[string]bool{
		"abc": false, "abcdefg": false, "abcdefgh": true, "ABC-def-123": true, "abc_defgh": false, "abc defgh": false,
		strings.Repeat("a", 128): true, strings.Repeat("a", 129): false, "äbcdefgh": false, announce.NewKey(): true,
	} {
		if err := announce.CheckKeyForm(key); (err == nil) != valid {
			t.Errorf("%q: %v", key, err)
		}
	}
	if first, second := announce.NewKey(), announce.NewKey(); first == second {
		t.Error("two keys are equal")
	}
	if _, err := announce.NewIndexNow(announce.IndexNowOptions{Key: "short"}, nil); err == nil {
		t.Error("a key that is too short was accepted")
	}
}

// TestKeyLocation announces only what the location of the key covers.
func TestKeyLocation(t *testing.T) {
	w := newWorld(t, nil)
	a, err := announce.NewIndexNow(announce.IndexNowOptions{
		Key: goodKey, KeyLocation: origin + "/catalog/" + goodKey + ".txt",
	}, &w.options)
	if err != nil {
		t.Fatal(err)
	}
	planned, refused := "", 0
	for r, err := range a.Plan(&announce.Announcement{URLs: urls("1", "/catalog/a", "/catalogue", "/b")}) {
		if planned += r.Body; err != nil {
			refused++
		}
	}
	if !strings.Contains(planned, `"urlList":["https://example.com/catalog/a"]`) || refused != 2 {
		t.Errorf("%s, %d refused", planned, refused)
	}
}

// TestCheckKey requests key files that are wrong in all ways.
func TestCheckKey(t *testing.T) {
	for _, test := range []struct {
		name   string
		answer http.HandlerFunc
		want   announce.KeyProblem
	}{
		{"right", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, goodKey) }, announce.KeyGood},
		{"404", http.NotFound, announce.KeyMissing},
		{"403", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(403) }, announce.KeyMissing},
		{"redirect", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://other.example/"+goodKey+".txt", http.StatusMovedPermanently)
		}, announce.KeyRedirects},
		{"application", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<!doctype html><p>"+goodKey) },
			announce.KeyHTML},
		{"line end", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, goodKey) }, announce.KeyWhiteSpace},
		{"byte order mark", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "\xEF\xBB\xBF"+goodKey) },
			announce.KeyWhiteSpace},
		{"other key", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "abcdefgh") }, announce.KeyDiffers},
		{"empty", func(http.ResponseWriter, *http.Request) {}, announce.KeyDiffers},
		{"dropped", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, announce.KeyUnreachable},
	} {
		t.Run(test.name, func(t *testing.T) {
			server := httptest.NewServer(test.answer)
			defer server.Close()
			a, err := announce.NewIndexNow(announce.IndexNowOptions{Key: goodKey}, nil)
			if err != nil {
				t.Fatal(err)
			}
			check, err := a.CheckKey(t.Context(), server.URL+"/page")
			if err != nil || check.Problem != test.want {
				t.Fatalf("%+v, error %v", check, err)
			}
			checkSecrets(t, fmt.Sprintf("%+v %s %s", check, check, check.Advice()))
		})
	}
}

func TestCheckEndpoint(t *testing.T) {
	for endpoint, valid := range map[string]bool{
		"http://127.0.0.1:8080": true, "http://localhost:1/fake/": true, "https://[::1]:2": true, "http://127.9.9.9/": true,
		"http://example.com": false, "http://10.0.0.1": false, "ftp://127.0.0.1": false, "127.0.0.1:80": false,
		"http://127.0.0.1.example.com": false, "http://user@127.0.0.1": false, "http://0.0.0.0": false,
		"http://localhost.example.com": false, "http://127.0.0.1/?a": false, "": false,
	} {
		if _, err := announce.CheckEndpoint(endpoint); (err == nil) != valid {
			t.Errorf("%q: %v", endpoint, err)
		}
		if !valid && endpoint != "" {
			if _, err := announce.NewBing(announce.BingOptions{Key: "x"}, &announce.Options{Endpoint: endpoint}); err == nil {
				t.Errorf("%q was used", endpoint)
			}
		}
	}
}

// TestNoRedirects lets an engine redirect to another host, which must see nothing.
func TestNoRedirects(t *testing.T) {
	seen := 0
	thief := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { seen++ }))
	defer thief.Close()
	for _, status := range []int{301, 302, 303, 307, 308} {
		engine := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, thief.URL, status)
		}))
		w := newWorld(t, nil)
		w.options.Access.Transport, w.options.Endpoint = nil, engine.URL
		hub, err := announce.NewWebSub(announce.WebSubOptions{Hubs: []string{"https://hub.example/"}}, &w.options)
		if err != nil {
			t.Fatal(err)
		}
		all := []announce.Announcer{hub}
		for _, p := range announce.Providers() {
			if p != announce.ProviderRobots && p != announce.ProviderWebSub {
				all = append(all, w.announcer(t, p))
			}
		}
		for _, a := range all {
			for _, r := range a.Announce(t.Context(), announcement("1")) {
				if r.Err == nil || r.Sent > 0 {
					t.Errorf("%s, %d: %+v", a.Provider(), status, r)
				}
				checkSecrets(t, fmt.Sprintf("%+v %v", r, r.Err))
			}
		}
		engine.Close()
	}
	if seen > 0 {
		t.Errorf("%d requests followed a redirect", seen)
	}
}

// TestGoogleCredentials refuses files that name programs or URLs, and shows no part of a
// file.
func TestGoogleCredentials(t *testing.T) {
	for _, text := range []string{
		"", "{}", "secret-text", `{"type":"external_account","credential_source":{"executable":{"command":"/bin/sh"}}}`,
		`{"type":"impersonated_service_account"}`, `{"type":"service_account","private_key":"secret-text"`,
	} {
		name := filepath.Join(t.TempDir(), "account.json")
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := announce.NewGoogle(announce.GoogleOptions{CredentialsFile: name}, nil)
		if err == nil || strings.Contains(err.Error(), "secret-text") {
			t.Errorf("%s: error %v", text, err)
		}
	}
	if _, err := announce.NewGoogle(announce.GoogleOptions{CredentialsFile: os.DevNull}, nil); err == nil {
		t.Error("a device was read")
	}
}

// TestCheckRobots checks robots.txt files and sitemaps that are wrong in all ways.
func TestCheckRobots(t *testing.T) {
	for _, test := range []struct {
		name, robots, want string
		status             int
	}{
		{"good", "User-agent: *\nDisallow: /x\nSitemap: SITE/sitemap.xml\n", "", 200},
		{"missing", "User-agent: *\nDisallow:\n", "names no sitemap", 200},
		{"other", "Sitemap: SITE/other.xml", "does not name SITE/sitemap.xml, but SITE/other.xml", 200},
		{"404", "", "answers 404", 404},
		{"500", "", "answers 500", 500},
		{"blocked", "User-agent: bingbot\nDisallow: /sitemap\nSitemap: SITE/sitemap.xml", "blocks the sitemap for bingbot", 200},
	} {
		t.Run(test.name, func(t *testing.T) {
			var base string
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/robots.txt" {
					w.WriteHeader(test.status)
					fmt.Fprint(w, strings.ReplaceAll(test.robots, "SITE", base))
				}
			}))
			defer server.Close()
			base = server.URL
			check, err := announce.CheckRobots(t.Context(), base+"/page", base+"/sitemap.xml", nil)
			if err != nil {
				t.Fatal(err)
			}
			problems := strings.ReplaceAll(strings.Join(check.Problems, "; "), base, "SITE")
			if (problems == "") != (test.want == "") || !strings.Contains(problems, test.want) {
				t.Errorf("problems %q, want %q", problems, test.want)
			}
			if check.Named == (check.Line != "") {
				t.Errorf("named %t, line %q", check.Named, check.Line)
			}
		})
	}
}

// unicodeSite names its sitemap in Unicode.
type unicodeSite struct{}

func (unicodeSite) RoundTrip(r *http.Request) (*http.Response, error) {
	answer := httptest.NewRecorder()
	if r.URL.Path == "/robots.txt" {
		io.WriteString(answer, "Sitemap: https://b\u00fccher.example/sitemap.xml\n")
	}
	return answer.Result(), nil
}

// TestCheckRobotsUnicode finds a sitemap that is named in Unicode.
func TestCheckRobotsUnicode(t *testing.T) {
	check, err := announce.CheckRobots(t.Context(), "https://xn--bcher-kva.example/",
		"https://xn--bcher-kva.example/sitemap.xml", &announce.Options{Access: access.Access{Transport: unicodeSite{}}})
	if err != nil || !check.Named || len(check.Problems) > 0 {
		t.Errorf("%+v, %v", check, err)
	}
}
