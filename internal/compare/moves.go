package compare

import (
	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/page"
)

const (
	// maxMoves is how many addresses are remembered at most to find where pages went.
	maxMoves = 250_000
	// maxSources is how many old addresses may lead to a page, unless it has their content: more are a redirect that was
	// made for want of a better one.
	maxSources = 3
	// maxHops is how many redirects in a row lead to where a page went.
	maxHops = 5
)

// moves find where pages went: to the end of a permanent redirect, or to a new address with exactly their content.
type moves struct {
	new     *Side
	targets map[uint64]int // hashes of the ends of permanent redirects: how many pages lead there
	gone    map[uint64]int // digests of pages that are gone: how many have it
	come    map[uint64]newPage
}

// newPage is a new page with a digest.
type newPage struct {
	offset int64 // of its change
	pages  int   // that have the digest
}

// note notes a change that may be a part of a move.
func (m *moves) note(change *found, offset int64) {
	if len(m.targets)+len(m.gone)+len(m.come) >= maxMoves {
		return
	}
	switch {
	case change.Kind == KindLeftSitemap && change.New.isPermanentRedirect():
		m.targets[hashOf(change.New.Target)]++
	case change.Digest == 0:
	case change.Kind == KindRemoved:
		m.gone[change.Digest]++
	case change.Kind == KindNew:
		m.come[change.Digest] = newPage{offset, m.come[change.Digest].pages + 1}
	}
}

// resolve makes a change the move of a page if it is one.
func (m *moves) resolve(change *found, all *rowFile) error {
	switch {
	case change.Kind == KindLeftSitemap && change.New.isPermanentRedirect():
		end, known, err := m.endOf(change.New.Target)
		if err != nil || !known || !page.IsListed(&end) {
			return err
		}
		hasContent := change.Digest != 0 && end.Page.Digest == change.Digest
		isStart := end.Link.URL == m.new.crawl.Meta().Start // where sites send what they have no other page for
		sources := m.targets[hashOf(change.New.Target)]
		if hasContent || !isStart && sources > 0 && sources <= maxSources {
			change.Kind, change.MovedTo = KindMoved, end.Link.URL
		}
	case change.Kind == KindRemoved && m.isOnlyCopy(change.Digest):
		to, _, err := all.at(m.come[change.Digest].offset)
		if err != nil {
			return err
		}
		change.Kind, change.MovedTo = KindMoved, to.URL
	}
	return nil
}

// isOnlyCopy reports whether exactly one page that is gone and exactly one new page have a digest.
func (m *moves) isOnlyCopy(digest uint64) bool {
	return digest != 0 && m.gone[digest] == 1 && m.come[digest].pages == 1
}

// endOf returns the page at the end of permanent redirects, or false where the new side does not know it.
func (m *moves) endOf(url string) (end crawl.Record, known bool, err error) {
	if m.new.isList() {
		return end, false, nil
	}
	end, known, err = m.new.crawl.PageByURL(url)
	for range maxHops {
		if err != nil || !known || end.Page.Reason != crawl.ReasonRedirect || end.Page.Target == 0 {
			return end, known, err
		}
		end, known, err = m.new.crawl.Page(end.Page.Target)
	}
	return end, false, err
}
