package sitemaphttp

import (
	"net/http"
	"strings"
	"time"
)

// etag returns the entity tag of a version: weak, since its encodings share it.
func (s *state) etag() string { return `W/"` + s.tag + `"` }

// isNotModified reports whether the client has this version already (RFC 9110,
// section 13.2.2): If-Modified-Since counts without If-None-Match only.
func (s *state) isNotModified(header http.Header, now time.Time) bool {
	if tags := header.Values("If-None-Match"); len(tags) > 0 {
		return matches(tags, s.tag)
	}
	since, err := http.ParseTime(header.Get("If-Modified-Since"))
	return err == nil && s.isDated(now) && !s.modified.Truncate(time.Second).After(since)
}

// isDated reports whether the version has a Last-Modified, which must not be in the
// future (RFC 9110, section 8.8.2.1); it is when the clock was set back.
func (s *state) isDated(now time.Time) bool { return !s.modified.Truncate(time.Second).After(now) }

// matches reports whether a list of entity tags has the tag or is "*". Weak and
// strong tags are compared alike (RFC 9110, section 13.1.2).
func matches(lines []string, tag string) bool {
	for _, line := range lines {
		rest := strings.TrimSpace(line)
		if rest == "*" {
			return true
		}
		for rest != "" {
			rest = strings.TrimPrefix(strings.TrimLeft(rest, " \t,"), "W/")
			opaque, found := strings.CutPrefix(rest, `"`)
			if !found {
				break
			}
			var one string
			if one, rest, found = strings.Cut(opaque, `"`); found && one == tag {
				return true
			}
		}
	}
	return false
}
