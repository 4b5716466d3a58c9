package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"time"

	"github.com/mapatools/mapa/internal/report"
	"github.com/mapatools/mapa/internal/store"
	"github.com/mapatools/mapa/lint"
	"github.com/mapatools/mapa/source"
)

// A lintRun checks sources once.
type lintRun struct {
	options     lint.Options
	format, out string
	failOn      lint.Severity
	baseline    *baseline // nil without one
	newBaseline string    // the file to write, or empty
	stdout      io.Writer
	stderr      io.Writer

	failing, accepted   int
	opened, unreachable int // files
}

func (r *lintRun) do(ctx context.Context, sources []string) error {
	// What is kept of a large set is lint's to bound; collecting twice as often bounds
	// what downloading and unpacking leave beside it, and costs nothing.
	defer debug.SetGCPercent(debug.SetGCPercent(50))
	err := toOutput(r.out, r.stdout, func(out io.Writer) error { return r.report(ctx, sources, out) })
	switch {
	case err != nil:
		return err
	case r.opened == 0 && r.unreachable > 0:
		return &incomplete{exitUnreachable}
	case r.failing > 0:
		return errFindings
	}
	return nil
}

// doWithCrawl compares with what a crawl found as well.
func (r *lintRun) doWithCrawl(ctx context.Context, sources []string, folder string) error {
	file, err := store.Open(crawlIn(folder))
	if err != nil {
		return noCrawl(folder, err)
	}
	defer file.Close(false)
	summary, err := file.Summary(ctx)
	if err != nil {
		return err
	}
	if !summary.Complete() {
		fmt.Fprintf(r.stderr, "mapa: the crawl in %s ended early: nothing is said of pages without links\n", folder)
	}
	r.options.Crawled = report.Crawled(ctx, file, summary.Complete())
	return r.do(ctx, sources)
}

// report writes what is found.
func (r *lintRun) report(ctx context.Context, sources []string, out io.Writer) error {
	writer, err := report.NewLint(r.format, out, report.LintOptions{
		Rules: lint.Rules(), FailOn: r.failOn, Version: version(), Now: time.Now(), Color: isColored(out),
	})
	if err != nil {
		return err
	}
	if r.out != "" {
		writer = report.WithSummary(writer, r.stderr)
	}
	if r.newBaseline != "" {
		err = r.record(ctx, sources, writer)
	} else {
		err = r.check(ctx, sources, writer, r.judge)
	}
	return errors.Join(err, writer.Close(r.accepted))
}

// check hands every finding to accept and, unless that takes it, to the report.
func (r *lintRun) check(ctx context.Context, sources []string, out report.Lint, accept func(*lint.Finding) (bool, error)) error {
	var writing error
	r.options.OnFile = func(file string, err error) {
		switch {
		case err == nil:
			r.opened++
		case errors.Is(err, source.ErrOpen):
			r.unreachable++
		}
		writing = errors.Join(writing, out.Checked(file))
	}
	linter, err := lint.New(&r.options)
	if err != nil {
		return err
	}
	for f, err := range linter.Check(ctx, sources...) {
		if err == nil {
			err = writing
		}
		taken := false
		if err == nil {
			taken, err = accept(&f)
		}
		if err == nil && !taken {
			err = out.Write(&f)
		}
		if err != nil {
			return err
		}
	}
	return writing
}

// judge counts a finding, or takes it when it is known.
func (r *lintRun) judge(f *lint.Finding) (bool, error) {
	if r.baseline != nil {
		known := r.baseline.accept(f)
		r.accepted += known
		if known == f.Count() {
			return true, nil
		}
		f.More = max(f.More-known, 0)
	}
	if f.Severity >= r.failOn {
		r.failing++
	}
	return false, nil
}

// errNothingRead keeps a baseline from being written when no file could be read:
// nobody means to accept that.
var errNothingRead = errors.New("no file could be read")

// record writes the baseline and takes every finding.
func (r *lintRun) record(ctx context.Context, sources []string, out report.Lint) error {
	err := replaceFile(r.newBaseline, func(file io.Writer) error {
		b, err := newBaselineWriter(file)
		if err != nil {
			return err
		}
		r.options.OnCount = func(source string, pages int) { b.pages[source] = pages }
		err = r.check(ctx, sources, out, func(f *lint.Finding) (bool, error) {
			r.accepted += f.Count()
			return true, b.write(f)
		})
		switch {
		case err != nil:
			return err
		case r.opened == 0:
			return errNothingRead
		}
		return b.close()
	})
	if errors.Is(err, errNothingRead) {
		return nil
	}
	return err
}
