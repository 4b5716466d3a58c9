package extract

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// anchors returns the addresses of the a elements the Scanner finds.
func anchors(t *testing.T, page string) []string {
	t.Helper()
	var s Scanner
	var found []string
	for _, link := range s.Scan([]byte(page), "", Options{}).Links {
		if link.Kind == KindAnchor {
			found = append(found, string(link.URL))
		}
	}
	return found
}

// TestScript has the states of script data (HTML standard, sections 13.2.5.15 to
// 13.2.5.31), where golang.org/x/net/html differs.
func TestScript(t *testing.T) {
	tests := []struct {
		name, page string
		links      []string
	}{
		{"plain", `<script><a href=1></script><a href=2>`, []string{"2"}},
		{"escaped", `<script><!-- <a href=1></script><a href=2>`, []string{"2"}},
		{"double escaped", `<script><!-- <script> </script> <a href=1> --></script><a href=2>`, []string{"2"}},
		{"double escaped to the end", `<script><!-- <script> </script> <a href=1>`, nil},
		{"left again", `<script><!-- <script> --> </script><a href=2>`, []string{"2"}},
		{"space before the inner tag", `<script><!-- < <script> </script><a href=1> --></script><a href=2>`, []string{"2"}},
		{"dash at once", `<script><!--><script></script><a href=2>`, []string{"2"}},
		{"two dashes at once", `<script><!---><script></script><a href=2>`, []string{"2"}},
		{"another name", `<script></scripts><a href=1></script/><a href=2>`, []string{"2"}},
		{"upper case", `<SCRIPT></ScRiPt	><a href=2>`, []string{"2"}},
		{"no end", `<script><a href=1>`, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := anchors(t, test.page); !slices.Equal(got, test.links) {
				t.Errorf("got %q, want %q", got, test.links)
			}
		})
	}
}

// TestSrcset takes its cases from the HTML standard (section 4.8.4.2.1).
func TestSrcset(t *testing.T) {
	tests := []struct {
		value string
		want  []string
	}{
		{"", nil},
		{",", nil},
		{"a", []string{"a"}},
		{"a,b", []string{"a,b"}},
		{"a, b", []string{"a", "b"}},
		{"a 1x,b 2x", []string{"a", "b"}},
		{",,a 1x,,, b 2x,,", []string{"a", "b"}},
		{"/c_fill,w_300/a.jpg 300w,/c_fill,w_600/a.jpg 600w", []string{"/c_fill,w_300/a.jpg", "/c_fill,w_600/a.jpg"}},
		{"data:image/png;base64,AAA= 1x, b 2x", []string{"data:image/png;base64,AAA=", "b"}},
		{"a\t1x\n,\fb", []string{"a", "b"}},
		{"a 1x 2x, b", []string{"b"}},
		{"a 1w 1x, b", []string{"b"}},
		{"a 1w 2h, b", []string{"a", "b"}},
		{"a 2h, b", []string{"b"}},
		{"a 0w, b", []string{"b"}},
		{"a -1x, b", []string{"b"}},
		{"a 1.5x, b 1e1x, c .5x, d 1.x, e +1x", []string{"a", "b", "c"}},
		{"a (1, 2), b", []string{"b"}},
		{"a foo, b", []string{"b"}},
	}
	for _, test := range tests {
		var got []string
		for url := range srcset([]byte(test.value)) {
			got = append(got, string(url))
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%q: got %q, want %q", test.value, got, test.want)
		}
	}
}

// TestBareRefresh takes a redirect in a noscript element, or by a script, where a page has nothing else.
func TestBareRefresh(t *testing.T) {
	const noscript = `<noscript><meta http-equiv="Refresh" content="0; url=/en/"></noscript>`
	words := strings.Repeat("word ", maxBareWords)
	for page, want := range map[string]string{
		noscript: "/en/",
		`<title>Moved</title><p>Go to <a href=/en/>English</a> or <a href=/en/>here</a>` + noscript: "/en/",
		`<noscript><!-- <p> --><a href=/x>x</a><meta http-equiv=refresh content="0;/b"></noscript>`: "/b",
		`<noscript>refresh</noscript>`:                                                        "",
		`<script>location.replace("/b")</script>`:                                             "/b by script",
		`<script>window.location.replace( '/b' );</script>` + noscript:                        "/b by script",
		"<script> document.location.replace(`/b`);\n</script>":                                "/b by script",
		`<script>function go() { location.replace("/b") }</script>`:                           "",
		`<script>// location.replace("/b")</script>`:                                          "",
		`<script>if (de) location.replace("/b")</script>`:                                     "",
		`<script>location.replace('/' + language)</script>` + noscript:                        "/en/",
		`<script>location.replace(de ? '/de/' : '/en/')</script>`:                             "",
		`<script>if (de) location.replace("/de/"); else location.replace("/en/")</script>`:    "",
		"<script>location.replace(`/${language}/`)</script>":                                  "",
		`<script>location.replace("/b"</script>`:                                              "",
		`<script>location.replace("")</script>`:                                               "",
		`<script type="text/template">location.replace("/b")</script>`:                        "",
		`<meta http-equiv=refresh content="0;url=/a"><script>location.replace("/b")</script>`: "/a",
		`<p>` + words + `</p>` + noscript:                                                     "/en/",
		`<p>` + words + `more</p>` + noscript:                                                 "",
		`<a href=/de/>Deutsch</a><a href=/en/>English</a>` + noscript:                         "",
		`<img src=a>` + noscript:                                                              "",
		`<form></form>` + noscript:                                                            "",
		`<iframe src=/a></iframe>` + noscript:                                                 "",
		`<div id=app></div><script src=/app.js></script>` + noscript:                          "",
		`<script src=/app.js></script><script>location.replace("/login")</script>`:            "",
	} {
		var s Scanner
		found := s.Scan([]byte(page), "", Options{})
		got := string(found.Refresh.URL)
		if found.Refresh.Script {
			got += " by script"
		}
		isLink := slices.ContainsFunc(found.Links, func(l Link) bool {
			return l.Kind == KindRedirect && string(l.URL) == string(found.Refresh.URL)
		})
		if got != want || isLink != (want != "") {
			t.Errorf("%.80s: %q, link %t; want %q", page, got, isLink, want)
		}
	}
}

func TestRefresh(t *testing.T) {
	tests := []struct {
		content, url string
		delay        time.Duration
		ok           bool
	}{
		{"0; url=next", "next", 0, true},
		{"5;URL='a b'rest", "a b", 5 * time.Second, true},
		{` 1.9 , Url = "x`, "x", time.Second, true},
		{"0 next", "next", 0, true},
		{"0;url", "url", 0, true},
		{"0;urls", "urls", 0, true},
		{".5;url=x", "x", 0, true},
		{"3", "", 3 * time.Second, true},
		{"", "", 0, false},
		{"; url=x", "", 0, false},
		{"5x; url=y", "", 0, false},
		{"99999999999999999999;url=x", "x", maxDelay, true},
	}
	for _, test := range tests {
		got, ok := parseRefresh([]byte(test.content))
		if string(got.URL) != test.url || got.Delay != test.delay || ok != test.ok {
			t.Errorf("%q: got %s after %v, %t", test.content, got.URL, got.Delay, ok)
		}
	}
}

func TestReferences(t *testing.T) {
	tests := []struct{ raw, attribute, text string }{
		{"&amp;&lt;&semi;&CounterClockwiseContourIntegral;", "&<;∳", "&<;∳"},
		{"&copy=1", "&copy=1", "©=1"},
		{"&copyright", "&copyright", "©right"},
		{"&notit;", "&notit;", "¬it;"},
		{"&notin;", "∉", "∉"},
		{"&nGt;", "≫⃒", "≫⃒"},
		{"&copy &copy", "© ©", "© ©"},
		{"&#65;&#x41&#X4a;&#0;&#x80;&#xD800;&#x110000;&#99999999999;", "AAJ\ufffd€\ufffd\ufffd\ufffd",
			"AAJ\ufffd€\ufffd\ufffd\ufffd"},
		{"&#;&#x;&;&nope;", "&#;&#x;&;&nope;", "&#;&#x;&;&nope;"},
	}
	refs := newReferences()
	for range 2 { // unknown, then remembered
		for _, test := range tests {
			if got := refs.decodeAttribute(nil, []byte(test.raw)); string(got) != test.attribute {
				t.Errorf("attribute %q: got %q, want %q", test.raw, got, test.attribute)
			}
			c := capture{limit: 100}
			if c.add([]byte(test.raw), refs); string(c.text) != test.text {
				t.Errorf("text %q: got %q, want %q", test.raw, c.text, test.text)
			}
		}
	}
}

func TestParseRobotsHeader(t *testing.T) {
	at := time.Date(2030, 6, 25, 15, 0, 0, 0, time.UTC)
	tests := []struct {
		name   string
		values []string
		bot    string
		want   Directives
	}{
		{"nothing", nil, "x", Directives{}},
		{"list", []string{"NoIndex , nofollow"}, "x", Directives{NoIndex: true, NoFollow: true}},
		{"none", []string{"none"}, "x", Directives{NoIndex: true, NoFollow: true}},
		{"all", []string{"all"}, "x", Directives{Index: true, Follow: true}},
		{"index", []string{"index, noindex"}, "x", Directives{Index: true, NoIndex: true}},
		{"follow", []string{"Follow"}, "x", Directives{Follow: true}},
		{"repeated", []string{"noarchive", "nosnippet"}, "x", Directives{NoArchive: true, NoSnippet: true}},
		{"other bot", []string{"googlebot: noindex"}, "bingbot", Directives{}},
		{"own bot", []string{"GoogleBot : noindex, nofollow"}, "googlebot", Directives{NoIndex: true, NoFollow: true}},
		{"bot after rules", []string{"nofollow, googlebot: noindex"}, "googlebot", Directives{NoFollow: true, NoIndex: true}},
		{"rules before a bot", []string{"nofollow, googlebot: noindex"}, "other", Directives{NoFollow: true}},
		{"bot ends with its header", []string{"googlebot: noindex", "nofollow"}, "other", Directives{NoFollow: true}},
		{"white space", []string{"noindex nofollow"}, "x", Directives{NoIndex: true, NoFollow: true}},
		{"values", []string{"max-snippet: 0, max-image-preview:large, notranslate"}, "x",
			Directives{NoSnippet: true, NoTranslate: true}},
		{"RFC 822", []string{"unavailable_after: 25 Jun 2030 15:00:00 GMT, noarchive"}, "x",
			Directives{UnavailableAfter: at, NoArchive: true}},
		{"RFC 822 with a day", []string{"unavailable_after: Tue, 25 Jun 2030 15:00:00 GMT"}, "x",
			Directives{UnavailableAfter: at}},
		{"RFC 850", []string{"unavailable_after: Tuesday, 25-Jun-30 15:00:00 UTC, noindex"}, "x",
			Directives{UnavailableAfter: at, NoIndex: true}},
		{"ISO 8601", []string{"unavailable_after: 2030-06-25T15:00:00Z"}, "x", Directives{UnavailableAfter: at}},
		{"before a bot", []string{"unavailable_after: 2030-06-25T15:00:00Z, googlebot: noindex"}, "x",
			Directives{UnavailableAfter: at}},
		{"the earlier date", []string{"unavailable_after: 2031-01-01", "unavailable_after: 2030-06-25T15:00:00Z"}, "x",
			Directives{UnavailableAfter: at}},
		{"no date", []string{"unavailable_after: soon"}, "x", Directives{}},
		{"unknown", []string{"noidea, ,,: :"}, "x", Directives{}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			robots := ParseRobotsHeader(test.values)
			got := robots.For(test.bot)
			if !got.UnavailableAfter.Equal(test.want.UnavailableAfter) {
				t.Errorf("unavailable after %v, want %v", got.UnavailableAfter, test.want.UnavailableAfter)
			}
			got.UnavailableAfter, test.want.UnavailableAfter = time.Time{}, time.Time{}
			if got != test.want {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
		})
	}
}

func TestParseDate(t *testing.T) {
	utc := time.UTC
	tests := []struct {
		text string
		want time.Time
	}{
		{"2026", time.Date(2026, 1, 1, 0, 0, 0, 0, utc)},
		{"2026-03", time.Date(2026, 3, 1, 0, 0, 0, 0, utc)},
		{" 2026-03-04\n", time.Date(2026, 3, 4, 0, 0, 0, 0, utc)},
		{"2026-03-04T05:06Z", time.Date(2026, 3, 4, 5, 6, 0, 0, utc)},
		{"2026-03-04T05:06:07.891+02:00", time.Date(2026, 3, 4, 3, 6, 7, 891e6, utc)},
		{"2026-03-04T05:06:07+0200", time.Date(2026, 3, 4, 3, 6, 7, 0, utc)},
		{"2026-03-04 05:06:07", time.Date(2026, 3, 4, 5, 6, 7, 0, utc)},
		{"2026-03-04 05:06:07 UTC", time.Date(2026, 3, 4, 5, 6, 7, 0, utc)},
		{"Wed, 04 Mar 2026 05:06:07 GMT", time.Date(2026, 3, 4, 5, 6, 7, 0, utc)},
		{"Wednesday, 04-Mar-26 05:06:07 GMT", time.Date(2026, 3, 4, 5, 6, 7, 0, utc)},
		{"Wed Mar  4 05:06:07 2026", time.Date(2026, 3, 4, 5, 6, 7, 0, utc)},
		{"4 Mar 2026 05:06:07 PST", time.Date(2026, 3, 4, 13, 6, 7, 0, utc)},
	}
	for _, test := range tests {
		if got, err := ParseDate([]byte(test.text)); err != nil || !got.Equal(test.want) {
			t.Errorf("%q: got %v, %v; want %v", test.text, got, err, test.want)
		}
	}
	for _, text := range []string{"", "yesterday", "2026-02-30", "0000-01-01", "12/31/2026", string(make([]byte, 1<<20))} {
		if got, err := ParseDate([]byte(text)); err == nil {
			t.Errorf("%.20q: got %v, want an error", text, got)
		}
	}
}

func TestModified(t *testing.T) {
	tests := []struct {
		name, page string
		want       string
		source     DateSource
	}{
		{"json-ld first", `<meta property=article:modified_time content=2026-02-02><script type=application/ld+json>{"dateModified":"2026-01-01"}</script>`, "2026-01-01", DateJSONLD},
		{"unreadable passed over", `<script type=application/ld+json>{"dateModified":"soon"}</script><meta property=article:modified_time content=2026-02-02>`, "2026-02-02", DateMeta},
		{"updated time", `<meta property=og:updated_time content=2026-02-02>`, "2026-02-02", DateMeta},
		{"microdata", `<time datetime=2026-01-01></time><span itemscope><time itemprop=dateModified>2026-03-03</time>`,
			"2026-03-03", DateMicrodata},
		{"microdata of the article", `<article><h1>A</h1><meta itemprop=dateModified content=2026-03-03></article>` +
			`<article><h2>B</h2><meta itemprop=dateModified content=2026-04-04></article>`, "2026-03-03", DateMicrodata},
		{"month alone passed over", `<script type=application/ld+json>{"dateModified":"2026-01"}</script><meta property=og:updated_time content=2026-02-02>`, "2026-02-02", DateMeta},
		{"class updated", `<time datetime=2026-01-01>then</time><time class="entry UPDATED" datetime=2026-04-04>now</time>`,
			"2026-04-04", DateTimeElement},
		{"class published", `<p>By her, <time class=published datetime=2026-05-05>a</time><time datetime=2026-06-06>b</time>`,
			"2026-05-05", DateTimeElement},
		{"pubdate", `<time pubdate datetime=2026-05-05>a</time>`, "2026-05-05", DateTimeElement},
		{"the same twice", `<time class=updated datetime=2026-05-05></time><p>x<time class=updated datetime=2026-05-05>`,
			"2026-05-05", DateTimeElement},
		{"next to the title", `<article><header><time datetime=2026-05-05>May</time><h1>A</h1></header>` +
			`<p>The party was on <time datetime=2023-12-24>`, "2026-05-05", DateTimeElement},
		{"in the main article", `<article><header><h1>A</h1></header><time class=published>2026-05-05</time>` +
			`<article><time class=published datetime=2026-06-06>a comment</time></article></article>` +
			`<aside><article><h1>B</h1><time class=published datetime=2026-07-07></article></aside>` +
			`<article><h2>C</h2><time class=published datetime=2026-08-08></article>`, "2026-05-05", DateTimeElement},
		{"around the articles", `<p>Changed <time class=updated datetime=2026-05-05></time></p>` +
			`<article><h2>A</h2><time class=updated datetime=2026-06-06></article>` +
			`<article><h2>B</h2><time class=updated datetime=2026-07-07></article>`, "2026-05-05", DateTimeElement},
	}
	var s Scanner
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			at, source, ok := s.Scan([]byte(test.page), "", Options{}).Modified(anyTime)
			if !ok || at.Format(time.DateOnly) != test.want || source != test.source {
				t.Errorf("got %v from %v, %t", at, source, ok)
			}
		})
	}
}

// TestNotModified has pages with dates that are not said to be their own.
func TestNotModified(t *testing.T) {
	const published = `<time class="entry-date published" datetime=`
	for name, page := range map[string]string{
		"text":         `<p>2026-01-01`,
		"a story":      `<article><h1>A</h1><p>The party was on <time datetime=2023-12-24>Christmas</time>`,
		"a time alone": `<nav><time datetime=2025-01-01></time></nav><p><time datetime=2026-05-05>a</time>`,
		"a list":       `<ul><li>` + published + `2026-01-01></time><li>` + published + `2026-02-02></time></ul>`,
		"teasers": `<h1>Blog</h1><article><h2>A</h2>` + published + `2026-01-01></time></article>` +
			`<article><h2>B</h2>` + published + `2026-02-02></time></article>`,
		"teasers with their own titles": `<article><h1>A</h1>` + published + `2026-01-01></time></article>` +
			`<article><h1>B</h1>` + published + `2026-02-02></time></article>`,
		"items": `<div itemscope><meta itemprop=dateModified content=2026-01-01></div>` +
			`<div itemscope><meta itemprop=dateModified content=2026-02-02></div>`,
		"a comment":            `<article><h1>A</h1><article><time itemprop=dateModified datetime=2026-01-01></article></article>`,
		"a related story":      `<aside><article><h1>A</h1>` + published + `2026-01-01></article></aside>`,
		"an event":             `<article><header><h1>A</h1><time itemprop=startDate datetime=2026-01-01></header></article>`,
		"an event's hCalendar": `<article><header><h1>A</h1><time class=dt-start datetime=2026-01-01></header></article>`,
		"a period":             `<article><header><h1>A</h1><time datetime=2026-01-01></time> to <time datetime=2026-01-02></time></header></article>`,
		"a teaser's header":    `<article><header><h2>A</h2><time datetime=2026-01-01></header></article>`,
		"a site's header":      `<header><h1>A</h1><time datetime=2026-01-01></header><p>x`,
	} {
		var s Scanner
		if at, source, ok := s.Scan([]byte(page), "", Options{}).Modified(anyTime); ok {
			t.Errorf("%s: %v from %v", name, at, source)
		}
	}
}

func TestParseMoment(t *testing.T) {
	for text, want := range map[string]string{
		"2026-03-04T23:30:00":                 "2026-03-04",
		"2026-03-04 23:30:00":                 "2026-03-04",
		"2026-03-04 23:30":                    "2026-03-04",
		"20260304T233000":                     "2026-03-04",
		"Wed Mar  4 23:30:00 2026":            "2026-03-04",
		"4 Mar 2026":                          "2026-03-04",
		"2026-03-04T23:30:00Z":                "2026-03-04 23:30 +0000",
		"2026-03-04T23:30-05:00":              "2026-03-04 23:30 -0500",
		"20260304T233000-0500":                "2026-03-04 23:30 -0500",
		"2026-03-04 23:30:00 UTC":             "2026-03-04 23:30 +0000",
		"Wed, 04 Mar 2026 23:30:00 GMT":       "2026-03-04 23:30 +0000",
		"Wednesday, 04-Mar-26 23:30:00 +0100": "2026-03-04 23:30 +0100",
	} {
		at, err := ParseMoment([]byte(text))
		got := at.Format("2006-01-02 15:04 -0700")
		if at.Day {
			got = at.Format(time.DateOnly)
		}
		if err != nil || got != want {
			t.Errorf("%q: %s, %v, want %s", text, got, err, want)
		}
	}
	for _, text := range []string{"2026", "2026-03", "soon"} {
		if at, err := ParseMoment([]byte(text)); err == nil {
			t.Errorf("%q: %v", text, at)
		}
	}
}

func anyTime(DateSource, time.Time) bool { return true }
