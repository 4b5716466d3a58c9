package repair

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"

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
	name    string
	url     string // URL of the file, or empty if unknown
	options sitemap.WriterOptions
	parts   []*output // the last one is open
}

// copy writes a repaired copy of a file, unless no part of the file can be read.
func (r *repair) copy(ctx context.Context, file *source.File) error {
	defer file.Close()
	c := &copier{repair: r, ctx: ctx, file: file, name: copyName(file.Location), url: file.Address()}
	if c.url == "" {
		c.url = r.publicURL(c.name)
	}
	switch {
	case file.Format == sitemap.FormatRSS || file.Format == sitemap.FormatAtom:
		r.notes.leave("", Example{File: file.Location, Text: "not copied: feeds hold more than a sitemap does"})
		return nil
	case r.taken[c.name]:
		r.notes.leave("", Example{File: file.Location, Text: "not copied: another file is also named " + c.name})
		return nil
	}
	if err := c.checkPlace(); err != nil {
		return err
	}
	c.options = sitemap.WriterOptions{Format: file.Format, Limits: r.options.Limits}
	if !c.canSplit() {
		c.options.Limits = noLimits
	}
	defer c.abort()
	return c.write()
}

// checkPlace returns an error if the copy would overwrite the original.
func (c *copier) checkPlace() error {
	place, err := os.Stat(filepath.Join(c.folder(), c.name))
	if err != nil {
		return nil
	}
	original, err := os.Stat(c.file.Location)
	if err == nil && os.SameFile(place, original) {
		return errors.New("the copy would overwrite the original: choose another folder")
	}
	return nil
}

// canSplit reports whether the file can be split into several. An index cannot, and
// the URL of the parts must be known for their index.
func (c *copier) canSplit() bool {
	return c.file.Format != sitemap.FormatIndex && (c.url != "" || c.isListed())
}

// isListed reports whether one of the copied indexes lists the file.
func (c *copier) isListed() bool { return c.listedFiles[c.name] }

func (c *copier) write() error {
	if err := c.begin(); err != nil {
		return err
	}
	broken, count := false, 0
	for entry, err := range c.file.Entries() {
		if c.ctx.Err() != nil {
			return c.ctx.Err()
		}
		if err != nil {
			broken = true
			c.noteUnread(err)
			break
		}
		n, err := c.entry(entry)
		if err != nil {
			return err
		}
		count += n
	}
	if count == 0 && (broken || c.file.Format == sitemap.FormatText) {
		return nil
	}
	if err := c.last().finish(); err != nil {
		return err
	}
	c.noteCompression()
	c.noteSize()
	return c.place()
}

// entry writes an entry and returns the number of entries written: 0 or 1.
func (c *copier) entry(entry *sitemap.Entry) (int, error) {
	e := entryRepair{repair: c.repair, location: c.file.Location, base: c.url, format: c.file.Format, entry: entry}
	if entry.IsSitemap() != (c.file.Format == sitemap.FormatIndex) {
		e.leave(string(sitemap.FaultMixedEntries), "removed: "+truncate(string(entry.Loc)))
		return 0, nil
	}
	u := e.url()
	if u == nil || c.isDuplicate(&e, u) {
		return 0, nil
	}
	err := c.last().Write(u)
	if errors.Is(err, sitemap.ErrFull) {
		if err := c.last().finish(); err != nil {
			return 0, err
		}
		if err := c.begin(); err != nil {
			return 0, err
		}
		err = c.last().Write(u)
	}
	if field, ok := errors.AsType[*sitemap.FieldError](err); ok {
		e.leave("", "removed: "+field.Error())
		return 0, nil
	}
	if errors.Is(err, sitemap.ErrEntryTooLarge) {
		e.leave(string(sitemap.FaultTooLarge), "removed: "+truncate(u.Loc)+": "+err.Error())
		return 0, nil
	}
	if c.file.Format == sitemap.FormatIndex {
		c.listedFiles[copyName(u.Loc)] = true
	}
	return 1, err
}

// isDuplicate reports whether an entry is removed because an earlier one has the same
// URL and values. An entry with other values stays, because it may be the right one.
func (c *copier) isDuplicate(e *entryRepair, u *sitemap.URL) bool {
	index, rule := &c.pages, "duplicate-loc"
	if c.file.Format == sitemap.FormatIndex {
		index, rule = &c.sitemaps, "child-duplicate"
	}
	switch index.add(u) {
	case occurrenceDuplicate:
		e.change(rule, "removed: "+u.Loc)
		return true
	case occurrenceConflict:
		e.leave("conflicting-metadata", u.Loc+" is already listed with other values")
	}
	return false
}

func (c *copier) begin() error {
	o, err := newOutput(c.folder(), c.name, &c.options)
	if err == nil {
		c.parts = append(c.parts, o)
	}
	return err
}

func (c *copier) last() *output { return c.parts[len(c.parts)-1] }

func (c *copier) abort() {
	for _, o := range c.parts {
		o.abort()
	}
}

// noteCompression records a change if the name and the compression of the original
// did not match.
func (c *copier) noteCompression() {
	if c.file.Response != nil && c.file.Response.Header.Get("Content-Encoding") != "" {
		return
	}
	if c.file.Reader().Inspect().Compressed() != isGzip(c.name) && c.file.Location != "-" {
		c.notes.change("gzip-misnamed", Example{File: c.file.Location, Text: "compression now matches the file name"})
	}
}

// noteSize records the limits that a file exceeds if it cannot be split.
func (c *copier) noteSize() {
	if c.canSplit() {
		return
	}
	limits, o := c.repair.options.Limits, c.last()
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
