package lint

import (
	"net/http"
	"time"

	"github.com/mapatools/mapa/internal/extract"
)

// A dated is when a page was modified, and who says so; zero where nobody does.
type dated struct {
	at     time.Time
	source string
}

// sameTime is how far a Last-Modified may be from the time of the answer and still
// be made for it.
const sameTime = time.Minute

// modifiedOf trusts the page before the header. A Last-Modified that is the time
// of the answer says nothing.
func modifiedOf(page *extract.Page, header http.Header) dated {
	anything := func(extract.DateSource, time.Time) bool { return true }
	if at, source, ok := page.Modified(anything); ok {
		return dated{at.Time, "the page (" + source.String() + ")"}
	}
	modified, err := http.ParseTime(header.Get("Last-Modified"))
	if err != nil {
		return dated{}
	}
	if answered, err := http.ParseTime(header.Get("Date")); err == nil && answered.Sub(modified).Abs() < sameTime {
		return dated{}
	}
	return dated{modified, "Last-Modified"}
}
