package problems

import (
	"fmt"
	"testing"

	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/source"
)

// TestProblems reports the first problems of each kind, and counts the others.
func TestProblems(t *testing.T) {
	reported, notices := 0, []string(nil)
	a := &app.App{OnEvent: func(event app.Event) {
		switch e := event.(type) {
		case app.Problem:
			reported++
		case app.Notice:
			notices = append(notices, e.Text)
		}
	}}
	p := Problems{App: a}
	for i := range 5000 {
		where := fmt.Sprintf("http://site.example/%d.xml", i)
		dead := fmt.Errorf("%w: %w", source.ErrOpen, &source.StatusError{Status: 404})
		p.Add(&source.Error{Location: where, Index: "index", Err: dead})
		if i%2 == 0 {
			p.Add(&source.Error{Location: where, Index: "index", Err: source.ErrOtherHost})
		}
	}
	p.Add(&source.Error{Location: "other", Err: source.ErrNoSitemap})
	if kept := p.End(); len(kept) != 21 || reported != 21 {
		t.Errorf("%d problems are reported and %d kept, want 21", reported, len(kept))
	}
	if len(notices) != 2 || notices[0] != "4990 more like this: the server answers 404 Not Found" ||
		notices[1] != "2490 more like this: it is on another host" {
		t.Errorf("notices %q", notices)
	}
}
