package sitemap

import (
	"errors"
	"time"
)

// ErrNoDate says that Atom demands a date of every entry (RFC 4287, 4.1.2) and
// that none is made up.
var ErrNoDate = errors.New("an Atom entry needs a lastmod")

const rssDate = "Mon, 02 Jan 2006 15:04:05 -0700"

// appendChannel opens an RSS 2.0 feed; its three elements are required
// (https://www.rssboard.org/rss-specification#requiredChannelElements).
func (w *Writer) appendChannel(dst []byte) []byte {
	feed := w.options.Feed
	description := feed.Description
	if description == "" {
		description = feed.Title
	}
	dst = append(dst, `<rss version="2.0">`+"\n<channel>\n"...)
	dst = appendElement(dst, "title", feed.Title)
	dst = appendElement(dst, "link", feed.Link)
	dst = appendElement(dst, "description", description)
	return append(dst, '\n')
}

// appendFeed opens an Atom feed, its link the id as well. Its date, the newest
// of its entries, is written at the end: order has no meaning (RFC 4287, 4.1.1).
func (w *Writer) appendFeed(dst []byte) []byte {
	feed := w.options.Feed
	dst = append(dst, `<feed xmlns="http://www.w3.org/2005/Atom">`+"\n"...)
	dst = appendElement(dst, "title", feed.Title)
	dst = appendElement(dst, "id", feed.Link)
	dst = append(appendEscaped(append(dst, `<link rel="alternate" href="`...), feed.Link), `"/>`...)
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
	dst = appendEscaped(dst, text)
	return append(append(append(dst, "</"...), name...), '>')
}

// title is what a feed calls the page: the article's or video's title, or its
// address.
func (u *URL) title() string {
	switch {
	case len(u.News) > 0 && u.News[0].Title != "":
		return u.News[0].Title
	case len(u.Videos) > 0 && u.Videos[0].Title != "":
		return u.Videos[0].Title
	}
	return u.Loc
}

func (w *Writer) appendItem(u *URL) error {
	loc, err := w.feedLoc(u)
	if err != nil {
		return err
	}
	b := append(w.buf, "<item><title>"...)
	b = append(appendEscaped(b, u.title()), "</title><link>"...)
	b = append(append(b, loc...), "</link><guid>"...)
	b = append(append(b, loc...), "</guid>"...)
	if !u.LastMod.IsZero() {
		b = append(u.LastMod.Time().AppendFormat(append(b, "<pubDate>"...), rssDate), "</pubDate>"...)
	}
	w.buf = append(b, "</item>\n"...)
	return nil
}

func (w *Writer) appendEntry(u *URL) error {
	loc, err := w.feedLoc(u)
	if err != nil {
		return err
	}
	if u.LastMod.IsZero() {
		return &FieldError{Field: "lastmod", Err: ErrNoDate}
	}
	b := append(w.buf, "<entry><title>"...)
	b = append(appendEscaped(b, u.title()), `</title><link rel="alternate" href="`...)
	b = append(append(b, loc...), `"/><id>`...)
	b = append(append(b, loc...), "</id><updated>"...)
	b = u.LastMod.Time().AppendFormat(b, time.RFC3339Nano)
	w.buf = append(b, "</updated></entry>\n"...)
	return nil
}

func (w *Writer) feedLoc(u *URL) ([]byte, error) {
	loc, err := appendLoc(nil, u.Loc)
	if err != nil {
		return nil, &FieldError{Field: "loc", Value: evidence([]byte(u.Loc)), Err: err}
	}
	if err := checkText(u.title()); err != nil {
		return nil, &FieldError{Field: "title", Value: evidence([]byte(u.title())), Err: err}
	}
	return loc, nil
}
