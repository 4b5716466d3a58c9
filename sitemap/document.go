package sitemap

import (
	"strings"

	"github.com/mapatools/mapa/sitemap/internal/xmltext"
)

// A namespaceSet holds the vocabularies whose prefixes the root element declares.
type namespaceSet uint16

func (s namespaceSet) has(v vocabulary) bool { return s&(1<<v) != 0 }

const declaration = `<?xml version="1.0" encoding="UTF-8"?>` + "\n"

// opening returns what comes before the first entry.
func (w *Writer) opening() []byte {
	if w.head != nil {
		return w.head
	}
	head := []byte{}
	switch w.options.Format {
	case FormatText:
		w.head = head
		return head
	case FormatRSS:
		w.head = w.appendChannel(append(head, declaration...))
		return w.head
	case FormatAtom:
		w.head = w.appendFeed(append(head, declaration...))
		return w.head
	}
	head = append(head, declaration...)
	for _, address := range w.options.Stylesheets {
		kind := "text/xsl"
		if strings.HasSuffix(address, ".css") {
			kind = "text/css"
		}
		head = append(head, `<?xml-stylesheet type="`+kind+`" href="`...)
		head = append(xmltext.AppendEscaped(head, address), `"?>`+"\n"...)
	}
	head = append(append(head, '<'), w.options.Format.String()...)
	head = appendNamespace(head, "", canonical[core].uri)
	for v := core + 1; v < vocabularies; v++ {
		if w.used.has(v) {
			head = appendNamespace(head, canonical[v].prefix, canonical[v].uri)
		}
	}
	w.head = append(head, ">\n"...)
	return w.head
}

func appendNamespace(dst []byte, prefix, uri string) []byte {
	dst = append(dst, " xmlns"...)
	if prefix != "" {
		dst = append(append(dst, ':'), prefix...)
	}
	dst = append(xmltext.AppendEscaped(append(dst, `="`...), uri), '"')
	return dst
}

// closing returns what comes after the last entry.
func (w *Writer) closing() string {
	switch w.options.Format {
	case FormatText:
		return ""
	case FormatRSS:
		return "</channel>\n</rss>\n"
	case FormatAtom:
		return w.feedEnd()
	case FormatIndex:
		return "</sitemapindex>\n"
	}
	return "</urlset>\n"
}

// use declares the namespace of a vocabulary: on the root element as long as
// that is not written, or else on the element whose name the buffer ends with.
func (w *Writer) use(v vocabulary) {
	switch {
	case w.used.has(v):
	case w.written == 0 && canonical[v].prefix != "":
		w.used |= 1 << v
		w.head = nil
	default:
		w.buf = appendNamespace(w.buf, canonical[v].prefix, canonical[v].uri)
	}
}
