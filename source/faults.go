package source

import (
	"errors"
	"fmt"

	"github.com/mapatools/mapa/sitemap"
)

// A faultList collects the errors of one index: the first of each kind, and the number
// of the others.
type faultList struct {
	count int
	mixed bool // entries of both kinds
	first []error
	kinds []faultKind
}

// A faultKind is what errors have in common that are counted together.
type faultKind struct {
	reason  error
	of      sitemap.FaultKind
	further int // errors that were not kept
	kept    int
}

func (l *faultList) add(err error) {
	l.count++
	kind := l.kind(err)
	if kind.kept == maxFaults {
		kind.further++
		return
	}
	kind.kept++
	l.first = append(l.first, err)
}

// kind returns the kind of an error.
func (l *faultList) kind(err error) *faultKind {
	var reason error
	for _, one := range [...]error{ErrOtherHost, ErrOpen, ErrTooMany} {
		if errors.Is(err, one) {
			reason = one
			break
		}
	}
	var fault *sitemap.Fault
	var of sitemap.FaultKind
	if errors.As(err, &fault) {
		of = fault.Kind
	}
	for i := range l.kinds {
		if kind := &l.kinds[i]; kind.reason == reason && kind.of == of {
			return kind
		}
	}
	l.kinds = append(l.kinds, faultKind{reason: reason, of: of})
	return &l.kinds[len(l.kinds)-1]
}

// err returns all of it as one error, or nil.
func (l *faultList) err() error {
	all := l.first
	for _, kind := range l.kinds {
		switch {
		case kind.further == 0:
		case kind.reason != nil:
			all = append(all, fmt.Errorf("%d more entries: %w", kind.further, kind.reason))
		default:
			all = append(all, fmt.Errorf("%d more entries with errors", kind.further))
		}
	}
	if l.mixed {
		all = append(all, ErrMixed)
	}
	return errors.Join(all...)
}
