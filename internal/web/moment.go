package web

import (
	"fmt"
	"html/template"
	"net/http"
	"slices"
	"time"

	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/format"
)

// catalogOf returns the catalog for the answer to a request.
func catalogOf(r *http.Request) *catalog.Catalog { return localCatalog(languageOf(r)) }

// localCatalog returns the catalog of a language with times of the zone of the server, in
// which cron expressions are read too. It is that of the variable TZ, if that is set.
func localCatalog(l catalog.Language) *catalog.Catalog { return catalog.For(l).In(time.Local) }

// moment returns the element of a time, which a script shows in the zone of the browser.
func moment(c *catalog.Catalog, t time.Time) template.HTML {
	return timeElement(t, "", c.Time(t))
}

// ago returns the element of a time in a list: how long ago it was or until it comes, up to a week, or else its day.
func ago(c *catalog.Catalog, t, now time.Time) template.HTML {
	text := c.Date(t)
	switch span := now.Sub(t); {
	case span.Abs() > 7*day:
	case span < -time.Minute:
		text = c.Text("web.soon", spanText(c, -span))
	case span < 90*time.Second:
		text = c.Text("web.ago.now")
	default:
		text = c.Text("web.ago", spanText(c, span))
	}
	return timeElement(t, c.Time(t), text)
}

func timeElement(t time.Time, title, text string) template.HTML {
	if title != "" {
		title = ` title="` + template.HTMLEscapeString(title) + `"`
	}
	return template.HTML(fmt.Sprintf("<time datetime=%q%s>%s</time>", t.UTC().Format(time.RFC3339), title,
		template.HTMLEscapeString(text)))
}

// markup returns a text. Each argument that is a time becomes an element.
func markup(c *catalog.Catalog, key string, arguments ...any) template.HTML {
	for i, argument := range arguments {
		if t, is := argument.(time.Time); is {
			arguments[i] = moment(c, t)
		} else {
			arguments[i] = template.HTMLEscapeString(format.Printable(fmt.Sprint(argument)))
		}
	}
	return template.HTML(fmt.Sprintf(template.HTMLEscapeString(c.Text(key)), arguments...))
}

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

// exactSpan returns a span of time in words, in the largest unit that it has at least two of.
func exactSpan(c *catalog.Catalog, d time.Duration) string {
	for _, s := range slices.Backward(spans) {
		if d%s.unit == 0 && d >= 2*s.unit {
			return c.Plural(s.key, int64(d/s.unit))
		}
	}
	return c.Duration(d)
}
