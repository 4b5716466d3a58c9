package crawl_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/crawl"
)

// crawlPage crawls a site of one page and returns what was recorded of it.
func crawlPage(t *testing.T, start, body string, header ...string) crawl.Page {
	t.Helper()
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" || r.TLS != nil && !strings.HasPrefix(start, "https:") {
			http.NotFound(w, r)
			return
		}
		for i := 0; i < len(header); i += 2 {
			w.Header().Add(header[i], header[i+1])
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, body)
	})
	store := crawl.NewMemoryStore()
	_, err := crawl.Run(t.Context(), store, &crawl.Options{
		Start: start, Access: access.Access{Rate: access.PerSecond(0), Transport: inProcess{handler}},
	})
	if err != nil {
		t.Fatal(err)
	}
	record, found, err := store.Page(1)
	if err != nil || !found || record.Page.Facts == nil {
		t.Fatalf("the page is missing: %v", err)
	}
	return record.Page
}

// faultLines returns faults as "rule kind "text" ×count".
func faultLines(page *crawl.Page) (lines []string) {
	for _, fault := range page.Facts.Faults {
		lines = append(lines, strings.TrimSpace(fault.Rule+" "+fault.Kind)+fmt.Sprintf(" %q ×%d", fault.Text, fault.Count))
	}
	slices.Sort(lines)
	return lines
}

func TestFaults(t *testing.T) {
	t.Parallel()
	const secure, plain, local = "https://shop.example/", "http://shop.example/", "http://127.0.0.1/"
	late := "<!--" + strings.Repeat("-", 2<<20) + "-->"
	for _, test := range []struct {
		name, start, page string
		header            []string
		want              []string
	}{
		{"nothing", secure, `<title>t</title><h1>h</h1><a href=/a>a</a>`, nil, nil},
		{"repeated", secure, `<title>a</title><title> b </title><title>c</title><meta name=description content=d>` +
			`<meta name=description content=e><h1>f</h1><h1>g</h1>`, nil,
			[]string{`description-multiple "e" ×2`, `h1-multiple "g" ×2`, `title-multiple "b" ×3`}},
		{"metas in the body", secure, `<p>x<meta name=robots content=index><meta name=description content=d>`, nil,
			[]string{`meta-in-body "description" ×1`, `meta-in-body "robots" ×1`}},
		{"one canonical", secure, `<link rel=canonical href=https://shop.example/#a><link rel=canonical href=https://SHOP.example>`,
			[]string{"Link", `</>; rel=canonical`}, nil},
		{"several canonicals", secure, `<link rel=canonical href=https://shop.example/a><link rel=canonical href=https://shop.example/b>` +
			`<link rel=canonical href=https://shop.example/a>`, []string{"Link", `<https://shop.example/>; rel=canonical`},
			[]string{`canonical-multiple "https://shop.example/a" ×1`, `canonical-multiple "https://shop.example/b" ×1`}},
		{"relative canonicals", secure, `<link rel=canonical href=/><link rel=canonical href=//shop.example/>`, nil,
			[]string{`canonical-relative "/" ×1`, `canonical-relative "//shop.example/" ×1`}},
		{"canonical in the body", secure, `<p>x<link rel=canonical href=/a>`, nil, []string{`canonical-in-body "/a" ×1`}},
		{"no conflict", secure, `<meta name=robots content=index><meta name=googlebot content=noindex>`,
			[]string{"X-Robots-Tag", "bingbot: nofollow"}, nil},
		{"conflicts", secure, `<meta name=robots content="all"><meta name=googlebot content=follow>`,
			[]string{"X-Robots-Tag", "noindex", "X-Robots-Tag", "googlebot: nofollow, index"},
			[]string{`robots-conflict follow "googlebot" ×1`, `robots-conflict index "" ×1`}},
		{"invalid links", secure, `<a href="http://[bad">a</a><a href="https://">b</a><a href="http://host:99999/">c</a>` +
			`<a href="mailto:nope">d</a><a href="tel:">e</a><area href="ftp://">` + "<a href='ht\ntp://['>f</a><link rel=next href='http://['>", nil,
			[]string{`link-invalid "ftp://" ×1`, `link-invalid "ht\ntp://[" ×1`, `link-invalid "http://[" ×1`,
				`link-invalid "http://[bad" ×1`, `link-invalid "http://host:99999/" ×1`, `link-invalid "https://" ×1`,
				`link-invalid "mailto:nope" ×1`, `link-invalid "tel:" ×1`}},
		{"valid links", secure, `<a href="mailto:a@b.example">a</a><a href="mailto:?subject=x">b</a><a href="mailto:?To=a@b.example">c</a>` +
			`<a href="tel:+34 600">d</a><a href="ftp://host/">e</a><a href="about:blank">f</a><a href="whatsapp://send">g</a>` +
			`<a href="mailto:a%40b">h</a><a href=" /a b ">i</a><a href="">j</a><a href="/` + strings.Repeat("x", 9000) + `">k</a>` +
			`<img src="http://[" alt width=1 height=1><a href="ws://host:80">l</a><a href="data:text/plain,x">m</a>`, nil, nil},
		{"no links for crawlers", secure, `<a href="javascript:go()">a</a><a href=" JAVA&#10;Script:go()">b</a><a href="#/list">c</a>` +
			`<a href="#/list">d</a><a onclick="go('/e')">e</a><a onclick="menu()">menu</a><a href="#top">f</a><a href="/#/x">g</a>` +
			`<a href="https://app.example/#/x">h</a>`, nil,
			[]string{`link-uncrawlable "#/list" ×2`, `link-uncrawlable "/#/x" ×1`, `link-uncrawlable "JAVA\nScript:go()" ×1`,
				`link-uncrawlable "javascript:go()" ×1`, `link-uncrawlable "onclick" ×1`}},
		{"images", secure, `<img src="" alt=""><img src=a alt><img src=b alt width=1><img src=c alt width=1 height=1>`, nil,
			[]string{`image-size "a" ×2`}},
		{"mixed content", secure, `<script src=http://cdn.example/a.js></script><img alt width=1 height=1 src="HTTP://cdn.example/b.png">` +
			`<img alt width=1 height=1 src=//cdn.example/c.png><iframe src="http://localhost:80/"></iframe><iframe src="http://app.localhost/"></iframe><a href=http://shop.example/>a</a>` +
			`<img alt width=1 height=1 src=/d.png srcset="http://cdn.example/e.png 2x">`, nil,
			[]string{`mixed-content active "http://cdn.example/a.js" ×1`, `mixed-content active "http://cdn.example/e.png" ×1`,
				`mixed-content passive "http://cdn.example/b.png" ×1`}},
		{"mixed content by the base", secure, `<base href=http://cdn.example/><img alt width=1 height=1 src=b.png>`, nil,
			[]string{`mixed-content passive "http://cdn.example/b.png" ×1`}},
		{"upgraded", secure, `<script src=http://cdn.example/a.js></script>`,
			[]string{"Content-Security-Policy", "default-src *; upgrade-insecure-requests"}, nil},
		{"upgraded by the page", secure, `<meta http-equiv=content-security-policy content=upgrade-insecure-requests>` +
			`<script src=http://cdn.example/a.js></script>`, nil, nil},
		{"no mixed content by http", plain, `<script src=http://cdn.example/a.js></script>`, nil, nil},
		{"forms", secure, `<form action=http://shop.example/send></form><form action=/send></form>` +
			`<form><button formaction=http://pay.example/>b</button></form><form action=http://127.0.0.1/></form>`, nil,
			[]string{`insecure-form form "http://pay.example/" ×1`, `insecure-form form "http://shop.example/send" ×1`}},
		{"password", plain, `<form action=/login method=post><input type=password></form>`, nil,
			[]string{`insecure-form password "/login" ×1`}},
		{"password on this machine", local, `<form action=/login method=post><input type=password></form>`, nil, nil},
		{"JSON-LD", secure, `<script type=application/ld+json>{"@type":</script><script type=application/ld+json>{"a":1}</script>`, nil,
			[]string{`json-ld-invalid syntax "{\"@type\":" ×1`, `json-ld-invalid type "{\"a\":1}" ×1`}},
		{"og:url", secure, `<link rel=canonical href=https://shop.example/a><meta property=og:url content=https://shop.example/b>`, nil,
			[]string{`og-url-mismatch "https://shop.example/b" ×1`}},
		{"same og:url", secure, `<link rel=canonical href=https://shop.example/a><meta property=og:url content=https://Shop.example:443/a#x>`, nil, nil},
		{"og:url alone", secure, `<meta property=og:url content=https://shop.example/b>`, nil, nil},
		{"user information", secure, `<link rel=canonical href=https://ann:hunter2@shop.example/a><a href="http://ann:hunter2@[bad">a</a>` +
			`<a href="javascript:open('//ann:hunter2@shop.example')">b</a><form action=http://ann:hunter2@shop.example/></form>` +
			`<meta property=og:url content=https://ann:hunter2@shop.example/b><a href="mailto:ann">c</a>` +
			`<script type=application/ld+json>{"url":"https://ann:hunter2` + strings.Repeat("x", 80) + `@shop.example"}</script>`, nil,
			[]string{`insecure-form form "http://shop.example/" ×1`,
				`json-ld-invalid type "{\"url\":\"https://` + strings.Repeat("*", 64) + `" ×1`,
				`link-invalid "http://[bad" ×1`, `link-invalid "mailto:ann" ×1`,
				`link-uncrawlable "javascript:open('//***********@shop.example')" ×1`,
				`og-url-mismatch "https://shop.example/b" ×1`}},
		{"late", secure, late + `<title>t</title><link rel=canonical href=https://shop.example/><a href=/a>a</a>`, nil,
			[]string{`html-too-large beyond "canonical" ×1`, `html-too-large beyond "links" ×1`, `html-too-large beyond "title" ×1`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			page := crawlPage(t, test.start, test.page, test.header...)
			got := faultLines(&page)
			if !slices.Equal(got, test.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
		})
	}
}

// TestFaultsAreBounded has more faults of a rule than are kept, with long texts.
func TestFaultsAreBounded(t *testing.T) {
	t.Parallel()
	var body strings.Builder
	for i := range 500 {
		fmt.Fprintf(&body, `<a href="http://[%d/%s">x</a>`, i, strings.Repeat("é", 300))
	}
	page := crawlPage(t, "https://shop.example/", body.String())
	faults, total := page.Facts.Faults, 0
	for _, fault := range faults {
		total += fault.Count
		if len(fault.Text) > 200 || !utf8.ValidString(fault.Text) {
			t.Errorf("text %q", fault.Text)
		}
	}
	if len(faults) != 10 || total != 500 {
		t.Errorf("%d faults, %d times", len(faults), total)
	}
}

func TestParts(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]crawl.Parts{
		`<p>x`:                               0,
		`<form><input type=password></form>`: crawl.PartForm | crawl.PartPassword,
		`<video src=a></video><meta name=viewport content=x>`:                crawl.PartVideo | crawl.PartViewport,
		`<iframe src="https://www.youtube.com/embed/x"></iframe>`:            crawl.PartVideo,
		`<iframe src="//player.vimeo.com/video/1"></iframe>`:                 crawl.PartVideo,
		`<iframe src="https://notyoutube.com/embed/x"></iframe>`:             0,
		`<iframe src="https://ads.example/.youtube.com/embed/x"></iframe>`:   0,
		`<a href="https://www.youtube.com/embed/x">a</a>`:                    0,
		`<meta property=og:video content="https://www.youtube.com/embed/x">`: 0,
	} {
		if page := crawlPage(t, "https://shop.example/", body); page.Facts.Parts != want {
			t.Errorf("%s: %b, want %b", body, page.Facts.Parts, want)
		}
	}
}

func TestNeedsScript(t *testing.T) {
	t.Parallel()
	const asks = `<noscript>You need to enable JavaScript to run this app.</noscript>`
	for body, want := range map[string]bool{
		`<div id=app></div>` + asks:                                        true,
		`<div id=app></div><script src=a></script>`:                        true,
		`<div id=app>Loading…</div>` + asks:                                true,
		`<div id=app></div>`:                                               false,
		`<div id=app></div><noscript><img src=pixel></noscript>`:           false,
		`<p>text` + asks + `<a href=/a>a</a>`:                              false,
		`<p>` + strings.Repeat("word ", 100) + asks:                        false,
		`<p>text<a href="#/a">a</a><a href="#/b">b</a>`:                    true,
		`<p>text<a href="#/a">a</a><a href="https://other.example/">b</a>`: true,
		`<p>text<a href="#/a">a</a><a href="/b">b</a>`:                     false,
		`<p>text<a href="javascript:a()">a</a><a onclick=open('b')>b</a>`:  true,
		`<p>text<a href="javascript:a()">a</a><a onclick=toggle()>b</a>`:   false,
		`<p>text<a href="javascript:print()">print</a>`:                    false,
		`<p>text<a href="#top">top</a>`:                                    false,
		`<svg><text>drawn</text></svg><script src=a></script>`:             true,
		`<template><p>text</p></template><script src=a></script>`:          true,
	} {
		if page := crawlPage(t, "https://shop.example/", body); page.Facts.NeedsScript != want {
			t.Errorf("%s: %t", body, page.Facts.NeedsScript)
		}
	}
}

func TestSecurity(t *testing.T) {
	t.Parallel()
	const secure, plain = "https://shop.example/", "http://shop.example/"
	for _, test := range []struct {
		start  string
		header []string
		want   crawl.Security
	}{
		{secure, nil, 0},
		{secure, []string{"X-Content-Type-Options", " NoSniff "}, crawl.SecurityNosniff},
		{secure, []string{"X-Content-Type-Options", "sniff"}, 0},
		{secure, []string{"Content-Security-Policy", "default-src 'self'"}, crawl.SecurityCSP},
		{secure, []string{"Content-Security-Policy", " ; "}, 0},
		{secure, []string{"Content-Security-Policy-Report-Only", "default-src 'self'"}, 0},
		{secure, []string{"Content-Security-Policy", "a", "Content-Security-Policy", "Frame-Ancestors 'none'"},
			crawl.SecurityCSP | crawl.SecurityFrame},
		{secure, []string{"X-Frame-Options", "DENY"}, crawl.SecurityFrame},
		{secure, []string{"Strict-Transport-Security", "max-age=31536000; includeSubDomains"}, crawl.SecurityHSTS},
		{secure, []string{"Strict-Transport-Security", `includeSubDomains; Max-Age = "5"`}, crawl.SecurityHSTS},
		{secure, []string{"Strict-Transport-Security", "max-age=0"}, 0},
		{secure, []string{"Strict-Transport-Security", "max-age=-1"}, 0},
		{plain, []string{"Strict-Transport-Security", "max-age=31536000"}, 0},
	} {
		page := crawlPage(t, test.start, "<p>x", test.header...)
		if want := test.want | crawl.SecurityKnown; page.Security != want {
			t.Errorf("%s %q: %b, want %b", test.start, test.header, page.Security, want)
		}
	}
}

// TestCertificateEnd crawls a site of https twice. The page is unchanged, and keeps what is
// known of it.
func TestCertificateEnd(t *testing.T) {
	t.Parallel()
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"1"`)
		w.Header().Set("X-Frame-Options", "DENY")
		if r.Header.Get("If-None-Match") != "" {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<h1>a</h1><h1>b</h1><form></form>")
	}))
	defer server.Close()
	options := crawl.Options{
		Start: server.URL, Access: access.Access{Rate: access.PerSecond(0), Transport: server.Client().Transport},
	}
	want := server.Certificate().NotAfter.UTC().Truncate(24 * time.Hour)
	var pages [2]crawl.Page
	for i := range pages {
		store := &crawl.MemoryStore{}
		if _, err := crawl.Run(t.Context(), store, &options); err != nil {
			t.Fatal(err)
		}
		record, _, err := store.Page(1)
		if err != nil {
			t.Fatal(err)
		}
		if page := record.Page; !page.CertificateEnd.Equal(want) || page.Security != crawl.SecurityKnown|crawl.SecurityFrame {
			t.Errorf("crawl %d: the certificate ends %v, want %v; security %b", i, page.CertificateEnd, want, page.Security)
		}
		pages[i], options.Previous = record.Page, store
	}
	if !pages[1].Reused || !reflect.DeepEqual(pages[1].Facts, pages[0].Facts) {
		t.Errorf("reused %t, facts %+v, before %+v", pages[1].Reused, pages[1].Facts, pages[0].Facts)
	}
}

// TestShinglesOnDemand crawls a site three times. The second crawl asks for shingles, which the
// first does not have; the third has those of the second.
func TestShinglesOnDemand(t *testing.T) {
	t.Parallel()
	site := newLookSite("https://shop.example", 1, "<title>%d</title><p>one two three four five six", nil)
	options := crawl.Options{Start: "https://shop.example/", Access: access.Access{
		Rate: access.PerSecond(0), Transport: tagging{inProcess{site}},
	}}
	for i, want := range []struct {
		shingles int
		reused   bool
	}{{0, false}, {2, false}, {2, true}} {
		store := &crawl.MemoryStore{}
		if _, err := crawl.Run(t.Context(), store, &options); err != nil {
			t.Fatal(err)
		}
		record, _, err := store.PageByURL("https://shop.example/page/aaaaa")
		if err != nil || len(record.Page.Shingles) != want.shingles || record.Page.Reused != want.reused {
			t.Errorf("crawl %d: %v, reused %t, %v", i, record.Page.Shingles, record.Page.Reused, err)
		}
		options.Shingles, options.Previous = true, store
	}
}
