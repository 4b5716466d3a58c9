package store

import (
	"database/sql/driver"
	"encoding/json"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/sqlite"
)

// factColumns are the columns of fetch f with the facts of a page, in order.
const factColumns = "f.description, f.h1, f.images, f.images_without_alt, f.parts, f.open_graph, f.og_type, f.json_ld, f.needs_script, f.faults"

// factCount is the number of factColumns, and fetchCount that of fetchColumns.
const (
	factCount  = 10
	fetchCount = 31 + factCount
)

// factValues returns the values of factColumns. All are null when the facts are not known.
func factValues(f *crawl.Facts) (values [factCount]driver.Value, err error) {
	if f == nil {
		return values, nil
	}
	faults, err := encodeFaults(f.Faults)
	return [...]driver.Value{
		nullable(f.Description), nullable(f.H1), int64(f.Images), int64(f.ImagesWithoutAlt), int64(f.Parts),
		int64(f.OpenGraph), nullable(f.OpenGraphType), nullable(f.JSONLD), int64(flag(f.NeedsScript, 1)), faults,
	}, err
}

// factsOf reads what factValues returned, from column i on.
func factsOf(r sqlite.Row, i int) *crawl.Facts {
	if r[i+3] == nil {
		return nil
	}
	return &crawl.Facts{
		Description: r.Text(i), H1: r.Text(i + 1), Images: r.Count(i + 2), ImagesWithoutAlt: r.Count(i + 3),
		Parts: crawl.Parts(r.Number(i + 4)), OpenGraph: crawl.OpenGraph(r.Number(i + 5)), OpenGraphType: r.Text(i + 6),
		JSONLD: r.Text(i + 7), NeedsScript: r.Number(i+8) != 0, Faults: decodeFaults(r.Text(i + 9)),
	}
}

// encodeFaults returns JSON, or null without faults.
func encodeFaults(faults []crawl.Fault) (driver.Value, error) {
	if len(faults) == 0 {
		return nil, nil
	}
	encoded, err := json.Marshal(faults)
	return string(encoded), err
}

// decodeFaults reads what encodeFaults wrote. It returns nil for anything else.
func decodeFaults(encoded string) []crawl.Fault {
	var faults []crawl.Fault
	if encoded == "" || json.Unmarshal([]byte(encoded), &faults) != nil {
		return nil
	}
	return faults
}

// day returns a day as text, or null for the zero time.
func day(at time.Time) driver.Value {
	if at.IsZero() {
		return nil
	}
	return at.Format(time.DateOnly)
}

// dayOf reads what day returned. It returns the zero time for anything else.
func dayOf(text string) time.Time {
	at, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return time.Time{}
	}
	return at
}

// nullable returns null for "", which takes no space.
func nullable(s string) driver.Value {
	if s == "" {
		return nil
	}
	return s
}
