package publish

import (
	"regexp"

	"github.com/mapatools/mapa/internal/urlnorm"
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
	_, path := urlnorm.CutOrigin(loc)
	for _, rule := range r {
		if rule.Pattern.MatchString(path) || rule.Pattern.MatchString(loc) {
			return rule.Value, true
		}
	}
	return value, false
}
