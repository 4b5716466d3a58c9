package view

import (
	"fmt"
	"strings"
	"time"

	"github.com/mapatools/mapa/internal/catalog"
)

// A TimeChart draws numbers over time on one axis, which begins at 0.
type TimeChart struct {
	Title, Description string
	Notes              []string
	Lines              []ChartLine
	Marks              []ChartMark // days on which something happened
	From, To           string      // the first and the last day
	Most               string      // the number at the upper end of the axis
}

// A ChartLine is a line of a chart.
type ChartLine struct {
	Name, Class  string
	First, Count string // the first number, and the last one
	Day          string // of the last number
	Line         string // points of an SVG polyline
	Dots         []ChartDot
}

// A ChartDot is a number of a line.
type ChartDot struct{ X, Y, Title string }

// A ChartMark is a day on the axis.
type ChartMark struct{ X, Title string }

// A Series is the numbers of a line, the oldest first.
type Series struct {
	Name   string
	Class  string // of the line, in the style sheet
	Points []SeriesPoint
}

// A SeriesPoint is a number at a time.
type SeriesPoint struct {
	Time  time.Time
	Count int64
}

// A ChartSize is the size of a chart in its own units. The margin is for the dots.
type ChartSize struct{ Width, Height, Margin float64 }

// ChartOfTime is the size of the template time-chart.
var ChartOfTime = ChartSize{640, 180, 8}

// maxDots is the number of points up to which a line has dots with their numbers.
const maxDots = 500

// NewTimeChart returns a chart of series with at least one point each, and of marks with a name. Marks before the first
// point or after the last one are left out.
func NewTimeChart(
	c *catalog.Catalog, size ChartSize, series []Series, marks []time.Time, mark string,
) *TimeChart {
	var from, to time.Time
	most := int64(1)
	for i := range series {
		for _, p := range series[i].Points {
			if from.IsZero() || p.Time.Before(from) {
				from = p.Time
			}
			if p.Time.After(to) {
				to = p.Time
			}
			most = max(most, p.Count)
		}
	}
	x := func(t time.Time) string {
		share := 0.5 // of points at the same time
		if span := to.Sub(from); span > 0 {
			share = float64(t.Sub(from)) / float64(span)
		}
		return fmt.Sprintf("%.1f", size.Margin+(size.Width-2*size.Margin)*share)
	}
	chart := &TimeChart{From: c.Date(from), To: c.Date(to), Most: c.Count(most)}
	for i := range series {
		chart.Lines = append(chart.Lines, series[i].line(c, size, most, x))
	}
	for _, t := range marks {
		if !t.Before(from) && !t.After(to) {
			chart.Marks = append(chart.Marks, ChartMark{x(t), c.Date(t) + ": " + mark})
		}
	}
	return chart
}

// line returns the line of a series, where x returns the place of a time.
func (s *Series) line(c *catalog.Catalog, size ChartSize, most int64, x func(time.Time) string) ChartLine {
	last := s.Points[len(s.Points)-1]
	line := ChartLine{
		Name: s.Name, Class: s.Class, First: c.Count(s.Points[0].Count), Count: c.Count(last.Count), Day: c.Date(last.Time),
	}
	var points []string
	for _, p := range s.Points {
		y := size.Margin + (size.Height-2*size.Margin)*(1-float64(p.Count)/float64(most))
		dot := ChartDot{x(p.Time), fmt.Sprintf("%.1f", y), c.Date(p.Time) + ": " + c.Count(p.Count)}
		points = append(points, dot.X+","+dot.Y)
		if len(s.Points) <= maxDots {
			line.Dots = append(line.Dots, dot)
		}
	}
	line.Line = strings.Join(points, " ")
	return line
}
