package sitemap

import (
	"errors"
	"io"
)

// ErrFull is returned by [Writer.Write] when the entry would exceed a limit. The
// entry is not written and the file stays valid.
var ErrFull = errors.New("the file is full")

// ErrEntryTooLarge says that an entry does not fit even into an empty file.
var ErrEntryTooLarge = errors.New("one entry is larger than a file may be")

var errClosed = errors.New("the writer is closed")

// flushAt is the size at which the buffer is written out. Namespaces first used
// after that are declared where they are used instead of on the root element. The
// kernel takes a quarter less time for a file in such pieces than in pieces of
// 64 KiB.
const flushAt = 256 << 10

// WriterOptions say how to write one file. The zero value writes a url set within
// the limits of sitemaps.org.
type WriterOptions struct {
	// Format is the format of the file; the zero value is [FormatURLSet].
	Format Format
	// Limits are the limits that the file does not exceed.
	Limits Limits
	// Stylesheets are URLs, on the file's own host, of stylesheets for people who
	// open the file: XSL, or CSS when the name ends in .css. A browser uses the
	// first it understands; see [CSS]. For url sets and indexes only.
	Stylesheets []string
	// Feed describes the feed; required for RSS and Atom.
	Feed Feed
}

// check returns an error for options that no valid file can be written with.
func (o *WriterOptions) check() error {
	if o.Format > FormatAtom {
		return &FieldError{Field: "format", Err: errFormat}
	}
	for _, address := range o.Stylesheets {
		if err := checkText(address); err != nil {
			return &FieldError{Field: "stylesheet", Value: excerpt([]byte(address)), Err: err}
		}
	}
	if o.Format == FormatRSS || o.Format == FormatAtom {
		return o.Feed.check()
	}
	return nil
}

var errFormat = errors.New("not a format of the protocol")

// A Feed describes an RSS or Atom feed.
type Feed struct {
	Title       string // required
	Link        string // the URL of the site; required
	Description string // RSS; the title when empty
	// Hubs are the URLs of the hubs that tell subscribers about the feed, and Self is the
	// URL of the feed itself, which hubs require (WebSub, section 4). Both may be empty.
	Hubs []string
	Self string
}

// A Writer writes one file, entry by entry. It holds a buffer of some 300 KiB and no
// entries. Use [NewWriter]. It is for one goroutine.
type Writer struct {
	out     io.Writer
	options WriterOptions
	limit   int
	buf     []byte
	used    namespaceSet
	head    []byte // for used, as long as it is not written
	written int64  // bytes written out; 0 as long as head is not
	count   int
	newest  Date
	invalid error // of the options
	err     error
	tails   tailCache
	days    dayCache
	origin  originCache
}

// A tailCache holds pairs of the two fields that have few values, as they are
// written. Each pair has a fixed place.
type tailCache [32]tail

type tail struct {
	changeFreq ChangeFreq
	priority   Priority
	text       []byte
}

// NewWriter returns a writer to w, which it does not close. The options may be left out
// or nil; of several, the last ones count. With options that no valid file can be written
// with, such as a feed without a title, nothing is written, and Write and Close return a
// [*FieldError] that names the option.
func NewWriter(w io.Writer, options ...*WriterOptions) *Writer {
	writer := &Writer{out: w, buf: make([]byte, 0, flushAt+8<<10)}
	for _, o := range options {
		if o != nil {
			writer.options = *o
		}
	}
	writer.invalid = writer.options.check()
	writer.err = writer.invalid
	writer.options.Limits = writer.options.Limits.withDefaults()
	writer.limit = writer.options.Limits.entries(writer.options.Format)
	return writer
}

// Reset makes w a writer of a new file to out, with the same options. What was not
// written of the present file is discarded.
func (w *Writer) Reset(out io.Writer) {
	w.out, w.buf, w.used, w.head = out, w.buf[:0], 0, nil
	w.written, w.count, w.newest, w.err = 0, 0, Date{}, w.invalid
}

// Write adds an entry. A [*FieldError] says what cannot be written, [ErrFull] that
// the file has no room for the entry, and [ErrEntryTooLarge] that no file has; the
// file then holds nothing of the entry and the writer can still be used. Any other
// error is that of the io.Writer, and final.
func (w *Writer) Write(u *URL) error {
	switch {
	case w.err != nil:
		return w.err
	case w.count >= w.limit:
		return ErrFull
	}
	mark, used, newest := len(w.buf), w.used, w.newest
	err := w.append(u)
	if err == nil {
		if u.LastMod.after(w.newest) {
			w.newest = u.LastMod
		}
		err = w.checkSize()
	}
	if err != nil {
		w.buf, w.newest = w.buf[:mark], newest
		if w.used != used {
			w.used, w.head = used, nil
		}
		return err
	}
	w.count++
	if len(w.buf) >= flushAt {
		return w.flush()
	}
	return nil
}

// Close writes the closing tag and what is in the buffer. It does not close the
// io.Writer. A second call does nothing.
func (w *Writer) Close() error {
	if w.err == nil {
		w.buf = append(w.buf, w.closing()...)
		if w.flush() == nil {
			w.err = errClosed
			return nil
		}
	}
	if w.err == errClosed {
		return nil
	}
	return w.err
}

// Count returns the number of entries written.
func (w *Writer) Count() int { return w.count }

// Size returns the number of bytes of the file, including the closing tag.
func (w *Writer) Size() int64 {
	if w.err == errClosed {
		return w.written
	}
	size := w.written + int64(len(w.buf)) + int64(len(w.closing()))
	if w.written == 0 {
		size += int64(len(w.opening()))
	}
	return size
}

// NewestLastMod returns the newest lastmod written, or the zero Date.
func (w *Writer) NewestLastMod() Date { return w.newest }

func (w *Writer) checkSize() error {
	if w.Size() <= w.options.Limits.Bytes {
		return nil
	}
	if w.count == 0 {
		return ErrEntryTooLarge
	}
	return ErrFull
}

func (w *Writer) flush() error {
	if w.written == 0 {
		if err := w.writeOut(w.opening()); err != nil {
			return err
		}
	}
	err := w.writeOut(w.buf)
	w.buf = w.buf[:0]
	return err
}

func (w *Writer) writeOut(b []byte) error {
	n, err := w.out.Write(b)
	w.written += int64(n)
	if err == nil && n < len(b) {
		err = io.ErrShortWrite
	}
	w.err = err
	return err
}

// append formats an entry at the end of the buffer.
func (w *Writer) append(u *URL) error {
	switch w.options.Format {
	case FormatIndex:
		return w.appendSitemap(u)
	case FormatText:
		return w.appendLine(u)
	case FormatRSS:
		return w.appendItem(u)
	case FormatAtom:
		return w.appendEntry(u)
	}
	return w.appendURL(u)
}

// appendURL writes the children in the order of sitemap.xsd.
func (w *Writer) appendURL(u *URL) error {
	b, err := w.appendLoc(append(w.buf, "<url><loc>"...), u)
	if err != nil {
		return &FieldError{Field: "loc", Value: excerpt([]byte(u.Loc)), Err: err}
	}
	b = append(b, "</loc>"...)
	if b, err = w.appendLastMod(b, u.LastMod); err != nil {
		return err
	}
	if u.ChangeFreq != "" || u.Priority.set {
		text, err := w.tails.text(u)
		if err != nil {
			return err
		}
		b = append(b, text...)
	}
	w.buf = b
	if !u.Extensions.IsZero() {
		if err := w.appendExtensions(u); err != nil {
			return err
		}
	}
	w.buf = append(w.buf, "</url>\n"...)
	return nil
}

// appendLoc does the work of the function appendLoc.
func (w *Writer) appendLoc(dst []byte, u *URL) ([]byte, error) {
	if u.Loc != "" && u.Loc == u.plain || w.origin.isPlainLoc(u.Loc) {
		return append(dst, u.Loc...), nil
	}
	return appendEncoded(dst, u.Loc)
}

// text returns changefreq and priority as they are written.
func (c *tailCache) text(u *URL) ([]byte, error) {
	place := 11*len(u.ChangeFreq) + int(10*u.Priority.value)
	t := &c[uint(place)%uint(len(c))]
	if t.text != nil && t.changeFreq == u.ChangeFreq && t.priority == u.Priority {
		return t.text, nil
	}
	err := t.set(u)
	return t.text, err
}

// set makes the text; after an error it is that of the pair before.
func (t *tail) set(u *URL) error {
	if u.ChangeFreq != "" && !u.ChangeFreq.Valid() {
		return &FieldError{Field: "changefreq", Value: excerpt([]byte(u.ChangeFreq)), Err: errChangeFreq}
	}
	if p := u.Priority; p.set && !(p.value >= 0 && p.value <= 1) {
		return &FieldError{Field: "priority", Value: string(p.appendTo(nil)), Err: errPriority}
	}
	t.changeFreq, t.priority = u.ChangeFreq, u.Priority
	t.text = t.text[:0]
	if u.ChangeFreq != "" {
		t.text = append(append(append(t.text, "<changefreq>"...), u.ChangeFreq...), "</changefreq>"...)
	}
	if u.Priority.set {
		t.text = append(u.Priority.appendTo(append(t.text, "<priority>"...)), "</priority>"...)
	}
	return nil
}

var errChangeFreq = errors.New("not one of always, hourly, daily, weekly, monthly, yearly, never")

// appendLastMod writes a date with its precision. A year must have four digits, as
// in every dialect.
func (w *Writer) appendLastMod(dst []byte, d Date) ([]byte, error) {
	if d.IsZero() {
		return dst, nil
	}
	if err := checkYear(d); err != nil {
		return dst, err
	}
	days, second := d.local()
	dst = d.appendTo(append(dst, "<lastmod>"...), w.days.text(days), second)
	return append(dst, "</lastmod>"...), nil
}

func checkYear(d Date) error {
	local := d.seconds
	if d.zone > negativeZero {
		local += int64(d.zone) * 60
	}
	if local < yearOne || local >= yearTenThousand {
		return &FieldError{Field: "lastmod", Err: errYear}
	}
	return nil
}

var (
	yearOne         = daysSince1970(1, 1, 1) * 86400
	yearTenThousand = daysSince1970(10_000, 1, 1) * 86400
	errYear         = errors.New("not a year from 1 to 9999")
)

// appendSitemap writes an entry of an index, which has no other fields
// (siteindex.xsd).
func (w *Writer) appendSitemap(u *URL) error {
	b, err := appendLoc(append(w.buf, "<sitemap><loc>"...), u.Loc)
	if err != nil {
		return &FieldError{Field: "loc", Value: excerpt([]byte(u.Loc)), Err: err}
	}
	b = append(b, "</loc>"...)
	if b, err = w.appendLastMod(b, u.LastMod); err != nil {
		return err
	}
	w.buf = append(b, "</sitemap>\n"...)
	return nil
}

// appendLine writes a line of a text file: percent-encoded, nothing escaped.
func (w *Writer) appendLine(u *URL) error {
	b, err := encode(w.buf, u.Loc)
	if err != nil {
		return &FieldError{Field: "loc", Value: excerpt([]byte(u.Loc)), Err: err}
	}
	w.buf = append(b, '\n')
	return nil
}
