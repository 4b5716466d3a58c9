package publish

import (
	"regexp"
	"strings"
)

// Rules give a value to pages by their address. The first that matches counts.
type Rules[T any] []Rule[T]

// A Rule gives a value to the pages whose path with query, or whose whole address,
// matches.
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

// pathOf returns what follows the host of an address.
func pathOf(loc string) string {
	_, rest, _ := strings.Cut(loc, "://")
	if i := strings.IndexByte(rest, '/'); i >= 0 {
		return rest[i:]
	}
	return "/"
}

// hostOf returns the host of an address, with its port.
func hostOf(loc string) string {
	_, rest, _ := strings.Cut(loc, "://")
	host, _, _ := strings.Cut(rest, "/")
	return host
}
