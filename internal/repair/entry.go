package repair

import (
	"encoding/json"
	"errors"
	"io"
	"net/url"
	"strings"
	"time"

	"github.com/mapatools/mapa/sitemap"
)

// An entryRepair repairs one entry.
type entryRepair struct {
	*repair
	location string // location of the file
	base     string // URL of the file, or empty if unknown
	format   sitemap.Format
	entry    *sitemap.Entry
	line     int // set by at
}

func (e *entryRepair) at(text string) Example {
	if e.line == 0 {
		e.line = e.entry.Line()
	}
	return Example{File: e.location, Line: e.line, Text: text}
}

func (e *entryRepair) change(rule, text string) { e.notes.change(rule, e.at(text)) }
func (e *entryRepair) leave(rule, text string)  { e.notes.leave(rule, e.at(text)) }

// url returns the repaired entry, or nil if it is removed.
func (e *entryRepair) url() *sitemap.URL {
	u, err := e.entry.URL()
	if fault, ok := errors.AsType[*sitemap.Fault](err); ok {
		e.leave(string(fault.Kind), fault.Error())
	}
	if u.Loc = e.loc(u.Loc); u.Loc == "" {
		return nil
	}
	if e.format == sitemap.FormatText {
		return u
	}
	e.lastMod(u)
	if e.format == sitemap.FormatIndex {
		if e.entry.HasExtensions() {
			e.change("extension-in-index", "removed: elements that a sitemap index may not have")
		}
		return u
	}
	e.changeFreq(u)
	e.priority(u)
	if !e.entry.Source().Ordered() {
		e.change("element-order", u.Loc)
	}
	if !u.Extensions.IsZero() {
		e.extensions(u)
	}
	return u
}

// loc resolves and encodes a location. It returns an empty string for a location that
// cannot be written.
func (e *entryRepair) loc(written string) string {
	loc := written
	_, err := sitemap.EncodeLoc(loc)
	if errors.Is(err, sitemap.ErrRelative) && e.base != "" {
		base, parseErr := url.Parse(e.base)
		if parseErr == nil {
			if resolved, parseErr := base.Parse(loc); parseErr == nil {
				loc = resolved.String()
			}
		}
	}
	encoded, err := sitemap.EncodeLoc(loc)
	if err != nil {
		e.leave(ruleOfLoc(err), "removed: "+truncate(written)+": "+err.Error())
		return ""
	}
	for again, err := sitemap.EncodeLoc(encoded); err == nil && again != encoded; again, err = sitemap.EncodeLoc(encoded) {
		encoded = again // it was escaped several times
	}
	switch {
	case loc != written:
		e.change(string(sitemap.FaultLocRelative), truncate(written)+" → "+encoded)
	case encoded != written:
		e.change(ruleOfEncoding(written), truncate(written)+" → "+encoded)
	}
	return encoded
}

// ruleOfLoc returns the ID of the rule for an error of sitemap.EncodeLoc.
func ruleOfLoc(err error) string {
	for _, r := range []struct {
		err  error
		rule string
	}{
		{sitemap.ErrRelative, string(sitemap.FaultLocRelative)}, {sitemap.ErrScheme, "loc-bad-scheme"},
		{sitemap.ErrHost, "loc-no-host"},
		{sitemap.ErrTooLong, "loc-too-long"}, {sitemap.ErrTooShort, "loc-too-short"},
		{sitemap.ErrMissing, string(sitemap.FaultMissingLoc)},
	} {
		if errors.Is(err, r.err) {
			return r.rule
		}
	}
	return "loc-unparsable"
}

// ruleOfEncoding returns the ID of the rule for a location that had to be encoded.
func ruleOfEncoding(loc string) string {
	switch {
	case strings.Contains(loc, "&amp;"), strings.Contains(loc, "&#"):
		return "loc-double-encoded"
	case hasBadEscape(loc):
		return "loc-bad-escape"
	}
	return "loc-not-percent-encoded"
}

func hasBadEscape(loc string) bool {
	const hexadecimal = "0123456789abcdefABCDEF"
	for i := range len(loc) {
		if loc[i] == '%' && (i+2 >= len(loc) || !strings.Contains(hexadecimal, loc[i+1:i+2]) ||
			!strings.Contains(hexadecimal, loc[i+2:i+3])) {
			return true
		}
	}
	return false
}

// lastMod normalizes the date and adds the time zone to a time. It removes a date that
// cannot be read.
func (e *entryRepair) lastMod(u *sitemap.URL) {
	written := string(e.entry.LastMod)
	if written == "" {
		return
	}
	if u.LastMod.IsZero() {
		e.leave("lastmod-invalid", "removed: "+truncate(written))
		return
	}
	if u.LastMod.Precision() >= sitemap.PrecisionMinute && !u.LastMod.HasZone() {
		if e.options.Zone == nil {
			e.leave("lastmod-no-zone", truncate(written)+": the time zone is unknown")
			return
		}
		u.LastMod = inZone(u.LastMod.Time(), e.options.Zone)
		e.change("lastmod-no-zone", truncate(written)+" → "+u.LastMod.String())
		return
	}
	switch text := u.LastMod.String(); {
	case u.LastMod.Precision() < sitemap.PrecisionDay:
		e.leave("lastmod-year-only", text+": the day is unknown")
	case u.LastMod.Precision() == sitemap.PrecisionMinute:
		u.LastMod = sitemap.DateOf(u.LastMod.Time())
		e.change("lastmod-no-seconds", truncate(written)+" → "+u.LastMod.String())
	case u.LastMod.Dialects() == 0:
		e.change("lastmod-invalid", truncate(written)+" → "+text)
	}
}

// inZone returns the same clock time in another time zone. t is in UTC.
func inZone(t time.Time, zone *time.Location) sitemap.Date {
	t = t.UTC()
	return sitemap.DateOf(time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), zone))
}

func (e *entryRepair) changeFreq(u *sitemap.URL) {
	if u.ChangeFreq == "" || u.ChangeFreq.Valid() {
		return
	}
	written := string(u.ChangeFreq)
	u.ChangeFreq = sitemap.ChangeFreq(strings.ToLower(strings.TrimSpace(written)))
	if u.ChangeFreq.Valid() {
		e.change("changefreq-invalid", truncate(written)+" → "+string(u.ChangeFreq))
		return
	}
	u.ChangeFreq = ""
	e.leave("changefreq-invalid", "removed: "+truncate(written))
}

func (e *entryRepair) priority(u *sitemap.URL) {
	value, present := u.Priority.Value()
	switch {
	case e.entry.Priority == nil:
	case !present:
		e.leave("priority-invalid", "removed: "+truncate(string(e.entry.Priority)))
	case value < 0 || value > 1:
		u.Priority = sitemap.Priority{}
		e.leave("priority-range", "removed: "+truncate(string(e.entry.Priority)))
	}
}

// extensions repairs what it can, and removes every image, video or other extension that
// cannot be written. Usually all can be, so it tries them together first.
func (e *entryRepair) extensions(u *sitemap.URL) {
	if isWritable(u.Loc, u.Extensions) {
		return
	}
	x := &u.Extensions
	e.languages(x.Alternates)
	x.Alternates = keepWritable(e, u.Loc, x.Alternates,
		func(a []sitemap.Alternate) sitemap.Extensions { return sitemap.Extensions{Alternates: a} })
	x.Images = keepWritable(e, u.Loc, x.Images,
		func(i []sitemap.Image) sitemap.Extensions { return sitemap.Extensions{Images: i} })
	x.Videos = keepWritable(e, u.Loc, x.Videos,
		func(v []sitemap.Video) sitemap.Extensions { return sitemap.Extensions{Videos: v} })
	x.News = keepWritable(e, u.Loc, x.News,
		func(n []sitemap.News) sitemap.Extensions { return sitemap.Extensions{News: n} })
	x.PageMaps = keepWritable(e, u.Loc, x.PageMaps,
		func(m []sitemap.PageMap) sitemap.Extensions { return sitemap.Extensions{PageMaps: m} })
	x.Other = keepWritable(e, u.Loc, x.Other,
		func(o []sitemap.Element) sitemap.Extensions { return sitemap.Extensions{Other: o} })
	const maxImages = sitemap.MaxImages
	if len(x.Images) > maxImages {
		e.leave("too-many-images", "removed: all images after the first 1,000")
		x.Images = x.Images[:maxImages]
	}
}

// languages writes language codes with hyphens.
func (e *entryRepair) languages(all []sitemap.Alternate) {
	for i := range all {
		written := all[i].Hreflang
		if !strings.Contains(written, "_") {
			continue
		}
		all[i].Hreflang = strings.ReplaceAll(written, "_", "-")
		e.change("hreflang-separator", truncate(written)+" → "+truncate(all[i].Hreflang))
	}
}

// keepWritable returns the extensions of one kind that can be written, some of them
// without obsolete tags.
func keepWritable[T any](e *entryRepair, loc string, all []T, only func([]T) sitemap.Extensions) []T {
	kept := all[:0:0]
	for i := range all {
		one := only(all[i : i+1])
		err := writeError(loc, one)
		for field := DropObsolete(&one, err); field != nil; field = DropObsolete(&one, err) {
			e.change("obsolete-value-invalid", "removed: "+field.Error())
			err = writeError(loc, one)
		}
		if err != nil {
			e.leave("", "removed: "+err.Error())
			continue
		}
		kept = append(kept, all[i])
	}
	return kept
}

func isWritable(loc string, x sitemap.Extensions) bool { return writeError(loc, x) == nil }

// writeError returns the error of writing a page with these extensions.
func writeError(loc string, x sitemap.Extensions) error {
	w := sitemap.NewWriter(io.Discard, &sitemap.WriterOptions{Limits: noLimits})
	return w.Write(&sitemap.URL{Loc: loc, Extensions: x})
}

// extensionsText returns a text that is equal for equal extensions.
func extensionsText(x *sitemap.Extensions) string {
	text, err := json.Marshal(x)
	if err != nil {
		return ""
	}
	return string(text)
}

const maxShown = 200

// truncate shortens a text from a file to fit on a line.
func truncate(text string) string {
	if len(text) > maxShown {
		return strings.ToValidUTF8(text[:maxShown], "") + "…"
	}
	return text
}
