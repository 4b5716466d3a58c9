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

// boundless are the limits of what cannot be split.
var boundless = sitemap.Limits{URLs: math.MaxInt, Bytes: math.MaxInt64, Sitemaps: math.MaxInt}

// A copying makes the copy of one file.
type copying struct {
	*repair
	ctx     context.Context
	file    *source.File
	name    string
	address string // empty where it is not known
	options sitemap.WriterOptions
	parts   []*output // the last is being written
}

// copy writes a copy of a file, unless nothing of it can be read.
func (r *repair) copy(ctx context.Context, file *source.File) error {
	defer file.Close()
	c := &copying{repair: r, ctx: ctx, file: file, name: nameOf(file.Location), address: file.Address()}
	if c.address == "" {
		c.address = r.published(c.name)
	}
	switch {
	case file.Format == sitemap.FormatRSS || file.Format == sitemap.FormatAtom:
		r.notes.leave("", Example{File: file.Location, Text: "not copied: a feed holds more than a sitemap does"})
		return nil
	case r.taken[c.name]:
		r.notes.leave("", Example{File: file.Location, Text: "not copied: there is another " + c.name})
		return nil
	}
	if err := c.checkPlace(); err != nil {
		return err
	}
	c.options = sitemap.WriterOptions{Format: file.Format, Limits: r.options.Limits}
	if !c.divisible() {
		c.options.Limits = boundless
	}
	defer c.abort()
	return c.write()
}

// checkPlace keeps the original from being overwritten.
func (c *copying) checkPlace() error {
	place, err := os.Stat(filepath.Join(c.folder(), c.name))
	if err != nil {
		return nil
	}
	original, err := os.Stat(c.file.Location)
	if err == nil && os.SameFile(place, original) {
		return errors.New("the copy would overwrite it: choose another folder")
	}
	return nil
}

// divisible reports whether the file can become a set: an index cannot, and the
// address of a set has to be known to its index.
func (c *copying) divisible() bool {
	return c.file.Format != sitemap.FormatIndex && (c.address != "" || c.isListed())
}

// isListed reports whether an index that is copied too lists the file.
func (c *copying) isListed() bool { return c.listing[c.name] }

func (c *copying) write() error {
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
			c.unread(err)
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

// entry writes an entry and returns how many that are, none or one.
func (c *copying) entry(entry *sitemap.Entry) (int, error) {
	p := patient{repair: c.repair, location: c.file.Location, base: c.address, format: c.file.Format, entry: entry}
	if entry.IsSitemap() != (c.file.Format == sitemap.FormatIndex) {
		p.leave(string(sitemap.FaultMixedEntries), "left out: "+shown(string(entry.Loc)))
		return 0, nil
	}
	u := p.url()
	if u == nil || c.repeats(&p, u) {
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
		p.leave("", "left out: "+field.Error())
		return 0, nil
	}
	if errors.Is(err, sitemap.ErrEntryTooLarge) {
		p.leave(string(sitemap.FaultTooLarge), "left out: "+shown(u.Loc)+": "+err.Error())
		return 0, nil
	}
	if c.file.Format == sitemap.FormatIndex {
		c.listing[nameOf(u.Loc)] = true
	}
	return 1, err
}

// repeats reports whether an entry is left out since it came before. Where it says
// something else than the first, which of them is right is not known.
func (c *copying) repeats(p *patient, u *sitemap.URL) bool {
	known, rule := &c.pages, "duplicate-loc"
	if c.file.Format == sitemap.FormatIndex {
		known, rule = &c.listed, "child-duplicate"
	}
	switch known.meet(u) {
	case repetition:
		p.change(rule, "left out: "+u.Loc)
		return true
	case conflicting:
		p.leave("conflicting-metadata", u.Loc+" says something else than before")
	}
	return false
}

func (c *copying) begin() error {
	o, err := newOutput(c.folder(), c.name, &c.options)
	if err == nil {
		c.parts = append(c.parts, o)
	}
	return err
}

func (c *copying) last() *output { return c.parts[len(c.parts)-1] }

func (c *copying) abort() {
	for _, o := range c.parts {
		o.abort()
	}
}

// noteCompression compares what the file was with what its name says.
func (c *copying) noteCompression() {
	if c.file.Response != nil && c.file.Response.Header.Get("Content-Encoding") != "" {
		return
	}
	if c.file.Reader().Compressed() != isGzip(c.name) && c.file.Location != "-" {
		c.notes.change("gzip-misnamed", Example{File: c.file.Location, Text: "compressed as its name says"})
	}
}

// noteSize says of a file over the limits whether it was split.
func (c *copying) noteSize() {
	if c.divisible() {
		return
	}
	limits, o := c.repair.options.Limits, c.last()
	most := limits.URLs
	rules := [2]string{string(sitemap.FaultTooManyEntries), string(sitemap.FaultTooLarge)}
	why := "not split: its address is not known without a base URL"
	if c.file.Format == sitemap.FormatIndex {
		most = limits.Sitemaps
		rules, why = [2]string{"index-too-many", "index-too-large"}, "not split: an index of indexes is not allowed"
	}
	if o.Count() > most {
		c.notes.leave(rules[0], Example{File: c.file.Location, Text: fmt.Sprintf("%d entries, %s", o.Count(), why)})
	}
	if o.Size() > limits.Bytes {
		c.notes.leave(rules[1], Example{File: c.file.Location, Text: fmt.Sprintf("%d bytes, %s", o.Size(), why)})
	}
}
