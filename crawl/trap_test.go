package crawl

import (
	"fmt"
	"strconv"
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

// TestSameContent counts pages that show the same and lead to each other, not those that show something new, that
// others link to, or that have no text.
func TestSameContent(t *testing.T) {
	const bound = 2
	for name, test := range map[string]struct {
		page  func(n int) shownContent // of the pages 1, 2, …
		traps int                      // of 10 pages
	}{
		"a chain":         {func(n int) shownContent { return shownContent{} }, 8},
		"other pictures":  {func(n int) shownContent { return shownContent{shown: uint64(n)} }, 0},
		"two pictures":    {func(n int) shownContent { return shownContent{shown: uint64(n % 2)} }, 7},
		"other titles":    {func(n int) shownContent { return shownContent{title: strconv.Itoa(n)} }, 0},
		"from an index":   {func(n int) shownContent { return shownContent{from: 1000} }, 0},
		"through another": {func(n int) shownContent { return shownContent{from: ID(100 + n)} }, 7},
	} {
		t.Run(name, func(t *testing.T) {
			counter := testCounter(Traps{SameContent: bound})
			traps := 0
			for n := 1; n <= 10; n++ {
				page := test.page(n)
				page.id, page.digest = ID(n), 7
				if page.from == 0 {
					page.from = ID(n - 1)
				}
				if counter.countContent(&page) {
					traps++
				}
				counter.inheritContent(ID(101+n), page.id) // a redirect, found on the page
			}
			if traps != test.traps {
				t.Errorf("%d traps, want %d", traps, test.traps)
			}
		})
	}
	counter := testCounter(Traps{SameContent: bound})
	for n := range 10 {
		if counter.countContent(&shownContent{id: ID(n + 1), from: ID(n)}) {
			t.Fatal("pages without text count as the same")
		}
	}
}

// TestRandomPictures asks once whether the pictures of pages that lead to each other are random.
func TestRandomPictures(t *testing.T) {
	for _, isSame := range []bool{true, false} {
		counter := testCounter(Traps{SameContent: 3})
		asked, traps := 0, 0
		for n := 1; n <= 20; n++ {
			page := shownContent{id: ID(n), from: ID(n - 1), digest: 7, shown: uint64(n)}
			if counter.needsAnswer(&page) {
				asked++
				counter.recordAnswer(&page, isSame)
			}
			if counter.countContent(&page) {
				traps++
			}
		}
		if asked != 1 || isSame != (traps == 0) || !isSame && traps < 14 {
			t.Errorf("same %t: asked %d times, %d traps", isSame, asked, traps)
		}
	}
}

// TestOutside bounds pages that show the same and that others link to, unless they are named.
func TestOutside(t *testing.T) {
	counter, named := testCounter(Traps{SameContent: 1}), 0
	traps := 0
	for n := 1; n <= 100; n++ {
		page := shownContent{id: ID(n), from: 1000, digest: 7, isNamed: n%2 == 0}
		if counter.countContent(&page) {
			traps++
			if page.isNamed {
				named++
			}
		}
	}
	if traps != (100-outsideFactor-1)/2 || named > 0 {
		t.Errorf("%d traps, %d of them named", traps, named)
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
