package compare

import (
	"context"
	"iter"
)

// Recorded makes the pages that a sitemap listed earlier a side. pages yields them in the
// order of the bytes of their URLs, with lastmod and, where it is known, the digest.
func Recorded(location string, pages iter.Seq2[State, error]) *Side {
	return &Side{Location: location, recorded: pages, complete: true}
}

// recordedStates returns the states of a recorded side.
func (s *Side) recordedStates() iter.Seq2[*State, error] {
	return func(yield func(*State, error) bool) {
		for page, err := range s.recorded {
			listed := listedState(page.URL, page.LastMod)
			listed.Digest = page.Digest
			if !yield(&listed, err) || err != nil {
				return
			}
		}
	}
}

// Listed returns the states of the URLs that the side lists, ordered by the bytes of the
// URLs. The first error ends the sequence.
func (s *Side) Listed(ctx context.Context) iter.Seq2[*State, error] {
	return func(yield func(*State, error) bool) {
		for state, err := range s.states(ctx) {
			if err == nil && state.Decision != Listed {
				continue
			}
			if !yield(state, err) || err != nil {
				return
			}
		}
	}
}
