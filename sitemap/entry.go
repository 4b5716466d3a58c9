package sitemap

import (
	"bytes"
	"errors"
	"slices"

	"github.com/mapatools/mapa/sitemap/internal/window"
)

// An Entry is one item read from a sitemap: a page or, in an index, a file. Its
// values are the text of the file, decoded and without white space around it, and
// nil where they are absent. They are not checked; [Entry.Date] and [Entry.URL]
// parse them. They are valid until the next entry is read, or the end of the file.
type Entry struct {
	Loc        []byte // the address; relative where the file is and no base was given
	LastMod    []byte // as written; in RSS an RFC 822 date
	ChangeFreq []byte
	Priority   []byte

	format     Format
	isSitemap  bool
	disordered bool
	padded     bool
	offset     int64
	at         int // of the element in the window
	end        int // of the element in the window
	window     *window.Window
	extension  []byte // from the first to the last element that is not one of the four fields
	tag        []byte // attributes of the entry's own tag
	scope      scope  // namespaces declared by the root
	depth      int    // ceiling of the elements inside each other
	lineFound  int
}

// IsSitemap reports whether the entry is a file of an index rather than a page.
func (e *Entry) IsSitemap() bool { return e.isSitemap }

// Offset returns the number of bytes before the entry in the unpacked file, after
// conversion to UTF-8.
func (e *Entry) Offset() int64 { return e.offset }

// Line returns the entry's line in the file, from 1. It is counted when asked for.
func (e *Entry) Line() int {
	if e.window == nil {
		return e.lineFound
	}
	_, line, _ := e.window.Place(e.at)
	return line
}

// HasExtensions reports whether the entry has elements other than the protocol's
// four. [Entry.Extensions] parses them.
func (e *Entry) HasExtensions() bool { return len(e.extension) > 0 }

// Clone returns a copy that stays valid when the next entry is read.
func (e *Entry) Clone() *Entry {
	c := *e
	c.Loc = bytes.Clone(e.Loc)
	c.LastMod = bytes.Clone(e.LastMod)
	c.ChangeFreq = bytes.Clone(e.ChangeFreq)
	c.Priority = bytes.Clone(e.Priority)
	c.extension = bytes.Clone(e.extension)
	c.tag = bytes.Clone(e.tag)
	c.scope = slices.Clone(e.scope)
	c.lineFound, c.window = e.Line(), nil
	return &c
}

// Date parses the lastmod. For an absent one it returns the zero Date and no error.
// The error wraps [ErrDate].
func (e *Entry) Date() (Date, error) {
	if e.LastMod == nil {
		return Date{}, nil
	}
	if e.format == FormatRSS {
		return parseFeedDate(e.LastMod)
	}
	return ParseDate(e.LastMod)
}

// URL returns the entry as an independent value that can be changed and written.
// The error joins a [*FieldError] or [*Fault] for each value that cannot be parsed,
// such as a lastmod that is not a date. These values are left out; the rest is
// returned even with an error.
func (e *Entry) URL() (*URL, error) {
	u := &URL{Loc: string(e.Loc), ChangeFreq: ChangeFreq(e.ChangeFreq)}
	var faults []error
	var err error
	if u.LastMod, err = e.Date(); err != nil {
		faults = append(faults, &FieldError{Field: "lastmod", Value: excerpt(e.LastMod), Err: ErrDate})
	}
	if u.Priority, err = parsePriority(e.Priority); err != nil {
		faults = append(faults, &FieldError{Field: "priority", Value: excerpt(e.Priority), Err: err})
	}
	if e.HasExtensions() {
		if err = e.Extensions(&u.Extensions); err != nil {
			faults = append(faults, err)
		}
	}
	return u, errors.Join(faults...)
}
