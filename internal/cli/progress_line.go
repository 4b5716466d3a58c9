package cli

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/format"
)

// A meter derives the rate of a crawl from its progress.
type meter struct {
	begun     bool
	pages     int           // when this run was first seen
	since     time.Duration // of this run, at that time
	elapsed   time.Duration // of the last progress
	nextPlain time.Duration // when the next line without a terminal is due
}

// Lines without a terminal come after firstPlain and then every plainInterval.
const (
	firstPlain    = 10 * time.Second
	plainInterval = 30 * time.Second
)

// update adds progress. Pages of earlier runs of a resumed crawl do not count.
func (m *meter) update(p *app.Progress) {
	if !m.begun || p.Elapsed < m.elapsed { // the next of several sites
		*m = meter{begun: true, nextPlain: firstPlain}
		if p.Resumed {
			m.pages, m.since = p.Pages, p.Elapsed
		}
	}
	m.elapsed = p.Elapsed
}

// perSecond returns the pages per second of this run, 0 while it is unknown.
func (m *meter) perSecond(p *app.Progress) float64 {
	if p.Elapsed <= m.since {
		return 0
	}
	return float64(p.Pages-m.pages) / (p.Elapsed - m.since).Seconds()
}

// line returns the progress in at most a number of columns: what matters less is left
// out first.
func (m *meter) line(p *app.Progress, c *catalog.Catalog, columns int) string {
	delay := ""
	if p.Delay >= time.Second {
		delay = c.Text("progress.delay", p.Delay)
	}
	if p.Reading != "" {
		before := c.Text("progress.reading", strconv.Itoa(p.Found)) + " "
		if delay != "" {
			before = delay + ", " + before
		}
		length := maxReading
		if columns > 0 {
			length = min(length, max(columns-1-len(before), 0))
		}
		return cutTo(before+format.Truncate(printable(p.Reading), length), columns)
	}
	rate, waiting := m.perSecond(p), p.Waiting
	pages := c.Text("progress.pages", strconv.Itoa(p.Pages))
	parts := []string{pages}
	if p.Total > 0 {
		waiting = max(p.Total-p.Pages, 0)
		parts[0] = fmt.Sprintf("%s %3d %%, %s", bar(p.Pages, p.Total), min(100*p.Pages/p.Total, 100), pages)
	}
	left := ""
	if rate > 0 && waiting > 0 {
		left = c.Text("progress.left", secondsOf(float64(waiting)/rate).Round(time.Second))
	}
	limited := ""
	if p.DefaultRate > 0 && secondsOf(float64(waiting)/p.DefaultRate) > longCrawl {
		limited = c.Text("progress.limited", fmt.Sprintf("%g", p.DefaultRate))
	}
	for _, part := range []string{
		delay, c.Text("progress.waiting", strconv.Itoa(p.Waiting)), left, limited,
		c.Text("progress.broken", strconv.Itoa(p.Broken)),
		c.Text("progress.rate", fmt.Sprintf("%.0f", rate)), c.Text("progress.found", strconv.Itoa(p.Found)),
	} {
		if part != "" && (columns <= 0 || len(strings.Join(append(parts, part), ", ")) < columns) {
			parts = append(parts, part)
		}
	}
	return cutTo(strings.Join(parts, ", "), columns)
}

// cutTo returns as much of a text as does not wrap in a number of columns.
func cutTo(text string, columns int) string {
	if columns > 0 && len(text) >= columns {
		return text[:columns-1]
	}
	return text
}

// longCrawl is the time from which the line names a faster rate.
const longCrawl = 10 * time.Minute

func secondsOf(seconds float64) time.Duration { return time.Duration(seconds * float64(time.Second)) }

// bar draws a share of a total.
func bar(done, total int) string {
	const width = 20
	filled := min(width*done/total, width)
	return "[" + strings.Repeat("=", filled) + strings.Repeat(" ", width-filled) + "]"
}

// plain returns the line for an output that is not a terminal, or "" when none is due.
func (m *meter) plain(p *app.Progress, c *catalog.Catalog) string {
	if p.Elapsed < m.nextPlain {
		return ""
	}
	m.nextPlain = p.Elapsed + plainInterval
	return m.line(p, c, 0)
}
