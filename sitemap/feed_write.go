package sitemap

import (
	"errors"
	"time"

	"github.com/mapatools/mapa/sitemap/internal/xmltext"
)

// ErrNoDate says that an entry of an Atom feed has no lastmod, which the format
// requires (RFC 4287, 4.1.2). The writer does not invent one.
var ErrNoDate = errors.New("an Atom entry needs a lastmod")

const rssDate = "Mon, 02 Jan 2006 15:04:05 -0700"

func (f *Feed) check() error {
	for _, field := range []struct {
		name, text string
		required   bool
	}{{"feed title", f.Title, true}, {"feed description", f.Description, false}} {
		err := checkText(field.text)
		if field.required && field.text == "" {
			err = ErrMissing
		}
		if err != nil {
			return &FieldError{Field: field.name, Value: excerpt([]byte(field.text)), Err: err}
		}
	}
	if err := checkAddress(f.Link); err != nil {
		return &FieldError{Field: "feed link", Value: excerpt([]byte(f.Link)), Err: err}
	}
	for _, hub := range f.Hubs {
		if err := checkAddress(hub); err != nil {
			return &FieldError{Field: "feed hub", Value: excerpt([]byte(hub)), Err: err}
		}
	}
	if f.Self == "" {
		return nil
	}
	if err := checkAddress(f.Self); err != nil {
		return &FieldError{Field: "feed self", Value: excerpt([]byte(f.Self)), Err: err}
	}
	return nil
}

// feedAddress returns an address as it is written in the file; check has made sure that
// it can be.
func feedAddress(address string) []byte {
	link, _ := appendLoc(nil, address)
	return link
}

// appendHubs appends the links to the hubs and to the feed itself, which both formats
// take from Atom, with a prefix of their element.
func (f *Feed) appendHubs(dst []byte, prefix string) []byte {
	for _, hub := range f.Hubs {
		dst = appendFeedLink(dst, prefix, "hub", hub)
	}
	if f.Self != "" {
		dst = appendFeedLink(dst, prefix, "self", f.Self)
	}
	return dst
}

func appendFeedLink(dst []byte, prefix, rel, address string) []byte {
	dst = append(append(append(dst, '<'), prefix...), `link rel="`...)
	dst = append(append(dst, rel...), `" href="`...)
	return append(append(dst, feedAddress(address)...), "\"/>"...)
}

// isSubscribable reports whether the feed has links of WebSub.
func (f *Feed) isSubscribable() bool { return len(f.Hubs) > 0 || f.Self != "" }

// appendChannel opens an RSS 2.0 feed; its three elements are required
// (https://www.rssboard.org/rss-specification#requiredChannelElements).
func (w *Writer) appendChannel(dst []byte) []byte {
	feed := w.options.Feed
	description := feed.Description
	if description == "" {
		description = feed.Title
	}
	dst = append(dst, `<rss version="2.0"`...)
	if feed.isSubscribable() {
		dst = append(dst, ` xmlns:atom="http://www.w3.org/2005/Atom"`...)
	}
	dst = append(dst, ">\n<channel>\n"...)
	dst = appendElement(dst, "title", feed.Title)
	dst = append(append(append(dst, "<link>"...), feedAddress(feed.Link)...), "</link>"...)
	dst = appendElement(dst, "description", description)
	return append(feed.appendHubs(dst, "atom:"), '\n')
}

// appendFeed opens an Atom feed, its link the id as well. Its date, the newest
// of its entries, is written at the end: order has no meaning (RFC 4287, 4.1.1).
func (w *Writer) appendFeed(dst []byte) []byte {
	feed := w.options.Feed
	dst = append(dst, `<feed xmlns="http://www.w3.org/2005/Atom">`+"\n"...)
	dst = appendElement(dst, "title", feed.Title)
	dst = append(append(append(dst, "<id>"...), feedAddress(feed.Link)...), "</id>"...)
	dst = appendFeedLink(dst, "", "alternate", feed.Link)
	dst = feed.appendHubs(dst, "")
	dst = appendElement(append(dst, "<author>"...), "name", feed.Title)
	return append(dst, "</author>\n"...)
}

func (w *Writer) feedEnd() string {
	if w.newest.IsZero() {
		return "</feed>\n"
	}
	return "<updated>" + w.newest.Time().Format(time.RFC3339Nano) + "</updated>\n</feed>\n"
}

func appendElement(dst []byte, name, text string) []byte {
	dst = append(append(append(dst, '<'), name...), '>')
	dst = xmltext.AppendEscaped(dst, text)
	return append(append(append(dst, "</"...), name...), '>')
}

func (w *Writer) appendItem(u *URL) error {
	loc, title, err := feedFields(u)
	if err != nil {
		return err
	}
	b := append(w.buf, "<item><title>"...)
	b = append(append(b, title...), "</title><link>"...)
	b = append(append(b, loc...), "</link><guid>"...)
	b = append(append(b, loc...), "</guid>"...)
	if !u.LastMod.IsZero() {
		b = append(u.LastMod.Time().AppendFormat(append(b, "<pubDate>"...), rssDate), "</pubDate>"...)
	}
	w.buf = append(b, "</item>\n"...)
	return nil
}

func (w *Writer) appendEntry(u *URL) error {
	loc, title, err := feedFields(u)
	if err != nil {
		return err
	}
	if u.LastMod.IsZero() {
		return &FieldError{Field: "lastmod", Err: ErrNoDate}
	}
	b := append(w.buf, "<entry><title>"...)
	b = append(append(b, title...), `</title><link rel="alternate" href="`...)
	b = append(append(b, loc...), `"/><id>`...)
	b = append(append(b, loc...), "</id><updated>"...)
	b = u.LastMod.Time().AppendFormat(b, time.RFC3339Nano)
	w.buf = append(b, "</updated></entry>\n"...)
	return nil
}

// feedFields returns what every entry of a feed has, escaped. The title is that
// of the article or the video, or else the address.
func feedFields(u *URL) (loc, title []byte, err error) {
	if loc, err = appendLoc(nil, u.Loc); err != nil {
		return nil, nil, &FieldError{Field: "loc", Value: excerpt([]byte(u.Loc)), Err: err}
	}
	var text, field string
	switch {
	case len(u.News) > 0 && u.News[0].Title != "":
		text, field = u.News[0].Title, "news:title"
	case len(u.Videos) > 0 && u.Videos[0].Title != "":
		text, field = u.Videos[0].Title, "video:title"
	default:
		return loc, loc, checkYear(u.LastMod)
	}
	if err = checkText(text); err != nil {
		return nil, nil, &FieldError{Field: field, Value: excerpt([]byte(text)), Err: err}
	}
	return loc, xmltext.AppendEscaped(nil, text), checkYear(u.LastMod)
}
