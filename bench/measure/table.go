package measure

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// PrintTable prints Markdown that reads well as plain text; the first line is
// the head.
func PrintTable(w io.Writer, lines [][]string) {
	widths := make([]int, len(lines[0]))
	for _, cells := range lines {
		for i, cell := range cells {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for i, cells := range lines {
		fmt.Fprintf(w, "| %-*s |", widths[0], cells[0])
		for column, cell := range cells[1:] {
			fmt.Fprintf(w, " %*s |", widths[column+1], cell)
		}
		fmt.Fprintln(w)
		if i == 0 {
			fmt.Fprint(w, "|", strings.Repeat("-", widths[0]+2), "|")
			for _, width := range widths[1:] {
				fmt.Fprint(w, strings.Repeat("-", width+1), ":|")
			}
			fmt.Fprintln(w)
		}
	}
}
