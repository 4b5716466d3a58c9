package publish

import (
	"regexp"
	"slices"

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
	if i := r.index(loc); i >= 0 {
		return r[i].Value, true
	}
	return value, false
}

// index returns the position of the first rule that matches, or -1.
func (r Rules[T]) index(loc string) int {
	if len(r) == 0 {
		return -1
	}
	_, path := urlnorm.CutOrigin(loc)
	return slices.IndexFunc(r, func(rule Rule[T]) bool {
		return rule.Pattern.MatchString(path) || rule.Pattern.MatchString(loc)
	})
}
