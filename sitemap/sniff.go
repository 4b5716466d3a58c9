package sitemap

import (
	"bytes"
	"io"
	"regexp"
	"strings"
)

// sniff finds out what the stream holds and returns its reader.
func (r *Reader) sniff() (body, error) {
	spaces, err := r.skipSpace()
	if err != nil {
		return nil, err
	}
	switch head := r.window.bytes(); {
	case head[0] == '<':
		if spaces {
			r.tolerate(FaultLeadingWhitespace, 0, "", "")
		}
		return r.sniffXML()
	case head[0] == '{' || head[0] == '[':
		return nil, r.faultAt(FaultNotASitemap, 0, "", "this is JSON")
	}
	head := r.head()
	if r.looksLikeLines(head) {
		r.format = FormatText
		return &textReader{r: r}, nil
	}
	if at := firstMarkup(head); at >= 0 {
		r.tolerate(FaultLeadingContent, 0, "", evidence(head[:at]))
		r.window.release(at)
		return r.sniffXML()
	}
	if isHTML(head) {
		return nil, r.faultAt(FaultHTMLInstead, 0, "", pageTitle(head))
	}
	line, _, _ := bytes.Cut(head, newline)
	return nil, r.faultAt(FaultNotASitemap, 0, "", "neither XML nor a list of URLs: "+evidence(line))
}

// head is the start of the window, as much of it as decides what a file is.
func (r *Reader) head() []byte {
	r.window.need(0, sniffed)
	b := r.window.bytes()
	return b[:min(len(b), sniffed)]
}

// skipSpace releases white space at the start and reports whether there was any.
// An empty stream is an error.
func (r *Reader) skipSpace() (found bool, err error) {
	for {
		b := r.window.bytes()
		rest := bytes.TrimLeft(b, whitespace)
		r.window.release(len(b) - len(rest))
		found = found || len(rest) < len(b)
		if len(rest) > 0 {
			return found, nil
		}
		if !r.window.more() {
			if r.window.err == io.EOF {
				return found, r.faultAt(FaultEmptyBody, 0, "", "")
			}
			return found, r.broken(0)
		}
	}
}

var absoluteLine = regexp.MustCompile(`(?im)^[ \t]*https?://`)

// looksLikeLines reports whether a head that is no XML is a list of URLs: one
// line is, or the first is a path and there is a base to resolve it.
func (r *Reader) looksLikeLines(head []byte) bool {
	return absoluteLine.Match(head) && firstMarkup(head) < 0 || r.base != nil && head[0] == '/'
}

// firstMarkup finds the start of a sitemap behind something else, such as the
// warning of a script.
func firstMarkup(head []byte) int {
	for _, start := range []string{"<?xml", "<urlset", "<sitemapindex"} {
		if at := bytes.Index(head, []byte(start)); at >= 0 {
			return at
		}
	}
	return -1
}

var htmlMarkup = regexp.MustCompile(`(?i)<(!doctype\s+html|html|head|body|script|meta|title)\b`)

func isHTML(head []byte) bool { return htmlMarkup.Match(head) }

var titleElement = regexp.MustCompile(`(?is)<title[^>]*>(.*?)</title`)

// pageTitle describes a page that stands where a sitemap should.
func pageTitle(head []byte) string {
	match := titleElement.FindSubmatch(head)
	if match == nil {
		return "this is an HTML page"
	}
	title := unescape(nil, bytes.TrimSpace(match[1]), ignore)
	return "this is an HTML page, titled “" + evidence(title) + "”"
}

// sniffXML reads the prolog (XML 1.0, section 2.8) and the root's start tag.
func (r *Reader) sniffXML() (body, error) {
	for {
		t, err := r.token(0)
		if err != nil {
			return nil, r.explain(err)
		}
		switch t.kind {
		case startToken:
			at := r.leadingMarkup(t)
			if at == 0 {
				r.keep(t.end)
				return r.root(t)
			}
			r.window.release(at)
			continue
		case declarationToken:
			if err := r.doctype(t); err != nil {
				return nil, err
			}
		case textToken:
			if t.end, err = r.leadingText(t); err != nil {
				return nil, err
			}
		case endToken, cdataToken:
			return nil, r.faultAt(FaultNotWellFormed, 0, "", "markup before the root element")
		}
		r.keep(t.end)
		r.window.release(t.end)
	}
}

// explain tells what broken markup before the root element really is.
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
// stands before it, or 0. Only one such piece is passed.
func (r *Reader) leadingMarkup(t token) int {
	_, local := splitName(t.name(r.window.bytes()))
	switch strings.ToLower(string(local)) {
	case "urlset", "sitemapindex", "rss", "feed", "rdf":
		return 0
	}
	head := r.head()
	at := firstMarkup(head)
	if at <= 0 || isHTML(head[:at]) || !r.once(FaultLeadingContent) {
		return 0
	}
	r.tolerate(FaultLeadingContent, 0, "", evidence(head[:at]))
	return at
}

// leadingText passes a text before the root element.
func (r *Reader) leadingText(t token) (end int, err error) {
	text := bytes.TrimLeft(t.body(r.window.bytes()), whitespace)
	if len(text) == 0 {
		return t.end, nil
	}
	at := t.bodyEnd - len(text)
	end, ok := r.window.indexByte(at, '<')
	if !ok {
		return 0, r.broken(at)
	}
	r.tolerate(FaultLeadingContent, at, "", evidence(bytes.TrimSpace(r.window.bytes()[at:end])))
	return end, nil
}

// doctype refuses what a sitemap never needs and a hostile one would use.
func (r *Reader) doctype(t token) error {
	head := r.window.bytes()
	switch text := t.body(head); {
	case bytes.Contains(text, []byte("<!ENTITY")):
		return r.faultAt(FaultEntityDeclaration, 0, "", "")
	case isHTML(head[:t.end]):
		return r.faultAt(FaultHTMLInstead, 0, "", pageTitle(r.head()))
	default:
		r.tolerate(FaultDoctypePresent, 0, "", evidence(text))
		return nil
	}
}

// root chooses the reader by the root element.
func (r *Reader) root(t token) (body, error) {
	b := r.window.bytes()
	_, local := splitName(t.name(b))
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
		return nil, r.faultAt(FaultNotASitemap, 0, name, "RSS 1.0 is no sitemap format")
	}
	name := evidence(local)
	if head := r.head(); isHTML(head) {
		return nil, r.faultAt(FaultHTMLInstead, 0, "", pageTitle(head))
	}
	return nil, r.faultAt(FaultNotASitemap, 0, "", "the root element is <"+name+">")
}

// token scans the token at a position of the window, reading on as long as it
// must.
func (r *Reader) token(at int) (token, error) {
	for {
		b := r.window.bytes()
		if at < len(b) {
			t, err := scanToken(b, at)
			if err == nil {
				return t, nil
			}
			if err != errIncomplete {
				return t, r.faultAt(FaultNotWellFormed, at, "", err.Error())
			}
		}
		if !r.window.more() {
			return token{}, r.broken(at)
		}
	}
}
