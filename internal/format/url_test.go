package format_test

import (
	"bytes"
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/format"
)

func TestAppendURL(t *testing.T) {
	if got := string(format.AppendURL(nil, []byte("http://me:pw@host/a@b"))); got != "http://host/a@b" {
		t.Errorf("with user information: %s", got)
	}
	for url, want := range map[string]string{
		"https://site.example/a?b=c d#e":   "https://site.example/a?b=c d#e",
		"https://site.example/süß":         "https://site.example/süß",
		"::error::x":                       "%3A:error::x",
		" ::error::x":                      " %3A:error::x",
		"\x1b[2Jx\a\u009b\u202e\u2028\xff": "%1B[2Jx%07%C2%9B%E2%80%AE%E2%80%A8%FF",
		"https://x/##vso[a]##[b]##":        "https://x/%23#vso[a]%23#[b]##",
		"a\n::error::":                     "a%0A::error::",
	} {
		if got := string(format.AppendURL(nil, []byte(url))); got != want {
			t.Errorf("%q: %q", url, got)
		}
	}
}

// hidden are the characters that move a reader's eye, or that nobody sees.
var hidden = []string{
	"\u061c", "\u200e", "\u200f", "\u202a", "\u202b", "\u202c", "\u202d", "\u202e", "\u2066", "\u2067", "\u2068", "\u2069",
	"\u00ad", "\u180e", "\u200b", "\u2060", "\u2061", "\u2064", "\u206a", "\u206f", "\ufeff", "\ufff9", "\u2028", "\u2029",
	"\u034f", "\u115f", "\u1160", "\u3164", "\uffa0", "\U000e0001", "\U000e0041", "\U000e007f", "\U0001d173",
	"\x00", "\x1b", "\x7f", "\u0085", "\u009b", "\ufdd0", "\uffff",
}

// TestHidden takes hidden characters out of every form of a text.
func TestHidden(t *testing.T) {
	for _, character := range hidden {
		text := "a" + character + "b"
		encoded, err := format.AppendJSON(nil, text)
		if err != nil {
			t.Fatal(err)
		}
		for name, got := range map[string]string{
			"Printable": format.Printable(text), "Plain": format.Plain(text), "PlainCell": format.PlainCell(text),
			"AppendURL": string(format.AppendURL(nil, []byte(text))), "URLCell": format.URLCell(text), "JSON": string(encoded),
		} {
			if strings.Contains(got, character) {
				t.Errorf("%s leaves %q in %q", name, character, got)
			}
			if !strings.HasPrefix(name, "Plain") && !strings.ContainsAny(got, `\%`) {
				t.Errorf("%s of %q is %q, without a trace", name, text, got)
			}
		}
		if got := format.Plain(text); got != "ab" {
			t.Errorf("Plain of %q is %q", text, got)
		}
		if decoded, err := url.PathUnescape(format.URLCell(text)); err != nil || decoded != text {
			t.Errorf("%q is %q in a cell, which means %q, %v", text, format.URLCell(text), decoded, err)
		}
	}
}

// TestPlainKeeps leaves the characters of scripts.
func TestPlainKeeps(t *testing.T) {
	for _, text := range []string{
		"می\u200cخواهم", "क्\u200dष", "👨\u200d👩\u200d👧", "❤\ufe0f", "葛\U000e0100",
		"\u0600123", "\ue000", "שלום", "مرحبا", "e\u0301",
	} {
		if got := format.Plain(text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

func TestEncoder(t *testing.T) {
	const text = "\x1b\u009b\u202e\u2028##vso[x]##[y]<&>"
	var b bytes.Buffer
	if err := format.NewEncoder(&b).Encode([]string{text}); err != nil {
		t.Fatal(err)
	}
	want := `["\u001b\u009b\u202e\u2028\u0023#vso[x]\u0023#[y]<&>"]` + "\n"
	if b.String() != want {
		t.Errorf("%s", b.String())
	}
	var read []string
	if err := json.Unmarshal(b.Bytes(), &read); err != nil || read[0] != text {
		t.Errorf("%q, %v", read, err)
	}
}

func TestCommandInCell(t *testing.T) {
	for text, want := range map[string]string{
		"::error::x":    "'::error::x",
		" ::error::x":   "' ::error::x",
		"a\n::error::x": "a ::error::x",
		"a##vso[b]":     "a# #vso[b]",
	} {
		if got := format.PlainCell(text); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}

// TestReadableURL decodes what people read, and nothing that means or does something.
func TestReadableURL(t *testing.T) {
	for url, want := range map[string]string{
		"https://x.example/maceta-de-cer%C3%A1mica": "https://x.example/maceta-de-cerámica",
		"/%e6%97%a5%E6%9C%AC?q=%C3%B1":              "/日本?q=ñ",
		"/a%2Fb%20c%25%3F%23%41":                    "/a%2Fb%20c%25%3F%23%41",
		"/%C3":                                      "/%C3",
		"/%C3%28%FF%C3%A1":                          "/%C3%28%FFá",
		"/%E2%80%AEgpj":                             "/%E2%80%AEgpj",
		"/%C2%A0%C2%85%EF%BB%BF":                    "/%C2%A0%C2%85%EF%BB%BF",
		"/%F0%9F%8C%B1%":                            "/🌱%",
		"/cer%CC%81":                                "/cer\u0301",
		"/%ED%A0%80%F5%80%80%80":                    "/%ED%A0%80%F5%80%80%80",
	} {
		if got := format.ReadableURL(url); got != want {
			t.Errorf("%s: %q, want %q", url, got, want)
		}
	}
}
