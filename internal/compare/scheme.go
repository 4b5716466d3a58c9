package compare

import (
	"context"
	"iter"
	"strings"

	"github.com/mapatools/mapa/internal/urlnorm"
)

// Align makes the sides of one site comparable that differ in the scheme of all URLs: the old
// side is compared as if it had that of the new one. It returns both schemes, or false where
// there is nothing to align.
func (c *Comparison) Align() (old, new string, aligned bool) {
	old, oldHost, found := strings.Cut(c.Old.origin(), "://")
	new, newHost, foundToo := strings.Cut(c.New.origin(), "://")
	if !found || !foundToo || oldHost != newHost || old == new {
		return "", "", false
	}
	c.Old.scheme, c.Old.aligned = old+"://", new+"://"
	return old, new, true
}

// origin returns the origin of a site, or "" where it has several.
func (s *Side) origin() string {
	if s.crawl != nil {
		return urlnorm.Origin(s.crawl.Meta().Start)
	}
	return s.listed.origin
}

// A listedOrigin is the origin of the first URL of a sitemap, as long as all have its scheme.
type listedOrigin struct {
	origin, scheme string
	mixed          bool
}

func (o *listedOrigin) add(address []byte) {
	switch {
	case o.mixed:
	case o.scheme == "":
		o.origin = urlnorm.Origin(string(address))
		o.scheme, _, _ = strings.Cut(o.origin, ":")
		o.mixed = o.scheme == ""
	case !strings.HasPrefix(string(address[:min(len(address), len(o.scheme)+1)]), o.scheme+":"):
		o.origin, o.mixed = "", true
	}
}

// alignedStates returns the states of all URLs in order, with the aligned scheme. URLs that
// have it already, of other sites, are merged with the others.
func (s *Side) alignedStates(ctx context.Context) iter.Seq2[*State, error] {
	return func(yield func(*State, error) bool) {
		moved, stopMoved := iter.Pull2(s.filtered(ctx, true))
		defer stopMoved()
		rest, stopRest := iter.Pull2(s.filtered(ctx, false))
		defer stopRest()
		a, errA, haveA := moved()
		b, errB, haveB := rest()
		for haveA || haveB {
			if haveA && (errA != nil || !haveB || errB == nil && a.URL <= b.URL) {
				if haveB && errB == nil && a.URL == b.URL {
					b, errB, haveB = rest() // the same URL by both schemes
				}
				if !yield(a, errA) {
					return
				}
				a, errA, haveA = moved()
				continue
			}
			if !yield(b, errB) {
				return
			}
			b, errB, haveB = rest()
		}
	}
}

// filtered returns the states of the URLs that have the scheme to be aligned, aligned, or
// those of the others.
func (s *Side) filtered(ctx context.Context, moved bool) iter.Seq2[*State, error] {
	return func(yield func(*State, error) bool) {
		for state, err := range s.ownStates(ctx) {
			if err == nil && strings.HasPrefix(state.URL, s.scheme) != moved {
				continue
			}
			if err == nil {
				state.URL, state.Target = s.align(state.URL), s.align(state.Target)
			}
			if !yield(state, err) {
				return
			}
		}
	}
}

// align returns a URL of the side with the aligned scheme.
func (s *Side) align(address string) string {
	if rest, found := strings.CutPrefix(address, s.scheme); found && s.scheme != "" {
		return s.aligned + rest
	}
	return address
}
