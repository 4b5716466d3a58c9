package scope

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/urlnorm"
)

// Unused is the patterns of a scope that have matched no URL yet. They are often mistakes.
type Unused struct{ patterns []namedPattern }

type namedPattern struct {
	setting string
	*regexp.Regexp
}

// NewUnused returns the patterns of the include, exclude, no-list and add settings.
func NewUnused(s *crawl.Scope) *Unused {
	u := new(Unused)
	for _, list := range []struct {
		setting  string
		patterns []*regexp.Regexp
	}{{"include", s.Include}, {"exclude", s.Exclude}, {"no-list", s.NoList}, {"add", s.Add}} {
		for _, pattern := range list.patterns {
			u.patterns = append(u.patterns, namedPattern{list.setting, pattern})
		}
	}
	return u
}

// None reports whether every pattern has matched.
func (u *Unused) None() bool { return len(u.patterns) == 0 }

// See drops the patterns that match a URL.
func (u *Unused) See(address string) {
	if u.None() {
		return
	}
	_, path := urlnorm.CutOrigin(address)
	u.patterns = slices.DeleteFunc(u.patterns, func(p namedPattern) bool {
		return p.MatchString(path) || p.MatchString(address)
	})
}

// Say reports the patterns that match nothing, also those of sets that list no page, if there are any.
func (u *Unused) Say(a *app.App, sets []string) {
	var names []string
	for _, p := range u.patterns {
		names = append(names, fmt.Sprintf("%s %s", p.setting, p))
	}
	for _, set := range sets {
		names = append(names, "set "+set)
	}
	if names != nil {
		a.Notify("notice.unused", strings.Join(names, ", "))
	}
}
