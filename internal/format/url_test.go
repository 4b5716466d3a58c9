package format_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/mapatools/mapa/internal/format"
)

func TestAppendURL(t *testing.T) {
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
