package web

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mapatools/mapa/internal/app/service"
)

// A sharing is a server with two crawls. One is shared.
type sharing struct {
	*site
	owner         []string // headers
	crawl, other  string   // paths
	link, cookie  string
	clock         *clock
	log           *bytes.Buffer
	cookieOfShare *http.Cookie
}

type clock struct {
	mutex sync.Mutex
	time  time.Time
}

func (c *clock) now() time.Time {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.time
}

func (c *clock) pass(d time.Duration) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.time = c.time.Add(d)
}

const formType = "application/x-www-form-urlencoded"

var linkOf = regexp.MustCompile(`value="https://maps\.example\.com(/share/[^"]+)"`)

// newSharing shares the result of a crawl for a week.
func newSharing(t *testing.T) *sharing {
	t.Helper()
	s := &sharing{clock: &clock{time: time.Now()}, log: &bytes.Buffer{}}
	s.site = newSite(t, func(o *Options, c *service.Options) {
		withReaders(o, c)
		o.Logger = slog.New(slog.NewTextHandler(s.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
		c.Now = s.clock.now
	})
	s.owner = append(s.logInAs(password), "Content-Type", formType)
	for _, path := range []*string{&s.crawl, &s.other} {
		answer, _ := s.do("POST", "/crawls", url.Values{"url": {newSmall(t).URL}}.Encode(), s.owner...)
		*path = answer.Header.Get("Location")
		s.do("GET", *path+"/events", "", s.owner...)
	}
	s.link = s.shareFor(t, "7")
	answer, _ := s.do("GET", s.link, "")
	if answer.StatusCode != http.StatusSeeOther || answer.Header.Get("Location") != s.crawl || len(answer.Cookies()) != 1 {
		t.Fatalf("the link: %d %v", answer.StatusCode, answer.Header)
	}
	s.cookieOfShare = answer.Cookies()[0]
	s.cookie = s.cookieOfShare.Name + "=" + s.cookieOfShare.Value
	return s
}

// shareFor shares the result for a number of days and returns the path of the link.
func (s *sharing) shareFor(t *testing.T, days string) string {
	t.Helper()
	answer, page := s.do("POST", s.crawl+"/shares", "days="+days, s.owner...)
	link := linkOf.FindStringSubmatch(page)
	if answer.StatusCode != http.StatusOK || link == nil {
		t.Fatalf("share: %d %s", answer.StatusCode, page)
	}
	return link[1]
}

// status returns the status of a request with the cookie of the share.
func (s *sharing) status(method, path string) int {
	s.t.Helper()
	answer, _ := s.do(method, path, "", "Cookie", s.cookie, "Origin", ownOrigin)
	return answer.StatusCode
}

// TestShare shows a shared result with all of its lists and files, and no button.
func TestShare(t *testing.T) {
	t.Parallel()
	s := newSharing(t)
	for _, path := range []string{
		"", "/pages", "/pages/1", "/pages/1/links?direction=out", "/findings?rule=link-broken&severity=error", "/tree",
		"/changes", "/export?format=csv", "/export?list=findings&rule=link-broken&severity=error&format=json",
		"/files/sitemap.xml", "/files/sitemap.xml.gz", "/files/report.html", "/files.zip",
	} {
		answer, page := s.do("GET", s.crawl+path, "", "Cookie", s.cookie)
		if answer.StatusCode != http.StatusOK || answer.Header.Get("X-Robots-Tag") == "" {
			t.Errorf("%s: %d %v", path, answer.StatusCode, answer.Header)
		}
		page = strings.Replace(page, `method="post" action="/language"`, "", 1)
		if strings.Contains(page, `method="post"`) || strings.Contains(page, "/sites/") || strings.Contains(page, s.other) {
			t.Errorf("%s has more than the result: %s", path, page)
		}
		if status := s.status("HEAD", s.crawl+path); status != http.StatusOK {
			t.Errorf("HEAD %s: %d", path, status)
		}
	}
	c := s.cookieOfShare
	if c.Path != s.crawl || !c.HttpOnly || !c.Secure || c.SameSite != http.SameSiteLaxMode || c.Domain != "" ||
		c.Expires.Before(s.clock.now().Add(6*day)) {
		t.Errorf("the cookie is %+v", c)
	}
	answer, _ := s.do("GET", s.link, "")
	for name, want := range map[string]string{
		"Referrer-Policy": "no-referrer", "Cache-Control": "no-store", "X-Robots-Tag": "noindex, nofollow",
	} {
		if answer.Header.Get(name) != want {
			t.Errorf("%s is %q", name, answer.Header.Get(name))
		}
	}
	for _, unclean := range []string{"/" + s.link, "/x/.." + s.link, s.link + "/", "/%73hare" + s.link[len("/share"):]} {
		s.do("GET", unclean, "")
	}
	token := s.link[strings.LastIndex(s.link, "/")+1:]
	if len(token) < 26 || strings.Contains(s.log.String(), token) {
		t.Errorf("the log has the token %q: %s", token, s.log)
	}
	if _, text := s.do("GET", "/api/v1"+s.crawl, "", s.owner...); strings.Contains(text, "share") {
		t.Errorf("the API shows the share: %s", text)
	}
}

// TestShareOnly keeps who has a share from everything else.
func TestShareOnly(t *testing.T) {
	t.Parallel()
	s := newSharing(t)
	id := strings.TrimPrefix(s.crawl, "/crawls/")
	for _, route := range s.routes() {
		method, path, _ := strings.Cut(route.pattern, " ")
		if route.role == roleNone || route.shared {
			continue
		}
		path = strings.NewReplacer("{id}", id, "{name}", "sitemap.xml", "{share}", id, "{$}", "").Replace(path)
		answer, page := s.do(method, path, "", "Cookie", s.cookie, "Origin", ownOrigin, "Content-Type", formType)
		to := answer.Header.Get("Location")
		isRefused := answer.StatusCode == http.StatusUnauthorized || strings.HasPrefix(to, "/login")
		if !isRefused {
			t.Errorf("%s: %d %s", route.pattern, answer.StatusCode, page)
		}
	}
	token := s.link[strings.LastIndex(s.link, "/")+1:]
	for _, path := range []string{
		s.other, s.other + "/pages", s.other + "/files/sitemap.xml", s.crawl + "/shares", s.crawl + "/events",
		"/shares", "/api/v1" + s.crawl, "/api/v1" + s.crawl + "/overview", s.crawl + "/../" + s.other[len("/crawls/"):],
		s.link + "/", s.link + "/../", s.link + "/pages", s.link + "/../../.." + s.other, s.link[:len(s.link)-1],
		s.link + "A", strings.ToLower(s.link), sharePrefix + strings.TrimPrefix(s.other, "/crawls/") + "/" + token,
		sharePrefix + id + "/%2e%2e", sharePrefix + "/" + token, sharePrefix + id + "/", s.crawl + "/files/..%2fmapa.sqlite",
		s.crawl + "/files/crawl.sqlite",
	} {
		answer, page := s.do("GET", path, "", "Cookie", s.cookie)
		switch answer.StatusCode {
		case http.StatusOK:
			t.Errorf("GET %s: %s", path, page)
		case http.StatusSeeOther, http.StatusMovedPermanently, http.StatusTemporaryRedirect:
			to := answer.Header.Get("Location")
			if len(answer.Cookies()) > 0 || strings.HasPrefix(to, "/crawls/") && to != s.other {
				t.Errorf("GET %s leads to %s", path, to)
			}
		}
	}
	for _, method := range []string{"POST", "PUT", "PATCH", "DELETE", "OPTIONS"} {
		for _, path := range []string{s.crawl, s.crawl + "/pages", s.crawl + "/export", s.link} {
			if status := s.status(method, path); status < 400 && status != http.StatusSeeOther {
				t.Errorf("%s %s: %d", method, path, status)
			}
		}
	}
	if c, err := s.service.Crawl(t.Context(), id); err != nil || c.State != service.StateDone {
		t.Errorf("the crawl is %+v, %v", c, err)
	}
	for _, header := range [][]string{nil, {"Cookie", s.cookieOfShare.Name + "="}, {"Cookie", s.cookie + "x"}} {
		if answer, _ := s.do("GET", s.crawl, "", header...); answer.StatusCode == http.StatusOK {
			t.Errorf("with %v the result is shown", header)
		}
	}
	reader := append(s.logInAs(readPassword), "Content-Type", formType)
	if answer, _ := s.do("POST", s.crawl+"/shares", "days=7", reader...); answer.StatusCode != http.StatusForbidden {
		t.Errorf("a reader shares: %d", answer.StatusCode)
	}
	foreign := append(s.owner[:2:2], "Origin", otherWorld, "Content-Type", formType)
	if answer, _ := s.do("POST", s.crawl+"/shares", "days=7", foreign...); answer.StatusCode != http.StatusForbidden {
		t.Errorf("another site shares: %d", answer.StatusCode)
	}
	if answer, _ := s.do("POST", s.crawl+"/shares", "days=36500", s.owner...); answer.StatusCode != http.StatusBadRequest {
		t.Errorf("a share for a century: %d", answer.StatusCode)
	}
}

// TestShareEnds shows nothing any more when a share was revoked or has expired, or its crawl was
// deleted.
func TestShareEnds(t *testing.T) {
	t.Parallel()
	ended := func(s *sharing, why string) {
		t.Helper()
		for _, path := range []string{s.crawl, s.crawl + "/pages", s.crawl + "/files/sitemap.xml", s.crawl + "/files.zip"} {
			if status := s.status("GET", path); status == http.StatusOK {
				t.Errorf("%s: %s is shown", why, path)
			}
		}
	}
	revoked := newSharing(t)
	_, page := revoked.do("GET", "/shares", "", revoked.owner...)
	action := regexp.MustCompile(`action="([^"]+/revoke)"`).FindStringSubmatch(page)
	if action == nil {
		t.Fatalf("no share in the list: %s", page)
	}
	second := revoked.shareFor(t, "30")
	revoked.do("POST", action[1], "", revoked.owner...)
	ended(revoked, "revoked")
	if answer, page := revoked.do("GET", revoked.link, ""); answer.StatusCode != http.StatusNotFound ||
		!strings.Contains(page, "This link does not work") || len(answer.Cookies()) > 0 {
		t.Errorf("the revoked link: %d %s", answer.StatusCode, page)
	}
	if answer, _ := revoked.do("GET", second, ""); answer.StatusCode != http.StatusSeeOther {
		t.Errorf("the other link: %d", answer.StatusCode)
	}

	expired := newSharing(t)
	expired.clock.pass(7*day - time.Minute)
	if status := expired.status("GET", expired.crawl); status != http.StatusOK {
		t.Errorf("a minute before its end: %d", status)
	}
	expired.clock.pass(time.Minute)
	ended(expired, "expired")
	if _, page := expired.do("GET", "/shares", "", expired.owner...); strings.Contains(page, "/revoke") {
		t.Error("the list has a share that has expired")
	}

	deleted := newSharing(t)
	id := strings.TrimPrefix(deleted.crawl, "/crawls/")
	var readers sync.WaitGroup
	for range 8 {
		readers.Go(func() { deleted.status("GET", deleted.crawl+"/pages") })
	}
	if _, err := deleted.service.Delete(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	readers.Wait()
	ended(deleted, "deleted")
	if answer, _ := deleted.do("POST", deleted.crawl+"/shares", "days=7", deleted.owner...); answer.StatusCode != 404 {
		t.Errorf("sharing a deleted crawl: %d", answer.StatusCode)
	}
}

// TestShareWaits shows nothing of a shared crawl that goes on.
func TestShareWaits(t *testing.T) {
	t.Parallel()
	held := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/held" {
			<-r.Context().Done()
			return
		}
		_, _ = w.Write([]byte(`<!doctype html><title>Home</title><p>Some words <a href="/held">held</a>`))
	}))
	defer held.Close()
	s := newSharing(t)
	form := url.Values{"url": {held.URL}, "flags": {"max-time 100ms"}}
	answer, _ := s.do("POST", "/crawls", form.Encode(), s.owner...)
	s.crawl = answer.Header.Get("Location")
	s.do("GET", s.crawl+"/events", "", s.owner...)
	answer, _ = s.do("GET", s.shareFor(t, "7"), "")
	s.cookie = answer.Cookies()[0].Name + "=" + answer.Cookies()[0].Value
	if status := s.status("GET", s.crawl); status != http.StatusOK {
		t.Fatalf("the result: %d", status)
	}
	s.do("POST", s.crawl+"/resume", "", s.owner...)
	for path, want := range map[string]int{"": 409, "/pages": 409, "/files/sitemap.xml": 404, "/files.zip": 404} {
		if status := s.status("GET", s.crawl+path); status != want {
			t.Errorf("%s of a crawl that goes on: %d", path, status)
		}
	}
}

// TestShareTooOften bounds the shares of a result.
func TestShareTooOften(t *testing.T) {
	t.Parallel()
	s := newSharing(t)
	for range 49 {
		s.shareFor(t, "7")
	}
	answer, page := s.do("POST", s.crawl+"/shares", "days=7", s.owner...)
	if answer.StatusCode != http.StatusConflict || !strings.Contains(page, "too many links") {
		t.Errorf("the 51st share: %d %s", answer.StatusCode, page)
	}
	s.clock.pass(8 * day)
	s.shareFor(t, "90")
}

// TestNoShares has shares only where others have to log in.
func TestNoShares(t *testing.T) {
	t.Parallel()
	for name, s := range map[string]*site{"local": newSite(t, nil), "public": newSite(t, public)} {
		for _, path := range []string{"/shares", "/crawls/x/shares", "/share/x/y"} {
			if answer, _ := s.do("GET", path, "", bearer(fullToken)...); answer.StatusCode != http.StatusNotFound {
				t.Errorf("%s %s: %d", name, path, answer.StatusCode)
			}
		}
	}
}
