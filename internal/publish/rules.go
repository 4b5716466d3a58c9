package publish

import (
	"regexp"
	"strings"
)

// Rules assign a value to pages by URL. The first rule that matches wins.
type Rules[T any] []Rule[T]

// Rule assigns a value to the pages whose path with query, or whole URL, matches.
type Rule[T any] struct {
	Pattern *regexp.Regexp
	Value   T
}

func (r Rules[T]) find(loc string) (value T, found bool) {
	if len(r) == 0 {
		return value, false
	}
	path := pathOf(loc)
	for _, rule := range r {
		if rule.Pattern.MatchString(path) || rule.Pattern.MatchString(loc) {
			return rule.Value, true
		}
	}
	return value, false
}

// splitURL returns the origin of a URL and its path with query.
func splitURL(loc string) (origin, path string) {
	host := strings.Index(loc, "://") + len("://")
	if i := strings.IndexAny(loc[host:], "/?#"); i >= 0 {
		host, path = host+i, loc[host+i:]
	} else {
		host = len(loc)
	}
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return loc[:host], path
}

// pathOf returns the path of a URL with its query.
func pathOf(loc string) string {
	_, path := splitURL(loc)
	return path
}

// hostOf returns the host of a URL with its port.
func hostOf(loc string) string {
	origin, _ := splitURL(loc)
	_, host, _ := strings.Cut(origin, "://")
	return host
}
