package sitemap

import (
	"bytes"
	"slices"

	"github.com/mapatools/mapa/sitemap/internal/layout"
	"github.com/mapatools/mapa/sitemap/internal/xmlscan"
)

// attribute returns where the value of an attribute of a link goes, or nil.
func (a *Alternate) attribute(name []byte) *string {
	switch string(name) {
	case "rel":
		return &a.Rel
	case "hreflang":
		return &a.Hreflang
	case "media":
		return &a.Media
	case "type":
		return &a.Type
	case "href":
		return &a.Href
	}
	return nil
}

func (p *extensionParser) alternate(t xmlscan.Token) (int, error) {
	p.into.Alternates = append(p.into.Alternates, Alternate{})
	a := &p.into.Alternates[len(p.into.Alternates)-1]
	err := p.eachAttribute(t, func(name []byte, value string) {
		if into := a.attribute(name); into != nil {
			*into = value
		}
	})
	if err != nil {
		return 0, err
	}
	return p.skip(t)
}

// usualLink reads an alternate that is written in the usual way: attributes as
// name="value" after one space each, in a self-closing tag. Pages have dozens of
// them. It returns the position after the link, or 0, with nothing changed, for
// anything else.
func (p *extensionParser) usualLink(at int) (end int) {
	b := p.b
	tag := at + len("<")
	colon := bytes.IndexByte(b[tag:min(tag+len("xhtml:")+1, len(b))], ':')
	if colon <= 0 {
		return 0
	}
	name := tag + colon + 1
	if end = name + len("link"); end+2 > len(b) || string(b[name:end]) != "link" ||
		p.vocabularyOf(b[tag:name-1]) != xhtmlVocabulary {
		return 0
	}
	var a Alternate
	var into [5]*string
	var values [len(into)]layout.Span
	found := 0
	for ; b[end] == ' '; found++ {
		attribute, value := usualAttribute(b, end+1)
		if end = value.To + 1; value.To == 0 || end+2 > len(b) || found == len(into) {
			return 0
		}
		into[found], values[found] = a.attribute(b[attribute.From:attribute.To]), value
		if into[found] == nil || slices.Contains(into[:found], into[found]) {
			return 0
		}
	}
	end += len("/>")
	if string(b[end-2:end]) != "/>" || bytes.IndexByte(b[tag:end], '<') >= 0 {
		return 0
	}
	for i, value := range values[:found] {
		*into[i] = p.decoded(value.From, value.To)
	}
	if found == 3 && into[0] == &a.Rel && into[1] == &a.Hreflang {
		p.linkHead, p.linkRel = b[at:values[1].From], a.Rel
	}
	p.into.Alternates = append(p.into.Alternates, a)
	return end
}

// nextLink reads an alternate that differs from the usual one before only in
// language and address, as usualLink does.
func (p *extensionParser) nextLink(at int) (end int) {
	b := p.b
	if len(p.linkHead) == 0 || !bytes.HasPrefix(b[at:], p.linkHead) {
		return 0
	}
	const middle, after = `" href="`, `"/>`
	language := at + len(p.linkHead)
	languageEnd := language + bytes.IndexByte(b[language:], '"')
	href := languageEnd + len(middle)
	if languageEnd < language || href > len(b) || string(b[languageEnd:href]) != middle {
		return 0
	}
	hrefEnd := href + bytes.IndexByte(b[href:], '"')
	end = hrefEnd + len(after)
	if hrefEnd < href || end > len(b) || string(b[hrefEnd:end]) != after || bytes.IndexByte(b[language:end], '<') >= 0 {
		return 0
	}
	p.into.Alternates = append(p.into.Alternates, Alternate{
		Rel: p.linkRel, Hreflang: p.decoded(language, languageEnd), Href: p.decoded(href, hrefEnd),
	})
	return end
}

// usualAttribute reads name="value"; value is empty for anything else.
func usualAttribute(b []byte, at int) (name, value layout.Span) {
	equals := at
	for equals < len(b) && b[equals] >= 'a' {
		equals++
	}
	from := equals + len(`="`)
	if from > len(b) || string(b[equals:from]) != `="` {
		return layout.Span{}, layout.Span{}
	}
	length := bytes.IndexByte(b[from:], '"')
	if length < 0 {
		return layout.Span{}, layout.Span{}
	}
	return layout.Span{From: at, To: equals}, layout.Span{From: from, To: from + length}
}
