// Package list implements mapa list: it prints the URLs of sitemaps. Begin with [Run].
package list

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/access"
	"github.com/mapatools/mapa/internal/app/outputs"
	"github.com/mapatools/mapa/internal/app/problems"
	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/mapatools/mapa/internal/atomicfile"
	"github.com/mapatools/mapa/sitemap"
	"github.com/mapatools/mapa/source"
)

// Settings say what to print of sitemaps. Get them from [NewSettings].
type Settings struct {
	Format    string
	Since     string // date
	Count     bool   // print only the number of URLs
	CrossHost bool
	Strict    bool
	Output    string // file
	Request   access.RequestSettings
}

// NewSettings returns the defaults.
func NewSettings() *Settings { return &Settings{Format: "text"} }

// All returns the table of the settings.
func (s *Settings) All() []setting.Setting {
	return append([]setting.Setting{
		{Name: "format", Value: setting.String(&s.Format), Risk: setting.RiskNone,
			Values: setting.Choices("text", "jsonl", "csv"),
			Help:   "text (one URL a line), jsonl or csv"},
		{Name: "since", Value: setting.String(&s.Since), Risk: setting.RiskNone,
			Help: "skip pages and sitemaps last changed before this `DATE`"},
		{Name: "count", Value: setting.Bool(&s.Count), Risk: setting.RiskNone, Help: "print only the number of URLs"},
		{Name: "cross-host", Value: setting.Bool(&s.CrossHost), Risk: setting.RiskNone, Help: setting.CrossHostHelp},
		{Name: "strict", Value: setting.Bool(&s.Strict), Risk: setting.RiskNone,
			Help: "stop reading a file at the first fault, even a minor one"},
		outputs.FileSetting(&s.Output),
	}, s.Request.All()...)
}

// A Result says how well sitemaps could be read.
type Result struct {
	Read   int     // files read to their end
	Listed int     // pages
	Failed []error // the first ones of each kind
}

// Run prints the URLs of the sitemaps that the sources lead to, in their order. What
// cannot be read is reported as a [app.Problem] at once, and is in the result, up to ten
// problems of a kind. A [app.Notice] counts the others.
func Run(ctx context.Context, a *app.App, sources []string, s *Settings, out io.Writer) (*Result, error) {
	format, ok := entryFormats[s.Format]
	if !ok {
		return nil, setting.Invalid("format", "%s must be text, jsonl or csv, not %q", s.Format)
	}
	sources, options, err := access.Sources(a, &s.Request, sources...)
	if err != nil {
		return nil, err
	}
	var inputs atomicfile.FileSet
	inputs.Add(sources...)
	if files, err := source.ExpandFolders(sources); err == nil { // the run reports an error
		inputs.Add(files...)
	}
	if err := (outputs.Output{Setting: "output", File: s.Output}).Check(&inputs); err != nil {
		return nil, err
	}
	l := &lister{problems: problems.Problems{App: a}, format: format, count: s.Count, options: options}
	l.options.CrossHost, l.options.Strict = s.CrossHost, s.Strict
	if s.Since != "" {
		date, err := sitemap.ParseDate(s.Since)
		if err != nil {
			return nil, setting.Invalid("since", "%s: %v: write it as 2026-01-31", err)
		}
		l.filter, l.since, l.options.Since = true, date.Unix(), date.Time()
	}
	err = outputs.ToOutput(s.Output, out, func(w io.Writer) error {
		l.out = w
		return l.run(ctx, sources)
	})
	result := &Result{Read: int(l.read.Load()), Listed: int(l.listed.Load()), Failed: l.problems.End()}
	if l.listed.Load() == 0 && len(result.Failed) == 0 && err == nil && ctx.Err() == nil && !s.Count {
		if l.filter {
			a.Notify("notice.unchanged-since", s.Since)
		} else {
			a.Notify("notice.no-page")
		}
	}
	return result, err
}

// A lister reads several files at once and prints them in order.
type lister struct {
	problems problems.Problems
	options  source.Options
	format   entryFormat
	since    int64
	filter   bool
	count    bool
	out      io.Writer

	listed atomic.Int64
	read   atomic.Int64 // files read to their end
}

func (l *lister) run(ctx context.Context, sources []string) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if !l.count {
		if _, err := io.WriteString(l.out, l.format.header); err != nil {
			return err
		}
	}
	queue := newQueue(l.out)
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	var running sync.WaitGroup
	for file, err := range source.Sitemaps(ctx, sources, &l.options) {
		switch {
		case err != nil && ctx.Err() != nil:
			continue // cut off, and no problem of the source
		case err != nil:
			l.problems.Add(err)
			continue
		}
		out := queue.next()
		slots <- struct{}{}
		running.Go(func() {
			defer func() { <-slots }()
			if err := l.print(ctx, file, out); err != nil {
				l.problems.Add(err)
				cancel()
			}
		})
	}
	running.Wait()
	if l.count {
		if _, err := fmt.Fprintln(l.out, l.listed.Load()); err != nil {
			return err
		}
	}
	return nil
}

// print writes the pages of one file. Its error is that of the output; a problem of the
// file is reported and does not end the run.
func (l *lister) print(ctx context.Context, file *source.File, out *queueWriter) (err error) {
	defer func() {
		if closing := out.close(); err == nil {
			err = closing
		}
	}()
	listed, whole := int64(0), true
	defer func() { l.listed.Add(listed) }()
	for entry, err := range file.Entries() {
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			l.problems.Add(err)
			whole = false
			continue
		case l.filter && l.isOld(entry):
			continue
		}
		listed++
		if l.count {
			continue
		}
		if out.buf, err = l.format.append(out.buf, entry, file); err != nil {
			l.problems.Add(&source.Error{Location: file.Location, Err: err})
		}
		if err := out.flush(); err != nil {
			return err
		}
	}
	if whole {
		l.read.Add(1)
	}
	return nil
}

// isOld reports whether an entry was last changed before the since setting. One
// without a date counts as new.
func (l *lister) isOld(entry *sitemap.Entry) bool {
	date, err := entry.Date()
	return err == nil && !date.IsZero() && date.Unix() < l.since
}
