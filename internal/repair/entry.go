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

// A patient is the entry at hand.
type patient struct {
	*repair
	location string // of the file
	base     string // its address, or empty
	format   sitemap.Format
	entry    *sitemap.Entry
	line     int // when asked for
}

func (p *patient) at(text string) Example {
	if p.line == 0 {
		p.line = p.entry.Line()
	}
	return Example{File: p.location, Line: p.line, Text: text}
}

func (p *patient) change(rule, text string) { p.notes.change(rule, p.at(text)) }
func (p *patient) leave(rule, text string)  { p.notes.leave(rule, p.at(text)) }

// url returns the entry as it is to be written, or nil where it is left out.
func (p *patient) url() *sitemap.URL {
	u, err := p.entry.URL()
	if fault, ok := errors.AsType[*sitemap.Fault](err); ok {
		p.leave(string(fault.Kind), fault.Error())
	}
	if u.Loc = p.loc(u.Loc); u.Loc == "" {
		return nil
	}
	if p.format == sitemap.FormatText {
		return u
	}
	p.lastMod(u)
	if p.format == sitemap.FormatIndex {
		if p.entry.HasExtensions() {
			p.change("extension-in-index", "left out: what an index cannot hold")
		}
		return u
	}
	p.changeFreq(u)
	p.priority(u)
	if !p.entry.Ordered() {
		p.change("element-order", u.Loc)
	}
	if !u.Extensions.IsZero() {
		p.extensions(u)
	}
	return u
}

// loc resolves and encodes a location; empty is one that cannot be written.
func (p *patient) loc(written string) string {
	loc := written
	_, err := sitemap.EncodeLoc(loc)
	if errors.Is(err, sitemap.ErrRelative) && p.base != "" {
		base, parseErr := url.Parse(p.base)
		if parseErr == nil {
			if resolved, parseErr := base.Parse(loc); parseErr == nil {
				loc = resolved.String()
			}
		}
	}
	encoded, err := sitemap.EncodeLoc(loc)
	if err != nil {
		p.leave(ruleOfLoc(err), "left out: "+shown(written)+": "+err.Error())
		return ""
	}
	for again, err := sitemap.EncodeLoc(encoded); err == nil && again != encoded; again, err = sitemap.EncodeLoc(encoded) {
		encoded = again // of what was escaped several times
	}
	switch {
	case loc != written:
		p.change(string(sitemap.FaultLocRelative), shown(written)+" → "+encoded)
	case encoded != written:
		p.change(ruleOfEncoding(written), shown(written)+" → "+encoded)
	}
	return encoded
}

// ruleOfLoc is the rule that a location breaks which may not be written.
func ruleOfLoc(err error) string {
	for _, r := range []struct {
		err  error
		rule string
	}{
		{sitemap.ErrRelative, string(sitemap.FaultLocRelative)}, {sitemap.ErrScheme, "loc-bad-scheme"}, {sitemap.ErrHost, "loc-no-host"},
		{sitemap.ErrTooLong, "loc-too-long"}, {sitemap.ErrTooShort, "loc-too-short"}, {sitemap.ErrMissing, string(sitemap.FaultMissingLoc)},
	} {
		if errors.Is(err, r.err) {
			return r.rule
		}
	}
	return "loc-unparsable"
}

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
		if loc[i] == '%' && (i+2 >= len(loc) || !strings.Contains(hexadecimal, loc[i+1:i+2]) || !strings.Contains(hexadecimal, loc[i+2:i+3])) {
			return true
		}
	}
	return false
}

// lastMod writes a date in its usual form and gives a time its zone. One that
// cannot be read is left out.
func (p *patient) lastMod(u *sitemap.URL) {
	written := string(p.entry.LastMod)
	if written == "" {
		return
	}
	if u.LastMod.IsZero() {
		p.leave("lastmod-invalid", "left out: "+shown(written))
		return
	}
	if u.LastMod.Precision() >= sitemap.Minute && !u.LastMod.HasZone() {
		if p.options.Zone == nil {
			p.leave("lastmod-no-zone", shown(written)+": its zone is not known")
			return
		}
		u.LastMod = inZone(u.LastMod.Time(), p.options.Zone)
		p.change("lastmod-no-zone", shown(written)+" → "+u.LastMod.String())
		return
	}
	switch text := u.LastMod.String(); {
	case u.LastMod.Precision() < sitemap.Day:
		p.leave("lastmod-year-only", text+": its day is not known")
	case u.LastMod.Precision() == sitemap.Minute:
		u.LastMod = sitemap.DateOf(u.LastMod.Time())
		p.change("lastmod-no-seconds", shown(written)+" → "+u.LastMod.String())
	case u.LastMod.Dialects() == 0:
		p.change("lastmod-invalid", shown(written)+" → "+text)
	}
}

// inZone takes a clock's time, given as UTC, for that of a zone.
func inZone(t time.Time, zone *time.Location) sitemap.Date {
	t = t.UTC()
	return sitemap.DateOf(time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), zone))
}

func (p *patient) changeFreq(u *sitemap.URL) {
	if u.ChangeFreq == "" || u.ChangeFreq.Valid() {
		return
	}
	written := string(u.ChangeFreq)
	u.ChangeFreq = sitemap.ChangeFreq(strings.ToLower(strings.TrimSpace(written)))
	if u.ChangeFreq.Valid() {
		p.change("changefreq-invalid", shown(written)+" → "+string(u.ChangeFreq))
		return
	}
	u.ChangeFreq = ""
	p.leave("changefreq-invalid", "left out: "+shown(written))
}

func (p *patient) priority(u *sitemap.URL) {
	value, present := u.Priority.Value()
	switch {
	case p.entry.Priority == nil:
	case !present:
		p.leave("priority-invalid", "left out: "+shown(string(p.entry.Priority)))
	case value < 0 || value > 1:
		u.Priority = sitemap.Priority{}
		p.leave("priority-range", "left out: "+shown(string(p.entry.Priority)))
	}
}

// extensions leaves out every image, video and so on that may not be written. Most
// entries have none, which one look at all of them together tells.
func (p *patient) extensions(u *sitemap.URL) {
	if isWritable(u.Loc, u.Extensions) {
		return
	}
	x := &u.Extensions
	x.Alternates = keep(p, u.Loc, x.Alternates, func(a []sitemap.Alternate) sitemap.Extensions { return sitemap.Extensions{Alternates: a} })
	x.Images = keep(p, u.Loc, x.Images, func(i []sitemap.Image) sitemap.Extensions { return sitemap.Extensions{Images: i} })
	x.Videos = keep(p, u.Loc, x.Videos, func(v []sitemap.Video) sitemap.Extensions { return sitemap.Extensions{Videos: v} })
	x.News = keep(p, u.Loc, x.News, func(n []sitemap.News) sitemap.Extensions { return sitemap.Extensions{News: n} })
	x.PageMaps = keep(p, u.Loc, x.PageMaps, func(m []sitemap.PageMap) sitemap.Extensions { return sitemap.Extensions{PageMaps: m} })
	x.Other = keep(p, u.Loc, x.Other, func(o []sitemap.Element) sitemap.Extensions { return sitemap.Extensions{Other: o} })
	const mostImages = 1000
	if len(x.Images) > mostImages {
		p.leave("too-many-images", "left out: the images after the first 1,000")
		x.Images = x.Images[:mostImages]
	}
}

// keep returns those of one kind that may be written one by one.
func keep[T any](p *patient, loc string, all []T, only func([]T) sitemap.Extensions) []T {
	kept := all[:0:0]
	for i := range all {
		if err := writingError(loc, only(all[i:i+1])); err != nil {
			p.leave("", "left out: "+err.Error())
			continue
		}
		kept = append(kept, all[i])
	}
	return kept
}

func isWritable(loc string, x sitemap.Extensions) bool { return writingError(loc, x) == nil }

// writingError tries to write a page with these extensions.
func writingError(loc string, x sitemap.Extensions) error {
	return sitemap.NewWriter(io.Discard, &sitemap.WriterOptions{Limits: boundless}).Write(&sitemap.URL{Loc: loc, Extensions: x})
}

// textOf is a text that is equal for equal extensions.
func textOf(x *sitemap.Extensions) string {
	text, err := json.Marshal(x)
	if err != nil {
		return ""
	}
	return string(text)
}

const longestShown = 200

// shown cuts what a file says to a length that fits a line.
func shown(text string) string {
	if len(text) > longestShown {
		return strings.ToValidUTF8(text[:longestShown], "") + "…"
	}
	return text
}
