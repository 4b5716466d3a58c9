package cli

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"github.com/mapatools/mapa/sitemap"
	"github.com/mapatools/mapa/source"
	"github.com/spf13/cobra"
)

type listFlags struct {
	format    string
	since     string
	count     bool
	crossHost bool
	strict    bool
}

func newList() *cobra.Command {
	var flags listFlags
	c := &cobra.Command{
		Use:     "list SOURCE...",
		Short:   "Print the URLs of any sitemap",
		Long:    listText,
		Example: listExamples,
		Args:    atLeastOne("a source: a file, -, an address or a site"),
		RunE: func(c *cobra.Command, args []string) error {
			l, err := newLister(c, flags)
			if err != nil {
				return err
			}
			return l.run(c.Context(), args)
		},
	}
	f := c.Flags()
	f.StringVar(&flags.format, "format", "text", "text (one URL a line), jsonl or csv")
	f.StringVar(&flags.since, "since", "", "leave out pages and sitemaps last changed before this `DATE`")
	f.BoolVar(&flags.count, "count", false, "print only how many URLs there are")
	f.BoolVar(&flags.crossHost, "cross-host", false, "follow sitemaps that an index lists on other hosts")
	f.BoolVar(&flags.strict, "strict", false, "stop reading a file at the first fault, however small")
	return c
}

// A lister prints files side by side, in the order in which they are listed.
type lister struct {
	options source.Options
	format  entryFormat
	since   int64
	filter  bool
	count   bool
	stdout  io.Writer
	stderr  io.Writer

	listed atomic.Int64
	read   atomic.Int64 // files read to their end
	mutex  sync.Mutex
	failed []error
}

func newLister(c *cobra.Command, flags listFlags) (*lister, error) {
	l := &lister{
		count:  flags.count,
		stdout: c.OutOrStdout(),
		stderr: c.ErrOrStderr(),
		options: source.Options{
			Stdin:     c.InOrStdin(),
			UserAgent: userAgent(),
			CrossHost: flags.crossHost,
			Strict:    flags.strict,
		},
	}
	format, ok := entryFormats[flags.format]
	if !ok {
		return nil, &usageError{c, fmt.Errorf("--format is text, jsonl or csv, not %q", flags.format)}
	}
	l.format = format
	if flags.since != "" {
		date, err := sitemap.ParseDate(flags.since)
		if err != nil {
			return nil, &usageError{c, fmt.Errorf("--since: %w: write it as 2026-01-31", err)}
		}
		l.filter, l.since, l.options.Since = true, date.Unix(), date.Time()
	}
	return l, nil
}

func (l *lister) run(ctx context.Context, sources []string) error {
	// Next to nothing is kept from one file to the next: collecting twice as often
	// costs nothing and keeps the whole below 20 MB.
	defer debug.SetGCPercent(debug.SetGCPercent(50))
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if !l.count {
		if _, err := io.WriteString(l.stdout, l.format.header); err != nil {
			return err
		}
	}
	queue := newQueue(l.stdout)
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	var running sync.WaitGroup
	for file, err := range source.Sitemaps(ctx, sources, &l.options) {
		if err != nil {
			l.fail(err)
			continue
		}
		out := queue.next()
		slots <- struct{}{}
		running.Go(func() {
			defer func() { <-slots }()
			if err := l.print(ctx, file, out); err != nil {
				l.fail(err)
				cancel()
			}
		})
	}
	running.Wait()
	if l.count {
		if _, err := fmt.Fprintln(l.stdout, l.listed.Load()); err != nil {
			return err
		}
	}
	if len(l.failed) > 0 {
		return &incomplete{unreadable(l.failed, int(l.read.Load()))}
	}
	return nil
}

// print writes the pages of one file. Its error is the output's; what is wrong
// with the file is said and the run goes on.
func (l *lister) print(ctx context.Context, file *source.File, out *queued) (err error) {
	defer func() {
		if closing := out.close(); err == nil {
			err = closing
		}
	}()
	listed := int64(0)
	defer func() { l.listed.Add(listed) }()
	for entry, err := range file.Entries() {
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			l.fail(err)
			continue
		case l.filter && l.isOld(entry):
			continue
		}
		listed++
		if l.count {
			continue
		}
		if out.buf, err = l.format.append(out.buf, entry, file); err != nil {
			l.fail(&source.Error{Location: file.Location, Err: err})
		}
		if err := out.flush(); err != nil {
			return err
		}
	}
	l.read.Add(1)
	return nil
}

// isOld reports whether an entry was last changed before --since. One without a
// date may be as new as any.
func (l *lister) isOld(entry *sitemap.Entry) bool {
	date, err := entry.Date()
	return err == nil && !date.IsZero() && date.Unix() < l.since
}

func (l *lister) fail(err error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.failed = append(l.failed, err)
	complain(l.stderr, err)
}
