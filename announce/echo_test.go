package announce_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mapatools/mapa/announce"
)

// hostileText holds the secrets of all providers, often enough that a cut leaves a part of
// one, and control characters.
var hostileText = strings.Repeat(strings.Join(secrets[:4], "\x1b[2J\r\n"), 40)

// hostileAnswer has that text wherever a client looks for one.
func hostileAnswer() string {
	text, _ := json.Marshal(hostileText) // a string can be encoded
	return fmt.Sprintf(`{"errorCode":%[1]s,"code":%[1]s,"message":%[1]s,"Message":%[1]s,"ErrorCode":8,
		"error_code":%[1]s,"error_message":%[1]s,"not_same_site":[%[1]s],"not_valid":[%[1]s],"user_id":7,
		"siteEntry":[{"siteUrl":%[1]s,"permissionLevel":"siteOwner"},{"siteUrl":"https://example.com/","permissionLevel":"siteOwner"}],
		"type":%[1]s,"sitemaps":[{"sitemap_url":"https://example.com/sitemap.xml","sitemap_type":%[1]s}],
		"d":[{"Url":"https://example.com/sitemap.xml","Status":%[1]s}]}`, text)
}

// TestEcho lets every engine answer with the secrets of all, and looks for them in all that
// is returned.
func TestEcho(t *testing.T) {
	for _, status := range []int{200, 202, 400, 401, 403, 404, 409, 422, 429, 500} {
		for kind, body := range map[string]string{"JSON": hostileAnswer(), "text": hostileText, "list": "[" + hostileText} {
			engine := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/token" {
					fmt.Fprintf(w, `{"access_token":%q,"token_type":"Bearer","expires_in":3599}`, secrets[4])
					return
				}
				w.WriteHeader(status)
				fmt.Fprint(w, body, secrets[4])
			}))
			w := newWorld(t, nil)
			w.options.Access.Transport, w.options.Endpoint, w.options.Wait, w.options.Secrets = nil, engine.URL, -1, secrets[:4]
			for _, p := range announce.Providers()[1:6] {
				a := w.announcer(t, p)
				for _, r := range a.Announce(t.Context(), announcement("1")) {
					checkText(t, fmt.Sprintf("%s, %d, %s: %+v %v", p, status, kind, r, r.Err))
				}
				if reader, ok := a.(announce.StatusReader); ok {
					report, err := reader.ReadStatus(t.Context(), origin+"/sitemap.xml")
					checkText(t, fmt.Sprintf("%s, %d, %s: %+v %v", p, status, kind, report, err))
				}
			}
			engine.Close()
		}
	}
}

// checkText fails when a text shows a secret or a part of one, control characters, or much
// of an answer.
func checkText(t *testing.T, text string) {
	t.Helper()
	checkSecrets(t, text)
	const part, longest = 12, 3000
	for _, secret := range secrets[:4] {
		if strings.Contains(text, secret[:part]) {
			t.Errorf("%q shows a part of the secret %s", text, secret)
		}
	}
	if n := utf8.RuneCountInString(text); n > longest {
		t.Errorf("%d characters: %q…", n, text[:200])
	}
}

// TestTokenRefused lets the token server answer with what it was sent.
func TestTokenRefused(t *testing.T) {
	for _, code := range []string{
		"1//refresh-secret", "GOCSPX-client-secret", strings.Repeat("a", 1000), "invalid_grant",
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprintf(w, `{"error":%q,"error_description":"refused 1//refresh-secret"}`, code)
		}))
		name := filepath.Join(t.TempDir(), "user.json")
		err := os.WriteFile(name, []byte(`{"type":"authorized_user","client_id":"1","client_secret":"GOCSPX-client-secret",`+
			`"refresh_token":"1//refresh-secret"}`), 0o600)
		if err != nil {
			t.Fatal(err)
		}
		g, err := announce.NewGoogle(announce.GoogleOptions{CredentialsFile: name}, &announce.Options{Endpoint: server.URL})
		if err != nil {
			t.Fatal(err)
		}
		_, err = g.Properties(t.Context())
		server.Close()
		var failure *announce.Error
		if !errors.As(err, &failure) || failure.Reason != announce.ReasonCredentials {
			t.Fatalf("error %v", err)
		}
		if text := err.Error(); strings.Contains(text, "secret") || strings.Contains(text, "aaa") ||
			(code == "invalid_grant") != strings.Contains(text, code) {
			t.Errorf("%s: %s", code, text)
		}
	}
}

// TestDefaultCredentials shows nothing of a file of application default credentials that
// cannot be used.
func TestDefaultCredentials(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x\x1b[2J"+strings.Repeat("long", 50)+".json")
	if err := os.WriteFile(name, []byte(`{"type":"\u001b[2Jsecret-type"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOOGLE_APPLICATION_CREDENTIALS", name)
	g, err := announce.NewGoogle(announce.GoogleOptions{}, &announce.Options{Secrets: []string{"secret-type"}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = g.Properties(t.Context())
	if err == nil || strings.ContainsAny(err.Error(), "\x1b") || strings.Contains(err.Error(), "secret-type") {
		t.Errorf("error %v", err)
	}
}
