package scan

import (
	"bytes"
	"testing"
	"time"

	"github.com/mapatools/mapa/sitemap"
)

// FuzzLocTraits compares the scan with the slow way: a location in which nothing
// is unusual, or only what leaves it as it is, is its own normal form, and one that
// looks like the one before is judged as if there were none before.
func FuzzLocTraits(f *testing.F) {
	for _, loc := range []string{
		"https://example.com/", "https://example.com/a/b.html?c=d&e=f", "https://example.com/a/./b",
		"https://example.com/.well-known",
		"http://EXAMPLE.com/a", "https://example.com:443/a", "https://example.com/caf%c3%a9#d",
		"https://example.com/it's?it's",
		"https://a@b.example/", "https://example.com/a..b/..", "https://xn--bcher-kva.example/;jsessionid=0123456789",
		"https://example.com/[a]|b^c`{d}", "https://1.2.3.4/a", "https://0x7f.1/", "https://example.com./a",
	} {
		f.Add([]byte(loc), []byte("https://example.com/a/b"))
	}
	f.Fuzz(func(t *testing.T, loc, before []byte) {
		if len(loc) == 0 {
			return
		}
		alone := NewScanner(&Scope{}, sitemap.FormatURLSet, time.Now(), time.Time{})
		traits := alone.locTraits(loc)
		after := NewScanner(&Scope{}, sitemap.FormatURLSet, time.Now(), time.Time{})
		after.locTraits(before)
		if got := after.locTraits(loc); got != traits {
			t.Errorf("%q: %b after %q, %b alone", loc, got, before, traits)
		}
		if !traits.IsNormal() || traits&LocLength != 0 {
			return
		}
		if normal, err := NormalForm(nil, loc); err != nil || !bytes.Equal(normal, loc) {
			t.Errorf("%q is taken for plain, but its normal form is %q, %v", loc, normal, err)
		}
	})
}
