package sitemap_test

import (
	"encoding/xml"
	"errors"
	"io"
	"maps"
	address "net/url"
	"strings"
	"testing"

	"golang.org/x/net/idna"

	"github.com/mapatools/mapa/sitemap"
)

// FuzzLoc holds every string against encoding/xml, which undoes the escaping,
// and net/url, which undoes the encoding.
func FuzzLoc(f *testing.F) {
	for _, loc := range []string{
		"https://example.com/a?b=c", "http://www.ejemplo.com/españa.html&q=nombre", "http://example.com/?a&amp;amp;#38;b&lt;",
		"http://example.com/100%/%zz/%41%", `http://user:p@ss@bücher.example:8080/\[]{}#a#b`, "http://[2001:db8::1]:80/",
		"http://a.b",
		"http://b%C3%BCcher.example/", "HTTP://EXAMPLE.com?q", "http://example.com:/", "\thttp://example.com/\xff\x00'\"\r\n",
	} {
		f.Add(loc)
	}
	f.Fuzz(func(t *testing.T, in string) {
		loc, ok := writtenLoc(t, in)
		if !ok {
			return
		}
		for _, c := range []byte(loc) {
			if c <= ' ' || c >= 0x7f {
				t.Fatalf("%q is written with the byte %#x: %q", in, c, loc)
			}
		}
		out, err := address.Parse(loc)
		if err != nil || out.Scheme != "http" && out.Scheme != "https" || out.Hostname() == "" {
			t.Fatalf("%q is written as %q: %v", in, loc, err)
		}
		if len(loc) < 12 || len(loc) > 2047 {
			t.Fatalf("%q is written with %d characters", in, len(loc))
		}
		if again, ok := writtenLoc(t, loc); !ok || again != loc {
			t.Fatalf("%q is written as %q, and that as %q", in, loc, again)
		}
		assertSamePlace(t, in, out)
	})
}

// writtenLoc writes an address and lets encoding/xml take it out of the file;
// the text format must say the same.
func writtenLoc(t *testing.T, in string) (string, bool) {
	t.Helper()
	var file, text strings.Builder
	w := sitemap.NewWriter(&file)
	lines := sitemap.NewWriter(&text, &sitemap.WriterOptions{Format: sitemap.FormatText})
	err, lineErr := w.Write(&sitemap.URL{Loc: in}), lines.Write(&sitemap.URL{Loc: in})
	if err != nil {
		var fault *sitemap.FieldError
		if !errors.As(err, &fault) || fault.Field != "loc" || lineErr == nil {
			t.Fatalf("%q: %v, %v", in, err, lineErr)
		}
		return "", false
	}
	if err := errors.Join(lineErr, w.Close(), lines.Close()); err != nil {
		t.Fatal(err)
	}
	var set struct {
		Loc []string `xml:"url>loc"`
	}
	if err := xml.Unmarshal([]byte(file.String()), &set); err != nil || len(set.Loc) != 1 {
		t.Fatalf("%q gives %v in %s", in, err, file.String())
	}
	if text.String() != set.Loc[0]+"\n" {
		t.Fatalf("%q is %q in XML and %q in text", in, set.Loc[0], text.String())
	}
	return set.Loc[0], true
}

// assertSamePlace demands that what net/url understands leads to the same host
// and path when it is written. Addresses with an & are left out: the package
// takes what looks like an entity for one.
func assertSamePlace(t *testing.T, in string, out *address.URL) {
	t.Helper()
	meant, err := address.Parse(strings.Trim(in, " \t\r\n"))
	if err != nil || strings.Contains(in, "&") {
		return
	}
	host := meant.Hostname()
	if strings.IndexFunc(host, func(r rune) bool { return r >= 0x80 }) >= 0 {
		if host, err = idna.Lookup.ToASCII(host); err != nil {
			t.Fatalf("%q is written with the host %q: %v", in, out.Host, err)
		}
	}
	if out.Hostname() != host || out.Port() != meant.Port() || out.User.String() != meant.User.String() {
		t.Fatalf("%q is written with the host %q, port %q, user %q", in, out.Hostname(), out.Port(), out.User)
	}
	if out.Path != meant.Path && (out.Path != "/" || meant.Path != "") {
		t.Fatalf("%q is written with the path %q, want %q", in, out.Path, meant.Path)
	}
	if out.Fragment != meant.Fragment {
		t.Fatalf("%q is written with the fragment %q, want %q", in, out.Fragment, meant.Fragment)
	}
}

// FuzzWriter puts text into every field of every vocabulary: what the writer
// takes must be well-formed, and name only namespaces it declares.
func FuzzWriter(f *testing.F) {
	f.Add("", "", "")
	f.Add("a & <b>", "https://example.com/ä?a&b", "<x:a xmlns:x='u' x:b='c'>d</x:a>")
	f.Add("]]>\r\n\t", "android-app://a/b", "<a><!-- b --><![CDATA[c]]><?d e?></a>")
	f.Add("de", "http://[::1]/\x00\xff", "<x:a/>")
	f.Fuzz(func(t *testing.T, text, loc, element string) {
		extensions := fuzzed(text, loc, element)
		for _, format := range []sitemap.Format{sitemap.FormatURLSet, sitemap.FormatRSS, sitemap.FormatAtom} {
			var file strings.Builder
			w := sitemap.NewWriter(&file, &sitemap.WriterOptions{Format: format, Feed: feed})
			for i := range extensions {
				err := w.Write(&sitemap.URL{Loc: page, LastMod: sitemap.DayOf(noon), Extensions: extensions[i]})
				var fault *sitemap.FieldError
				if err != nil && !errors.As(err, &fault) {
					t.Fatal(err)
				}
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			assertWellFormed(t, file.String())
			entries, err := readWith(file.String(), nil)
			if err != nil || len(entries) != w.Count() {
				t.Fatalf("read back %d entries of %d: %v\n%s", len(entries), w.Count(), err, file.String())
			}
		}
	})
}

// FuzzElement does the same for verbatim elements alone, which are checked and
// not escaped.
func FuzzElement(f *testing.F) {
	f.Add("<x:a x:b='c'>d</x:a>", "x", "u")
	f.Add("<a xmlns:x='u'><x:b/><!-- c --><![CDATA[d]]><?e f?>&lt;&#65;</a>", "",
		"http://www.sitemaps.org/schemas/sitemap/0.9")
	f.Add("<image:a/>", "image", "https://www.google.com/schemas/sitemap-image/1.1")
	f.Add("<a b='1'c='2' b='3'/></url><url>", "y='>", "<")
	f.Fuzz(func(t *testing.T, element, prefix, uri string) {
		var file strings.Builder
		w := sitemap.NewWriter(&file)
		err := w.Write(&sitemap.URL{Loc: page, Extensions: sitemap.Extensions{
			Images: []sitemap.Image{{Loc: page}},
			Other:  []sitemap.Element{{XML: element, Namespaces: []sitemap.Namespace{{Prefix: prefix, URI: uri}}}},
		}})
		if err != nil {
			if !errors.Is(err, sitemap.ErrElement) {
				t.Fatal(err)
			}
			return
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		assertWellFormed(t, file.String())
	})
}

// fuzzed returns extensions that have the values in different fields, so that
// one refused field does not hide the others.
func fuzzed(text, loc, element string) []sitemap.Extensions {
	all := []sitemap.Extensions{
		{Images: []sitemap.Image{{Loc: loc, Caption: text, GeoLocation: text, Title: text}}},
		{Images: []sitemap.Image{{Loc: page, License: loc}}},
		{Alternates: []sitemap.Alternate{{Href: loc, Media: text, Type: text}}},
		{Alternates: []sitemap.Alternate{{Href: page, Hreflang: text, Rel: text}}},
		{PageMaps: []sitemap.PageMap{{Template: loc,
			Objects: []sitemap.DataObject{{Type: text, ID: text,
				Attributes: []sitemap.DataAttribute{{Name: text, Value: text}}}}}}},
		{Other: []sitemap.Element{{XML: element}}},
		{Other: []sitemap.Element{{XML: element, Namespaces: []sitemap.Namespace{{Prefix: "x", URI: text}}}}},
		{Other: []sitemap.Element{{XML: element, Namespaces: []sitemap.Namespace{{URI: text}, {Prefix: text, URI: loc}}}}},
		{Images: []sitemap.Image{{Loc: page, Other: []sitemap.Element{{XML: element}}}}},
	}
	for _, v := range append(videoVariants(text), videoVariants(loc)...) {
		all = append(all, sitemap.Extensions{Videos: []sitemap.Video{v}})
	}
	for i := range 8 {
		n := news()
		*[]*string{&n.PublicationName, &n.PublicationLanguage, &n.PublicationDate, &n.Title, &n.Access, &n.Genres,
			&n.Keywords, &n.StockTickers}[i] = text
		all = append(all, sitemap.Extensions{News: []sitemap.News{n}})
	}
	return all
}

// assertWellFormed demands what encoding/xml does, that every prefix is
// declared, and that no attribute is repeated.
func assertWellFormed(t *testing.T, document string) {
	t.Helper()
	decoder := xml.NewDecoder(strings.NewReader(document))
	scopes := []map[string]bool{{"": true, "xml": true, "xmlns": true}}
	roots := 0
	for {
		token, err := decoder.RawToken()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("%v in %s", err, document)
		}
		switch token := token.(type) {
		case xml.StartElement:
			if len(scopes) == 1 {
				roots++
			}
			declared := scopes[len(scopes)-1]
			seen := map[xml.Name]bool{}
			for _, a := range token.Attr {
				if seen[a.Name] {
					t.Fatalf("the attribute %v twice in %s", a.Name, document)
				}
				seen[a.Name] = true
				if a.Name.Space == "xmlns" {
					declared = maps.Clone(declared)
					declared[a.Name.Local] = true
				}
			}
			for _, a := range append(token.Attr, xml.Attr{Name: token.Name}) {
				if !declared[a.Name.Space] || strings.Contains(a.Name.Local, ":") {
					t.Fatalf("nothing declares %v in %s", a.Name, document)
				}
			}
			scopes = append(scopes, declared)
		case xml.EndElement:
			scopes = scopes[:len(scopes)-1]
		}
	}
	if err := xml.Unmarshal([]byte(document), new(struct{})); err != nil || roots != 1 {
		t.Fatalf("%d roots, %v in %s", roots, err, document)
	}
}
