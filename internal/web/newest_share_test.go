package web

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/mapatools/mapa/internal/app/service"
)

// A newestSharing is a server that shares the newest result of a site. It has a result of another one, too.
type newestSharing struct {
	*sharing
	name, url string
	held      atomic.Bool // the site answers nothing
}

func newNewestSharing(t *testing.T) *newestSharing {
	t.Helper()
	s := &newestSharing{sharing: newSharing(t)}
	released := make(chan struct{})
	target := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.held.Load() {
			select {
			case <-released:
			case <-r.Context().Done():
			}
		}
		_, _ = w.Write([]byte(`<!doctype html><title>Home</title><p>Some words of a page.`))
	}))
	t.Cleanup(target.Close)
	t.Cleanup(func() { close(released) })
	s.url, s.name = target.URL, strings.TrimPrefix(target.URL, "http://")
	s.other, s.crawl = s.crawl, s.start()
	s.end(s.crawl)
	s.link = s.shareFor("7")
	s.follow(s.link, s.crawl)
	return s
}

// start starts a crawl of the site, and returns its path.
func (s *newestSharing) start() string {
	s.t.Helper()
	answer, page := s.do("POST", "/crawls", url.Values{"url": {s.url}}.Encode(), s.owner...)
	if answer.StatusCode != http.StatusSeeOther {
		s.t.Fatalf("start: %d %s", answer.StatusCode, page)
	}
	return answer.Header.Get("Location")
}

// end waits for the end of a crawl.
func (s *newestSharing) end(crawl string) { s.do("GET", crawl+"/events", "", s.owner...) }

// shareFor shares the newest result for a number of days and returns the path of the link.
func (s *newestSharing) shareFor(days string) string {
	s.t.Helper()
	answer, page := s.do("POST", "/sites/"+s.name+"/shares", "days="+days, s.owner...)
	link := linkOf.FindStringSubmatch(page)
	if answer.StatusCode != http.StatusOK || link == nil {
		s.t.Fatalf("share: %d %s", answer.StatusCode, page)
	}
	return link[1]
}

// follow opens a path with the cookie that the browser has, which leads to the result of a crawl, and keeps the cookie
// of that.
func (s *newestSharing) follow(path, crawl string) {
	s.t.Helper()
	answer, page := s.do("GET", path, "", "Cookie", s.cookie)
	cookies := answer.Cookies()
	if answer.StatusCode != http.StatusSeeOther || answer.Header.Get("Location") != crawl || len(cookies) != 1 {
		s.t.Fatalf("%s: %d %v %s", path, answer.StatusCode, answer.Header, page)
	}
	if c := cookies[0]; c.Path != crawl || !c.HttpOnly || !c.Secure || c.SameSite != http.SameSiteLaxMode ||
		c.Domain != "" || c.Expires.Before(s.clock.now().Add(6*day)) {
		s.t.Errorf("the cookie is %+v", c)
	}
	s.cookie = cookies[0].Name + "=" + cookies[0].Value
	if status := s.status("GET", crawl); status != http.StatusOK {
		s.t.Errorf("the result: %d", status)
	}
}

// refused checks that neither the link nor the cookie shows anything.
func (s *newestSharing) refused(why string, crawls ...string) {
	s.t.Helper()
	for _, path := range append(crawls, s.link, s.crawl, s.crawl+"/pages", s.crawl+"/files/sitemap.xml") {
		answer, page := s.do("GET", path, "", "Cookie", s.cookie)
		isAsked := strings.Contains(page, "Ask who sent it")
		if answer.StatusCode != http.StatusNotFound || len(answer.Cookies()) > 0 || !isAsked {
			s.t.Errorf("%s: %s: %d %s", why, path, answer.StatusCode, page)
		}
	}
}

// TestNewestShare leads from the link, and from the page of an older result, to the newest one, whatever else the site
// has by then.
func TestNewestShare(t *testing.T) {
	t.Parallel()
	s := newNewestSharing(t)
	first := s.crawl
	second := s.start()
	s.end(second)
	for _, path := range []string{first + "/pages", first + "/files/sitemap.xml", first + "/export", first, s.link} {
		s.follow(path, second)
	}
	for _, path := range []string{
		"/pages", "/pages/1", "/findings?rule=title-length&severity=info", "/tree", "/changes", "/files/sitemap.xml",
	} {
		answer, page := s.do("GET", second+path, "", "Cookie", s.cookie)
		page = strings.Replace(page, `method="post" action="/language"`, "", 1)
		if answer.StatusCode != http.StatusOK || strings.Contains(page, `method="post"`) ||
			strings.Contains(page, "/sites/") || strings.Contains(page, first) {
			t.Errorf("%s: %d, or it has more than the result: %s", path, answer.StatusCode, page)
		}
	}
	s.held.Store(true)
	running := s.start()
	s.follow(running, second)
	s.follow(s.link, second)
	id := strings.TrimPrefix(running, "/crawls/")
	if _, err := s.service.Stop(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	s.end(running)
	s.follow(running, second)
	if _, err := s.service.Delete(t.Context(), strings.TrimPrefix(second, "/crawls/")); err != nil {
		t.Fatal(err)
	}
	s.follow(second, first)
}

// TestNewestShareOnly keeps who has the link from everything but the newest result, whatever they send.
func TestNewestShareOnly(t *testing.T) {
	t.Parallel()
	s := newNewestSharing(t)
	id := strings.TrimPrefix(s.crawl, "/crawls/")
	for _, route := range s.routes() {
		method, path, _ := strings.Cut(route.pattern, " ")
		if route.role == roleNone || route.shared {
			continue
		}
		name := s.name
		if strings.Contains(path, "/files/") {
			name = "sitemap.xml"
		}
		path = strings.NewReplacer("{id}", id, "{name}", name, "{share}", id, "{$}", "").Replace(path)
		answer, page := s.do(method, path, "", "Cookie", s.cookie, "Origin", ownOrigin, "Content-Type", formType)
		if answer.StatusCode != http.StatusUnauthorized && !strings.HasPrefix(answer.Header.Get("Location"), "/login") {
			t.Errorf("%s: %d %s", route.pattern, answer.StatusCode, page)
		}
	}
	token := s.link[strings.LastIndex(s.link, "/")+1:]
	other, err := s.service.Crawl(t.Context(), strings.TrimPrefix(s.other, "/crawls/"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{
		sharePrefix + id + "/" + token, sharePrefix + other.ID + "/" + token,
		sharePrefix + "sites/" + other.Site + "/" + token, sharePrefix + "sites/none.example/" + token,
		sharePrefix + "sites/" + s.name + "/" + token[1:],
		sharePrefix + "sites/" + s.name + "/" + strings.ToLower(token), sharePrefix + "sites/%20/" + token,
		sharePrefix + "sites/" + s.name + "%2F..%2F" + other.Site + "/" + token,
		sharePrefix + "sites/" + s.name + "%00/" + token,
		sharePrefix + "sites/" + s.name + "@" + other.Site + "/" + token,
	} {
		answer, _ := s.do("GET", path, "")
		if answer.StatusCode != http.StatusNotFound || len(answer.Cookies()) > 0 {
			t.Errorf("%s: %d %v", path, answer.StatusCode, answer.Header)
		}
	}
	s.follow(s.other, s.crawl) // a browser does not send the cookie there
	name, _, _ := strings.Cut(s.cookie, "=")
	for _, value := range []string{
		token, token + "@", "@" + s.name, "@", token + "@" + other.Site, token + "@" + s.name + "@", "x@" + s.name,
		token + "@none.example", token + "@" + id,
	} {
		for _, crawl := range []string{s.crawl, s.other, "/crawls/" + strings.Repeat("a", 26)} {
			answer, page := s.do("GET", crawl, "", "Cookie", name+"="+value)
			if answer.StatusCode != http.StatusNotFound || len(answer.Cookies()) > 0 {
				t.Errorf("%q at %s: %d %v %s", value, crawl, answer.StatusCode, answer.Header, page)
			}
		}
	}
	reader := append(s.logInAs(readPassword), "Content-Type", formType)
	foreign := append(s.owner[:2:2], "Origin", otherWorld, "Content-Type", formType)
	for who, header := range map[string][]string{"a reader": reader, "another site": foreign} {
		answer, _ := s.do("POST", "/sites/"+s.name+"/shares", "days=7", header...)
		if answer.StatusCode != http.StatusForbidden {
			t.Errorf("%s shares: %d", who, answer.StatusCode)
		}
	}
	for _, days := range []string{"", "0", "-7", "8", "36500", "7 "} {
		answer, _ := s.do("POST", "/sites/"+s.name+"/shares", "days="+url.QueryEscape(days), s.owner...)
		if answer.StatusCode != http.StatusBadRequest {
			t.Errorf("a share for %q days: %d", days, answer.StatusCode)
		}
	}
	if strings.Contains(s.log.String(), token) {
		t.Errorf("the log has the token: %s", s.log)
	}
}

// TestNewestShareEnds shows nothing any more when the share was revoked or has expired, or the site was deleted, also
// when somebody crawls it again.
func TestNewestShareEnds(t *testing.T) {
	t.Parallel()
	s := newNewestSharing(t)
	shares, err := s.service.Shares(t.Context(), service.Shared{Site: s.name})
	if err != nil || len(shares) != 1 {
		t.Fatalf("%v, %v", shares, err)
	}
	revoke := "/sites/" + s.name + "/shares/" + shares[0].ID + "/revoke"
	if _, page := s.do("GET", "/shares", "", s.owner...); !strings.Contains(page, `action="`+revoke+`"`) {
		t.Errorf("the list of all shares has no %s: %s", revoke, page)
	}
	if answer, _ := s.do("POST", revoke, "", s.owner...); answer.Header.Get("Location") != "/sites/"+s.name+"/shares" {
		t.Errorf("revoke: %d", answer.StatusCode)
	}
	s.refused("revoked")

	s.link = s.shareFor("7")
	s.follow(s.link, s.crawl)
	s.clock.pass(7 * day)
	s.refused("expired")

	s.link = s.shareFor("7")
	s.follow(s.link, s.crawl)
	s.do("POST", "/sites/"+s.name+"/delete", "", s.owner...)
	s.refused("deleted")
	again := s.start()
	s.end(again)
	s.refused("crawled again", again)
}

// TestAskForLink says whom to ask for a link at an address that no share covers, with a log-in and without one.
func TestAskForLink(t *testing.T) {
	t.Parallel()
	s := newNewestSharing(t)
	answer, _ := s.do("GET", s.crawl+"/pages", "")
	to := answer.Header.Get("Location")
	if !strings.HasPrefix(to, "/login?") {
		t.Fatalf("%d, %s", answer.StatusCode, to)
	}
	for language, want := range map[string]string{
		"en": "Ask the person who sent it for a link", "es": "Pide un enlace a quien te lo envió",
	} {
		if _, page := s.do("GET", to, "", "Accept-Language", language); !strings.Contains(page, want) {
			t.Errorf("the form does not say %q: %s", want, page)
		}
		if _, page := s.do("GET", "/login?back=/sites", "", "Accept-Language", language); strings.Contains(page, want) {
			t.Errorf("the form says %q about the list of sites", want)
		}
	}
	only := newSite(t, func(o *Options, _ *service.Options) {
		o.Origin, o.Tokens = ownOrigin, []Token{{Value: fullToken}}
	})
	answer, page := only.do("GET", s.crawl, "")
	if answer.StatusCode != http.StatusUnauthorized || !strings.Contains(page, "Ask the person who sent it for a link") {
		t.Errorf("without a form: %d %s", answer.StatusCode, page)
	}
}
