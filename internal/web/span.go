package web

import (
	"time"

	"github.com/mapatools/mapa/internal/catalog"
)

// spans are the units of a span of time in words, with the length up to which each is used.
var spans = []struct {
	unit, upTo time.Duration
	key        string
}{
	{time.Second, 90 * time.Second, "web.span.seconds"}, {time.Minute, 90 * time.Minute, "web.span.minutes"},
	{time.Hour, 36 * time.Hour, "web.span.hours"}, {day, 1<<63 - 1, "web.span.days"},
}

// spanText returns a span of time in words, such as "30 seconds", rounded up to its unit.
func spanText(c *catalog.Catalog, d time.Duration) string {
	for _, s := range spans {
		if d <= s.upTo {
			return c.Plural(s.key, int64((d+s.unit-1)/s.unit))
		}
	}
	return ""
}
