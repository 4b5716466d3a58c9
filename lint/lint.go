package lint

import (
	"context"
	"errors"
	"io"
	"iter"
	"sync/atomic"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/internal/fetch"
)

// Linter checks sitemaps. Several goroutines may use it at the same time.
type Linter struct {
	options   Options
	selection *selection
	client    *fetch.Client // of all requests
	stdin     *input
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
	client, err := fetch.New(&fetch.Options{Access: o.Source.Access, PerHost: o.Concurrency, Types: imageTypes})
	if err != nil {
		return nil, err
	}
	o.Source.Access = access.Access{Transport: client.Stream(nil)}
	return &Linter{o, s, client, &input{reader: o.Source.Stdin}}, nil
}

// Check yields the findings in the sitemaps that the sources lead to, as
// [source.Sitemaps] follows them: file by file, each file's by line, then those
// about the whole set, and then those about what the site answers. An error says what
// could not be checked although no rule is broken, such as a folder without sitemaps or
// the end of ctx. It comes last. Options.Source.Stdin can be checked once.
//
// [source.Sitemaps]: https://pkg.go.dev/github.com/mapatools/mapa/source#Sitemaps
func (l *Linter) Check(ctx context.Context, sources ...string) iter.Seq2[Finding, error] {
	return l.findings(ctx, sources, l.stdin)
}

// CheckReader yields the findings in one sitemap, or in an index and what it leads to, as
// Check does. [Finding.File] is "-". Set [Options.BaseURL] to the address where the
// sitemap will be published. The findings can be iterated over once.
func (l *Linter) CheckReader(ctx context.Context, r io.Reader) iter.Seq2[Finding, error] {
	return l.findings(ctx, []string{stdinName}, &input{reader: r})
}

func (l *Linter) findings(ctx context.Context, sources []string, in *input) iter.Seq2[Finding, error] {
	return func(yield func(Finding, error) bool) {
		ended := false
		err := l.run(ctx, sources, in, func(f *Finding) bool {
			ended = !yield(*f, nil)
			return !ended
		})
		if err != nil && !ended {
			yield(Finding{}, err)
		}
	}
}

// stdinName is the source that means standard input.
const stdinName = "-"

// An input is what is read for stdinName. It can be read once.
type input struct {
	reader io.Reader // nil is empty
	taken  atomic.Bool
}

var errInputTaken = errors.New("standard input was read by an earlier check")

// take returns the reader, or an error when it was taken before.
func (i *input) take() (io.Reader, error) {
	if i.reader != nil && i.taken.Swap(true) {
		return nil, errInputTaken
	}
	return i.reader, nil
}
