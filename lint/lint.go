package lint

import (
	"context"
	"iter"
)

// Linter checks sitemaps. Several goroutines may use it at the same time.
type Linter struct {
	options   Options
	selection *selection
}

// New returns a linter with options, which it copies. A nil options is the zero
// value: the protocol's own rules. The error says which option is wrong, such as
// an unknown rule.
func New(options *Options) (*Linter, error) {
	var o Options
	if options != nil {
		o = *options
	}
	if err := o.validate(); err != nil {
		return nil, err
	}
	o = o.withDefaults()
	s, err := newSelection(&o)
	if err != nil {
		return nil, err
	}
	return &Linter{o, s}, nil
}

// Check yields the findings in the sitemaps that the sources lead to, as
// [source.Sitemaps] follows them: file by file, each file's by line, then those
// about the whole set, and then those about what the site answers. A folder means
// the sitemaps in it. An error says what could not be checked although no rule is
// broken, such as a folder without sitemaps or the end of ctx. It comes last.
//
// [source.Sitemaps]: https://pkg.go.dev/github.com/mapatools/mapa/source#Sitemaps
func (l *Linter) Check(ctx context.Context, sources ...string) iter.Seq2[Finding, error] {
	return func(yield func(Finding, error) bool) {
		ended := false
		err := l.run(ctx, sources, func(f *Finding) bool {
			ended = !yield(*f, nil)
			return !ended
		})
		if err != nil && !ended {
			yield(Finding{}, err)
		}
	}
}
