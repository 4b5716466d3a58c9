package sitemap

import (
	"bytes"
	"io"
	"slices"
	"strings"

	"github.com/mapatools/mapa/sitemap/internal/xmlscan"
	"github.com/mapatools/mapa/sitemap/internal/xmltext"
)

// sniff finds out what the stream holds and returns its reader.
func (r *Reader) sniff() (body, error) {
	spaces, err := r.skipSpace()
	if err != nil {
		return nil, err
	}
	switch head := r.window.Bytes(); {
	case head[0] == '<':
		if spaces && r.beginsWithDeclaration() {
			r.tolerate(FaultLeadingWhitespace, 0, "", "")
		}
		return r.sniffXML()
	case (head[0] == '{' || head[0] == '[') && !r.beginsWithTemplate():
		return nil, r.faultAt(FaultNotASitemap, 0, "", "this is JSON")
	}
	head := r.head()
	if name := archiveName(head); name != "" {
		return nil, r.faultAt(FaultNotASitemap, 0, "", "this is a "+name+" archive: unpack it first")
	}
	if r.looksLikeLines(head) {
		r.format = FormatText
		return &textReader{r: r}, nil
	}
	if at := firstMarkup(head); at >= 0 {
		r.tolerate(FaultLeadingContent, 0, "", excerpt(head[:at]))
		r.window.Release(at)
		return r.sniffXML()
	}
	if isHTML(head) {
		return nil, r.faultAt(FaultHTMLInstead, 0, "", pageTitle(head))
	}
	if bytes.IndexByte(head, 0) >= 0 {
		return nil, r.faultAt(FaultNotASitemap, 0, "", "this is a binary file")
	}
	line, _, _ := bytes.Cut(head, []byte{'\n'})
	return nil, r.faultAt(FaultNotASitemap, 0, "", "neither XML nor a list of URLs: "+excerpt(line))
}

// beginsWithDeclaration reports whether the window begins with an XML declaration,
// which must be the first thing in a file; other markup may follow white space
// (XML 1.0, section 2.8).
func (r *Reader) beginsWithDeclaration() bool {
	const start = "<?xml"
	return r.window.Need(0, len(start)+1) && bytes.HasPrefix(r.window.Bytes(), []byte(start)) &&
		xmltext.IsSpace(r.window.Bytes()[len(start)])
}

// beginsWithTemplate reports whether the window begins with a tag of Go, Jinja, Liquid or
// Twig, which no JSON does: the file is the source of a sitemap.
func (r *Reader) beginsWithTemplate() bool {
	return r.window.Need(0, 2) && slices.Contains([]string{"{{", "{%", "{#"}, string(r.window.Bytes()[:2]))
}

// head is the start of the window, as much of it as decides what a file is.
func (r *Reader) head() []byte {
	r.window.Need(0, sniffSize)
	b := r.window.Bytes()
	return b[:min(len(b), sniffSize)]
}

// skipSpace releases white space at the start and reports whether there was any.
// An empty stream is an error.
func (r *Reader) skipSpace() (found bool, err error) {
	for {
		b := r.window.Bytes()
		rest := bytes.TrimLeft(b, xmltext.Whitespace)
		r.window.Release(len(b) - len(rest))
		found = found || len(rest) < len(b)
		if len(rest) > 0 {
			return found, nil
		}
		if !r.window.More() {
			if r.window.Err() == io.EOF {
				return found, r.faultAt(FaultEmptyBody, 0, "", "")
			}
			return found, r.readError(0)
		}
	}
}

// archiveName returns the kind of an archive by its magic bytes, or nothing.
func archiveName(head []byte) string {
	const tarMagicAt = 257 // POSIX.1-1988 and later
	switch {
	case len(head) > tarMagicAt && bytes.HasPrefix(head[tarMagicAt:], []byte("ustar")):
		return "tar"
	case bytes.HasPrefix(head, []byte("PK\x03\x04")):
		return "ZIP"
	}
	return ""
}

// urlLine matches a line that is a URL and nothing else.
var urlLine = pattern(`(?i)^https?://\S+$`)

// looksLikeLines reports whether a head that is not XML is a list of URLs: its lines are
// URLs, or most of them after a title, or the first is a path and there is a base to resolve
// it. A text that only mentions URLs is no list.
func (r *Reader) looksLikeLines(head []byte) bool {
	if r.base != nil && head[0] == '/' {
		return true
	}
	urls, others := 0, 0
	for line := range bytes.FieldsFuncSeq(head, func(c rune) bool { return c == '\n' || c == '\r' }) {
		switch line = bytes.TrimSpace(line); {
		case len(line) == 0:
		case urlLine().Match(line):
			urls++
		default:
			others++
		}
		if urls > 0 && others == 0 {
			break // the faults of a list whose first line is a URL are reported
		}
	}
	return urls > 0 && (others < 2 || urls > others) && firstMarkup(head) < 0
}

// firstMarkup finds the start of a sitemap after something else, such as the warning
// of a script.
func firstMarkup(head []byte) int {
	for _, start := range []string{"<?xml", "<urlset", "<sitemapindex"} {
		if at := bytes.Index(head, []byte(start)); at >= 0 {
			return at
		}
	}
	return -1
}

var htmlMarkup = pattern(`(?i)<(!doctype\s+html|html|head|body|script|meta|title)\b`)

func isHTML(head []byte) bool { return htmlMarkup().Match(head) }

// htmlRoot are the elements that pages, and the messages of scripts before them, begin with.
// A file that begins with another is XML, although it may have a title or a head.
var htmlRoot = pattern(`(?i)^(html|head|body|script|style|meta|link|title|base|noscript|div|span|p|br|b|h[1-6]|center|` +
	`font|table|pre|a|img|form|main|header|section)$`)

var titleElement = pattern(`(?is)<title[^>]*>(.*?)</title`)

// pageTitle describes a page that was found instead of a sitemap.
func pageTitle(head []byte) string {
	match := titleElement().FindSubmatch(head)
	if match == nil {
		return "this is an HTML page"
	}
	title := xmltext.Unescape(nil, bytes.TrimSpace(match[1]), xmltext.Ignore)
	return "this is an HTML page, titled “" + excerpt(title) + "”"
}

// sniffXML reads the prolog (XML 1.0, section 2.8) and the root's start tag.
func (r *Reader) sniffXML() (body, error) {
	for isFirst := true; ; isFirst = false {
		t, err := r.token(0)
		if err != nil {
			return nil, r.explain(err)
		}
		switch t.Kind {
		case xmlscan.StartTag:
			at := r.leadingMarkup(t)
			if at == 0 {
				r.keep(t.End)
				return r.root(t)
			}
			r.window.Release(at)
			return r.sniffXML() // of the sitemap after the warning
		case xmlscan.Declaration:
			if err := r.doctype(t); err != nil {
				return nil, err
			}
		case xmlscan.Text:
			if t.End, err = r.leadingText(t); err != nil {
				return nil, err
			}
		case xmlscan.EndTag, xmlscan.CDATA:
			return nil, r.faultAt(FaultNotWellFormed, 0, "", "markup before the root element")
		case xmlscan.Instruction:
			if !isFirst && r.beginsWithDeclaration() {
				r.tolerate(FaultLateDeclaration, 0, "", "")
			}
		}
		r.keep(t.End)
		r.window.Release(t.End)
	}
}

// explain returns the likely cause of broken markup before the root element.
func (r *Reader) explain(err error) error {
	switch head := r.head(); {
	case isHTML(head):
		return r.faultAt(FaultHTMLInstead, 0, "", pageTitle(head))
	case bytes.HasPrefix(head, []byte("<!")) && bytes.Contains(head, []byte("<!ENTITY")):
		return r.faultAt(FaultEntityDeclaration, 0, "", "")
	}
	return err
}

// leadingMarkup returns where the sitemap begins when a script's warning in HTML
// comes before it, or 0. Only one such piece is passed.
func (r *Reader) leadingMarkup(t xmlscan.Token) int {
	_, local := xmlscan.SplitName(t.Name(r.window.Bytes()))
	switch strings.ToLower(string(local)) {
	case "urlset", "sitemapindex", "rss", "feed", "rdf":
		return 0
	}
	head := r.head()
	at := firstMarkup(head)
	if at <= 0 || isHTML(head[:at]) || !r.once(FaultLeadingContent) {
		return 0
	}
	r.tolerate(FaultLeadingContent, 0, "", excerpt(head[:at]))
	return at
}

// leadingText passes a text before the root element.
func (r *Reader) leadingText(t xmlscan.Token) (end int, err error) {
	text := bytes.TrimLeft(t.Body(r.window.Bytes()), xmltext.Whitespace)
	if len(text) == 0 {
		return t.End, nil
	}
	at := t.BodyEnd - len(text)
	end, ok := r.window.IndexByte(at, '<')
	if !ok {
		return 0, r.readError(at)
	}
	r.tolerate(FaultLeadingContent, at, "", excerpt(bytes.TrimSpace(r.window.Bytes()[at:end])))
	return end, nil
}

// doctype refuses entity declarations, which only hostile sitemaps have.
func (r *Reader) doctype(t xmlscan.Token) error {
	head := r.window.Bytes()
	switch text := t.Body(head); {
	case bytes.Contains(text, []byte("<!ENTITY")):
		return r.faultAt(FaultEntityDeclaration, 0, "", "")
	case isHTML(head[:t.End]):
		return r.faultAt(FaultHTMLInstead, 0, "", pageTitle(r.head()))
	default:
		r.tolerate(FaultDoctypePresent, 0, "", excerpt(text))
		return nil
	}
}

// root chooses the reader by the root element.
func (r *Reader) root(t xmlscan.Token) (body, error) {
	b := r.window.Bytes()
	_, local := xmlscan.SplitName(t.Name(b))
	switch name := string(local); strings.ToLower(name) {
	case "urlset", "sitemapindex":
		if name == "urlset" {
			r.format = FormatURLSet
			return newXMLReader(r, t)
		}
		if name == "sitemapindex" {
			r.format = FormatIndex
			return newXMLReader(r, t)
		}
	case "rss":
		r.format = FormatRSS
		return newFeedReader(r, t)
	case "feed":
		r.format = FormatAtom
		return newFeedReader(r, t)
	case "rdf":
		return nil, r.faultAt(FaultNotASitemap, 0, name, "RSS 1.0 is not a sitemap format")
	}
	name := excerpt(local)
	if head := r.head(); isHTML(head) && htmlRoot().Match(local) {
		return nil, r.faultAt(FaultHTMLInstead, 0, "", pageTitle(head))
	}
	return nil, r.faultAt(FaultNotASitemap, 0, "", "the root element is <"+name+">")
}

// token scans the token at a position of the window, reading on as long as needed.
func (r *Reader) token(at int) (xmlscan.Token, error) {
	for {
		b := r.window.Bytes()
		if at < len(b) {
			t, err := xmlscan.Scan(b, at)
			if err == nil {
				return t, nil
			}
			if err != xmlscan.ErrIncomplete {
				return t, r.faultAt(FaultNotWellFormed, at, "", err.Error())
			}
		}
		if !r.window.More() {
			return xmlscan.Token{}, r.readError(at)
		}
	}
}
