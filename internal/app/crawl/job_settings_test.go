package crawl

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/mapatools/mapa/access"
)

// TestDecodeForWorkers refuses settings of a job that name files of this machine: anybody who
// may write to the servers could have written them.
func TestDecodeForWorkers(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("https://example.com/secret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range localSettings {
		if _, err := decodeForWorkers([]byte(`{"` + name + `":["` + secret + `"]}`)); err == nil {
			t.Errorf("a job reads or writes files by the setting %q", name)
		}
	}
	for _, settings := range []string{
		`{"sitemap":["` + secret + `"]}`, `{"sitemap":["file://` + secret + `"]}`, `{"sitemap":["-"]}`,
		`{"max-depth":["0"]}`,
		`{"force":["true"]}`, `{"fresh":["true"]}`, `{"unknown":["x"]}`, `{"rate":[]}`, `{"rate":"x"}`, `[]`, `{`, ``,
	} {
		if _, err := decodeForWorkers([]byte(settings)); err == nil {
			t.Errorf("%s is accepted", settings)
		}
	}
	s, err := decodeForWorkers([]byte(`{"max-pages":["7"],"sitemap":["https://example.com/sitemap.xml","none"]}`))
	if err != nil || s.Limits.Pages != 7 || len(s.Seeds.sitemaps()) != 1 || !s.Seeds.skipsOwn() {
		t.Error(s, err)
	}
}

// TestSlowedRate never requests faster than the settings of the job, nor for ever more slowly
// than a crawl slows down, whatever the state of a site says.
func TestSlowedRate(t *testing.T) {
	for _, test := range []struct {
		rate   access.Rate
		slowed float64
		want   access.Rate
	}{
		{access.PerSecond(10), 0, access.PerSecond(10)},
		{access.PerSecond(10), 3, access.PerSecond(3)},
		{access.PerSecond(10), 1e9, access.PerSecond(10)},
		{access.PerSecond(10), 1e-9, access.PerSecond(slowestRate)},
		{access.PerSecond(0.1), 1e-9, access.PerSecond(0.1)},
		{access.PerSecond(0), 3, access.PerSecond(3)},
		{access.Rate{}, 3, access.PerSecond(3)},
		{access.Rate{}, 1e9, access.Rate{}},
		{access.AutoRate(), 3, access.AutoRate()},
	} {
		if got := slowedRate(test.rate, test.slowed); got != test.want {
			t.Errorf("rate %v, slowed down to %v: %v, want %v", test.rate, test.slowed, got, test.want)
		}
	}
}
