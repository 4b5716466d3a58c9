package lint

import "encoding"

// Subject is what a rule judges. The zero value is SubjectSitemap.
type Subject uint8

// The subjects. All but SubjectSitemap are of a crawl.
const (
	SubjectSitemap Subject = iota // a sitemap, or the pages that it lists
	SubjectPage                   // a crawled URL
	SubjectLink                   // a link: a page and the URL that it leads to
	SubjectHost                   // a host that was crawled
	SubjectSite                   // the crawl as a whole
)

var subjectNames = [...]string{"sitemap", "page", "link", "host", "site"}

var _ encoding.TextMarshaler = Subject(0)

// String returns the name of the subject in lower case.
func (s Subject) String() string { return subjectNames[s] }

// MarshalText returns the name.
func (s Subject) MarshalText() ([]byte, error) { return []byte(s.String()), nil }
