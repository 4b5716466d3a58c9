package sitemap_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mapatools/mapa/sitemap"
)

// FuzzReader holds the reader against encoding/xml where that accepts a
// document, and against itself: in small reads, without a report, under Strict.
func FuzzReader(f *testing.F) {
	for _, document := range readerSeeds {
		f.Add([]byte(document))
	}
	f.Fuzz(func(t *testing.T, document []byte) {
		got := read(t, string(document), sitemap.ReaderOptions{})
		strict := readFrom(bytes.NewReader(document), sitemap.ReaderOptions{Strict: true})
		if faulty := len(got.Faults) > 0 || got.Err != nil; faulty != (strict.Err != nil) {
			t.Fatalf("strict reading ended with %v after faults\n%s", strict.Err, got.describe())
		}
		want, ok := oracle(document)
		if !ok {
			return
		}
		if got.Err != nil {
			t.Fatalf("encoding/xml reads what the reader refuses: %v", got.Err)
		}
		if read := got.fieldsOnly(); !slices.Equal(read, want) {
			t.Fatalf("read\n%q\nencoding/xml read\n%q", read, want)
		}
	})
}

var readerSeeds = []string{
	urlset(url("http://example.com/"),
		url("http://example.com/b", "<lastmod>2024-01-08</lastmod><changefreq>daily</changefreq><priority>0.5</priority>")),
	urlset(url("http://example.com/?a=1&amp;b=&#50;"), url("<![CDATA[http://example.com/?a&b]]>"), "<!-- c -->",
		url(" http://example.com/<!-- d -->e\r\n")),
	urlset(url("a", "<image:image><image:loc>b</image:loc></image:image>", "<lastmod>2024</lastmod>"), url("c", "<foo/>")),
	urlset(`<url xmlns:a="b"><loc>a</loc><lastmod>2024</lastmod><loc>b</loc><loc/><a:c/><loc>c</loc></url>`, url("d")),
	urlset("<url><loc><url><![CDATA[a]]></url></loc><lastmod>2024</lastmod></url>", url("b")),
	`<sitemapindex xmlns="https://www.sitemaps.org/schemas/sitemap/0.9/"><sitemap><loc>http://example.com/a.xml</loc><lastmod>2024-01-08T10:00:00Z</lastmod></sitemap><sitemap/></sitemapindex>`,
	`<s:urlset xmlns:s="http://www.sitemaps.org/schemas/sitemap/0.9"><s:url><s:loc>a</s:loc></s:url><urlset><url><loc>b</loc></url></urlset></s:urlset><!-- end --><?pi?>`,
	"http://example.com/\r\n\r\nhttp://example.com/b\rnone\n",
	`<rss version="2.0"><channel><link>http://example.com/</link><item><link>http://example.com/a</link><pubDate>Sat, 07 Sep 2002 00:00:01 GMT</pubDate></item></channel></rss>`,
	`<feed xmlns="http://www.w3.org/2005/Atom"><entry><link href="http://example.com/a"/><updated>2024-01-08T10:00:00Z</updated></entry></feed>`,
	"<!DOCTYPE html><html><title>Log in</title></html>",
	"<!DOCTYPE urlset [<!ENTITY a 'b'>]><urlset/>",
	"\xef\xbb\xbf<urlset><url><loc>http://a/&nbsp;&b;</loc><loc/></url></urlset> trailing",
	`<?xml version="1.0" encoding="windows-1252"?><urlset><url><loc>http://a/` + "\xe9" + `</loc></url></urlset>`,
}

// fields are the protocol's four values of an entry.
type fields [4]string

func (r reading) fieldsOnly() []fields {
	var all []fields
	for _, e := range r.Entries {
		all = append(all, fields{e.Loc, e.LastMod, e.ChangeFreq, e.Priority})
	}
	return all
}

// oracle reads a url set or an index with encoding/xml. It is not ok where that
// finds the document faulty or where the two differ by intention: namespaces
// declared inside the root, a DOCTYPE with more than a name, great depth.
func oracle(document []byte) (entries []fields, ok bool) {
	o := naiveReader{decoder: xml.NewDecoder(bytes.NewReader(bytes.TrimPrefix(document, []byte("\xef\xbb\xbf"))))}
	if !utf8.Valid(document) || oddPrefix.Match(document) {
		return nil, false
	}
	err := o.document()
	return o.entries, err == nil
}

// oddPrefix finds names with an empty prefix or local name, and two colons.
var oddPrefix = regexp.MustCompile(`[</]:|:[\s/>=]|:[^\s<>'"&]*:`)

var errIncomparable = errors.New("incomparable")

type naiveReader struct {
	decoder *xml.Decoder
	space   string // namespace of the root
	entries []fields
	depth   int
}

var plainDoctype = regexp.MustCompile(`^DOCTYPE\s+[a-gi-z][a-z]*\s*$`)

func (o *naiveReader) document() error {
	roots := 0
	for {
		token, err := o.decoder.Token()
		if err == io.EOF && roots == 1 {
			return nil
		}
		if err != nil {
			return err
		}
		switch token := token.(type) {
		case xml.StartElement:
			if roots++; roots > 1 || !isRootName(token.Name) || !o.scope(token) {
				return errIncomparable
			}
			if err := o.root(); err != nil {
				return err
			}
		case xml.CharData:
			if len(bytes.Trim(token, " \t\r\n")) > 0 {
				return errIncomparable
			}
		case xml.Directive:
			if roots > 0 || !plainDoctype.Match(token) {
				return errIncomparable
			}
		}
	}
}

func isRootName(name xml.Name) bool { return name.Local == "urlset" || name.Local == "sitemapindex" }

// scope takes the root's namespace; a default namespace other than it would make
// elements without a prefix foreign, which the reader tolerates.
func (o *naiveReader) scope(root xml.StartElement) bool {
	o.space = root.Name.Space
	for _, a := range root.Attr {
		if a.Name.Local == "xmlns" && a.Name.Space == "" && a.Value != o.space {
			return false
		}
	}
	return len(root.Attr) < 60
}

// next returns the next token inside the root.
func (o *naiveReader) next() (xml.Token, error) {
	token, err := o.decoder.Token()
	if err != nil {
		return nil, err
	}
	switch token := token.(type) {
	case xml.Directive:
		return nil, errIncomparable
	case xml.StartElement:
		for _, a := range token.Attr {
			if a.Name.Space == "xmlns" || a.Name.Local == "xmlns" {
				return nil, errIncomparable
			}
		}
		if o.depth++; o.depth > 50 {
			return nil, errIncomparable
		}
	case xml.EndElement:
		o.depth--
	}
	return token, nil
}

func (o *naiveReader) isCore(name xml.Name) bool {
	return name.Space == o.space || name.Space == "" || strings.Contains(name.Space, "sitemap/0.")
}

func (o *naiveReader) isEntry(name xml.Name) bool {
	return o.isCore(name) && (name.Local == "url" || name.Local == "sitemap")
}

func (o *naiveReader) root() error {
	for {
		token, err := o.next()
		if err != nil {
			return err
		}
		switch token := token.(type) {
		case xml.EndElement:
			return nil
		case xml.StartElement:
			switch {
			case isRootName(token.Name):
				err = o.root()
			case o.isEntry(token.Name):
				err = o.entry(token.Name.Local == "sitemap")
			default:
				_, err = o.text()
			}
			if err != nil {
				return err
			}
		}
	}
}

func (o *naiveReader) entry(isSitemap bool) error {
	names := []string{"loc", "lastmod", "changefreq", "priority"}
	if isSitemap {
		names = names[:2]
	}
	var seen [4]bool
	entry := fields{absent, absent, absent, absent}
	for {
		token, err := o.next()
		if err != nil {
			return err
		}
		switch token := token.(type) {
		case xml.EndElement:
			if entry[0] != absent {
				o.entries = append(o.entries, entry)
			}
			return nil
		case xml.StartElement:
			if o.isEntry(token.Name) {
				return errIncomparable // the reader takes it for the next entry
			}
			text, err := o.text()
			if err != nil {
				return err
			}
			i := slices.Index(names, token.Name.Local)
			switch {
			case i < 0 || !o.isCore(token.Name):
				continue
			case i == 0 && seen[0]: // another entry
				if entry[0] != absent {
					o.entries = append(o.entries, entry)
				}
				seen, entry = [4]bool{}, fields{absent, absent, absent, absent}
			case seen[i]:
				continue
			}
			seen[i] = true
			if i == 0 {
				text = wrapped.ReplaceAllString(text, "")
			}
			if text != "" {
				entry[i] = text
			}
		}
	}
}

// wrapped is where an address goes on in another line.
var wrapped = regexp.MustCompile(` *[\t\r\n][ \t\r\n]*`)

// text reads an element's own text to its end, elements inside left out.
func (o *naiveReader) text() (string, error) {
	var text strings.Builder
	for inside := 0; ; {
		token, err := o.next()
		if err != nil {
			return "", err
		}
		switch token := token.(type) {
		case xml.StartElement:
			inside++
		case xml.EndElement:
			if inside == 0 {
				return strings.TrimSpace(text.String()), nil
			}
			inside--
		case xml.CharData:
			if inside == 0 {
				text.Write(token)
			}
		}
	}
}
