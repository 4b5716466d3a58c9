package lint

import (
	"net/http"
	"time"

	"github.com/mapatools/mapa/internal/extract"
)

// A modification is the time when a page was modified, zero where it is unknown, and
// where that is written.
type modification struct {
	time   time.Time
	source Text
}

// sameTime is how close to the time of the answer a Last-Modified is taken to be
// generated with it.
const sameTime = time.Minute

// modifiedOf prefers the page to the header. A Last-Modified that is the time of
// the answer is ignored.
func modifiedOf(page *extract.Page, header http.Header) modification {
	anything := func(extract.DateSource, time.Time) bool { return true }
	if at, source, ok := page.Modified(anything); ok {
		return modification{at.Time, newText("rule.lastmod-differs.page", source.String())}
	}
	modified, err := http.ParseTime(header.Get("Last-Modified"))
	if err != nil {
		return modification{}
	}
	if answered, err := http.ParseTime(header.Get("Date")); err == nil && answered.Sub(modified).Abs() < sameTime {
		return modification{}
	}
	return modification{modified, newText("rule.lastmod-differs.header")}
}
