package format_test

import (
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/format"
)

func TestCutUser(t *testing.T) {
	for url, want := range map[string][2]string{
		"http://host/":                           {"http://host/", ""},
		"http://me:pw@host/a@b":                  {"http://host/a@b", "me:pw"},
		"http://me:p@w@host:80/?x=@":             {"http://host:80/?x=@", "me:p@w"},
		"http://me@host":                         {"http://host", "me"},
		"http://me:p/w@host/":                    {"http://host/", "me:p/w"},
		"http://me:p#w?@host/":                   {"http://host/", "me:p#w?"},
		`http://me:p\w@host/`:                    {"http://host/", `me:p\w`},
		"http://host:80/@you":                    {"http://host:80/@you", ""},
		"http://[::1]:80/@you":                   {"http://[::1]:80/@you", ""},
		"http://[::1]/@you":                      {"http://[::1]/@you", ""},
		"http://me:pw@[::1]:80/":                 {"http://[::1]:80/", "me:pw"},
		"host/x":                                 {"host/x", ""},
		"http://me:12/34@host.example/":          {"http://host.example/", "me:12/34"},
		"http://me:12#3@4@shop.example:80/x":     {"http://shop.example:80/x", "me:12#3@4"},
		"http://shop.example:80/me@host.example": {"http://shop.example:80/me@host.example", ""},
		"http://localhost:80/me@host.example/":   {"http://localhost:80/me@host.example/", ""},
		"http://me:12/34":                        {"http://me:12/34", ""},
		"http://me:%70w@bad host:x/%z":           {"http://bad host:x/%z", "me:%70w"},
		"http:/me:pw@host/":                      {"http:/host/", "me:pw"},
		`HTTP:\\me:pw@host/`:                     {`HTTP:\\host/`, "me:pw"},
		"http:////me:pw@host/":                   {"http:////host/", "me:pw"},
		"https://http:/me:pw@host/":              {"https://http:/host/", "me:pw"},
		"https:me:pw@host":                       {"host", "https:me:pw"},
		"//me:pw@host":                           {"//host", "me:pw"},
		"me:pw@host:4222":                        {"host:4222", "me:pw"},
		"me:pw@one,me:pw@two":                    {"two", "me:pw@one,me:pw"},
		" http://me:pw@host":                     {" http://host", "me:pw"},
		"mailto:me@host":                         {"mailto:me@host", ""},
		"me@host":                                {"me@host", ""},
		"/me:x@y":                                {"/me:x@y", ""},
		"//host/me@x":                            {"//host/me@x", ""},
		"/folder/me:x@y":                         {"/folder/me:x@y", ""},
	} {
		if clean, user := format.CutUser(url); clean != want[0] || user != want[1] {
			t.Errorf("%s: %q and %q", url, clean, user)
		}
	}
}

// TestMaskUser masks user information, also of a URL that was cut, and nothing else.
func TestMaskUser(t *testing.T) {
	for line, want := range map[string]string{
		"<loc>http://me:pw@host/a@b</loc>":          "<loc>http://*****@host/a@b</loc>",
		`href="https://me@host" x='//a:b@h'`:        `href="https://**@host" x='//***@h'`,
		"http://me:p@w@host:80/?x=@ is HTTP://u@h":  "http://******@host:80/?x=@ is HTTP://*@h",
		`http:\\me:pw@host\x`:                       `http:\\*****@host\x`,
		"http://me:sec":                             "http://******",
		"http://me:ü@host/":                         "http://*****@host/",
		"http://host:80/@you and me@host":           "http://host:80/@you and me@host",
		"http://[::1]:80/@you http://localhost:808": "http://[::1]:80/@you http://localhost:808",
		"<image:loc>a</image:loc> mailto:me@host":   "<image:loc>a</image:loc> mailto:me@host",
		"it begins at 10:30 //":                     "it begins at 10:30 //",
		"":                                          "",
	} {
		if got := format.MaskUser(line); got != want || len(got) != len(line) {
			t.Errorf("%s: %s, want %s", line, got, want)
		}
	}
}

func TestRedact(t *testing.T) {
	text := `parse "http://me:secret@host:x/": 404 (listed by https://you:secret@host/a b@c) ftp://secret@host` + "\n@\n" +
		`me:secret@host: no, "http:\\\\me:secret@host" is https://host:80: a@b, http://me:secret word@host: "a@b"`
	want := `parse "http://host:x/": 404 (listed by https://host/a b@c) ftp://host` + "\n@\n" +
		`host: no, "http:\\\\host" is https://host:80: a@b, http://host: "a@b"`
	if got := format.Redact(text); got != want || strings.Contains(got, "secret") {
		t.Errorf("%q", got)
	}
}
