package fetch

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// The limits of the store. The first two are the minimum that RFC 6265 section 6.1
// asks of browsers. Further cookies and origins are ignored.
const (
	maxCookies      = 50
	maxCookieLength = 4096
	maxOrigins      = 1000
)

// cookies stores the cookies of every origin and sends them to that origin only. The
// Domain attribute is ignored: it could only send a cookie to more hosts.
type cookies struct {
	mu       sync.Mutex
	byOrigin map[string][]cookie
}

type cookie struct {
	name, value, path string
	expires           time.Time // zero: lives as long as the client
}

func newCookies() *cookies {
	return &cookies{byOrigin: make(map[string][]cookie)}
}

// header returns the Cookie field for a target: cookies with longer paths first,
// then in order of arrival (RFC 6265 section 5.4).
func (c *cookies) header(to *target) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	kept := c.byOrigin[to.origin()]
	if len(kept) == 0 {
		return ""
	}
	now := time.Now()
	path, _, _ := strings.Cut(to.path, "?")
	var matching []cookie
	for _, one := range kept {
		if one.alive(now) && pathMatches(path, one.path) {
			matching = append(matching, one)
		}
	}
	slices.SortStableFunc(matching, func(a, b cookie) int { return len(b.path) - len(a.path) })
	pairs := make([]string, len(matching))
	for i, one := range matching {
		pairs[i] = one.name + "=" + one.value
	}
	return strings.Join(pairs, "; ")
}

// store stores the cookies that a response of the target sets.
func (c *cookies) store(from *target, header http.Header) {
	lines := header["Set-Cookie"]
	if len(lines) == 0 {
		return
	}
	now := time.Now()
	c.mu.Lock()
	defer c.mu.Unlock()
	origin := from.origin()
	if _, known := c.byOrigin[origin]; !known && len(c.byOrigin) >= maxOrigins {
		return
	}
	kept := c.byOrigin[origin]
	for _, line := range lines {
		if one, ok := parseCookie(line, from, now); ok {
			kept = replace(kept, one, now)
		}
	}
	if len(kept) == 0 {
		delete(c.byOrigin, origin)
		return
	}
	c.byOrigin[origin] = kept
}

func parseCookie(line string, from *target, now time.Time) (cookie, bool) {
	if len(line) > maxCookieLength {
		return cookie{}, false
	}
	set, err := http.ParseSetCookie(line)
	if err != nil || set.Secure && from.scheme != "https" {
		return cookie{}, false
	}
	one := cookie{name: set.Name, value: set.Value, path: set.Path, expires: set.Expires}
	if set.Quoted {
		one.value = `"` + set.Value + `"`
	}
	if !strings.HasPrefix(one.path, "/") {
		one.path = defaultPath(from.path)
	}
	switch {
	case set.MaxAge > 0:
		one.expires = now.Add(min(time.Duration(set.MaxAge), 400*24*3600) * time.Second)
	case set.MaxAge < 0:
		one.expires = now
	}
	return one, true
}

// replace stores a cookie in place of the one with the same name and path, or at the
// end, and removes expired ones.
func replace(kept []cookie, one cookie, now time.Time) []cookie {
	at := slices.IndexFunc(kept, func(old cookie) bool { return old.name == one.name && old.path == one.path })
	switch {
	case at >= 0:
		kept[at] = one
	case len(kept) < maxCookies:
		kept = append(kept, one)
	}
	return slices.DeleteFunc(kept, func(old cookie) bool { return !old.alive(now) })
}

func (c *cookie) alive(now time.Time) bool {
	return c.expires.IsZero() || now.Before(c.expires)
}

// defaultPath returns the path of a cookie that has none (RFC 6265 section 5.1.4).
func defaultPath(path string) string {
	path, _, _ = strings.Cut(path, "?")
	if last := strings.LastIndexByte(path, '/'); last > 0 {
		return path[:last]
	}
	return "/"
}

// pathMatches reports whether a cookie is sent to a path (RFC 6265 section 5.1.4).
func pathMatches(path, cookiePath string) bool {
	rest, ok := strings.CutPrefix(path, cookiePath)
	return ok && (rest == "" || rest[0] == '/' || strings.HasSuffix(cookiePath, "/"))
}
