// Package run applies the rules to the files that sources lead to: it opens the
// files, feeds their entries to the rules, to the set and to the sample, and
// delivers the findings in order.
package run

import (
	"iter"
	"time"

	"github.com/mapatools/mapa/lint/internal/live"
	"github.com/mapatools/mapa/lint/internal/pageset"
	"github.com/mapatools/mapa/lint/internal/rule"
	"github.com/mapatools/mapa/source"
)

// Options are those of lint.Options, which see.
type Options struct {
	rule.Options
	Enable, Disable []string
	Severity        map[string]rule.Severity
	MaxPerRule      int
	Memory          int64
	BaseURL         string
	Source          source.Options
	OnFile          func(file string, err error)
	OnCount         func(source string, pages int)
	Previous        map[string]int
	Crawled         iter.Seq2[pageset.CrawledPage, error]
	Live            live.Site
	Sample          int
	Concurrency     int
}

const (
	defaultMaxPerRule  = 10
	defaultMemory      = 144 << 20
	defaultSample      = 200
	defaultConcurrency = 8
)

func (o Options) withDefaults() Options {
	if o.Engines == 0 {
		o.Engines = rule.EngineSitemapsOrg
	}
	if o.MaxPerRule == 0 {
		o.MaxPerRule = defaultMaxPerRule
	}
	if o.Memory == 0 {
		o.Memory = defaultMemory
	}
	if o.Sample == 0 {
		o.Sample = defaultSample
	}
	if o.Concurrency <= 0 {
		o.Concurrency = defaultConcurrency
	}
	return o
}

// Checker checks sources with the same options. Several goroutines may use it.
type Checker struct {
	options   Options
	selection *selection
}

// New returns a checker. The error names an unknown rule.
func New(options Options) (*Checker, error) {
	options = options.withDefaults()
	s, err := newSelection(&options)
	if err != nil {
		return nil, err
	}
	return &Checker{options, s}, nil
}

// now is the time that dates are compared with.
func (o *Options) now() time.Time {
	if o.Now.IsZero() {
		return time.Now()
	}
	return o.Now
}
