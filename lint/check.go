package lint

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mapatools/mapa/sitemap"
	"github.com/mapatools/mapa/source"
)

// A fileCheck applies the rules to one file.
type fileCheck struct {
	*run
	ctx      context.Context
	out      chan Finding
	file     *source.File // nil where it could not be opened
	location string
	unopened error // why there is no file
	counts   map[*Rule]int
	pending  []Finding // of the entry at hand
	ended    bool
	glancer  glancer
	scope    scope
	gather   *gatherer // nil where no rule is about the set
	number   uint32
	kept     *setFile
	entries  int
	news     newsCount
	used     traits // that entries had

	statistic statistic
}

func newFileCheck(ctx context.Context, r *run) *fileCheck {
	return &fileCheck{run: r, ctx: ctx, out: make(chan Finding, waiting), counts: map[*Rule]int{}}
}

// newGatherer returns nil where no rule about the set is applied.
func (c *fileCheck) newGatherer() *gatherer {
	if !c.plan.set {
		return nil
	}
	c.kept.disk = onDisk(c.file)
	return &gatherer{set: c.set, number: c.number, file: c.kept}
}

// read checks the file from its first byte to its last.
func (c *fileCheck) read(file *source.File) {
	c.file, c.location = file, file.Location
	c.faults.claim(c.location, c.fault)
	defer c.faults.release(c.location)
	c.glancer = newGlancer(c.options.Now, c.options.SiteSince)
	c.scope = c.newScope()
	v := visit{fileCheck: c}
	if c.gather = c.newGatherer(); c.gather != nil {
		defer c.gather.done()
	}
	for entry, err := range file.Entries() {
		if c.ended || c.entries%1024 == 0 && c.ctx.Err() != nil {
			break
		}
		if err != nil {
			c.broken(err)
			break
		}
		c.entries++
		v.take(entry)
		v.judge()
		c.statistic.count(&v)
		if entry.IsSitemap() {
			c.child(&v)
		}
		if c.gather != nil && !entry.IsSitemap() {
			c.gather.page(&v)
		}
		if c.roll != nil && !entry.IsSitemap() {
			c.roll.take(&v)
		}
		c.flush()
	}
	if c.roll != nil {
		c.roll.done(c.number)
	}
	c.remember()
	if c.ctx.Err() == nil {
		c.finish()
	}
}

// remember keeps what the rules about the set need to know of the file.
func (c *fileCheck) remember() {
	k := c.kept
	k.read, k.index, k.address, k.format = true, c.file.Index, c.file.Address(), c.file.Format
	k.scope, k.pages = c.scope, c.statistic.pages
	if c.statistic.newest > 0 {
		k.newest = time.Unix(c.statistic.newest, 0).UTC()
	}
}

// fail turns what kept a file from being opened into findings.
func (c *fileCheck) fail(err error) {
	c.location, c.unopened = locationOf(err), err
	c.faults.claim(c.location, c.fault)
	defer c.faults.release(c.location)
	if c.ctx.Err() == nil {
		c.broken(err)
		c.finish()
	}
}

// finish applies the rules about the file as a whole and says what was counted.
func (c *fileCheck) finish() {
	c.flush() // what was found behind the last entry
	if c.file != nil {
		for _, r := range c.plan.file {
			r.finish(&fileEnd{fileCheck: c, rule: r})
		}
	}
	c.flush()
	for _, r := range Rules() {
		if more := c.counts[r] - c.options.MaxPerRule; c.options.MaxPerRule > 0 && more > 0 {
			c.send(Finding{Rule: r, Severity: c.plan.severity[r], File: c.location, Message: moreLikeThis(more), More: more})
		}
	}
}

func moreLikeThis(n int) string { return grouped(n) + " more like this" }

// grouped writes a number with a comma before every three digits.
func grouped(n int) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// admit counts a finding and reports whether it is one of those that are told.
func (c *fileCheck) admit(r *Rule) bool {
	if _, applied := c.plan.severity[r]; !applied || c.ended {
		return false
	}
	c.counts[r]++
	return c.options.MaxPerRule < 0 || c.counts[r] <= c.options.MaxPerRule
}

// add takes a finding that was admitted.
func (c *fileCheck) add(f Finding) {
	f.Severity, f.File = c.plan.severity[f.Rule], c.location
	if c.file != nil && f.Line > 0 {
		f.Source, f.Caret = c.file.Reader().Inspect().Line(f.Offset)
	}
	c.pending = append(c.pending, f)
	if len(c.pending) == waiting { // entries that are left out come without a flush
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
	select {
	case c.out <- f:
	case <-c.ctx.Done():
		c.ended = true
	}
}

// fault makes a finding of what the reader met.
func (c *fileCheck) fault(fault *sitemap.Fault) {
	r := c.plan.byID[c.ruleOf(fault)]
	if r == nil || !c.admit(r) {
		return
	}
	message := r.Title
	if fault.Err != nil {
		message += ": " + fault.Err.Error()
	}
	c.add(Finding{
		Rule: r, Line: fault.Line, Column: fault.Column, Offset: fault.Offset,
		Element: fault.Element, Message: message, Evidence: fault.Detail,
	})
}

// ruleOf is the rule that a fault breaks: that of its kind, or one that is more to
// the point.
func (c *fileCheck) ruleOf(fault *sitemap.Fault) string {
	if c.file != nil && c.file.Format == sitemap.FormatIndex && inIndex[fault.Kind] != "" {
		return inIndex[fault.Kind]
	}
	switch {
	case fault.Kind == sitemap.FaultLocRelative && lacksScheme(fault.Detail):
		return locNoScheme.ID
	case fault.Kind == sitemap.FaultCeilingReached && strings.HasPrefix(fault.Detail, "inflates"):
		return inflateRatio.ID
	case fault.Kind == sitemap.FaultHTMLInstead && saysNotFound(fault.Detail):
		return softNotFound.ID
	case fault.Kind == sitemap.FaultLocWhitespace && strings.Contains(fault.Detail, "inside"):
		return locNewlineInside.ID
	}
	return string(fault.Kind)
}

// broken makes a finding of the error that a file ended with, or began with.
func (c *fileCheck) broken(err error) {
	var fault *sitemap.Fault
	if errors.As(err, &fault) {
		c.kept.failed = c.plan.byID[c.ruleOf(fault)]
		c.fault(fault)
		return
	}
	r, message := failure(err)
	c.kept.failed = r
	if c.admit(r) {
		c.add(Finding{Rule: r, Message: message})
	}
}
