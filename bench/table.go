package main

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// A line of the table; what does not apply is empty.
type line struct {
	name     string
	required string
	measured string
	passed   string
	noise    string // smallest and largest ratio
	base     string // nanoseconds a URL
	cost     string // nanoseconds a URL
	allocs   string // a URL
}

// A table is what the program prints: Markdown that reads well as plain text.
type table struct{ lines [][]string }

func (t *table) add(l line) {
	t.lines = append(t.lines, []string{l.name, l.required, l.measured, l.passed, l.noise, l.base, l.cost, l.allocs})
}

func (t *table) print(w io.Writer) error {
	lines := append([][]string{
		{"work", "required", "measured", "passed", "min..max", "base ns/URL", "ns/URL", "allocs/URL"}}, t.lines...)
	widths := make([]int, len(lines[0]))
	for _, cells := range lines {
		for i, cell := range cells {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var out strings.Builder
	for i, cells := range lines {
		writeCells(&out, cells, widths)
		if i == 0 {
			writeRule(&out, widths)
		}
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// writeCells aligns the name left and all else right.
func writeCells(out *strings.Builder, cells []string, widths []int) {
	fmt.Fprintf(out, "| %-*s |", widths[0], cells[0])
	for i, cell := range cells[1:] {
		fmt.Fprintf(out, " %*s |", widths[i+1], cell)
	}
	out.WriteByte('\n')
}

func writeRule(out *strings.Builder, widths []int) {
	for i, width := range widths {
		end := ":"
		if i == 0 {
			end = "-"
		}
		fmt.Fprintf(out, "|%s%s", strings.Repeat("-", width+1), end)
	}
	out.WriteString("|\n")
}

// times formats a ratio; for 0 it is empty.
func times(ratio float64) string {
	switch {
	case ratio == 0:
		return ""
	case ratio < 10:
		return fmt.Sprintf("%.2f×", ratio)
	}
	return fmt.Sprintf("%.1f×", ratio)
}

// passedText says whether a figure is within its bound. Without a bound it is empty.
func passedText(required float64, passed bool) string {
	switch {
	case required == 0:
		return ""
	case passed:
		return "yes"
	}
	return "NO"
}
