package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/app/service"
)

// TestStartError goes back to the form after an error. The page can be loaded again and shown in
// another language, with the error and what was typed.
func TestStartError(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	for name, test := range map[string]struct {
		form             url.Values
		english, spanish string
		shown            []string
	}{
		"address": {
			url.Values{"url": {"ftp://exämple.com/?a=1&b"}, "include": {"/blog/*\n/café"}, "images": {"true"}},
			"This is not the address of a website.", "Esto no es la dirección de un sitio web.",
			[]string{`value="ftp://exämple.com/?a=1&amp;b"`, "/blog/*\n/café", `name="images" value="true" checked`},
		},
		"option": {
			url.Values{"url": {"www.example.com"}, "max-pages": {"-3"}},
			"Most pages must be a whole number", "El máximo de páginas debe ser un número entero",
			[]string{`value="www.example.com"`, `name="max-pages"`, `value="-3"`, `<details class="options" open>`},
		},
	} {
		answer, _ := s.post("/crawls", test.form)
		back := answer.Header.Get("Location")
		if answer.StatusCode != http.StatusSeeOther || !strings.HasPrefix(back, "/?") {
			t.Errorf("%s: %s %s", name, answer.Status, back)
			continue
		}
		for language, explained := range map[string]string{"en": test.english, "es": test.spanish} {
			answer, text := s.do("GET", back, "", "Accept-Language", language)
			if answer.StatusCode != http.StatusBadRequest {
				t.Errorf("%s: %s", name, answer.Status)
			}
			for _, want := range append(test.shown, explained) {
				if !strings.Contains(text, want) {
					t.Errorf("%s, %s: the page has no %q: %s", name, language, want, text)
				}
			}
			if !strings.Contains(text, `name="back" value="`+strings.ReplaceAll(back, "&", "&amp;")+`"`) {
				t.Errorf("%s: another language leads elsewhere", name)
			}
		}
	}
	if answer, text := s.do("GET", "/?check=&url=example.com", ""); answer.StatusCode != http.StatusOK ||
		strings.Contains(text, "role=\"alert\"") {
		t.Errorf("a form without an error: %s", answer.Status)
	}
	if crawls, _, err := s.service.Crawls(t.Context(), "", "", 10); len(crawls) != 0 || err != nil {
		t.Errorf("checking a form crawls: %v, %v", crawls, err)
	}
}

// TestStartSecret keeps passwords, and forms that are too long, out of addresses.
func TestStartSecret(t *testing.T) {
	t.Parallel()
	s := newSite(t, public)
	for name, form := range map[string]url.Values{
		"password": {"url": {"https://me:hunter2@example.com/"}}, "no scheme": {"url": {"me:hunter2@example.com"}},
		"other field": {"url": {"ftp://example.com"}, "password": {"hunter2"}},
		"long":        {"url": {"ftp://example.com"}, "include": {strings.Repeat("/a\n", 1000)}},
	} {
		answer, text := s.post("/crawls", form)
		if answer.StatusCode != http.StatusBadRequest || !strings.Contains(text, `role="alert"`) {
			t.Errorf("%s: %s, %s", name, answer.Status, answer.Header.Get("Location"))
		}
	}
}

// TestStartLimit says after a reload that a limit is over.
func TestStartLimit(t *testing.T) {
	t.Parallel()
	s := newSite(t, func(o *Options, c *service.Options) {
		public(o, c)
		c.Public.AtOnce, c.Parallel = 1, 1
	})
	record, err := s.service.Start(t.Context(), service.Request{URL: "http://example.invalid/", Client: "192.0.2.1"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.service.Pause(t.Context(), record.ID); err != nil {
		t.Fatal(err)
	}
	answer, text := s.do("POST", "/crawls", "url=http%3A%2F%2Fother.invalid%2F", "Content-Type",
		"application/x-www-form-urlencoded", "Remote", "192.0.2.1:1234")
	back := answer.Header.Get("Location")
	if answer.StatusCode != http.StatusSeeOther || !strings.HasPrefix(back, "/?") {
		t.Fatalf("%s %s: %s", answer.Status, back, text)
	}
	if answer, _ := s.do("GET", back, "", "Remote", "192.0.2.1:1234"); answer.StatusCode != http.StatusTooManyRequests {
		t.Errorf("at the limit: %s", answer.Status)
	}
	if _, err := s.service.Delete(t.Context(), record.ID); err != nil {
		t.Fatal(err)
	}
	if answer, _ := s.do("GET", back, "", "Remote", "192.0.2.1:1234"); answer.StatusCode != http.StatusOK {
		t.Errorf("after the limit: %s", answer.Status)
	}
}
