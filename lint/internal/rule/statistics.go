package rule

import (
	"bytes"

	"github.com/mapatools/mapa/lint/internal/scan"
)

// Statistics count what can be judged only of a whole file.
type Statistics struct {
	Entries  int         // pages and sitemaps, with the one that is being checked
	Seen     scan.Traits // of all entries together
	Articles int         // news of all entries

	Pages           int
	Traits          scan.Traits // of all pages together
	Dated           int         // pages with a lastmod
	FirstDate       []byte
	EqualDates      int   // pages whose lastmod is FirstDate, up to the first other one
	Oldest, Newest  int64 // usual dates, in seconds since 1970
	WithChangeFreq  int
	WithPriority    int
	FirstPriority   []byte
	EqualPriorities int // pages whose priority is FirstPriority, up to the first other one
}

// Count adds an entry after its checks.
func (s *Statistics) Count(e *scan.Entry) {
	s.Seen |= e.Traits
	if e.Traits&scan.HasNews != 0 {
		s.Articles += len(e.Parsed().News)
	}
	if e.IsSitemap() {
		return
	}
	s.Pages++
	s.Traits |= e.Traits
	if e.LastMod != nil {
		if s.Dated == 0 {
			s.FirstDate = bytes.Clone(e.LastMod)
		}
		if s.EqualDates == s.Dated && bytes.Equal(e.LastMod, s.FirstDate) {
			s.EqualDates++
		}
		if e.Traits&scan.UnusualLastMod == 0 {
			s.addDate(e.Modified)
		}
		s.Dated++
	}
	if e.ChangeFreq != nil {
		s.WithChangeFreq++
	}
	if e.Priority != nil {
		if s.WithPriority == 0 {
			s.FirstPriority = bytes.Clone(e.Priority)
		}
		if s.EqualPriorities == s.WithPriority && bytes.Equal(e.Priority, s.FirstPriority) {
			s.EqualPriorities++
		}
		s.WithPriority++
	}
}

func (s *Statistics) addDate(seconds int64) {
	if s.Newest == 0 {
		s.Oldest, s.Newest = seconds, seconds
	}
	s.Oldest, s.Newest = min(s.Oldest, seconds), max(s.Newest, seconds)
}
