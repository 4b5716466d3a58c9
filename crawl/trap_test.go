package crawl

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func testDetector(traps Traps) trapDetector {
	return newTrapDetector(traps.withDefaults(), time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC))
}

func testCounter(traps Traps) *trapCounter { return newTrapCounter(traps.withDefaults()) }

// TestDetect finds the traps that show in one URL.
func TestDetect(t *testing.T) {
	detector := testDetector(Traps{})
	for path, want := range map[string]TrapKind{
		"/": TrapNone, "/a/b/c/d": TrapNone, "/a/a/b": TrapNone, "/a//b//c//d": TrapNone, "/ab/a/b/ba": TrapNone,
		"/a/b/a/b/a":          TrapRepeats,
		"/a/a/a":              TrapRepeats,
		"/a/a/a/":             TrapRepeats,
		"/x/a/y/a/z/a?q":      TrapRepeats,
		"/1/1/1/1":            TrapNone,
		"/12/12/12":           TrapNone,
		"/123/123/123":        TrapRepeats,
		"/search?p=/a/a/a/a/": TrapNone,

		"/" + strings.Join(words(24), "/"): TrapNone,
		"/" + strings.Join(words(25), "/"): TrapSegments,

		"/a%2520b":               TrapNone,
		"/a%252520b":             TrapNone,
		"/a?b=%25252526":         TrapEscapes,
		"/a%25%25%25":            TrapEscapes,
		"/a?b&amp;c&amp;d":       TrapNone,
		"/a?b&amp;c&amp;d&amp;e": TrapEscapes,
		"/a?b&amp;amp;amp;c":     TrapEscapes,
		"/champ;ion?b=1&amp;c=2": TrapNone,
	} {
		if got := detector.detect([]byte("https://site.example" + path)); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}

// TestYearOf separates dates in a URL from other numbers.
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

// TestCalendar checks links from one date to another.
func TestCalendar(t *testing.T) {
	detector := testDetector(Traps{})
	for _, test := range []struct {
		from, to string
		want     TrapKind
	}{
		{"/cal/2028/12", "/cal/2029/01", TrapYearsAhead},
		{"/cal/1996/01", "/cal/1995/12", TrapYearsBack},
		{"/cal?year=2028", "/cal?year=2029", TrapYearsAhead},
		{"/cal/2931/05", "/cal/2931/06", TrapYearsAhead},
		{"/cal/2028/11", "/cal/2028/12", TrapNone},
		{"/", "/cal/2931/05", TrapNone},
		{"/part-1850-3", "/part-1100-7", TrapNone},
		{"/part-2024-3", "/part-2931-7", TrapNone},
	} {
		site := "https://site.example"
		if got := detector.detectCalendar([]byte(site+test.from), []byte(site+test.to)); got != test.want {
			t.Errorf("%s to %s: %q, want %q", test.from, test.to, got, test.want)
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

// TestCountURL counts URLs of each pattern, numbered from 0, until one is in a trap.
func TestCountURL(t *testing.T) {
	limits := Traps{Facets: 3, Variants: 1, Tokens: 1}
	for pattern, test := range map[string]struct {
		want TrapKind
		at   int // URLs before the trap; -1 without a trap
	}{
		"/page-%d":                         {TrapNone, -1},
		"/a/%d/b":                          {TrapNone, -1},
		"/path-%d?a=1&b=2&c=3":             {TrapNone, -1},
		"/list?page=%d":                    {TrapVariants, patternFactor},
		"/list?a=%d&b=2":                   {TrapVariants, patternFactor},
		"/list?a=%d&b=2&c=3":               {TrapFacets, 3},
		"/a1b2c3d4e5f6a7b8%dx/shop":        {TrapTokens, patternFactor},
		"/shop/a1b2c3d4e5f6a7b8%dx":        {TrapTokens, patternFactor},
		"/shop?s=a1b2c3d4e5f6a7b8%dx":      {TrapTokens, patternFactor},
		"/a1b2c3d4e5f6a7b8c/%d":            {TrapNone, -1},
		"/averylongwordwithoutanydigits%d": {TrapNone, -1},
		"/1234567890123456789%d":           {TrapNone, -1},
		"/photo-20260601-%d":               {TrapNone, -1},
		"/p/7c0d1a8c9c4%x":                 {TrapTokens, patternFactor},
		"/p/decade%d":                      {TrapNone, -1},
		"/shop;s=a1b2c3d4e5f6a7b8%dx?a=1":  {TrapTokens, patternFactor},
	} {
		counter := testCounter(limits)
		at, got := -1, TrapNone
		for n := range 2 * patternFactor {
			if got = counter.countURL(fmt.Appendf(nil, "https://site.example"+pattern, n)); got != TrapNone {
				at = n
				break
			}
		}
		if got != test.want || at != test.at {
			t.Errorf("%s: %q after %d, want %q after %d", pattern, got, at, test.want, test.at)
		}
	}
}

// TestTrapsOff switches off every trap that shows in URLs.
func TestTrapsOff(t *testing.T) {
	off := Traps{Repeats: -1, Segments: -1, YearsAhead: -1, YearsBack: -1, Facets: -1, Variants: -1, Tokens: -1,
		Escapes: -1}
	detector, counter := testDetector(off), testCounter(off)
	for _, path := range []string{"/a/a/a/a", "/" + strings.Join(words(100), "/"), "/2999/01", "/1001/01",
		"/a%25%25%25%25"} {
		if got := detector.detect([]byte("https://site.example" + path)); got != TrapNone {
			t.Errorf("%s: %q", path, got)
		}
	}
	for n := range 3000 {
		address := fmt.Appendf(nil, "https://site.example/a1b2c3d4e5f6a7b8?a=%d&b=2&c=3", n)
		if got := counter.countURL(address); got != TrapNone {
			t.Fatalf("%s: %q", address, got)
		}
	}
}

func TestSameContent(t *testing.T) {
	counter := testCounter(Traps{SameContent: 2})
	for n, want := range []bool{false, false, true, true} {
		if got := counter.countContent("Title", 7); got != want {
			t.Errorf("page %d: %t, want %t", n+1, got, want)
		}
	}
	if counter.countContent("Another title", 7) || counter.countContent("Title", 8) {
		t.Error("other titles or texts count as the same")
	}
	for range 10 {
		if counter.countContent("Title", 0) {
			t.Fatal("pages without text count as the same")
		}
	}
}

// TestExhausted requests the pages of a pattern as long as their texts are new.
func TestExhausted(t *testing.T) {
	for pattern, want := range map[string]TrapKind{
		"/topic?t=%d": TrapVariants, "/a1b2c3d4e5f6a7b8%dx/shop": TrapTokens, "/shop?s=a1b2c3d4e5f6a7b8%dx": TrapTokens,
		"/list?a=%d&b=2&c=3": TrapFacets, "/page-%d": TrapNone,
	} {
		counter := testCounter(Traps{Facets: 10, Variants: 10, Tokens: 10})
		address := func(n int) string { return fmt.Sprintf("https://site.example"+pattern, n) }
		for n := range 1000 {
			if trap := counter.exhausted(address(n)); trap != TrapNone {
				t.Fatalf("%s: %q", address(n), trap)
			}
			counter.recordText(address(n), uint64(n+1), n%2 == 1)
		}
		stale := 0
		for counter.exhausted(address(1000+stale)) == TrapNone && stale < 100 {
			counter.recordText(address(1000+stale), 1, false)
			stale++
		}
		if got := counter.exhausted(address(2000)); got != want || want != TrapNone && stale != 11 {
			t.Errorf("%s: %q after %d pages without a new text", pattern, got, stale)
		}
	}
}

func TestPathPattern(t *testing.T) {
	for path, want := range map[string]string{
		"/": "/", "/a": "/a", "/page-1": "/page-0", "/page-123": "/page-0", "/1/22/x3?p=44": "/0/0/x0?p=0", "": "/",
	} {
		if got := string(pathPattern(nil, []byte("https://site1.example"+path))); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}

func FuzzDetect(f *testing.F) {
	for _, path := range []string{"/2031/05", "?year=2031", "//a//a//a", "/%25%25?&amp;", "/1/1/1"} {
		f.Add(path)
	}
	f.Fuzz(func(t *testing.T, path string) {
		detector := testDetector(Traps{})
		address := []byte("https://site.example/" + path)
		detector.detect(address)
		testCounter(Traps{}).countURL(address)
		path, _, _ = strings.Cut("/"+path, "?")
		counts := map[string]int{}
		want := false
		for segment := range strings.SplitSeq(path, "/") {
			if counts[segment]++; counts[segment] >= 3 && segment != "" &&
				!(len(segment) <= 2 && strings.Trim(segment, "0123456789") == "") {
				want = true
			}
		}
		if got := detector.repeatsSegment([]byte(path)); got != want {
			t.Errorf("%q repeats: %t, want %t", path, got, want)
		}
	})
}
