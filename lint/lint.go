package lint

import (
	"context"
	"iter"
	"time"

	"github.com/mapatools/mapa/source"
)

// Options say what to check. The zero value applies the protocol's own rules to
// what the sources list.
type Options struct {
	// Engines are the rule sets to apply. The protocol's rules always belong to
	// them, but where SitemapsOrg is not named, an engine that is decides how
	// severe a breach is, as [Rule.Overlay] says.
	Engines Engines
	// Enable and Disable are IDs of rules. Enable, when not empty, leaves only
	// those that it names, whatever the engines; Disable wins.
	Enable, Disable []string
	// Severity replaces that of a rule, by its ID.
	Severity map[string]Severity
	// BaseURL is where files and standard input will be published: a file's
	// address is its name, resolved against it. Without it nothing is known of
	// where they lie, and their pages are only compared with each other.
	BaseURL string
	// VerifiedHosts are hosts whose pages the sitemaps may list wherever they lie, as
	// after proof of ownership; a host takes in those below it.
	VerifiedHosts []string
	// MaxPerRule is how many findings of one rule in one file are reported one by one;
	// the rest are counted. 0 is 10, negative is no bound.
	MaxPerRule int
	// Memory bounds in bytes what checks across files hold in memory; what is
	// beyond goes to temporary files. 0 is 144 MiB.
	Memory int64
	// Now is the time that dates are compared with; zero is the present.
	Now time.Time
	// Source says how the sources are opened; Report, Strict and Indexes are the
	// linter's own.
	Source source.Options
	// OnFile, when set, is told of every file after its findings: with nil when
	// it was read, or with the reason why it could not be opened. It is called by
	// the goroutine that iterates.
	OnFile func(file string, err error)
	// SiteSince is the day on which the site began: no page can have changed before.
	// Zero is unknown.
	SiteSince time.Time
	// Previous is how many pages each source listed the last time, as Counted was
	// told then. One that lists far fewer now is a finding; one without a number is
	// not compared.
	Previous map[string]int
	// OnCount, when set, is told after the last file how many pages each source
	// lists, unless a file of it could not be read to its end. It is called by the
	// goroutine that iterates.
	OnCount func(source string, pages int)
	// Crawled, when set, are the pages that a crawl of the site found fit for a
	// sitemap, to be compared with those that the sources list. Its errors are those
	// of Check.
	Crawled iter.Seq2[CrawledPage, error]
	// Live, when set, lets the rules about the site itself ask it.
	Live Live
	// Sample is how many pages they ask for, chosen from all files and all shapes
	// of addresses. 0 is 200, negative is all pages; a page in a sample has its
	// first ten images and thumbnails looked at.
	Sample int
	// Concurrency is how many requests of theirs may be under way at once; 0 is 8.
	Concurrency int
}

const (
	usualEach        = 10
	usualMemory      = 144 << 20
	usualSample      = 200
	usualConcurrency = 8
)

func (o Options) withDefaults() Options {
	if o.Engines == 0 {
		o.Engines = EngineSitemapsOrg
	}
	if o.MaxPerRule == 0 {
		o.MaxPerRule = usualEach
	}
	if o.Memory == 0 {
		o.Memory = usualMemory
	}
	if o.Sample == 0 {
		o.Sample = usualSample
	}
	if o.Concurrency <= 0 {
		o.Concurrency = usualConcurrency
	}
	if o.Now.IsZero() {
		o.Now = time.Now()
	}
	return o
}

// A Linter checks sitemaps. It may be used by several goroutines.
type Linter struct{ options Options }

// New returns a linter. Options that name unknown rules are an error of Check.
func New(options Options) *Linter { return &Linter{options} }

// Check yields the findings of what the sources lead to, as
// [source.Sitemaps] follows them, file by file, each file's in the order of its
// lines, what concerns the set behind, and what the site says in the end. A folder
// stands for the sitemaps in it. An error says what could not be checked although
// no rule is broken, such as a wrong option or the end of ctx, and is the last.
func (l *Linter) Check(ctx context.Context, sources ...string) iter.Seq2[Finding, error] {
	return func(yield func(Finding, error) bool) {
		r, err := newRun(l.options)
		if err != nil {
			yield(Finding{}, err)
			return
		}
		ended := false
		deliver := func(f Finding) bool {
			ended = !yield(f, nil)
			return !ended
		}
		if err := r.check(ctx, sources, deliver); err != nil && !ended {
			yield(Finding{}, err)
		}
	}
}
