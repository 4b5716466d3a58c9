package repair

import (
	"bufio"
	"fmt"
	"net/url"
	"os"
	"path"
	"strings"

	"github.com/mapatools/mapa/sitemap"
)

func (r *repair) folder() string { return r.options.Folder }

// A stagedCopy is the copy of one original, in temporary files.
type stagedCopy struct {
	location string // of the original
	name     string // in the folder
	url      string // URL of the original, or empty if unknown
	format   sitemap.Format
	limits   sitemap.Limits
	parts    []part   // several if the copy was split
	names    []string // of the parts, set by arrange
}

// isListed reports whether one of the copied indexes lists the file.
func (r *repair) isListed(c *stagedCopy) bool { return r.listedBy[strings.ToLower(c.name)] != "" }

// abort removes the temporary files that are left.
func (r *repair) abort() {
	for _, c := range r.copies {
		for _, p := range c.parts {
			os.Remove(p.temporary) // fails after publish
		}
	}
}

// arrange names the parts of copies that were split, and lists them in an index.
func (r *repair) arrange() error {
	for _, c := range r.copies {
		if err := r.arrangeCopy(c); err != nil {
			return fmt.Errorf("%s: %w", c.location, err)
		}
	}
	for _, c := range r.copies {
		if c.format == sitemap.FormatIndex {
			if err := r.completeIndex(c); err != nil {
				return fmt.Errorf("%s: %w", c.location, err)
			}
		}
	}
	return nil
}

func (r *repair) arrangeCopy(c *stagedCopy) error {
	switch {
	case len(c.parts) == 1:
		c.names = []string{c.name}
		return nil
	case r.isListed(c):
		// The first part keeps the name. completeIndex lists the others after it.
		c.names = []string{c.name}
		for i := range c.parts[1:] {
			c.names = append(c.names, r.takePart(c.name, i+2))
		}
		r.parts[strings.ToLower(c.name)] = c.names[1:]
		r.noteSplit(c, fmt.Sprintf("split into %d files; the index lists them", len(c.parts)))
		return nil
	}
	for i := range c.parts {
		c.names = append(c.names, r.takePart(c.name, i+1))
	}
	index := r.takeIndex(c.name)
	r.noteSplit(c, fmt.Sprintf("split into %d files and the index %s", len(c.parts), index))
	return r.addIndex(c, index)
}

func (r *repair) noteSplit(c *stagedCopy, text string) {
	kind := sitemap.FaultTooLarge
	if c.parts[0].count >= c.limits.URLs {
		kind = sitemap.FaultTooManyEntries
	}
	r.notes.change(string(kind), Example{File: c.location, Text: text})
}

// addIndex writes the index of the parts, which becomes the last of them.
func (r *repair) addIndex(c *stagedCopy, name string) error {
	base, err := url.Parse(c.url)
	if err != nil {
		return err
	}
	index, err := r.write(name, sitemap.Limits{}, func(w *sitemap.Writer) error {
		for i, p := range c.parts {
			loc := base.ResolveReference(&url.URL{Path: c.names[i]}).String()
			if err := w.Write(&sitemap.URL{Loc: loc, LastMod: p.newest}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	c.parts, c.names = append(c.parts, index), append(c.names, name)
	return nil
}

// write writes an index to a temporary file.
func (r *repair) write(name string, limits sitemap.Limits, entries func(*sitemap.Writer) error) (part, error) {
	out, err := newOutput(r.folder(), name, &sitemap.WriterOptions{Format: sitemap.FormatIndex, Limits: limits})
	if err != nil {
		return part{}, err
	}
	if err := entries(out.Writer); err != nil {
		out.abort()
		return part{}, err
	}
	finished, err := out.finish()
	if err != nil {
		out.abort()
	}
	return finished, err
}

// completeIndex adds the parts that were split off to the copy of an index, and
// removes the sitemaps without a copy of their own.
func (r *repair) completeIndex(c *stagedCopy) error {
	if len(r.parts)+len(r.dropped) == 0 {
		return nil
	}
	before := c.parts[0].temporary
	file, err := os.Open(before)
	if err != nil {
		return err
	}
	defer file.Close()
	whole, err := r.write(c.name, noLimits, func(w *sitemap.Writer) error {
		for entry, err := range sitemap.NewReader(bufio.NewReader(file)).Entries() {
			if err != nil {
				return err
			}
			if err := r.writeListed(w, entry); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	c.parts[0] = whole
	return os.Remove(before)
}

// writeListed writes an entry of an index, and then the parts split off its file.
func (r *repair) writeListed(w *sitemap.Writer, entry *sitemap.Entry) error {
	u, err := entry.URL()
	if err != nil {
		return err
	}
	own, err := url.Parse(u.Loc)
	if err != nil {
		return err
	}
	name := strings.ToLower(path.Base(own.Path))
	if r.dropped[name] {
		return nil
	}
	if err := w.Write(u); err != nil {
		return err
	}
	for _, part := range r.parts[name] {
		other := sitemap.URL{Loc: own.ResolveReference(&url.URL{Path: part}).String(), LastMod: u.LastMod}
		if err := w.Write(&other); err != nil {
			return err
		}
	}
	return nil
}
