package web

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/app/service"
)

// submit sends the form of a crawl, waits for its end, and returns its ID and its page.
func (s *site) submit(form url.Values, header ...string) (id, page string) {
	s.t.Helper()
	answer, text := s.post("/crawls", form)
	path := answer.Header.Get("Location")
	if answer.StatusCode != http.StatusSeeOther {
		s.t.Fatalf("%v: %d %s", form, answer.StatusCode, text)
	}
	s.do("GET", path+"/events", "")
	_, page = s.do("GET", path, "", header...)
	return strings.TrimPrefix(path, "/crawls/"), page
}

// newProtected returns a site that shows its page to who knows a password.
func newProtected(t *testing.T) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, secret, _ := r.BasicAuth()
		cookie, _ := r.Cookie("session")
		switch {
		case r.URL.Path == "/robots.txt":
			http.NotFound(w, r)
		case name == "ana" && secret == "hunter2:3", cookie != nil && cookie.Value == "hunter2":
			_, _ = w.Write([]byte("<!doctype html><title>Staging</title><p>Some words of a page."))
		default:
			w.WriteHeader(http.StatusUnauthorized)
		}
	}))
	t.Cleanup(server.Close)
	return server
}

// TestFailedLogin asks for a password where the site does, and shows it to nobody.
func TestFailedLogin(t *testing.T) {
	t.Parallel()
	protected, s := newProtected(t), newSite(t, nil)
	id, page := s.submit(url.Values{"url": {protected.URL}}, "Accept-Language", "es")
	for _, want := range []string{
		`value="` + protected.URL + `"`, `<details class="options" open><summary>¿Está protegido el sitio?`,
		`name="user-password" type="password"`, `name="base-url"`, `<code lang="en">`, "El sitio pide un nombre",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %s: %s", want, page)
		}
	}
	_, page = s.submit(url.Values{"url": {strings.TrimPrefix(protected.URL, "http://")}})
	if !strings.Contains(page, `value="`+protected.URL+`/"`) || !strings.Contains(page, "asks for them at this address") {
		t.Errorf("an address without a scheme, which would mean https with a password: %s", page)
	}
	login := url.Values{"url": {protected.URL}, "like": {id}, "user-name": {"ana"}, "user-password": {"hunter2"}}
	wrong, page := s.submit(login)
	if !strings.Contains(page, "The site refuses the name and password") || strings.Contains(page, "hunter2") {
		t.Errorf("a wrong password: %s", page)
	}
	login.Set("like", wrong)
	login.Set("user-password", "hunter2:3")
	done, page := s.submit(login)
	if !strings.Contains(page, "sitemap.xml") || strings.Contains(page, "hunter2") {
		t.Errorf("the right password: %s", page)
	}
	if _, page = s.submit(url.Values{"url": {protected.URL}, "like": {done}}); !strings.Contains(page, "sitemap.xml") {
		t.Errorf("the stored password: %s", page)
	}
	_, page = s.submit(url.Values{"url": {protected.URL}, "cookie": {"session=hunter2"}})
	if !strings.Contains(page, "sitemap.xml") {
		t.Errorf("a cookie: %s", page)
	}
	elsewhere := newProtected(t)
	answer, _ := s.post("/crawls", url.Values{"url": {elsewhere.URL}, "like": {done}})
	answer, page = s.do("GET", answer.Header.Get("Location"), "")
	if answer.StatusCode != http.StatusBadRequest || !strings.Contains(page, "Enter it again") {
		t.Errorf("the stored password for another site: %d %s", answer.StatusCode, page)
	}
	if _, list := s.do("GET", "/api/v1/crawls", ""); strings.Contains(list, "hunter2") {
		t.Errorf("the API shows a password: %s", list)
	}
}

// TestFailedScheme offers the address that answers.
func TestFailedScheme(t *testing.T) {
	t.Parallel()
	plain, s := httptest.NewServer(http.NotFoundHandler()), newSite(t, nil)
	defer plain.Close()
	_, page := s.submit(url.Values{"url": {strings.Replace(plain.URL, "http:", "https:", 1)}})
	for _, want := range []string{
		`value="` + plain.URL + `"`, "Mapa tried this address too", ", but at " + plain.URL + ".",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %s: %s", want, page)
		}
	}
}

// TestFailedHint says what may be wrong, by the failure.
func TestFailedHint(t *testing.T) {
	s := newSite(t, nil)
	for _, test := range []struct {
		site, want string
		failure    service.Failure
	}{
		{"jardineria", "such as example.com", *failed(service.FailureUnknownHost)},
		{"jardineria.test", "Check the spelling", *failed(service.FailureUnknownHost)},
		{"jardineria", "such as example.com", *failed(service.FailureLookup)},
		{"jardineria.test", "or the network of this server.", *failed(service.FailureLookup)},
		{"a.test:25", "only the ports 80 and 443", *failed(service.FailurePort)},
		{"a.test:8443", "Port 8443 of a.test does not answer", *failed(service.FailureUnanswered)},
		{"[::1]:8443", "Port 8443 of ::1 does not answer", *failed(service.FailureTimeout)},
		{"a.test", "Nothing answers at this address", *failed(service.FailureUnanswered)},
		{"a.test", "for another host. Check the certificate.", *failed(service.FailureTLSName)},
		{"a.test", "let the User-Agent mapa through", *failed(service.FailureBlocked)},
		{"a.test", "found: install Chromium (on Debian: apt install ", *failed(service.FailureNoBrowser)},
		{"a.test", "does not start: check that the browser starts", *failed(service.FailureBrowserStart)},
		{"a.test", "user namespaces: run mapa as another user;", *failed(service.FailureBrowserSandbox)},
	} {
		r := httptest.NewRequest("GET", "/crawls/x", nil)
		crawl := &service.Crawl{ID: "x", Site: test.site, State: service.StateFailed, Failure: &test.failure}
		frame := s.newResultFrame(r, crawl)
		w := httptest.NewRecorder()
		if err := s.pageFailed(w, r, frame); err != nil || !strings.Contains(w.Body.String(), test.want) {
			t.Errorf("%s: %v, no %q: %s", test.site, err, test.want, w.Body)
		}
	}
}

// TestOwnOptions offers every option of the command line that the service does, and shows no
// secret again when one cannot be used.
func TestOwnOptions(t *testing.T) {
	t.Parallel()
	protected, s := newProtected(t), newSite(t, nil)
	_, page := s.do("GET", "/", "")
	for _, name := range s.service.OptionNames() {
		if !strings.Contains(page, `name="`+name+`"`) && !strings.Contains(page, " "+name+",") &&
			!strings.Contains(page, " "+name+"</code>") && !strings.Contains(page, "<code>"+name+",") && name != "user" {
			t.Errorf("the start page does not offer %s", name)
		}
	}
	form := url.Values{
		"url": {protected.URL}, "user-name": {"ana"}, "user-password": {"hunter2:3"}, "cookie": {"session=hunter2"},
		"flags": {"max-time 10m\n--concurrency=2\n\nheader X-Key: hunter2\nproxy http://a:hunter2@p.test\nbogus"},
	}
	answer, page := s.post("/crawls", form)
	if answer.StatusCode != http.StatusBadRequest || !strings.Contains(page, "bogus") ||
		strings.Contains(page, "hunter2") || !strings.Contains(page, "concurrency 2\nmax-time 10m") {
		t.Errorf("an unknown option: %d %s", answer.StatusCode, page)
	}
	form.Set("flags", "max-time 10m\nbase-url https://www.example.com/\nheader X-Key: hunter2")
	id, page := s.submit(form)
	if !strings.Contains(page, "sitemap.xml") {
		t.Errorf("with options: %s", page)
	}
	if _, shown := s.do("GET", "/api/v1/crawls/"+id, ""); strings.Contains(shown, "hunter2") ||
		!strings.Contains(shown, `"max-time":["10m"]`) || !strings.Contains(shown, `"header":["(secret)"]`) {
		t.Errorf("the options of the crawl: %s", shown)
	}
	open := newSite(t, public)
	_, page = open.do("GET", "/", "")
	if strings.Contains(page, "user-password") || strings.Contains(page, `name="flags"`) {
		t.Error("a public server offers the options of its owner")
	}
	answer, _ = open.post("/crawls", url.Values{"url": {"example.com"}, "flags": {"ignore-robots"}})
	if answer.StatusCode != http.StatusBadRequest {
		t.Errorf("a visitor ignores robots.txt: %d", answer.StatusCode)
	}
}

// TestFailedOtherAddress says why the start fails and where the site answers, and fills the field
// with that address.
func TestFailedOtherAddress(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	otherAt := func(code, address, certificate string) service.Failure {
		f := *failed(code)
		f.Address, f.Certificate = address, certificate
		return f
	}
	for _, test := range []struct {
		failure  service.Failure
		want     []string
		language string
	}{
		{otherAt(service.FailureTLSName, "http://c8.test", "maps.test"), []string{
			"The certificate is for another host (maps.test). The site answers at http://c8.test.</h2>",
			`value="http://c8.test"`, "is not encrypted.",
		}, "en"},
		{otherAt(service.FailureTLSName, "", "maps.test\u202e<b>"), []string{
			`The certificate is for another host (maps.test\u202e&lt;b&gt;).</h2>`, `value="c8.test/no"`,
		}, "en"},
		{otherAt(service.FailureNotFound, "https://www.c8.test/", ""), []string{
			"This page does not exist (404). Begin with another page. The site answers at www.c8.test.</h2>",
			`value="https://www.c8.test/"`, "and the site answers there.</span>",
		}, "en"},
		{otherAt(service.FailureGone, "http://c8.test/", ""), []string{
			"Esta página ya no existe (410). Empieza con otra página. El sitio responde en http://c8.test.</h2>",
			`value="http://c8.test/"`, "no va cifrado.",
		}, "es"},
		{otherAt(service.FailureLookup, "https://www.c8.test/a/", ""), []string{
			"No se pudo buscar el nombre.", "El sitio responde en www.c8.test/a/.</h2>", `value="https://www.c8.test/a/"`,
		}, "es"},
		{otherAt(service.FailureNotFound, "javascript:alert(1)", ""), []string{`value="c8.test/no"`}, "en"},
	} {
		r := httptest.NewRequest("GET", "/crawls/x", nil)
		r.Header.Set("Accept-Language", test.language)
		r = r.WithContext(context.WithValue(r.Context(), callerKey{}, caller{role: roleOwner}))
		crawl := &service.Crawl{
			ID: "x", Site: "c8.test", URL: "c8.test/no", State: service.StateFailed, Failure: &test.failure,
		}
		w := httptest.NewRecorder()
		if err := s.pageFailed(w, r, s.newResultFrame(r, crawl)); err != nil {
			t.Fatal(err)
		}
		for _, want := range test.want {
			if !strings.Contains(w.Body.String(), want) {
				t.Errorf("%+v: no %q: %s", test.failure.Failure, want, w.Body)
			}
		}
	}
}

// TestFailedMissing offers the root of a site whose start page does not exist, in the API too, and
// crawls it from the form as it is.
func TestFailedMissing(t *testing.T) {
	t.Parallel()
	garden := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write([]byte("<!doctype html><title>Garden</title><p>Some words of a page."))
	}))
	defer garden.Close()
	s := newSite(t, nil)
	id, page := s.submit(url.Values{"url": {garden.URL + "/no-existe"}})
	if !strings.Contains(page, "(404)") || !strings.Contains(page, `value="`+garden.URL+`/"`) {
		t.Errorf("the page of the failure: %s", page)
	}
	_, shown := s.do("GET", "/api/v1/crawls/"+id, "")
	if !strings.Contains(shown, `"code":"not-found"`) || !strings.Contains(shown, `"address":"`+garden.URL+`/"`) {
		t.Errorf("the API: %s", shown)
	}
	if _, page = s.submit(url.Values{"url": {garden.URL + "/"}, "like": {id}}); !strings.Contains(page, "sitemap.xml") {
		t.Errorf("the root: %s", page)
	}
}
