package lint

import (
	"context"
	"errors"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"time"

	"github.com/mapatools/mapa/lint/internal/pageset"

	"github.com/mapatools/mapa/lint/internal/scan"
	"github.com/mapatools/mapa/robots"
	"github.com/mapatools/mapa/sitemap"
	"github.com/mapatools/mapa/source"
)

// A fileCheck applies the rules to one file, and is what they see of it.
type fileCheck struct {
	*source.File // nil where it could not be opened
	counter
	run        *run
	options    *Options
	ctx        context.Context
	out        chan *Finding
	number     uint32
	summary    *fileSummary
	pages      *pageset.File // nil where no rule is about the set
	scope      scan.Scope    // where the file is, or will be published
	statistics statistics
	location   string
	unopened   error     // why there is no file
	rule       *Rule     // the one that looks
	pending    []Finding // of the entry at hand
	ended      bool
}

// maxWaiting is how many findings of a file may wait for those of the files before.
const maxWaiting = 256

// check checks the file from its first byte to its last.
func (c *fileCheck) check(file *source.File) {
	c.File, c.location, c.scope = file, file.Location, c.run.scopeOf(file)
	c.run.faults.subscribe(c.location, c.addFault)
	defer c.run.faults.unsubscribe(c.location)
	c.checkEntries()
	if c.run.sample != nil {
		c.run.sample.EndFile(c.number)
	}
	c.summarize()
	if c.ctx.Err() == nil {
		c.finish()
	}
}

func (c *fileCheck) checkEntries() {
	scanner := scan.NewScanner(&c.scope, c.Format, c.options.Now, c.options.SiteSince)
	e := entryCheck{file: c}
	var collector *pageset.Collector
	if c.pages != nil {
		collector = c.pages.Collect(c.File)
		defer collector.Close()
	}
	for entry, err := range c.Entries() {
		if c.ended || c.statistics.entries%1024 == 0 && c.ctx.Err() != nil {
			break
		}
		if err != nil {
			c.addError(err)
			break
		}
		c.statistics.entries++
		scanner.Scan(&e.Entry, entry)
		e.next()
		c.apply(&e)
		c.statistics.count(&e.Entry)
		if entry.IsSitemap() {
			c.addChild(entry)
		} else {
			if collector != nil {
				collector.Add(&e.Entry)
			}
			if c.run.sample != nil {
				c.run.sample.Add(c.number, &e.Entry, c.Reader())
			}
		}
		c.flush()
	}
}

// apply applies the rules that the traits of an entry ask for.
func (c *fileCheck) apply(e *entryCheck) {
	s := c.selection
	applied := s.entry
	if e.Traits&s.needs == 0 {
		applied = s.always
	}
	for _, r := range applied {
		if r.needs == scan.AnyEntry || r.needs&e.Traits != 0 {
			e.check(r)
		}
	}
}

// maxChildren bounds in bytes what a run remembers of the entries of indexes. The
// others are checked by themselves only.
const (
	maxChildren = 64 << 20
	childSize   = 128 // without the address
)

// addChild remembers a sitemap that the file lists.
func (c *fileCheck) addChild(e *sitemap.Entry) {
	if c.run.children.Add(childSize+int64(len(e.Loc))) > maxChildren {
		return
	}
	child := listedSitemap{loc: string(e.Loc)}
	child.lastMod, _ = e.Date() // the rules about dates report what is wrong with it
	child.offset, child.line, child.column = e.Source().Find("loc", 0)
	c.summary.children = append(c.summary.children, child)
}

// summarize keeps what the rules about indexes and hosts need to know.
func (c *fileCheck) summarize() {
	s := c.summary
	s.read, s.index, s.address, s.format = true, c.Index, c.Address(), c.Format
	s.scope, s.pages = c.scope, c.statistics.pages
	if newest := c.statistics.newest; newest > 0 {
		s.newest = time.Unix(newest, 0).UTC()
	}
}

// fail reports why a file could not be opened.
func (c *fileCheck) fail(err error) {
	c.location, c.unopened = locationOf(err), err
	c.run.faults.subscribe(c.location, c.addFault)
	defer c.run.faults.unsubscribe(c.location)
	if c.ctx.Err() == nil {
		c.addError(err)
		c.finish()
	}
}

// finish applies the rules about the file as a whole and sends what was only
// counted.
func (c *fileCheck) finish() {
	c.flush() // what was found after the last entry
	if c.File != nil {
		for _, c.rule = range c.selection.file {
			c.rule.checkFile(c)
		}
	}
	c.flush()
	c.rest(c.send)
}

// robots requests the robots.txt of the host of a page, once in a run. It returns nil
// where the host has no such file.
func (c *fileCheck) robots(page *url.URL) *robots.File { return c.run.robots.get(c.ctx, page) }

// report reports a breach of the rule by the file as a whole.
func (c *fileCheck) report(message Text) { c.reportAt(0, 0, 0, message) }

// reportAt reports a breach of the rule at a place in the file.
func (c *fileCheck) reportAt(offset int64, line, column int, message Text) {
	if c.admit(c.rule) {
		c.add(Finding{Rule: c.rule, Offset: offset, Line: line, Column: column, Message: message})
	}
}

// admit counts a finding and reports whether it is wanted.
func (c *fileCheck) admit(r *Rule) bool { return !c.ended && c.counter.admit(r) }

// add takes a finding that was admitted.
func (c *fileCheck) add(f Finding) {
	if c.File != nil && f.Line > 0 {
		f.Source, f.Caret = c.Reader().Inspect().Line(f.Offset)
	}
	c.pending = append(c.pending, f)
	if len(c.pending) == maxWaiting { // a reader reports many faults in entries that it leaves out
		c.flush()
	}
}

// flush sends what was found in the order of the lines.
func (c *fileCheck) flush() {
	if len(c.pending) == 0 {
		return
	}
	slices.SortStableFunc(c.pending, func(a, b Finding) int { return int(min(max(a.Offset-b.Offset, -1), 1)) })
	for _, f := range c.pending {
		c.send(f)
	}
	c.pending = c.pending[:0]
}

func (c *fileCheck) send(f Finding) {
	c.selection.complete(&f, c.location)
	select {
	case c.out <- &f:
	case <-c.ctx.Done():
		c.ended = true
	}
}

// addFault reports a fault of the reader.
func (c *fileCheck) addFault(fault *sitemap.Fault) {
	r := c.ruleFor(fault)
	if r == nil || !c.admit(r) {
		return
	}
	c.add(Finding{
		Rule: r, Line: fault.Line, Column: fault.Column, Offset: fault.Offset,
		Element: fault.Element, Message: faultMessage(r, fault), Evidence: fault.Detail,
	})
}

func (c *fileCheck) ruleFor(fault *sitemap.Fault) *Rule {
	var format sitemap.Format
	if c.File != nil {
		format = c.Format
	}
	return ruleForFault(fault, format)
}

// addError reports the error that a file ended with, or could not be opened for. One
// that the index of the file reports is not reported twice.
func (c *fileCheck) addError(err error) {
	var fault *sitemap.Fault
	isFault := errors.As(err, &fault)
	if isFault {
		c.summary.failed = c.ruleFor(fault)
		c.summary.why = faultMessage(c.summary.failed, fault)
	} else {
		c.summary.failed, c.summary.why = ruleForError(err)
	}
	failed := c.summary.failed
	switch child := ruleForChild(failed); {
	case child != nil && isListed(err) && c.selection.applies(child):
	case isFault:
		c.addFault(fault)
	case c.admit(failed):
		c.add(Finding{Rule: failed, Message: c.summary.why})
	}
}

// isListed reports whether an index, rather than the caller or a robots.txt, led to the
// file of an error.
func isListed(err error) bool {
	var where *source.Error
	return errors.As(err, &where) && where.Index != "" && path.Base(filepath.ToSlash(where.Index)) != "robots.txt"
}

// scopeOf returns the scope of a file: where it is, or will be published.
func (r *run) scopeOf(file *source.File) scan.Scope {
	address := file.Address()
	if address == "" && r.options.BaseURL != "" {
		address = scan.Published(r.options.BaseURL, file.Location)
	}
	return scan.NewScope(address)
}
