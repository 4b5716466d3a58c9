package sitemap

import (
	"bytes"
	"net/url"
	"strings"
	"time"

	"github.com/mapatools/mapa/sitemap/internal/layout"
	"github.com/mapatools/mapa/sitemap/internal/xmlscan"
	"github.com/mapatools/mapa/sitemap/internal/xmltext"
)

// A feedReader reads the items of RSS 2.0 and the entries of Atom 1.0 and 0.3
// (https://www.rssboard.org/rss-specification, RFC 4287).
type feedReader struct {
	*Reader
	root       []byte
	prefix     []byte // of the root element, with its colon
	ended      bool
	consumed   int
	itemBase   *url.URL
	linkBase   *url.URL
	scratch    []byte
	link       layout.Span // in scratch
	substitute layout.Span // used where the link is missing: guid or id
	date       layout.Span
	dateRank   int
}

func newFeedReader(r *Reader, t xmlscan.Token) (*feedReader, error) {
	b := r.window.Bytes()
	f := &feedReader{Reader: r, root: bytes.Clone(t.Name(b)), ended: t.SelfClosing, consumed: t.End}
	if prefix, _ := xmlscan.SplitName(f.root); prefix != nil {
		f.prefix = f.root[:len(prefix)+1]
	}
	var err error
	r.base, err = f.within(t, r.base)
	return f, err
}

// within returns the base of what an element holds, which is that around it unless
// the element has another (https://www.w3.org/TR/xmlbase/#syntax).
func (f *feedReader) within(t xmlscan.Token, around *url.URL) (*url.URL, error) {
	base, err := tagAttribute(f.window.Bytes(), t, "xml:base")
	if err != nil {
		return nil, f.faultAt(FaultNotWellFormed, t.NameAt, "", err.Error())
	}
	if base == "" || around == nil && !hasScheme([]byte(base)) {
		return around, nil
	}
	inner, err := url.Parse(base)
	switch {
	case err != nil:
		return around, nil
	case around == nil:
		return inner, nil
	}
	return around.ResolveReference(inner), nil
}

// tagAttribute returns the decoded value of an attribute, or nothing.
func tagAttribute(b []byte, t xmlscan.Token, name string) (string, error) {
	body := t.Body(b)
	for at := 0; ; {
		a, next, err := xmlscan.NextAttribute(body, at)
		if err != nil || a.Name == nil {
			return "", err
		}
		if string(a.Name) == name {
			return strings.TrimSpace(string(xmltext.Unescape(nil, a.Value, xmltext.Ignore))), nil
		}
		at = next
	}
}

// next reads up to an item that has a link.
func (f *feedReader) next() error {
	f.window.Release(f.consumed)
	f.consumed = 0
	for !f.ended {
		t, err := f.token(0)
		if err != nil {
			return err
		}
		b := f.window.Bytes()
		_, local := xmlscan.SplitName(t.Name(b))
		switch {
		case t.Kind == xmlscan.StartTag && (string(local) == "item" || string(local) == "entry"):
			found, err := f.item(t)
			if err != nil || found {
				return err
			}
			continue
		case t.Kind == xmlscan.EndTag:
			f.ended = bytes.Equal(t.Name(b), f.root)
		case t.Kind == xmlscan.Declaration:
			return f.faultAt(FaultNotWellFormed, 0, "", "a DOCTYPE inside the root element")
		}
		f.window.Release(t.End)
	}
	return f.epilog()
}

// item reads one item, and makes the entry of it if there is a link.
func (f *feedReader) item(t xmlscan.Token) (found bool, err error) {
	f.scratch = f.scratch[:0]
	f.link, f.substitute, f.date, f.dateRank = layout.Span{}, layout.Span{}, layout.Span{}, 0
	if f.itemBase, err = f.within(t, f.base); err != nil {
		return false, err
	}
	f.linkBase = f.itemBase
	for at := t.End; !t.SelfClosing; {
		inner, err := f.token(at)
		if err != nil {
			return false, err
		}
		b := f.window.Bytes()
		switch at = inner.End; inner.Kind {
		case xmlscan.StartTag:
			if bytes.Equal(inner.Name(b), t.Name(b)) {
				f.tolerate(FaultUnclosedEntry, t.NameAt-len("<"), excerpt(t.Name(b)), "")
				return f.fill(t, inner.NameAt-len("<")), nil
			}
			if at, err = f.child(inner); err != nil {
				return false, err
			}
			continue
		case xmlscan.EndTag:
			if !bytes.Equal(inner.Name(b), t.Name(b)) {
				return false, f.mismatch(inner, t.Name(b))
			}
			return f.fill(t, at), nil
		case xmlscan.Declaration:
			return false, f.faultAt(FaultNotWellFormed, at, "", "a DOCTYPE inside the root element")
		}
	}
	return f.fill(t, t.End), nil
}

// dateRanks orders the names of a date by how well they say when the last change
// was.
var dateRanks = map[string]int{"issued": 1, "published": 2, "pubDate": 3, "dc:date": 3, "modified": 4, "updated": 5}

// child reads one child of an item and returns the position after it.
func (f *feedReader) child(t xmlscan.Token) (int, error) {
	b := f.window.Bytes()
	name := string(bytes.TrimPrefix(t.Name(b), f.prefix))
	if rank := dateRanks[name]; rank > f.dateRank {
		f.dateRank = rank
		return f.text(t, &f.date)
	}
	switch name {
	case "link":
		if f.format == FormatAtom {
			return f.atomLink(t)
		}
		if f.link.To == 0 {
			return f.text(t, &f.link)
		}
	case "guid":
		permanent, err := tagAttribute(b, t, "isPermaLink")
		if err != nil {
			return 0, f.faultAt(FaultNotWellFormed, t.NameAt, "", err.Error())
		}
		if permanent != "false" {
			return f.text(t, &f.substitute)
		}
	case "id":
		return f.text(t, &f.substitute)
	}
	return f.skip(t)
}

// ianaRelation may precede the name of a registered relation.
const ianaRelation = "http://www.iana.org/assignments/relation/"

// atomLink takes the link to the page itself (RFC 4287, 4.2.7.2).
func (f *feedReader) atomLink(t xmlscan.Token) (int, error) {
	b := f.window.Bytes()
	rel, err := tagAttribute(b, t, "rel")
	if err != nil {
		return 0, f.faultAt(FaultNotWellFormed, t.NameAt, "", err.Error())
	}
	href, _ := tagAttribute(b, t, "href")
	if f.link.To == 0 && (rel == "" || strings.TrimPrefix(rel, ianaRelation) == "alternate") {
		f.link.From = len(f.scratch)
		f.scratch = append(f.scratch, href...)
		f.link.To = len(f.scratch)
		if f.linkBase, err = f.within(t, f.itemBase); err != nil {
			return 0, err
		}
	}
	return f.skip(t)
}

func (f *feedReader) text(t xmlscan.Token, into *layout.Span) (end int, err error) {
	into.From = len(f.scratch)
	f.scratch, end, err = f.appendText(f.scratch, t, "", nil)
	into.To = len(f.scratch)
	return end, err
}

// fill makes the entry of what was read.
func (f *feedReader) fill(t xmlscan.Token, end int) bool {
	f.consumed = end
	at := t.NameAt - 1
	loc := bytes.TrimSpace(f.scratch[f.link.From:f.link.To])
	if substitute := bytes.TrimSpace(f.scratch[f.substitute.From:f.substitute.To]); len(loc) == 0 && isHTTP(substitute) {
		f.tolerate(FaultFeedLinkFromGUID, at, "", excerpt(substitute))
		loc = substitute
	}
	if len(loc) == 0 {
		f.tolerate(FaultFeedItemWithoutLink, at, "", "")
		f.window.Release(end)
		f.consumed = 0
		return false
	}
	f.entry = Entry{Loc: f.absolute(loc, at, f.linkBase), format: f.format, window: f.window, at: at, end: end,
		offset: f.window.Offset(at)}
	if date := bytes.TrimSpace(f.scratch[f.date.From:f.date.To]); len(date) > 0 {
		f.entry.LastMod = date
	}
	return true
}

func isHTTP(loc []byte) bool {
	lower := bytes.ToLower(loc[:min(len(loc), 8)])
	return bytes.HasPrefix(lower, []byte("http://")) || bytes.HasPrefix(lower, []byte("https://"))
}

// zones are the names of RFC 822, 5.1, in hours; others count as UTC.
var zones = map[string]int{"EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7}

// parseFeedDate reads the date of an RSS item: RFC 822 with years of two or four
// digits, or, as many feeds have it, the form of a lastmod.
func parseFeedDate(text []byte) (Date, error) {
	if d, ok := parseDate(text); ok {
		return d, nil
	}
	s := string(text)
	if _, rest, found := strings.Cut(s, ","); found {
		s = rest
	}
	words := strings.Fields(s)
	if len(words) < 4 {
		return ParseDate(text)
	}
	offset := 0
	if zone := words[len(words)-1]; strings.Trim(zone, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" {
		offset = zones[zone]
		words[len(words)-1] = "+0000"
	}
	s = strings.Join(words, " ")
	for _, format := range []string{"2 Jan 2006 15:04:05 -0700", "2 Jan 2006 15:04 -0700", "2 Jan 06 15:04:05 -0700",
		"2 Jan 06 15:04 -0700"} {
		if t, err := time.Parse(format, s); err == nil {
			return DateOf(t.Add(-time.Duration(offset) * time.Hour)), nil
		}
	}
	return ParseDate(text)
}
