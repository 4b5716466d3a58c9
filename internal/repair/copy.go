package repair

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/mapatools/mapa/sitemap"
	"github.com/mapatools/mapa/source"
)

// noLimits are the limits of a file that cannot be split.
var noLimits = sitemap.Limits{URLs: math.MaxInt, Bytes: math.MaxInt64, Sitemaps: math.MaxInt}

// A copier writes the repaired copy of one file.
type copier struct {
	*repair
	ctx     context.Context
	file    *source.File
	copied  *stagedCopy
	scope   uint64 // of duplicates
	inSet   bool   // an index that is copied too lists the file
	options sitemap.WriterOptions
	out     *output // being written, or nil
}

// copy writes a repaired copy of a file, unless no entry of the file can be kept.
func (r *repair) copy(ctx context.Context, file *source.File) error {
	defer file.Close()
	name, format := copyName(file.Location), file.Format
	if format == sitemap.FormatText && isXML(name) {
		name, format = r.asXML(file, name)
	}
	switch {
	case file.Format == sitemap.FormatRSS || file.Format == sitemap.FormatAtom:
		r.notes.leave("", Example{File: file.Location, Text: "not copied: feeds hold more than a sitemap does"})
		return nil
	case !r.take(name):
		r.notes.leave("", Example{File: file.Location, Text: "not copied: another file is also named " + name})
		return nil
	}
	done := &stagedCopy{
		location: file.Location, name: name, url: cmp.Or(file.Address(), r.publicURL(name)), format: format,
		limits: r.options.Limits,
	}
	r.copies = append(r.copies, done)
	if file.Format == sitemap.FormatIndex {
		r.indexes[file.Location] = true
	}
	c := &copier{repair: r, ctx: ctx, file: file, copied: done}
	// A page counts as a duplicate in the sitemaps of one index, since search engines
	// read all of them, but not in files that may be published apart.
	set := file.Index
	if !r.indexes[set] {
		set = r.listedBy[strings.ToLower(name)]
	}
	if c.inSet = set != ""; !c.inSet {
		set = strconv.Itoa(len(r.copies)) + " " + file.Location
	}
	c.scope = r.pages.scope(set)
	c.options = sitemap.WriterOptions{Format: format, Limits: r.options.Limits}
	if !c.canSplit() {
		c.options.Limits = noLimits
	}
	defer c.abort()
	err := c.write()
	if len(done.parts) == 0 {
		r.copies = r.copies[:len(r.copies)-1]
		delete(r.taken, strings.ToLower(name))
	}
	return err
}

// asXML returns the name and the format of the copy of a list of URLs that is called
// .xml: the URL of the file stays, so the content changes. Standard input has no name to
// keep.
func (r *repair) asXML(file *source.File, name string) (string, sitemap.Format) {
	if file.Location == "-" {
		return "sitemap.txt", sitemap.FormatText
	}
	r.notes.change("", Example{File: file.Location, Text: "written as XML, since it is called " + name})
	return name, sitemap.FormatURLSet
}

// canSplit reports whether the file can be split into several. An index cannot, and
// the URL of the parts must be known for their index.
func (c *copier) canSplit() bool {
	return c.file.Format != sitemap.FormatIndex && (c.copied.url != "" || c.isListed(c.copied))
}

func (c *copier) write() error {
	if err := c.begin(); err != nil {
		return err
	}
	broken, count, duplicates := false, 0, 0
	for entry, err := range c.file.Entries() {
		if c.ctx.Err() != nil {
			return c.ctx.Err()
		}
		if err != nil {
			broken = true
			c.noteUnread(err)
			break
		}
		outcome, err := c.entry(entry)
		if err != nil {
			return err
		}
		switch outcome {
		case outcomeWritten:
			count++
		case outcomeDuplicate:
			duplicates++
		}
	}
	switch {
	case count > 0:
	case duplicates > 0 && c.inSet:
		// An empty sitemap is not allowed, so the index lists it no longer.
		c.dropped[strings.ToLower(c.copied.name)] = true
		c.notes.change("duplicate-across-files",
			Example{File: c.file.Location, Text: "not copied: the index lists all its pages in other sitemaps"})
		return nil
	case broken || c.file.Format == sitemap.FormatText:
		return nil
	default: // an empty sitemap helps nobody
		c.notes.leave("", Example{File: c.file.Location, Text: "not copied: no entry of it can be kept"})
		return nil
	}
	o := c.out
	if err := c.finish(); err != nil {
		return err
	}
	c.noteCompression()
	c.noteSize(o)
	return nil
}

// An outcome says what became of an entry.
type outcome int

const (
	outcomeWritten outcome = iota
	outcomeDuplicate
	outcomeRemoved
)

// entry writes an entry, unless it is a duplicate or cannot be written.
func (c *copier) entry(entry *sitemap.Entry) (outcome, error) {
	e := entryRepair{repair: c.repair, location: c.file.Location, base: c.copied.url, format: c.file.Format, entry: entry}
	if entry.IsSitemap() != (c.file.Format == sitemap.FormatIndex) {
		e.leave(string(sitemap.FaultMixedEntries), "removed: "+truncate(string(entry.Loc)))
		return outcomeRemoved, nil
	}
	u := e.url()
	switch {
	case u == nil:
		return outcomeRemoved, nil
	case c.isDuplicate(&e, u):
		return outcomeDuplicate, nil
	}
	err := c.out.Write(u)
	if errors.Is(err, sitemap.ErrFull) {
		if err := c.finish(); err != nil {
			return outcomeRemoved, err
		}
		if err := c.begin(); err != nil {
			return outcomeRemoved, err
		}
		err = c.out.Write(u)
	}
	if field, ok := errors.AsType[*sitemap.FieldError](err); ok {
		e.leave("", "removed: "+field.Error())
		return outcomeRemoved, nil
	}
	if errors.Is(err, sitemap.ErrEntryTooLarge) {
		e.leave(string(sitemap.FaultTooLarge), "removed: "+truncate(u.Loc)+": "+err.Error())
		return outcomeRemoved, nil
	}
	if c.file.Format == sitemap.FormatIndex {
		c.listedBy[strings.ToLower(copyName(u.Loc))] = c.file.Location
	}
	return outcomeWritten, err
}

// isDuplicate reports whether an entry is removed because an earlier one has the same
// URL and values. An entry with other values stays, because it may be the right one.
func (c *copier) isDuplicate(e *entryRepair, u *sitemap.URL) bool {
	index, rule := &c.pages, "duplicate-loc"
	if c.file.Format == sitemap.FormatIndex {
		index, rule = &c.sitemaps, "child-duplicate"
	}
	switch index.add(c.scope, u) {
	case occurrenceDuplicate:
		e.change(rule, "removed: "+u.Loc)
		return true
	case occurrenceConflict:
		e.leave("conflicting-metadata", u.Loc+" is already listed with other values")
	}
	return false
}

func (c *copier) begin() (err error) {
	c.out, err = newOutput(c.folder(), c.copied.name, &c.options)
	return err
}

// finish ends the part that is being written.
func (c *copier) finish() error {
	finished, err := c.out.finish()
	if err != nil {
		return err
	}
	c.copied.parts, c.out = append(c.copied.parts, finished), nil
	return nil
}

func (c *copier) abort() {
	if c.out != nil {
		c.out.abort()
	}
}

// noteCompression records a change if the name and the compression of the original
// did not match.
func (c *copier) noteCompression() {
	if c.file.Response != nil && c.file.Response.Header.Get("Content-Encoding") != "" {
		return
	}
	if c.file.Reader().Inspect().Compressed() != isGzip(c.copied.name) && c.file.Location != "-" {
		c.notes.change("gzip-misnamed", Example{File: c.file.Location, Text: "compression now matches the file name"})
	}
}

// noteSize records the limits that a file exceeds if it cannot be split.
func (c *copier) noteSize(o *output) {
	if c.canSplit() {
		return
	}
	limits := c.repair.options.Limits
	most := limits.URLs
	rules := [2]string{string(sitemap.FaultTooManyEntries), string(sitemap.FaultTooLarge)}
	why := "not split: its URL is unknown without a base URL"
	if c.file.Format == sitemap.FormatIndex {
		most = limits.Sitemaps
		rules, why = [2]string{"index-too-many", "index-too-large"}, "not split: an index may not list indexes"
	}
	if o.Count() > most {
		c.notes.leave(rules[0], Example{File: c.file.Location, Text: fmt.Sprintf("%d entries, %s", o.Count(), why)})
	}
	if o.Size() > limits.Bytes {
		c.notes.leave(rules[1], Example{File: c.file.Location, Text: fmt.Sprintf("%d bytes, %s", o.Size(), why)})
	}
}
