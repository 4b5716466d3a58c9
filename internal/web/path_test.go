package web

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/app/service"
	"golang.org/x/net/html"
)

const form = "application/x-www-form-urlencoded"

// belowPath makes a server that people reach below /mapa.
func belowPath(o *Options, s *service.Options) {
	withLogin(o, s)
	o.Origin += "/mapa/"
}

// TestBelowPath visits every page of a server below a path. All that they load, link to and
// submit to is below it.
func TestBelowPath(t *testing.T) {
	s := newSite(t, belowPath)
	answer, _ := s.do("POST", "/mapa/login", "password="+url.QueryEscape(password), "Content-Type", form)
	cookie := answer.Cookies()[0]
	if cookie.Path != "/mapa/" || cookie.Name != "__Secure-mapa-session" || answer.Header.Get("Location") != "/mapa/" {
		t.Fatalf("the login leads to %s with %s", answer.Header.Get("Location"), cookie)
	}
	header := []string{"Cookie", cookie.Name + "=" + cookie.Value}
	v := &visit{s: s, header: header, seen: map[string]bool{}}
	shop := url.QueryEscape(shop(t))
	var crawls []string
	for range 2 {
		answer, _ := s.do("POST", "/mapa/crawls", "url="+shop, append(header, "Content-Type", form)...)
		crawl := answer.Header.Get("Location")
		if !strings.HasPrefix(crawl, "/mapa/crawls/") {
			t.Fatalf("a crawl is at %q", crawl)
		}
		s.wait("/mapa/api/v1"+strings.TrimPrefix(crawl, "/mapa"), header...)
		crawls = append(crawls, strings.TrimPrefix(crawl, "/mapa/crawls/"))
	}
	v.seesRunning()
	answer, _ = s.do("POST", "/mapa/schedules", "url="+shop+"&timing=cron&cron=0+3+*+*+*",
		append(header, "Content-Type", form)...)
	if !strings.HasPrefix(answer.Header.Get("Location"), "/mapa/schedules?saved=") {
		t.Errorf("a schedule leads to %d %q", answer.StatusCode, answer.Header.Get("Location"))
	}
	compared := "?old=" + crawls[0] + "&new=" + crawls[1]
	for _, seed := range []string{ // what no page links to, or not always
		"/", "/login", "/none", "/crawls", "/crawls/none", "/owner", "/compare" + compared,
		"/compare/export" + compared + "&format=csv",
		"/crawls/" + crawls[1] + "/pages/1/links?direction=in",
	} {
		v.add("start", "/mapa"+seed)
	}
	v.all()
	v.covers()
}

// seesRunning looks at a crawl while it waits for an answer of its site, and stops it.
func (v *visit) seesRunning() {
	asked := make(chan struct{})
	site := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case asked <- struct{}{}:
		case <-r.Context().Done():
		}
		<-r.Context().Done()
	}))
	defer site.Close()
	answer, _ := v.s.do("POST", "/mapa/crawls", "url="+url.QueryEscape(site.URL),
		append(v.header, "Content-Type", form)...)
	<-asked
	crawl := answer.Header.Get("Location")
	_, text := v.s.do("GET", crawl, "", v.header...)
	if !strings.Contains(text, "/events") {
		v.s.t.Errorf("%s does not run: %s", crawl, text)
	}
	v.read(crawl, text)
	answer, _ = v.s.do("POST", crawl+"/stop", "", v.header...)
	if answer.Header.Get("Location") != crawl {
		v.s.t.Errorf("after %s is stopped, its page is %q", crawl, answer.Header.Get("Location"))
	}
	v.s.wait("/mapa/api/v1"+strings.TrimPrefix(crawl, "/mapa"), v.header...)
}

// A visit follows the links of pages.
type visit struct {
	s      *site
	header []string
	queue  []string
	seen   map[string]bool
}

// add queues an address, which must be below the path.
func (v *visit) add(from, to string) {
	v.s.t.Helper()
	if !strings.HasPrefix(to, "/mapa/") {
		v.s.t.Errorf("%s: %s is not below the path", from, to)
		return
	}
	if to, _, _ := strings.Cut(to, "#"); !v.seen[to] {
		v.seen[to] = true
		v.queue = append(v.queue, to)
	}
}

// all requests what is queued, and what that leads to.
func (v *visit) all() {
	for len(v.queue) > 0 {
		address := v.queue[0]
		v.queue = v.queue[1:]
		answer, text := v.s.do("GET", address, "", v.header...)
		isMissing := strings.HasSuffix(address, "/none") || address == "/mapa/owner"
		switch to := answer.Header.Get("Location"); {
		case to != "":
			v.add(address, to)
		case !isMissing && answer.StatusCode != http.StatusOK:
			v.s.t.Errorf("%s: %d", address, answer.StatusCode)
		}
		if strings.HasPrefix(answer.Header.Get("Content-Type"), "text/html") &&
			answer.Header.Get("Content-Disposition") == "" {
			v.read(address, text)
		}
	}
}

// read checks all attributes that have the form of a link, known or not. Texts have it, too.
func (v *visit) read(address, page string) {
	tokens := html.NewTokenizer(strings.NewReader(page))
	for tokens.Next() != html.ErrorToken {
		token := tokens.Token()
		for _, a := range token.Attr {
			isText := a.Key == "value" || a.Key == "placeholder" || a.Key == "title"
			switch {
			case isText || !strings.HasPrefix(a.Val, "/"):
			case a.Key != "action" && a.Key != "formaction":
				v.add(address, a.Val)
			case !strings.HasPrefix(a.Val, "/mapa/"):
				v.s.t.Errorf("%s: a form leads to %s", address, a.Val)
			}
		}
	}
}

// covers checks that every page was visited.
func (v *visit) covers() {
	mux, visited := http.NewServeMux(), map[string]bool{}
	routes := v.s.pageRoutes()
	for _, route := range routes {
		mux.Handle(route.pattern, http.NotFoundHandler())
	}
	for address := range v.seen {
		_, pattern := mux.Handler(httptest.NewRequest("GET", strings.TrimPrefix(address, "/mapa"), nil))
		visited[pattern] = true
	}
	for _, route := range routes {
		if strings.HasPrefix(route.pattern, "GET ") && !visited[route.pattern] {
			v.s.t.Errorf("%s was not visited", route.pattern)
		}
	}
}

// TestOutsidePath answers nothing outside the path but probes.
func TestOutsidePath(t *testing.T) {
	s := newSite(t, belowPath)
	for address, want := range map[string]int{
		"/": 404, "/login": 404, "/crawls": 404, "/api/": 404, "/mapas/login": 404, "/MAPA/login": 404,
		"/%6Dapa/login": 404, "/mapa%2Flogin": 404, "//mapa/login": 404, "/mapa/mapa/login": 404, "/metrics": 404,
		"/mapa": 308, "/mapa?a=b": 308, "/healthz": 200, "/readyz": 200, "/mapa/healthz": 200, "/mapa/login": 200,
		"/mapa/api/v1/openapi.json": 200, "/mapa/api/v1/crawls": 401, "/mapa//login": 307, "/mapa/../login": 307,
	} {
		answer, text := s.do("GET", "https://maps.example.com"+address, "")
		if answer.StatusCode != want {
			t.Errorf("%s: %d, want %d", address, answer.StatusCode, want)
		}
		if to := answer.Header.Get("Location"); to != "" && !strings.HasPrefix(to, "/mapa/") {
			t.Errorf("%s leads to %s", address, to)
		}
		if !strings.HasPrefix(address, "/mapa/") && want == 404 && !strings.Contains(text, "below /mapa/") {
			t.Errorf("%s does not say where the server is: %s", address, text)
		}
	}
	answer, _ := s.do("POST", "/mapa/api/v1/crawls", `{"url":"`+shop(t)+`"}`, bearer(fullToken)...)
	if to := answer.Header.Get("Location"); !strings.HasPrefix(to, "/mapa/api/v1/crawls/") {
		t.Errorf("a crawl of the API is at %q", to)
	}
	answer, _ = s.do("POST", "/mapa/language", "language=es&back=/sites", "Content-Type", form)
	if c := answer.Cookies()[0]; c.Path != "/mapa/" || answer.Header.Get("Location") != "/mapa/sites" {
		t.Errorf("a language leads to %q with %s", answer.Header.Get("Location"), c)
	}
	answer, _ = s.do("POST", "/mapa/language", "language=es&back=/", "Content-Type", form, "Origin", otherWorld)
	if answer.StatusCode != http.StatusForbidden {
		t.Errorf("a page of another site: %d", answer.StatusCode)
	}
}
