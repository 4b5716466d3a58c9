package sitemap

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/mapatools/mapa/sitemap/internal/xmlscan"
	"github.com/mapatools/mapa/sitemap/internal/xmltext"
)

// ErrElement says that an [Element] cannot be written because it would break the
// file.
var ErrElement = errors.New("not one well-formed element with all its namespaces")

// appendOthers writes verbatim elements, each with the namespaces it was taken
// from declared on its own tag.
func (w *Writer) appendOthers(elements []Element) error {
	for _, e := range elements {
		text, err := w.standalone(e)
		if err != nil {
			name := strings.TrimPrefix(e.XML, "<")
			if i := strings.IndexAny(name, " \t\r\n/>"); i >= 0 {
				name = name[:i]
			}
			return &FieldError{Field: excerpt([]byte(name)), Value: excerpt([]byte(e.XML)), Err: err}
		}
		w.buf = append(w.buf, text...)
	}
	return nil
}

// standalone returns the element with the declarations it lacks, once it is
// known to be one well-formed element.
func (w *Writer) standalone(e Element) (string, error) {
	t, err := xmlscan.Scan([]byte(e.XML+" "), 0)
	if err != nil || t.Kind != xmlscan.StartTag {
		return "", ErrElement
	}
	own, err := scope(nil).declare([]byte(e.XML)[t.BodyAt:t.BodyEnd])
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrElement, err)
	}
	var around scope
	declarations := []byte{}
	for _, n := range e.Namespaces {
		v, _ := lookUpNamespace(n.URI)
		if _, found := own.find([]byte(n.Prefix)); found || n.URI == "" && n.Prefix != "" {
			continue
		}
		if v != foreign {
			n.URI = canonical[v].uri
		}
		if v > core && w.used.has(v) && canonical[v].prefix == n.Prefix {
			around = append(around, binding{n.Prefix, n.URI, v})
			continue
		}
		declarations = appendNamespace(declarations, n.Prefix, n.URI)
	}
	text := e.XML[:t.NameEnd] + string(declarations) + e.XML[t.NameEnd:]
	if err = wellFormed(text); err == nil {
		err = bound([]byte(text), around)
	}
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrElement, err)
	}
	return text, nil
}

// wellFormed checks an element with encoding/xml, which is slow and strict.
func wellFormed(text string) error {
	if err := checkText(text); err != nil {
		return err
	}
	decoder := xml.NewDecoder(strings.NewReader(text))
	depth, elements := 0, 0
	for {
		token, err := decoder.Token()
		switch {
		case err == io.EOF && elements == 1:
			return nil
		case err != nil:
			return err
		}
		switch token := token.(type) {
		case xml.StartElement:
			if depth == 0 {
				elements++
			}
			depth++
		case xml.EndElement:
			depth--
		case xml.CharData:
			if depth == 0 {
				return errors.New("text outside the element")
			}
		case xml.ProcInst:
			if strings.EqualFold(token.Target, "xml") {
				return errors.New("an XML declaration")
			}
		case xml.Directive:
			return errors.New("a declaration")
		}
	}
}

// bound checks what the standard library does not: that every prefix is
// declared (Namespaces in XML 1.0, section 5) and no attribute is repeated.
func bound(text []byte, s scope) error {
	var outer []int // number of declarations around each open element
	for at := 0; at < len(text); {
		t, err := xmlscan.Scan(text, at)
		if err != nil {
			return err
		}
		at = t.End
		switch {
		case t.Kind == xmlscan.StartTag:
			around := len(s)
			if s, err = s.declare(t.Body(text)); err != nil {
				return err
			}
			if err = boundTag(t, text, s); err != nil {
				return err
			}
			if t.SelfClosing {
				s = s[:around]
			} else {
				outer = append(outer, around)
			}
		case t.Kind == xmlscan.EndTag && len(outer) > 0:
			s, outer = s[:outer[len(outer)-1]], outer[:len(outer)-1]
		}
	}
	return nil
}

// boundTag checks the names of one tag.
func boundTag(t xmlscan.Token, text []byte, s scope) error {
	prefix, local := xmlscan.SplitName(t.Name(text))
	if _, found := s.find(prefix); len(prefix) > 0 && !found {
		return fmt.Errorf("nothing declares the prefix %s", prefix)
	}
	if !startsName(local) {
		return fmt.Errorf("not a name: %s", t.Name(text))
	}
	type expanded struct{ uri, local string }
	seen := map[expanded]bool{}
	body := t.Body(text)
	for at := 0; ; {
		a, next, err := xmlscan.NextAttribute(body, at)
		if err != nil || a.Name == nil {
			return err
		}
		if at = next; at < len(body) && !xmltext.IsSpace(body[at]) {
			return xmlscan.ErrAttribute
		}
		prefix, local := xmlscan.SplitName(a.Name)
		if !startsName(local) {
			return fmt.Errorf("not a name: %s", a.Name)
		}
		name := expanded{string(prefix), string(local)}
		switch {
		case name.uri == "xmlns" && (len(a.Value) == 0 || name.local == "xml" || name.local == "xmlns"):
			return fmt.Errorf("a prefix that cannot be declared: %s", local)
		case name.uri != "" && name.uri != "xml" && name.uri != "xmlns":
			b, found := s.find(prefix)
			if !found {
				return fmt.Errorf("nothing declares the prefix %s", prefix)
			}
			name.uri = b.uri
		}
		if seen[name] {
			return fmt.Errorf("the attribute %s twice", a.Name)
		}
		seen[name] = true
	}
}

// startsName reports whether a local name begins as it must; the standard
// library has seen the rest of it.
func startsName(local []byte) bool {
	return len(local) > 0 && local[0] != ':' && xmlscan.IsNameStart(local[0])
}
