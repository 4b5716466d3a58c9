package crawl_test

import (
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/cause"
	appcrawl "github.com/mapatools/mapa/internal/app/crawl"
)

// TestOtherScheme names the address that answers where nothing does at the one of the user, and
// sends no credentials to find out.
func TestOtherScheme(t *testing.T) {
	var sent atomic.Bool
	plain := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "" {
			sent.Store(true)
		}
		http.NotFound(w, r)
	}))
	defer plain.Close()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	listener.Close()
	local := strings.TrimPrefix(plain.URL, "http://")
	for address, want := range map[string]string{
		"https://" + local + "/a":             "http://" + local + "/a",
		"https://me:secret@" + local:          "http://" + local,
		"https://" + listener.Addr().String(): "",
		listener.Addr().String():              "",
	} {
		settings := appcrawl.NewSettings()
		settings.Access.Rate, settings.Output = access.PerSecond(0), t.TempDir()
		_, err := appcrawl.Run(t.Context(), &app.App{}, address, settings)
		got := ""
		if other, is := errors.AsType[*appcrawl.OtherAddressError](err); is {
			got = other.To
		}
		if err == nil || got != want {
			t.Errorf("%s: %q, want %q: %v", address, got, want, err)
		}
		if want == "" && cause.Of(err) != cause.ConnectionRefused {
			t.Errorf("%s: the cause is %v", address, cause.Of(err))
		}
	}
	if sent.Load() {
		t.Error("credentials were sent over http")
	}
}
