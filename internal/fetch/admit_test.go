package fetch

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/mapatools/mapa/access"
)

// TestAdmit lets requests that the caller sends start at the rate of the host.
func TestAdmit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, err := New(&Options{Access: access.Access{Rate: access.PerSecond(10)}})
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		for _, test := range []struct {
			url   string
			delay time.Duration
			at    time.Duration
		}{
			{"http://one.example/a", 0, 0},
			{"http://one.example/b", 0, 100 * time.Millisecond},
			{"http://one.example/c", 0, 200 * time.Millisecond},
			{"http://two.example/", 0, 200 * time.Millisecond},
			{"http://one.example/d", time.Minute, 300 * time.Millisecond},
			{"http://one.example/e", time.Minute, time.Minute + 300*time.Millisecond},
		} {
			if err := client.Admit(t.Context(), test.url, test.delay); err != nil {
				t.Error(err)
			}
			if at := time.Since(start).Round(time.Millisecond); at != test.at {
				t.Errorf("%s starts at %v, want %v", test.url, at, test.at)
			}
		}
		if err := client.Admit(t.Context(), "file:///etc/passwd", 0); err == nil {
			t.Error("a file was admitted")
		}
	})
}
