package lint

import (
	"bytes"

	"github.com/mapatools/mapa/lint/internal/scan"
)

// statistics count what can be judged only of a whole file.
type statistics struct {
	entries  int         // pages and sitemaps, with the one that is being checked
	seen     scan.Traits // of all entries together
	articles int         // news of all entries

	pages           int
	traits          scan.Traits // of all pages together
	dated           int         // pages with a lastmod
	firstDate       []byte
	equalDates      int   // pages whose lastmod is FirstDate, up to the first other one
	oldest, newest  int64 // usual dates, in seconds since 1970
	withChangeFreq  int
	withPriority    int
	firstPriority   []byte
	equalPriorities int // pages whose priority is FirstPriority, up to the first other one
}

// count adds an entry after its checks.
func (s *statistics) count(e *scan.Entry) {
	s.seen |= e.Traits
	if e.Traits&scan.HasNews != 0 {
		s.articles += len(e.Parsed().News)
	}
	if e.IsSitemap() {
		return
	}
	s.pages++
	s.traits |= e.Traits
	if e.LastMod != nil {
		if s.dated == 0 {
			s.firstDate = bytes.Clone(e.LastMod)
		}
		if s.equalDates == s.dated && bytes.Equal(e.LastMod, s.firstDate) {
			s.equalDates++
		}
		if e.Traits&scan.UnusualLastMod == 0 {
			s.addDate(e.Modified)
		}
		s.dated++
	}
	if e.ChangeFreq != nil {
		s.withChangeFreq++
	}
	if e.Priority != nil {
		if s.withPriority == 0 {
			s.firstPriority = bytes.Clone(e.Priority)
		}
		if s.equalPriorities == s.withPriority && bytes.Equal(e.Priority, s.firstPriority) {
			s.equalPriorities++
		}
		s.withPriority++
	}
}

func (s *statistics) addDate(seconds int64) {
	if s.newest == 0 {
		s.oldest, s.newest = seconds, seconds
	}
	s.oldest, s.newest = min(s.oldest, seconds), max(s.newest, seconds)
}
