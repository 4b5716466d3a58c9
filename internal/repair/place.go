package repair

import (
	"bufio"
	"fmt"
	"net/url"
	"os"
	"path"
	"path/filepath"

	"github.com/mapatools/mapa/sitemap"
)

func (r *repair) folder() string { return r.options.Folder }

// put renames a finished file to its final name and records the name.
func (r *repair) put(o *output, name string) error {
	if err := o.place(r.folder(), name); err != nil {
		return err
	}
	if !r.taken[name] {
		r.taken[name] = true
		r.files = append(r.files, name)
	}
	return nil
}

// place puts the copy in the folder, as one file or as several parts.
func (c *copier) place() error {
	switch {
	case len(c.parts) == 1:
		if c.file.Format == sitemap.FormatIndex {
			c.indexes = append(c.indexes, c.name)
		}
		return c.put(c.parts[0], c.name)
	case c.isListed():
		return c.placeListed()
	}
	return c.placeWithIndex()
}

// placeListed gives the first part the name of the file. completeIndexes lists the
// other parts after it.
func (c *copier) placeListed() error {
	if err := c.put(c.parts[0], c.name); err != nil {
		return err
	}
	var others []string
	for i, o := range c.parts[1:] {
		name := c.partName(c.name, i+2)
		if err := c.put(o, name); err != nil {
			return err
		}
		others = append(others, name)
	}
	c.repair.parts[c.name] = others
	c.noteSplit(fmt.Sprintf("split into %d files; the index lists them", len(c.parts)))
	return nil
}

func (c *copier) noteSplit(text string) {
	kind := sitemap.FaultTooLarge
	if c.parts[0].Count() >= c.options.Limits.URLs {
		kind = sitemap.FaultTooManyEntries
	}
	c.notes.change(string(kind), Example{File: c.file.Location, Text: text})
}

// placeWithIndex writes an index of the parts under the name of the file.
func (c *copier) placeWithIndex() error {
	base, err := url.Parse(c.url)
	if err != nil {
		return err
	}
	name := indexName(c.name)
	index, err := newOutput(c.folder(), name, &sitemap.WriterOptions{Format: sitemap.FormatIndex})
	if err != nil {
		return err
	}
	defer index.abort()
	c.taken[name] = true
	for i, o := range c.parts {
		part := c.partName(c.name, i+1)
		if err := c.put(o, part); err != nil {
			return err
		}
		loc := base.ResolveReference(&url.URL{Path: part}).String()
		if err := index.Write(&sitemap.URL{Loc: loc, LastMod: o.NewestLastMod()}); err != nil {
			return err
		}
	}
	if err := index.finish(); err != nil {
		return err
	}
	c.noteSplit(fmt.Sprintf("split into %d files and the index %s", len(c.parts), name))
	c.files = append(c.files, name)
	return index.place(c.folder(), name)
}

// completeIndexes adds the parts that were split off to the copies of the indexes.
func (r *repair) completeIndexes() error {
	if len(r.parts) == 0 {
		return nil
	}
	for _, name := range r.indexes {
		if err := r.completeIndex(name); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func (r *repair) completeIndex(name string) error {
	file, err := os.Open(filepath.Join(r.folder(), name))
	if err != nil {
		return err
	}
	defer file.Close()
	out, err := newOutput(r.folder(), name, &sitemap.WriterOptions{Format: sitemap.FormatIndex, Limits: noLimits})
	if err != nil {
		return err
	}
	defer out.abort()
	for entry, err := range sitemap.NewReader(bufio.NewReader(file), nil).Entries() {
		if err != nil {
			return err
		}
		if err := r.writeListed(out, entry); err != nil {
			return err
		}
	}
	if err := out.finish(); err != nil {
		return err
	}
	return out.place(r.folder(), name)
}

// writeListed writes an entry of an index, and then the parts split off its file.
func (r *repair) writeListed(out *output, entry *sitemap.Entry) error {
	u, err := entry.URL()
	if err != nil {
		return err
	}
	if err := out.Write(u); err != nil {
		return err
	}
	own, err := url.Parse(u.Loc)
	if err != nil {
		return err
	}
	for _, part := range r.parts[path.Base(own.Path)] {
		other := sitemap.URL{Loc: own.ResolveReference(&url.URL{Path: part}).String(), LastMod: u.LastMod}
		if err := out.Write(&other); err != nil {
			return err
		}
	}
	return nil
}
