package run

import (
	"context"
	"errors"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"time"

	"github.com/mapatools/mapa/lint/internal/pageset"
	"github.com/mapatools/mapa/lint/internal/rule"
	"github.com/mapatools/mapa/lint/internal/rules"
	"github.com/mapatools/mapa/lint/internal/scan"
	"github.com/mapatools/mapa/lint/internal/scope"
	"github.com/mapatools/mapa/robots"
	"github.com/mapatools/mapa/sitemap"
	"github.com/mapatools/mapa/source"
)

// fileCheck applies the rules to one file. It is the reporter of their checks.
type fileCheck struct {
	counter
	run      *run
	ctx      context.Context
	out      chan *rule.Finding
	number   uint32
	summary  *rule.Summary
	pages    *pageset.File // nil where no rule is about the set
	file     *source.File  // nil where it could not be opened
	location string
	unopened error          // why there is no file
	pending  []rule.Finding // of the entry at hand
	ended    bool
}

// maxWaiting is how many findings of a file may wait for those of the files before.
const maxWaiting = 256

// check checks the file from its first byte to its last.
func (c *fileCheck) check(file *source.File) {
	c.file, c.location = file, file.Location
	c.run.faults.subscribe(c.location, c.addFault)
	defer c.run.faults.unsubscribe(c.location)
	place := c.run.scopeOf(file)
	checked := rule.NewFile(file, &place, &c.run.rules, c, func(page *url.URL) *robots.File {
		return c.run.robots.get(c.ctx, page)
	})
	c.checkEntries(checked)
	if c.run.sample != nil {
		c.run.sample.EndFile(c.number)
	}
	c.summarize(checked)
	if c.ctx.Err() == nil {
		c.finish(checked)
	}
}

func (c *fileCheck) checkEntries(file *rule.File) {
	scanner := scan.NewScanner(file.Scope, c.file.Format, c.run.rules.Now, c.run.rules.SiteSince)
	e := rule.Entry{File: file}
	statistics := &file.Statistics
	var collector *pageset.Collector
	if c.pages != nil {
		collector = c.pages.Collect(c.file)
		defer collector.Close()
	}
	for entry, err := range c.file.Entries() {
		if c.ended || statistics.Entries%1024 == 0 && c.ctx.Err() != nil {
			break
		}
		if err != nil {
			c.addError(err)
			break
		}
		statistics.Entries++
		scanner.Scan(&e.Entry, entry)
		e.Next()
		c.apply(&e)
		statistics.Count(&e.Entry)
		if entry.IsSitemap() {
			c.addChild(entry)
		} else {
			if collector != nil {
				collector.Add(&e.Entry)
			}
			if c.run.sample != nil {
				c.run.sample.Add(c.number, &e.Entry, c.file.Reader())
			}
		}
		c.flush()
	}
}

// apply applies the rules that the traits of an entry ask for.
func (c *fileCheck) apply(e *rule.Entry) {
	s := c.selection
	applied := s.entry
	if e.Traits&s.needs == 0 {
		applied = s.always
	}
	for _, r := range applied {
		if r.Needs == scan.AnyEntry || r.Needs&e.Traits != 0 {
			e.Check(r)
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
	child := rule.Child{Loc: string(e.Loc)}
	child.LastMod, _ = e.Date() // the rules about dates report what is wrong with it
	child.Offset, child.Line, child.Column = e.Source().Find("loc", 0)
	c.summary.Children = append(c.summary.Children, child)
}

// summarize keeps what the rules about indexes and hosts need to know.
func (c *fileCheck) summarize(file *rule.File) {
	s := c.summary
	s.Read, s.Index, s.Address, s.Format = true, file.Index, file.Address(), file.Format
	s.Scope, s.Pages = *file.Scope, file.Statistics.Pages
	if newest := file.Statistics.Newest; newest > 0 {
		s.Newest = time.Unix(newest, 0).UTC()
	}
}

// fail reports why a file could not be opened.
func (c *fileCheck) fail(err error) {
	c.location, c.unopened = locationOf(err), err
	c.run.faults.subscribe(c.location, c.addFault)
	defer c.run.faults.unsubscribe(c.location)
	if c.ctx.Err() == nil {
		c.addError(err)
		c.finish(nil)
	}
}

// finish applies the rules about the file as a whole and sends what was only
// counted. A nil file could not be opened.
func (c *fileCheck) finish(file *rule.File) {
	c.flush() // what was found after the last entry
	if file != nil {
		for _, r := range c.selection.file {
			file.Check(r)
		}
	}
	c.flush()
	c.rest(c.send)
}

// Admit counts a finding and reports whether it is wanted.
func (c *fileCheck) Admit(r *rule.Rule) bool { return !c.ended && c.counter.Admit(r) }

// Add takes a finding that was admitted.
func (c *fileCheck) Add(f rule.Finding) {
	if c.file != nil && f.Line > 0 {
		f.Source, f.Caret = c.file.Reader().Inspect().Line(f.Offset)
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
	slices.SortStableFunc(c.pending, func(a, b rule.Finding) int { return int(min(max(a.Offset-b.Offset, -1), 1)) })
	for _, f := range c.pending {
		c.send(f)
	}
	c.pending = c.pending[:0]
}

func (c *fileCheck) send(f rule.Finding) {
	f.Severity, f.File = c.selection.severity[f.Rule], c.location
	select {
	case c.out <- &f:
	case <-c.ctx.Done():
		c.ended = true
	}
}

// addFault reports a fault of the reader.
func (c *fileCheck) addFault(fault *sitemap.Fault) {
	r := c.ruleFor(fault)
	if r == nil || !c.Admit(r) {
		return
	}
	c.Add(rule.Finding{
		Rule: r, Line: fault.Line, Column: fault.Column, Offset: fault.Offset,
		Element: fault.Element, Message: rules.FaultMessage(r, fault), Evidence: fault.Detail,
	})
}

func (c *fileCheck) ruleFor(fault *sitemap.Fault) *rule.Rule {
	var format sitemap.Format
	if c.file != nil {
		format = c.file.Format
	}
	return rules.ForFault(fault, format)
}

// addError reports the error that a file ended with, or could not be opened for. One
// that the index of the file reports is not reported twice.
func (c *fileCheck) addError(err error) {
	var fault *sitemap.Fault
	isFault := errors.As(err, &fault)
	if isFault {
		c.summary.Failed = c.ruleFor(fault)
		c.summary.Why = rules.FaultMessage(c.summary.Failed, fault)
	} else {
		c.summary.Failed, c.summary.Why = rules.ForError(err)
	}
	failed := c.summary.Failed
	switch child := rules.ForChild(failed); {
	case child != nil && isListed(err) && c.selection.applies(child):
	case isFault:
		c.addFault(fault)
	case c.Admit(failed):
		c.Add(rule.Finding{Rule: failed, Message: c.summary.Why})
	}
}

// isListed reports whether an index, rather than the caller or a robots.txt, led to the
// file of an error.
func isListed(err error) bool {
	var where *source.Error
	return errors.As(err, &where) && where.Index != "" && path.Base(filepath.ToSlash(where.Index)) != "robots.txt"
}

// scopeOf returns the scope of a file: where it is, or will be published.
func (r *run) scopeOf(file *source.File) scope.Scope {
	address := file.Address()
	if address == "" && r.options.BaseURL != "" {
		address = scope.Published(r.options.BaseURL, file.Location)
	}
	return scope.New(address)
}
