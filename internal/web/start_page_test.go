package web

import (
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	appcrawl "github.com/mapatools/mapa/internal/app/crawl"
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
		"name": {
			url.Values{"url": {"jardineria"}}, "This is a name without a dot", "Esto es un nombre sin punto",
			[]string{`value="jardineria"`},
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

// TestStartSecretLanguage keeps the error and what was typed when the language of the form with a password is changed,
// and starts nothing.
func TestStartSecretLanguage(t *testing.T) {
	t.Parallel()
	s := newSite(t, public)
	form := url.Values{"url": {"https://me:hunter2@example.com/"}, "include": {"/blog/*"}, "language": {"es"}}
	answer, text := s.post("/crawls", form)
	for _, want := range []string{
		"La dirección no debe llevar nombre de usuario ni contraseña", `value="https://me:hunter2@example.com/"`, "/blog/*",
		`name="language" value="en" form="start" formnovalidate`, `<form class="start" id="start"`,
	} {
		if answer.StatusCode != http.StatusBadRequest || !strings.Contains(text, want) {
			t.Errorf("%s: the page has no %q: %s", answer.Status, want, text)
		}
	}
	if cookies := answer.Cookies(); len(cookies) != 1 || cookies[0].Value != "es" {
		t.Errorf("the language is not kept: %v", cookies)
	}
	answer, text = s.post("/crawls", url.Values{"url": {"https://example.com/"}, "language": {"es"}})
	if answer.StatusCode != http.StatusOK || strings.Contains(text, `role="alert"`) {
		t.Errorf("a form without an error: %s", answer.Status)
	}
	if crawls, _, err := s.service.Crawls(t.Context(), "", "", 10); len(crawls) != 0 || err != nil {
		t.Errorf("another language crawls: %v, %v", crawls, err)
	}
	if answer, _ := s.do("GET", "/crawls", ""); answer.Header.Get("Location") != "/" {
		t.Errorf("the page of a wrong form, loaded again: %s", answer.Status)
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

// TestStartBrowser shows at the field for rendering why no browser starts, with what to do and what was
// typed. Nothing is crawled. The API has a type of problem for each reason.
func TestStartBrowser(t *testing.T) {
	t.Parallel()
	no, noErr := exec.LookPath("false")
	for _, test := range []struct {
		code             string
		browser          appcrawl.BrowserSettings
		isTested         bool
		english, spanish string
	}{
		{
			"no-browser", appcrawl.BrowserSettings{Path: filepath.Join(t.TempDir(), "none"), NoSandbox: true}, true,
			"found: install Chromium (on Debian: apt install ", "páginas: instala Chromium (en Debian: apt install ",
		},
		{
			"browser-start", appcrawl.BrowserSettings{Path: no, NoSandbox: true}, noErr == nil,
			"does not start: check that the browser starts", "no arranca: comprueba que el navegador arranca",
		},
		{
			"browser-sandbox", appcrawl.BrowserSettings{}, os.Geteuid() == 0,
			"user namespaces: run mapa as another user;", "nombres de usuario: ejecuta mapa con otro usuario;",
		},
	} {
		if !test.isTested {
			continue
		}
		s := newSite(t, func(_ *Options, o *service.Options) { o.Browser = test.browser })
		answer, _ := s.post("/crawls", url.Values{"url": {"www.example.com"}, "render": {"always"}, "max-depth": {"7"}})
		back := answer.Header.Get("Location")
		for language, explained := range map[string]string{"en": test.english, "es": test.spanish} {
			answer, page := s.do("GET", back, "", "Accept-Language", language)
			_, field, _ := strings.Cut(page, `<select id="render"`)
			if answer.StatusCode != http.StatusBadRequest || !strings.Contains(field, `role="alert" id="error"`) {
				t.Errorf("%s: %s, no error at the field: %s", test.code, answer.Status, page)
			}
			for _, want := range []string{
				explained, `<details class="options" open>`, `value="www.example.com"`, `value="7"`,
				`<option value="always" selected>`, `aria-describedby="error render-hint"`,
			} {
				if !strings.Contains(page, want) {
					t.Errorf("%s, %s: the page has no %q: %s", test.code, language, want, page)
				}
			}
		}
		_, page := s.post("/schedules", url.Values{"url": {"example.com"}, "every": {"24h"}, "render": {"auto"}})
		if !strings.Contains(page, test.english) || !strings.Contains(page, `aria-describedby="error render-hint"`) {
			t.Errorf("%s: a schedule: %s", test.code, page)
		}
		answer, problem := s.do("POST", "/api/v1/crawls", `{"url":"example.com","options":{"render":"auto"}}`)
		if answer.StatusCode != http.StatusBadRequest || !strings.Contains(problem, "serve.md#"+test.code+`"`) ||
			!strings.Contains(problem, `"option":"render"`) || !strings.Contains(problem, `"hint":"`) {
			t.Errorf("%s: %s %s", test.code, answer.Status, problem)
		}
		if crawls, _, err := s.service.Crawls(t.Context(), "", "", 10); len(crawls) != 0 || err != nil {
			t.Errorf("%s: crawls %v, %v", test.code, crawls, err)
		}
	}
}

// TestStartAgain shows the options of a crawl that cannot be repeated, apart from its secrets.
func TestStartAgain(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	options := map[string][]string{"max-pages": {"7"}, "timeout": {"9s"}, "cookie": {"session=hunter2"}}
	record, err := s.service.Start(t.Context(), service.Request{URL: "http://example.invalid/", Options: options})
	if err != nil {
		t.Fatal(err)
	}
	answer, _ := s.post("/crawls", url.Values{"url": {"ftp://example.invalid/"}, "like": {record.ID}})
	answer, page := s.do("GET", answer.Header.Get("Location"), "")
	if answer.StatusCode != http.StatusBadRequest || !strings.Contains(page, `name="max-pages" min="1"`) ||
		!strings.Contains(page, `value="7"`) || !strings.Contains(page, "timeout 9s") ||
		strings.Contains(page, "hunter2") || strings.Contains(page, "An empty field keeps it") {
		t.Errorf("%s: %s", answer.Status, page)
	}
}
