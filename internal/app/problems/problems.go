// Package problems reports what could not be read from sources, and counts alike problems
// after the first ones.
package problems

import (
	"errors"
	"maps"
	"slices"
	"strconv"
	"sync"

	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/sitemap"
	"github.com/mapatools/mapa/source"
)

// shownProblems is how many problems of one kind are reported. The others are counted.
const shownProblems = 10

// Problems reports what could not be read as events. It is safe for concurrent use.
type Problems struct {
	App    *app.App
	mutex  sync.Mutex
	kinds  map[problemKind]*kindCount
	sample []error // the problems that were reported
}

// problemKind is what problems of a kind have in common.
type problemKind struct {
	reason error             // one of sourceReasons, or nil
	status int               // of the server
	fault  sitemap.FaultKind // of the file
	listed bool              // an index or a robots.txt lists the file
}

// kindCount counts the problems of a kind.
type kindCount struct {
	order int // of the first one among the kinds
	count int
}

// sourceReasons are the reasons of a [source.Error], the particular ones first.
var sourceReasons = [...]error{
	source.ErrRedirect, source.ErrStalled, source.ErrOtherHost, source.ErrTooDeep, source.ErrTooMany, source.ErrMixed,
	source.ErrNoSitemap, source.ErrEmptyFolder, source.ErrOpen,
	// Of a row:
	ErrConflict, ErrDuplicate, ErrOutOfScope, source.ErrNoAddress, source.ErrLineTooLong, source.ErrNotLogLine,
	source.ErrQuote, source.ErrTooManyColumns, source.ErrControl, source.ErrEncoding, source.ErrFuture, source.ErrAncient,
	source.ErrDay, source.ErrFrequency, source.ErrPriority, source.ErrScheme, sitemap.ErrMissing, sitemap.ErrTooLong,
	sitemap.ErrTooShort, sitemap.ErrDate,
}

func kindOfProblem(err error) (k problemKind) {
	for _, reason := range sourceReasons {
		if errors.Is(err, reason) {
			k.reason = reason
			break
		}
	}
	var status *source.StatusError
	if errors.As(err, &status) {
		k.status = status.Status
	}
	var where *source.Error
	k.listed = errors.As(err, &where) && where.Index != ""
	var fault *sitemap.Fault
	if errors.As(err, &fault) {
		k.fault = fault.Kind
	}
	return k
}

// String describes the kind in a few words.
func (k problemKind) String() string {
	switch {
	case k.status != 0:
		return (&source.StatusError{Status: k.status}).Error()
	case k.reason != nil:
		return k.reason.Error()
	case k.fault != "":
		return string(k.fault)
	}
	return "other problems"
}

// Add reports a problem, unless there were enough of its kind.
func (p *Problems) Add(err error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	kind := kindOfProblem(err)
	of := p.kinds[kind]
	if of == nil {
		if p.kinds == nil {
			p.kinds = map[problemKind]*kindCount{}
		}
		of = &kindCount{order: len(p.kinds)}
		p.kinds[kind] = of
	}
	if of.count++; of.count <= shownProblems {
		p.sample = append(p.sample, err)
		p.App.Emit(app.Problem{Err: err})
	}
}

// End reports how many problems of every kind were not reported. It returns those that
// were.
func (p *Problems) End() []error {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	kinds := slices.SortedFunc(maps.Keys(p.kinds), func(a, b problemKind) int {
		return p.kinds[a].order - p.kinds[b].order
	})
	for _, kind := range kinds {
		if further := p.kinds[kind].count - shownProblems; further > 0 {
			p.App.Notify("notice.alike", strconv.Itoa(further), kind.String())
		}
	}
	return p.sample
}

// The reasons why a row is left out that are not in the row itself.
var (
	ErrDuplicate  = errors.New("listed before")
	ErrConflict   = errors.New("listed before with another lastmod, changefreq or priority, which counts")
	ErrOutOfScope = errors.New("outside the site")
)
