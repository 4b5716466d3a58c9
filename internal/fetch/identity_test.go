package fetch

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/mapatools/mapa/access"
)

func TestOriginHeaders(t *testing.T) {
	options := (&Options{Access: access.Access{Headers: map[string]http.Header{
		"https://Shop.example:443/login?next": {"authorization": {"Basic eA=="}},
		"https://shop.example":                {"X-Key": {"k"}, "User-Agent": {"Shop"}},
	}}}).withDefaults()
	id, err := newIdentity(options)
	if err != nil {
		t.Fatal(err)
	}
	for address, own := range map[string]bool{
		"https://shop.example/":               true,
		"https://SHOP.example:443/a":          true,
		"https://other@shop.example/":         true,
		"http://shop.example/":                false,
		"http://shop.example:443/":            false,
		"https://shop.example:8443/":          false,
		"https://www.shop.example/":           false,
		"https://shop.example.evil.example/":  false,
		"https://shop.example@evil.example/":  false,
		"https://evil.example/#shop.example/": false,
		"https://shop.example./":              false,
	} {
		to, err := parseTarget(address)
		if err != nil {
			t.Fatal(err)
		}
		header := id.header(&to, &Request{})
		want := "Basic eA== k Shop"
		if !own {
			want = "  " + UserAgent("")
		}
		got := header.Get("Authorization") + " " + header.Get("X-Key") + " " + header.Get("User-Agent")
		if got != want {
			t.Errorf("%s gets %q, want %q", address, got, want)
		}
	}
}

// TestNothingLeaks follows redirects to another port, and to another scheme of the
// same host, with a header, a password and a cookie for the first.
func TestNothingLeaks(t *testing.T) {
	secrets := func(r *http.Request) string {
		return fmt.Sprint(r.Header["Authorization"], r.Header["X-Key"], r.Header["Cookie"])
	}
	seen := ""
	other := func(w http.ResponseWriter, r *http.Request) { seen = secrets(r) }
	plain := serve(t, other)
	secure := httptest.NewTLSServer(http.HandlerFunc(other))
	defer secure.Close()
	own, home := "", ""
	first := serve(t, func(w http.ResponseWriter, r *http.Request) {
		own = secrets(r)
		http.SetCookie(w, &http.Cookie{Name: "session", Value: "s", Domain: "127.0.0.1"})
		target := map[string]string{"/plain": plain, "/secure": secure.URL, "/home": home + "/"}[r.URL.Path]
		if target != "" {
			http.Redirect(w, r, target, http.StatusFound)
		}
	})
	home = first
	client := quick(t, Options{Access: access.Access{Cookies: true, Headers: map[string]http.Header{
		first: {"Authorization": {"Basic eA=="}, "X-Key": {"k"}, "Cookie": {"given=g"}}}}})
	client.exchange.transport.TLSClientConfig = secure.Client().Transport.(*http.Transport).TLSClientConfig.Clone()
	for _, path := range []string{"/plain", "/secure"} {
		seen = "nothing"
		get(t, Follow(client, 5), Request{URL: strings.Replace(first, "//", "//user:password@", 1) + path})
		if seen != "[] [] []" {
			t.Errorf("%s: another origin got %s", path, seen)
		}
	}
	get(t, Follow(client, 5), Request{URL: first + "/home"})
	if want := "[Basic eA==] [k] [given=g; session=s]"; own != want {
		t.Errorf("the origin itself got %s, want %s", own, want)
	}
}

func TestUserAgent(t *testing.T) {
	if got := UserAgent("1.2.3"); got != "Mapa/1.2.3 (+https://github.com/mapatools/mapa)" {
		t.Error(got)
	}
}
