package lintreport

import "github.com/mapatools/mapa/lint"

// limiter shows the first findings of a group and counts the rest. The zero value
// shows none.
type limiter struct {
	limit  int // findings to show
	shown  int
	hidden int // findings that were only counted
}

// add counts a finding and reports whether to show it. A finding that summarizes
// others is not shown.
func (l *limiter) add(f *lint.Finding) bool {
	if l.shown == l.limit || f.More > 0 {
		l.hidden += f.Count()
		return false
	}
	l.shown++
	return true
}
