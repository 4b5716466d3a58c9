package sitemap

import (
	"errors"

	"github.com/mapatools/mapa/sitemap/internal/xmltext"
)

// ErrTooMany says that an element is repeated more often than its vocabulary
// allows.
var ErrTooMany = errors.New("more than the vocabulary allows")

// appendExtensions writes the blocks of every vocabulary, each in the order of
// its schema.
func (w *Writer) appendExtensions(u *URL) error {
	if len(u.Images) > MaxImages {
		return &FieldError{Field: "image:image", Err: ErrTooMany}
	}
	for i := range u.Alternates {
		if err := w.appendAlternate(&u.Alternates[i]); err != nil {
			return err
		}
	}
	for i := range u.Images {
		if err := w.appendImage(&u.Images[i]); err != nil {
			return err
		}
	}
	for i := range u.Videos {
		if err := w.appendVideo(&u.Videos[i], u.Loc); err != nil {
			return err
		}
	}
	for i := range u.News {
		if err := w.appendNews(&u.News[i]); err != nil {
			return err
		}
	}
	for i := range u.PageMaps {
		if err := w.appendPageMap(&u.PageMaps[i]); err != nil {
			return err
		}
	}
	if u.Mobile {
		w.openTag("mobile:mobile", mobileVocabulary)
		w.buf = append(w.buf, "/>"...)
	}
	return w.appendOthers(u.Other)
}

// openTag writes a start tag without its >.
func (w *Writer) openTag(name string, v vocabulary) {
	w.buf = append(append(w.buf, '<'), name...)
	w.use(v)
}

// An element collects the fields of one block and stops at the first error.
type element struct {
	w   *Writer
	err error
}

// text writes a field unless it is empty; check may refuse its value.
func (e *element) text(name, value string, check func(string) error) {
	if value == "" || !e.check(name, value, check) {
		return
	}
	b := append(append(append(e.w.buf, '<'), name...), '>')
	b = xmltext.AppendEscaped(b, value)
	e.w.buf = append(append(append(b, "</"...), name...), '>')
}

// required writes a field that may not be missing.
func (e *element) required(name, value string, check func(string) error) {
	e.check(name, value, checkNotEmpty)
	e.text(name, value, check)
}

// optional checks a value unless it is empty.
func (e *element) optional(name, value string, check func(string) error) {
	if value != "" {
		e.check(name, value, check)
	}
}

// loc writes an address.
func (e *element) loc(name, value string) {
	if e.err != nil {
		return
	}
	b := append(append(append(e.w.buf, '<'), name...), '>')
	b, err := appendLoc(b, value)
	if err != nil {
		e.err = &FieldError{Field: name, Value: excerpt([]byte(value)), Err: err}
		return
	}
	e.w.buf = append(append(append(b, "</"...), name...), '>')
}

// address returns an address percent-encoded, not yet escaped.
func (e *element) address(name, value string) string {
	address, err := EncodeLoc(value)
	if err != nil && e.err == nil {
		e.err = &FieldError{Field: name, Value: excerpt([]byte(value)), Err: err}
	}
	return address
}

// attributed writes an element with a text and attributes, given as pairs of
// name and value; empty attributes are left out.
func (e *element) attributed(name, value string, check func(string) error, attributes ...string) {
	if !e.check(name, value, check) {
		return
	}
	e.w.buf = append(append(e.w.buf, '<'), name...)
	for i := 0; i+1 < len(attributes); i += 2 {
		e.attribute(name, attributes[i], attributes[i+1])
	}
	e.raw(">")
	e.w.buf = xmltext.AppendEscaped(e.w.buf, value)
	e.w.buf = append(append(append(e.w.buf, "</"...), name...), '>')
}

// attribute writes an attribute of an element unless it is empty.
func (e *element) attribute(element, name, value string) {
	if value == "" || e.err != nil {
		return
	}
	if err := checkText(value); err != nil {
		e.err = &FieldError{Field: element + " " + name, Value: excerpt([]byte(value)), Err: err}
		return
	}
	e.w.buf = append(append(append(append(e.w.buf, ' '), name...), '='), '"')
	e.w.buf = append(xmltext.AppendEscaped(e.w.buf, value), '"')
}

func (e *element) check(name, value string, check func(string) error) bool {
	if e.err == nil {
		err := checkText(value)
		if err == nil && check != nil {
			err = check(value)
		}
		if err != nil {
			e.err = &FieldError{Field: name, Value: excerpt([]byte(value)), Err: err}
		}
	}
	return e.err == nil
}

// raw writes markup unless something failed before.
func (e *element) raw(markup string) {
	if e.err == nil {
		e.w.buf = append(e.w.buf, markup...)
	}
}

func (e *element) others(elements []Element) {
	if e.err == nil {
		e.err = e.w.appendOthers(elements)
	}
}

// The relations that a link in a sitemap has: a version of the page, or its AMP.
var (
	checkRelation = oneOf("alternate", "amphtml")
	checkLanguage = matches(pattern(`^[a-zA-Z]{1,8}(-[a-zA-Z0-9]{1,8})*$`)) // xsd:language
)

func (w *Writer) appendAlternate(a *Alternate) error {
	w.openTag("xhtml:link", xhtmlVocabulary)
	e := element{w: w}
	rel := a.Rel
	if rel == "" {
		rel = "alternate"
	}
	e.check("xhtml:link rel", rel, checkRelation)
	e.attribute("xhtml:link", "rel", rel)
	e.optional("xhtml:link hreflang", a.Hreflang, checkLanguage)
	e.attribute("xhtml:link", "hreflang", a.Hreflang)
	e.attribute("xhtml:link", "media", a.Media)
	e.attribute("xhtml:link", "type", a.Type)
	href, err := encodeAny(a.Href)
	if err != nil && e.err == nil {
		e.err = &FieldError{Field: "xhtml:link href", Value: excerpt([]byte(a.Href)), Err: err}
	}
	e.attribute("xhtml:link", "href", href)
	e.raw("/>")
	return e.err
}

// encodeAny percent-encodes an address of any scheme; apps have their own
// (android-app://).
func encodeAny(href string) (string, error) {
	address, err := EncodeLoc(href)
	if err == ErrScheme {
		return encodeReference(href)
	}
	return address, err
}

func (w *Writer) appendImage(i *Image) error {
	w.openTag("image:image", imageVocabulary)
	e := element{w: w}
	e.raw(">")
	e.loc("image:loc", i.Loc)
	e.text("image:caption", i.Caption, nil)
	e.text("image:geo_location", i.GeoLocation, nil)
	e.text("image:title", i.Title, nil)
	if i.License != "" {
		e.loc("image:license", i.License)
	}
	e.others(i.Other)
	e.raw("</image:image>")
	return e.err
}

func (w *Writer) appendNews(n *News) error {
	w.openTag("news:news", newsVocabulary)
	e := element{w: w}
	e.raw("><news:publication>")
	e.required("news:name", n.PublicationName, nil)
	e.required("news:language", n.PublicationLanguage, matches(newsLanguage))
	e.raw("</news:publication>")
	e.text("news:access", n.Access, oneOf("Subscription", "Registration"))
	e.text("news:genres", n.Genres, matches(newsGenres))
	e.required("news:publication_date", n.PublicationDate, checkDate)
	e.required("news:title", n.Title, nil)
	e.text("news:keywords", n.Keywords, nil)
	e.text("news:stock_tickers", n.StockTickers, matches(newsTickers))
	e.others(n.Other)
	e.raw("</news:news>")
	return e.err
}

func (w *Writer) appendPageMap(m *PageMap) error {
	w.openTag("PageMap", pageMapVocabulary) // its namespace has no usual prefix
	e := element{w: w}
	e.raw(">")
	if m.Template != "" {
		src, err := encodeReference(m.Template)
		if err != nil {
			e.err = &FieldError{Field: "Template src", Value: excerpt([]byte(m.Template)), Err: err}
		}
		e.raw("<Template")
		e.attribute("Template", "src", src)
		e.raw("/>")
	}
	for _, o := range m.Objects {
		e.check("DataObject type", o.Type, checkNotEmpty)
		e.raw("<DataObject")
		e.attribute("DataObject", "type", o.Type)
		e.attribute("DataObject", "id", o.ID)
		e.raw(">")
		for _, a := range o.Attributes {
			e.check("Attribute name", a.Name, checkNotEmpty)
			e.attributed("Attribute", a.Value, nil, "name", a.Name)
		}
		e.raw("</DataObject>")
	}
	e.raw("</PageMap>")
	return e.err
}
