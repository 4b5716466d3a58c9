package web

import (
	"cmp"
	"context"
	"errors"
	"html"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/service"
)

const (
	ownOrigin  = "https://maps.example.com"
	password   = "correct horse battery"
	fullToken  = "full-token-of-the-test"
	readToken  = "read-token-of-the-test"
	otherWorld = "https://evil.example"
)

// A site is a server under test with its service, which runs.
type site struct {
	*Server
	service *service.Service
	t       *testing.T
}

// newSite starts a server on this machine, with changed options.
func newSite(t *testing.T, change func(*Options, *service.Options)) *site {
	t.Helper()
	a := newTestApp()
	options := Options{App: a, Contact: "abuse@example.com"}
	crawls := service.Options{Folder: t.TempDir(), App: a}
	if change != nil {
		change(&options, &crawls)
	}
	var err error
	if options.Service, err = service.Open(t.Context(), crawls); err != nil {
		t.Fatal(err)
	}
	options.Models = newTestModels(&options)
	server, err := New(options)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- options.Service.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := errors.Join(<-done, options.Service.Close()); err != nil && !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
	return &site{server, options.Service, t}
}

// withLogin makes a server that others reach.
func withLogin(o *Options, _ *service.Options) {
	o.Origin, o.Password = ownOrigin, password
	o.Tokens = []Token{{Value: fullToken}, {Value: readToken, ReadOnly: true}}
}

// public makes a server for strangers, whose limits tests do not reach.
func public(o *Options, s *service.Options) {
	o.Public, o.Origin = true, ownOrigin
	o.Tokens = []Token{{Value: fullToken}, {Value: readToken, ReadOnly: true}}
	s.Public = &service.PublicLimits{CrawlsADay: 10_000, AtOnce: 10_000, Queue: 10_000}
}

// do sends a request and returns the answer with its body.
func (s *site) do(method, path, body string, header ...string) (*http.Response, string) {
	s.t.Helper()
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Host = "localhost:8700"
	if s.origin != nil {
		r.Host = s.origin.Host
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(header); i += 2 {
		switch name, value := header[i], header[i+1]; name {
		case "Host":
			r.Host = value
		case "Remote":
			r.RemoteAddr = cmp.Or(value, r.RemoteAddr)
		default:
			r.Header.Set(name, value)
		}
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	answer := w.Result()
	checkAnswer(s.t, r, answer, w.Body.Bytes())
	return answer, w.Body.String()
}

func bearer(token string) []string { return []string{"Authorization", "Bearer " + token} }

// TestRoles asks for every route in every role.
func TestRoles(t *testing.T) {
	private, open := newSite(t, withLogin), newSite(t, public)
	const none = "aaaaaaaaaaaaaaaaaaaaaaaaaa"
	for _, route := range private.routes() {
		method, path, _ := strings.Cut(route.pattern, " ")
		path = strings.NewReplacer("{id}", none, "{name}", "sitemap.xml", "{page}", "1", "{$}", "").Replace(path)
		reads := (method == http.MethodGet || route.reads) && !route.starts
		for _, caller := range []struct {
			name    string
			site    *site
			header  []string
			refused int // status, unless the route is for the caller
			least   role
		}{
			{"nobody", private, nil, http.StatusUnauthorized, roleNone},
			{"reader", private, bearer(readToken), http.StatusForbidden, roleReader},
			{"owner", private, bearer(fullToken), 0, roleOwner},
			{"visitor", open, nil, http.StatusNotFound, roleVisitor},
			{"wrong token", private, bearer(readToken + "x"), http.StatusUnauthorized, roleNone},
		} {
			answer, _ := caller.site.do(method, path, "{}", caller.header...)
			allowed := route.role <= caller.least && (caller.least != roleReader || reads || route.role == roleNone)
			refused := answer.StatusCode == caller.refused ||
				caller.refused == http.StatusUnauthorized && strings.HasPrefix(answer.Header.Get("Location"), "/login")
			if allowed && (route.role == roleNone || strings.Contains(route.pattern, "{")) {
				continue // it may be missing
			}
			if allowed == refused {
				t.Errorf("%s %s by %s: %d", method, path, caller.name, answer.StatusCode)
			}
		}
	}
}

// TestPublicOwner has no schedules on a public server, and says that a token is wrong.
func TestPublicOwner(t *testing.T) {
	s := newSite(t, public)
	for _, route := range []string{
		"GET /schedules", "GET /schedules/new", "POST /schedules", "GET /api/v1/schedules", "POST /api/v1/schedules",
	} {
		method, path, _ := strings.Cut(route, " ")
		answer, _ := s.do(method, path, `{"url":"example.com","every":"24h"}`, bearer(fullToken)...)
		if answer.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %d", route, answer.StatusCode)
		}
	}
	answer, page := s.do("GET", "/sites", "", bearer(fullToken)...)
	if answer.StatusCode != http.StatusOK || strings.Contains(page, "/schedules") {
		t.Errorf("the sites of a public server: %d, %s", answer.StatusCode, page)
	}
	answer, _ = s.do("GET", "/api/v1/sites", "", bearer(fullToken+"x")...)
	if answer.StatusCode != http.StatusUnauthorized {
		t.Errorf("a wrong token: %d", answer.StatusCode)
	}
}

// TestHosts answers only for host names of the server, so that no other site can read
// answers by giving its name this address.
func TestHosts(t *testing.T) {
	local := newSite(t, nil)
	for host, status := range map[string]int{
		"localhost": 200, "localhost:8700": 200, "LOCALHOST:1": 200, "127.0.0.1:8700": 200, "127.0.0.2": 200, "[::1]:80": 200,
		"evil.example": 421, "localhost.evil.example": 421, "127.0.0.1.nip.io:8700": 421, "192.168.0.1:8700": 421,
		"10.0.0.1": 421, "": 421, "localhost:8700.evil.example": 421, "[::ffff:10.0.0.1]": 421, "x.localhost": 421,
		"localhost.": 421, "LOCALHOST.:8700": 421, "localhost.:": 421, "localhost..": 421,
	} {
		if answer, _ := local.do("GET", "/api/v1/crawls", "", "Host", host); answer.StatusCode != status {
			t.Errorf("%q: %d", host, answer.StatusCode)
		}
	}
	open := newSite(t, withLogin)
	for host, status := range map[string]int{
		"maps.example.com": 303, "MAPS.example.com:443": 303, "maps.example.com:8700": 421, "localhost": 421,
		"example.com": 421,
	} {
		if answer, _ := open.do("GET", "/crawls/x/files/y", "", "Host", host); answer.StatusCode != status {
			t.Errorf("%q: %d", host, answer.StatusCode)
		}
	}
	program := append(bearer(readToken), "Host", "mapa:8700")
	if answer, _ := open.do("GET", "/api/v1/crawls", "", program...); answer.StatusCode != 200 {
		t.Errorf("a program that knows a token: %d", answer.StatusCode)
	}
	for _, path := range []string{"/healthz", "/readyz"} {
		if answer, _ := open.do("GET", path, "", "Host", "10.0.0.1:8700"); answer.StatusCode != 200 {
			t.Errorf("%s: %d", path, answer.StatusCode)
		}
	}
}

// TestCrossOrigin refuses what pages of other sites send.
func TestCrossOrigin(t *testing.T) {
	local, open := newSite(t, nil), newSite(t, public)
	const start = `{"url":"ftp://x"}`
	for _, test := range []struct {
		site   *site
		status int
		header []string
	}{
		{local, 400, nil},
		{local, 400, []string{"Sec-Fetch-Site", "same-origin"}},
		{local, 403, []string{"Sec-Fetch-Site", "cross-site"}},
		{local, 403, []string{"Sec-Fetch-Site", "same-site"}},
		{local, 403, []string{"Origin", otherWorld}},
		{local, 403, []string{"Origin", "null"}},
		{local, 403, []string{"Origin", "http://localhost:9999"}},
		{local, 415, []string{"Content-Type", "text/plain"}},
		{local, 415, []string{"Content-Type", "application/x-www-form-urlencoded"}},
		{open, 400, []string{"Origin", ownOrigin}},
		{open, 403, []string{"Origin", "http://evil.maps.example.com"}},
	} {
		if answer, body := test.site.do("POST", "/api/v1/crawls", start, test.header...); answer.StatusCode != test.status {
			t.Errorf("%v: %d %s", test.header, answer.StatusCode, body)
		}
	}
}

// TestConnections serves a real listener: it bounds headers and bodies, and ends streams
// when it stops.
func TestConnections(t *testing.T) {
	s := newSite(t, nil)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx, listener) }()
	address := "http://" + listener.Addr().String()
	for _, test := range []struct {
		header, body string
		status       int
	}{
		{"", strings.Repeat(" ", maxBody+1), http.StatusRequestEntityTooLarge},
		{strings.Repeat("x", 2*maxHeaderBytes), "{}", http.StatusRequestHeaderFieldsTooLarge},
	} {
		r, _ := http.NewRequest(http.MethodPost, address+"/api/v1/crawls", strings.NewReader(test.body))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("X-Long", test.header)
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != test.status {
			t.Errorf("%d, want %d", answer.StatusCode, test.status)
		}
	}
	c, err := s.service.Start(t.Context(), service.Request{URL: slowSite(t)})
	if err != nil {
		t.Fatal(err)
	}
	stream, err := http.Get(address + "/crawls/" + c.ID + "/events")
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Body.Close()
	cancel()
	if text, err := io.ReadAll(stream.Body); err != nil || strings.Contains(string(text), "event: end") {
		t.Errorf("the stream ended with %v:\n%s", err, text)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// slowSite returns the address of a site that answers when the test has ended.
func slowSite(t *testing.T) string {
	ended := make(chan struct{})
	slow := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-ended:
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(func() {
		close(ended)
		slow.Close()
	})
	return slow.URL
}

// TestStreams bounds the streams of a visitor, and of all.
func TestStreams(t *testing.T) {
	visitor, other, owner := caller{roleVisitor, "1.2.3.4"}, caller{roleVisitor, "1.2.3.5"}, caller{role: roleOwner}
	s := newStreams()
	var release func()
	for range s.mostVisitor {
		var err error
		if release, err = s.take(visitor); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.take(visitor); err == nil {
		t.Error("a visitor has no limit")
	}
	if _, err := s.take(other); err != nil {
		t.Errorf("another visitor: %v", err)
	}
	release()
	if _, err := s.take(visitor); err != nil {
		t.Errorf("after the end of a stream: %v", err)
	}
	for s.number() < s.most {
		if _, err := s.take(owner); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.take(owner); err == nil {
		t.Error("there is no limit")
	}
}

// TestClient believes X-Forwarded-For only from trusted proxies.
func TestClient(t *testing.T) {
	networks := func(o *Options, _ *service.Options) {
		o.TrustedProxies = prefixes("127.0.0.1/32", "10.0.0.0/8", "::1/128")
	}
	s := newSite(t, networks)
	for _, test := range []struct{ remote, forwarded, client string }{
		{"203.0.113.9:4711", "", "203.0.113.9"},
		{"203.0.113.9:4711", "1.2.3.4", "203.0.113.9"},
		{"127.0.0.1:4711", "1.2.3.4", "1.2.3.4"},
		{"127.0.0.1:4711", "6.6.6.6, 1.2.3.4", "1.2.3.4"},
		{"127.0.0.1:4711", "6.6.6.6, 1.2.3.4, 10.1.1.1", "1.2.3.4"},
		{"127.0.0.1:4711", "", "127.0.0.1"},
		{"127.0.0.1:4711", "nonsense", "127.0.0.1"},
		{"127.0.0.1:4711", "6.6.6.6, nonsense, 10.0.0.2", "10.0.0.2"},
		{"[::1]:4711", "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"},
		{"127.0.0.1:4711", "[2001:db8:1:2::9]:443", "2001:db8:1:2::/64"},
		{"127.0.0.1:4711", "::ffff:1.2.3.4", "1.2.3.4"},
		{"[::ffff:127.0.0.1]:4711", "1.2.3.4", "1.2.3.4"},
		{"", "1.2.3.4", "unknown"},
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = test.remote
		r.Header.Set("X-Forwarded-For", test.forwarded)
		if client := s.clientOf(r); client != test.client {
			t.Errorf("%s for %q: %s", test.remote, test.forwarded, client)
		}
	}
}

// TestLogIn logs in and out, and slows down who guesses.
func TestLogIn(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	s := newSite(t, func(o *Options, c *service.Options) {
		withLogin(o, c)
		o.Now = func() time.Time { return now }
	})
	try := func(password string) *http.Response {
		answer, _ := s.do("POST", "/login", "password="+strings.ReplaceAll(password, " ", "+"),
			"Content-Type", "application/x-www-form-urlencoded", "Origin", ownOrigin)
		return answer
	}
	for range s.logins.most {
		if answer := try("wrong"); answer.StatusCode != http.StatusForbidden || len(answer.Cookies()) > 0 {
			t.Fatalf("a wrong password: %d", answer.StatusCode)
		}
	}
	answer := try(password)
	if wait := answer.Header.Get("Retry-After"); answer.StatusCode != http.StatusTooManyRequests || wait != "30" {
		t.Errorf("after %d wrong passwords: %d, wait %q", s.logins.most, answer.StatusCode, wait)
	}
	page := readBody(t, answer)
	if !strings.Contains(page, "Try again in 30 seconds.") || !strings.Contains(page, `name="password"`) {
		t.Errorf("the page that asks to wait is %s", page)
	}
	now = now.Add(s.logins.interval)
	answer = try(password)
	if answer.StatusCode != http.StatusSeeOther || len(answer.Cookies()) != 1 {
		t.Fatalf("the right password: %d", answer.StatusCode)
	}
	cookie := answer.Cookies()[0]
	if !cookie.HttpOnly || !cookie.Secure || cookie.SameSite != http.SameSiteLaxMode || cookie.Path != "/" ||
		cookie.Domain != "" || !strings.HasPrefix(cookie.Name, "__Host-") {
		t.Errorf("cookie %s", answer.Header.Get("Set-Cookie"))
	}
	session := []string{"Cookie", cookie.Name + "=" + cookie.Value}
	if answer, _ := s.do("GET", "/api/v1/crawls", "", session...); answer.StatusCode != http.StatusOK {
		t.Errorf("with the session: %d", answer.StatusCode)
	}
	now = now.Add(sessionTime)
	if answer, _ := s.do("GET", "/api/v1/crawls", "", session...); answer.StatusCode != http.StatusUnauthorized {
		t.Errorf("with a session that has ended: %d", answer.StatusCode)
	}
	now = now.Add(-time.Minute)
	s.do("POST", "/logout", "", append(session, "Origin", ownOrigin)...)
	if answer, _ := s.do("GET", "/api/v1/crawls", "", session...); answer.StatusCode != http.StatusUnauthorized {
		t.Errorf("after logging out: %d", answer.StatusCode)
	}
}

func readBody(t *testing.T, answer *http.Response) string {
	t.Helper()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestLogInReturns leads to the page that was asked for, and nowhere else.
func TestLogInReturns(t *testing.T) {
	s := newSite(t, withLogin)
	const asked = "/crawls/aaaaaaaaaaaaaaaaaaaaaaaaaa/pages?decision=noindex&text=a%26b"
	answer, _ := s.do("GET", asked, "")
	form := answer.Header.Get("Location")
	if want := "/login?back=" + url.QueryEscape(asked); form != want {
		t.Fatalf("asked for a page: %q, want %q", form, want)
	}
	if _, page := s.do("GET", form, ""); !strings.Contains(page, `name="back" value="`+html.EscapeString(asked)) {
		t.Errorf("the form does not keep the page: %s", page)
	}
	answer, _ = s.do("POST", "/schedules", "a=b", "Content-Type", "application/x-www-form-urlencoded", "Origin", ownOrigin)
	if answer.Header.Get("Location") != "/login" {
		t.Errorf("after a form: %s", answer.Header.Get("Location"))
	}
	if _, page := s.do("GET", "/no/such?page", ""); !strings.Contains(page, `href="/login?back=%2Fno%2Fsuch%3Fpage"`) {
		t.Errorf("an unknown address: %s", page)
	}
	for back, want := range map[string]string{
		asked: asked, "": "/", "https://evil.example/": "/", "//evil.example": "/", `/\evil.example`: "/",
		"/.//evil.example": "/evil.example", "/\t/evil.example": "/", "javascript:alert(1)": "/",
		"/%5cevil.example": "/%5cevil.example",
	} {
		form := url.Values{"password": {password}, "back": {back}}
		answer, _ := s.do("POST", "/login", form.Encode(),
			"Content-Type", "application/x-www-form-urlencoded", "Origin", ownOrigin)
		if got := answer.Header.Get("Location"); answer.StatusCode != http.StatusSeeOther || got != want {
			t.Errorf("back to %q: %d %q, want %q", back, answer.StatusCode, got, want)
		}
	}
}

// TestBounds keeps the memory for sessions and networks bounded.
func TestBounds(t *testing.T) {
	now := time.Now()
	all := newSessions()
	first := all.begin(roleOwner, now)
	for i := range maxSessions {
		all.begin(roleOwner, now.Add(time.Duration(i+1)*time.Millisecond))
	}
	if len(all.open) > maxSessions || all.roleOf(first, now) != roleNone {
		t.Errorf("%d sessions, the first one has the role %v", len(all.open), all.roleOf(first, now))
	}
	guessers := newLogins()
	for i := range 2 * maxNetworks {
		if err := guessers.try(strconv.Itoa(i), now); err != nil {
			t.Fatal(err)
		}
	}
	if len(guessers.networks) > maxNetworks {
		t.Errorf("%d networks", len(guessers.networks))
	}
}

// TestToolRuns slows down a visitor who runs tools again and again, and nobody else.
func TestToolRuns(t *testing.T) {
	s := newSite(t, public)
	check := func(remote, header string) int {
		answer, _ := s.do("POST", "/tools/robots", "url=%2Fx&text=User-agent%3A+*", "Content-Type",
			"application/x-www-form-urlencoded", "Authorization", header, "Remote", remote)
		return answer.StatusCode
	}
	for range s.toolRuns.most {
		if status := check("", ""); status != http.StatusOK {
			t.Fatalf("a check: %d", status)
		}
	}
	if status := check("", ""); status != http.StatusTooManyRequests {
		t.Errorf("after %d checks: %d", s.toolRuns.most, status)
	}
	if status := check("", "Bearer "+fullToken); status != http.StatusOK {
		t.Errorf("the owner: %d", status)
	}
	if status := check("203.0.113.77:4711", ""); status != http.StatusOK {
		t.Errorf("another visitor: %d", status)
	}
}

// TestSecrets reads files of tokens and passwords, and names no secret in an error.
func TestSecrets(t *testing.T) {
	tokens, err := ReadTokens("# programs\nfull " + fullToken + "\n\n read " + readToken + "\r\n")
	if err != nil || len(tokens) != 2 || tokens[0].ReadOnly || !tokens[1].ReadOnly || tokens[1].Value != readToken {
		t.Errorf("%v %v", tokens, err)
	}
	const secret = "s3cret"
	for _, text := range []string{
		"", "# none", "s3cret-and-long", "admin s3cret-and-long", "full s3cret", "full s3cret-and-long s3cret",
	} {
		if _, err := ReadTokens(text); err == nil || strings.Contains(err.Error(), secret) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if read, err := ReadPassword(password + "\r\nmore\n"); err != nil || read != password {
		t.Errorf("%q %v", read, err)
	}
	if _, err := ReadPassword("short\n"); err == nil {
		t.Error("a short password is taken")
	}
}

// TestOrigins refuses what is not an origin.
func TestOrigins(t *testing.T) {
	for _, text := range []string{
		"maps.example.com", "ftp://maps.example.com", "https://", "https://user@maps.example.com",
		"https://maps.example.com?x", "https://maps.example.com#x", "//maps.example.com", "https://maps example.com",
		"https://maps.example.com/a b", "https://maps.example.com/a%2Fb", "https://maps.example.com//a",
		"https://maps.example.com/a/../b", "https://maps.example.com/.", "https://maps.example.com/a;b",
		`https://maps.example.com/"a`, "https://maps.example.com/a?", "https://maps.example.com/$1",
	} {
		if _, err := New(Options{Origin: text}); err == nil {
			t.Errorf("%s is taken", text)
		}
	}
	for text, want := range map[string]string{
		"https://Maps.example.com": "https://maps.example.com", "http://a.example:81/": "http://a.example:81",
		"https://a.example/App": "https://a.example/App", "https://a.example/a/b.c/": "https://a.example/a/b.c",
	} {
		if u, err := ParseOrigin(text); err != nil || u.String() != want {
			t.Errorf("%s is read as %v, %v", text, u, err)
		}
	}
}

func newTestApp() *app.App { return &app.App{Version: "test"} }
