package lintexample

import (
	"strings"
	"testing"
	"time"
)

func TestSite(t *testing.T) {
	const archive = "-- bad/sitemap.xml --\n<a>\n-- good/sitemap.xml --\n<b>\n-- good//example.net/x --\nc\n"
	for folder, want := range map[string]string{
		"bad":  "-- /sitemap.xml --\n<a>\n",
		"good": "-- /sitemap.xml --\n<b>\n-- //example.net/x --\nc\n",
	} {
		if got := site(archive, folder); got != want {
			t.Errorf("%s: got %q, want %q", folder, got, want)
		}
	}
	for text, want := range map[string]bool{
		"-- /sitemap.xml --\n<a>\n": true, "-- /sitemap.xml --\nHTTP 404\n\n": false, "-- /sitemap.txt --\na\n": false,
		"-- /sitemap.xml --\n<a>\n-- /b --\nb\n": false,
	} {
		if _, alone := onlySitemap(text); alone != want {
			t.Errorf("%q: %t", text, alone)
		}
	}
	if bad, good := Of("no-such-rule"); bad != "" || good != "" {
		t.Errorf("no rule: got %q and %q", bad, good)
	}
	if bad, _ := Of("loc-relative"); !strings.HasPrefix(bad, "<?xml") {
		t.Errorf("got %q", bad)
	}
}

func TestDirectives(t *testing.T) {
	now := time.Date(2025, 6, 15, 12, 0, 0, 0, time.FixedZone("", 3600))
	for text, want := range map[string]struct{ expanded, described string }{
		"a{{n}}":            {"a{{n}}", "a{{n}}"},
		"{{today}}":         {"2025-06-15", "[today]"},
		"{{today -3}}":      {"2025-06-12", "[3 days ago]"},
		"{{today 1}}":       {"2025-06-16", "[in 1 day]"},
		"{{now}}":           {"2025-06-15T11:00:00Z", "[the present time]"},
		`{{bytes "200a"}}x`: {" \nx", "[space, line break]x"}, `{{bytes "ff0a"}}`: {"\xff\n", "[bytes FF 0A]"},
		`{{bytes "efbbbf"}}`:      {"\ufeff", "[byte order mark]"},
		`<{{repeat 2 "\"\n\\"}}>`: {"<\"\n\\\"\n\\>", "<\"\n\\[2 times]>"},
		`{{repeat 3 "{{n}},"}}`:   {"1,2,3,", "1,[3 of these, numbered]"},
		`{{gzip "{{repeat 2 "x{{n}}"}}"}}`: {compress("x1x2"),
			"[compressed: x1[2 of these, numbered]]"},
		"{{head /a without headers lang viewport title description}}": {
			"<!DOCTYPE html>\n<html>\n<head><meta charset=\"utf-8\">",
			"[the head of /a without headers, lang, viewport, title, description]"},
		"{{body /wine without h1 text}}": {
			"</head>\n<body>\n<nav><a href=\"/\">Food of the house</a> <a href=\"/steak\">Steak of the house</a> </nav>\n<main>",
			"[the body of /wine without h1, text]"},
		"{{note it rains}}.": {".", "[it rains]."},
		`{{gzip twice "x"}}`: {compress(compress("x")), "[compressed twice: x]"},
	} {
		if got := Expand(text, now); got != want.expanded {
			t.Errorf("%s: expanded to %q, want %q", text, got, want.expanded)
		}
		if got := Describe(text); got != want.described {
			t.Errorf("%s: described as %q, want %q", text, got, want.described)
		}
	}
}

func TestPages(t *testing.T) {
	const text = "{{pages / /wine without title}}\n"
	got := Expand(text, time.Now())
	for part, want := range map[string]int{
		"-- / --\nHTTP 200\n": 1, "</main>": 0, "\n-- /wine --\n": 1, "<title>": 0, "<h1>": 2, "nosniff": 2, "lang=": 2,
	} {
		if n := strings.Count(got, part); n != want {
			t.Errorf("%q occurs %d times, want %d:\n%s", part, n, want, got)
		}
	}
	if got := Describe(text); got != "[complete pages: /, /wine without title]\n" {
		t.Errorf("got %q", got)
	}
	defer func() {
		if recover() == nil {
			t.Error("an unknown part does not panic")
		}
	}()
	Expand("{{head / without hat}}", time.Now())
}
