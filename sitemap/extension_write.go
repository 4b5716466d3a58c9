package sitemap

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
)

const mostImages = 1000

// Why an extension may not be written.
var (
	ErrTooMany   = errors.New("more than the vocabulary allows")
	ErrEmptyHref = errors.New("an alternate without an address")
	ErrElement   = errors.New("not one well-formed element with all its namespaces")
)

// appendExtensions writes the blocks of every vocabulary, each in the order of
// its schema.
func (w *Writer) appendExtensions(u *URL) error {
	if len(u.Images) > mostImages {
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
	b = appendEscaped(b, value)
	e.w.buf = append(append(append(b, "</"...), name...), '>')
}

// required writes a field that may not be missing.
func (e *element) required(name, value string, check func(string) error) {
	if value == "" && e.err == nil {
		e.err = &FieldError{Field: name, Err: ErrMissing}
	}
	e.text(name, value, check)
}

// loc writes an address.
func (e *element) loc(name, value string, required bool) {
	if e.err != nil || value == "" && !required {
		return
	}
	b := append(append(append(e.w.buf, '<'), name...), '>')
	b, err := appendLoc(b, value)
	if err != nil {
		e.err = &FieldError{Field: name, Value: evidence([]byte(value)), Err: err}
		return
	}
	e.w.buf = append(append(append(b, "</"...), name...), '>')
}

// attributed writes a field with attributes, given as pairs of name and value;
// empty ones are left out.
func (e *element) attributed(name, value string, check func(string) error, attributes ...string) {
	if value == "" || !e.check(name, value, check) {
		return
	}
	e.w.buf = append(append(e.w.buf, '<'), name...)
	for i := 0; i+1 < len(attributes); i += 2 {
		e.attribute(attributes[i], attributes[i+1])
	}
	e.w.buf = appendEscaped(append(e.w.buf, '>'), value)
	e.w.buf = append(append(append(e.w.buf, "</"...), name...), '>')
}

func (e *element) attribute(name, value string) {
	if value == "" || !e.check(name, value, nil) {
		return
	}
	e.w.buf = append(append(append(append(e.w.buf, ' '), name...), '='), '"')
	e.w.buf = append(appendEscaped(e.w.buf, value), '"')
}

func (e *element) check(name, value string, check func(string) error) bool {
	if e.err == nil {
		err := checkText(value)
		if err == nil && check != nil {
			err = check(value)
		}
		if err != nil {
			e.err = &FieldError{Field: name, Value: evidence([]byte(value)), Err: err}
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

func (w *Writer) appendAlternate(a *Alternate) error {
	if a.Href == "" {
		return &FieldError{Field: "xhtml:link", Err: ErrEmptyHref}
	}
	if !hasScheme([]byte(a.Href)) {
		return &FieldError{Field: "xhtml:link", Value: evidence([]byte(a.Href)), Err: ErrRelative}
	}
	w.openTag("xhtml:link", xhtmlVocabulary)
	e := element{w: w}
	rel := a.Rel
	if rel == "" {
		rel = "alternate"
	}
	e.attribute("rel", rel)
	e.attribute("hreflang", a.Hreflang)
	e.attribute("media", a.Media)
	e.attribute("type", a.Type)
	if e.err == nil {
		e.w.buf = append(e.w.buf, ` href="`...)
		e.err = w.appendAddress(a.Href)
	}
	e.raw(`"/>`)
	return e.err
}

// appendAddress writes an address of any scheme; apps have their own
// (android-app://).
func (w *Writer) appendAddress(href string) error {
	if isHTTP([]byte(href)) {
		b, err := appendLoc(w.buf, href)
		if err != nil {
			return &FieldError{Field: "xhtml:link", Value: evidence([]byte(href)), Err: err}
		}
		w.buf = b
		return nil
	}
	w.buf = appendEscaped(w.buf, string(appendPercent(nil, unescapeOnce(href))))
	return nil
}

func (w *Writer) appendImage(i *Image) error {
	w.openTag("image:image", imageVocabulary)
	e := element{w: w}
	e.raw(">")
	e.loc("image:loc", i.Loc, true)
	e.text("image:caption", i.Caption, nil)
	e.text("image:geo_location", i.GeoLocation, nil)
	e.text("image:title", i.Title, nil)
	e.loc("image:license", i.License, false)
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
		e.raw("<Template")
		e.attribute("src", m.Template)
		e.raw("/>")
	}
	for _, o := range m.Objects {
		if o.Type == "" && e.err == nil {
			e.err = &FieldError{Field: "DataObject type", Err: ErrMissing}
		}
		e.raw("<DataObject")
		e.attribute("type", o.Type)
		e.attribute("id", o.ID)
		e.raw(">")
		for _, a := range o.Attributes {
			e.attributed("Attribute", a.Value, nil, "name", a.Name)
		}
		e.raw("</DataObject>")
	}
	e.raw("</PageMap>")
	return e.err
}

// appendOthers writes verbatim elements. Each is wrapped in the namespaces it was
// taken from by declaring them on its own tag.
func (w *Writer) appendOthers(elements []Element) error {
	for _, e := range elements {
		text, err := w.standalone(e)
		if err != nil {
			name, _, _ := strings.Cut(strings.TrimPrefix(e.XML, "<"), ">")
			return &FieldError{Field: evidence([]byte(name)), Err: err}
		}
		w.buf = append(w.buf, text...)
	}
	return nil
}

// standalone returns the element with the declarations it lacks, once it is
// known to be one well-formed element.
func (w *Writer) standalone(e Element) (string, error) {
	t, err := scanToken([]byte(e.XML+" "), 0)
	if err != nil || t.kind != startToken {
		return "", ErrElement
	}
	declared, err := scope(nil).declare([]byte(e.XML)[t.bodyAt:t.bodyEnd])
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrElement, err)
	}
	declarations := []byte{}
	for _, n := range e.Namespaces {
		if _, found := declared.find([]byte(n.Prefix)); !found && !w.declares(n) {
			if n.URI == "" {
				return "", fmt.Errorf("%w: nothing declares the prefix %s", ErrElement, n.Prefix)
			}
			declarations = appendNamespace(declarations, n.Prefix, n.URI)
		}
	}
	text := e.XML[:t.nameEnd] + string(declarations) + e.XML[t.nameEnd:]
	return text, wellFormed(text)
}

// declares reports whether the root element binds a prefix to the same vocabulary.
func (w *Writer) declares(n Namespace) bool {
	v, _ := lookUpNamespace(n.URI)
	return v > core && w.used.has(v) && canonical[v].prefix == n.Prefix
}

// wellFormed asks the standard library, which is slow and strict.
func wellFormed(text string) error {
	decoder := xml.NewDecoder(strings.NewReader(text))
	depth, elements := 0, 0
	for {
		t, err := decoder.Token()
		switch {
		case err == io.EOF && elements == 1:
			return nil
		case err != nil:
			return fmt.Errorf("%w: %w", ErrElement, err)
		}
		switch t.(type) {
		case xml.StartElement:
			if depth == 0 {
				elements++
			}
			depth++
		case xml.EndElement:
			depth--
		case xml.Directive:
			return ErrElement
		}
	}
}
