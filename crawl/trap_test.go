package crawl

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func newTestTrapper(traps Traps) *trapper {
	return newTrapper(traps.withDefaults(), time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC))
}

// TestTrapShapes tells what one address shows by itself.
func TestTrapShapes(t *testing.T) {
	trapper := newTestTrapper(Traps{})
	for path, want := range map[string]string{
		"/": "", "/a/b/c/d": "", "/a/a/b": "", "/a//b//c//d": "", "/ab/a/b/ba": "",
		"/a/b/a/b/a":          trapRepeats,
		"/a/a/a":              trapRepeats,
		"/a/a/a/":             trapRepeats,
		"/x/a/y/a/z/a?q":      trapRepeats,
		"/1/1/1/1":            "",
		"/12/12/12":           "",
		"/123/123/123":        trapRepeats,
		"/search?p=/a/a/a/a/": "",

		"/" + strings.Join(words(24), "/"): "",
		"/" + strings.Join(words(25), "/"): trapSegments,

		"/a%2520b":               "",
		"/a%252520b":             "",
		"/a?b=%25252526":         trapEscapes,
		"/a%25%25%25":            trapEscapes,
		"/a?b&amp;c&amp;d":       "",
		"/a?b&amp;c&amp;d&amp;e": trapEscapes,
		"/a?b&amp;amp;amp;c":     trapEscapes,
		"/champ;ion?b=1&amp;c=2": "",
	} {
		if got := trapper.shape([]byte("https://site.example" + path)); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}

// TestYearOf tells dates in an address from other numbers.
func TestYearOf(t *testing.T) {
	for path, want := range map[string]int{
		"/2026/06":                      2026,
		"/2028/12/31":                   2028,
		"/2029/01":                      2029,
		"/1996-01-01":                   1996,
		"/1995-12":                      1995,
		"/2931_5":                       2931,
		"/news/2031/5/a-title":          2031,
		"/2031/13":                      0,
		"/2031/0":                       0,
		"/2031":                         0,
		"/2031/":                        0,
		"/2031/123":                     0,
		"/a2031/05":                     0,
		"/12031/05":                     0,
		"/2031/05b":                     0,
		"/events?date=2031-05-01T10:00": 2031,
		"/events?month=2031-05":         2031,
		"/events?month=2027-05":         2027,
		"/events?year=2031":             2031,
		"/events?a=1&Year=1890":         1890,
		"/events?year=2026":             2026,
		"/events?years=2031":            0,
		"/events?year=20310":            0,
		"/events?year=":                 0,
		"/book?isbn=2031":               0,
		"/3000/01":                      0,
	} {
		if got := yearOf([]byte("https://site.example" + path)); got != want {
			t.Errorf("%s: %d, want %d", path, got, want)
		}
	}
}

// TestCalendar follows links from one date to another.
func TestCalendar(t *testing.T) {
	trapper := newTestTrapper(Traps{})
	for _, test := range []struct {
		from, to string
		want     bool
	}{
		{"/cal/2028/12", "/cal/2029/01", true},
		{"/cal/1996/01", "/cal/1995/12", true},
		{"/cal?year=2028", "/cal?year=2029", true},
		{"/cal/2931/05", "/cal/2931/06", true},
		{"/cal/2028/11", "/cal/2028/12", false},
		{"/", "/cal/2931/05", false},
		{"/part-1850-3", "/part-1100-7", false},
		{"/part-2024-3", "/part-2931-7", false},
	} {
		site := "https://site.example"
		if got := trapper.calendar([]byte(site+test.from), []byte(site+test.to)); got != test.want {
			t.Errorf("%s to %s: %t, want %t", test.from, test.to, got, test.want)
		}
	}
}

// words returns n segments that all differ.
func words(n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprint("s", i)
	}
	return all
}

// TestTrapCounts gives each pattern numbers from 0 until a trap is named.
func TestTrapCounts(t *testing.T) {
	limits := Traps{Facets: 3, Variants: 1, Tokens: 1}
	for pattern, test := range map[string]struct {
		want string
		at   int // addresses that are no trap; -1 for ever
	}{
		"/page-%d":                         {"", -1},
		"/a/%d/b":                          {"", -1},
		"/path-%d?a=1&b=2&c=3":             {"", -1},
		"/list?page=%d":                    {trapVariants, farBeyond},
		"/list?a=%d&b=2":                   {trapVariants, farBeyond},
		"/list?a=%d&b=2&c=3":               {trapFacets, 3},
		"/a1b2c3d4e5f6a7b8%dx/shop":        {trapTokens, farBeyond},
		"/shop/a1b2c3d4e5f6a7b8%dx":        {trapTokens, farBeyond},
		"/shop?s=a1b2c3d4e5f6a7b8%dx":      {trapTokens, farBeyond},
		"/a1b2c3d4e5f6a7b8c/%d":            {"", -1},
		"/averylongwordwithoutanydigits%d": {"", -1},
		"/1234567890123456789%d":           {"", -1},
		"/photo-20260601-%d":               {"", -1},
		"/p/7c0d1a8c9c4%x":                 {trapTokens, farBeyond},
		"/p/decade%d":                      {"", -1},
		"/shop;s=a1b2c3d4e5f6a7b8%dx?a=1":  {trapTokens, farBeyond},
	} {
		trapper := newTestTrapper(limits)
		at, got := -1, ""
		for n := range 2 * farBeyond {
			if got = trapper.count(fmt.Appendf(nil, "https://site.example"+pattern, n)); got != "" {
				at = n
				break
			}
		}
		if got != test.want || at != test.at {
			t.Errorf("%s: %q after %d, want %q after %d", pattern, got, at, test.want, test.at)
		}
	}
}

// TestTrapsOff switches every trap of addresses off.
func TestTrapsOff(t *testing.T) {
	trapper := newTestTrapper(Traps{Repeats: -1, Segments: -1, YearsAhead: -1, YearsBack: -1, Facets: -1, Variants: -1, Tokens: -1, Escapes: -1})
	for _, path := range []string{"/a/a/a/a", "/" + strings.Join(words(100), "/"), "/2999/01", "/1001/01", "/a%25%25%25%25"} {
		if got := trapper.shape([]byte("https://site.example" + path)); got != "" {
			t.Errorf("%s: %q", path, got)
		}
	}
	for n := range 3000 {
		address := fmt.Appendf(nil, "https://site.example/a1b2c3d4e5f6a7b8?a=%d&b=2&c=3", n)
		if got := trapper.count(address); got != "" {
			t.Fatalf("%s: %q", address, got)
		}
	}
}

func TestSameContent(t *testing.T) {
	trapper := newTestTrapper(Traps{SameContent: 2})
	for n, want := range []bool{false, false, true, true} {
		if got := trapper.sameContent("Title", 7); got != want {
			t.Errorf("page %d: %t, want %t", n+1, got, want)
		}
	}
	if trapper.sameContent("Another title", 7) || trapper.sameContent("Title", 8) {
		t.Error("other titles and texts count as the same")
	}
	for range 10 {
		if trapper.sameContent("Title", 0) {
			t.Fatal("pages without text count as the same")
		}
	}
}

// TestSpent asks for the pages of a kin as long as they say something new.
func TestSpent(t *testing.T) {
	for pattern, want := range map[string]string{
		"/topic?t=%d": trapVariants, "/a1b2c3d4e5f6a7b8%dx/shop": trapTokens, "/shop?s=a1b2c3d4e5f6a7b8%dx": trapTokens,
		"/list?a=%d&b=2&c=3": trapFacets, "/page-%d": "",
	} {
		trapper := newTestTrapper(Traps{Facets: 10, Variants: 10, Tokens: 10})
		address := func(n int) string { return fmt.Sprintf("https://site.example"+pattern, n) }
		for n := range 1000 {
			if trap := trapper.spent(address(n)); trap != "" {
				t.Fatalf("%s: %q", address(n), trap)
			}
			trapper.learn(address(n), uint64(n+1), n%2 == 1)
		}
		stale := 0
		for trapper.spent(address(1000+stale)) == "" && stale < 100 {
			trapper.learn(address(1000+stale), 1, false)
			stale++
		}
		if got := trapper.spent(address(2000)); got != want || want != "" && stale != 11 {
			t.Errorf("%s: %q after %d that say nothing new", pattern, got, stale)
		}
	}
}

func TestForm(t *testing.T) {
	for path, want := range map[string]string{
		"/": "/", "/a": "/a", "/page-1": "/page-0", "/page-123": "/page-0", "/1/22/x3?p=44": "/0/0/x0?p=0", "": "/",
	} {
		if got := string(form([]byte("https://site1.example"+path), nil)); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}

func FuzzTrapShape(f *testing.F) {
	for _, path := range []string{"/2031/05", "?year=2031", "//a//a//a", "/%25%25?&amp;", "/1/1/1"} {
		f.Add(path)
	}
	f.Fuzz(func(t *testing.T, path string) {
		trapper := newTestTrapper(Traps{})
		address := []byte("https://site.example/" + path)
		trapper.shape(address)
		trapper.count(address)
		path, _, _ = strings.Cut("/"+path, "?")
		counts := map[string]int{}
		want := false
		for segment := range strings.SplitSeq(path, "/") {
			if counts[segment]++; counts[segment] >= 3 && segment != "" && !(len(segment) <= 2 && strings.Trim(segment, "0123456789") == "") {
				want = true
			}
		}
		if got := trapper.repeats([]byte(path)); got != want {
			t.Errorf("%q repeats: %t, want %t", path, got, want)
		}
	})
}
