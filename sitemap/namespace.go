package sitemap

import (
	"errors"
	"slices"
	"strings"

	"github.com/mapatools/mapa/sitemap/internal/xmlscan"
	"github.com/mapatools/mapa/sitemap/internal/xmltext"
)

// A vocabulary is one of the namespaces that sitemaps are written in.
type vocabulary uint8

const (
	foreign vocabulary = iota // one that this package does not know
	core                      // the protocol itself
	imageVocabulary
	videoVocabulary
	newsVocabulary
	xhtmlVocabulary
	pageMapVocabulary
	mobileVocabulary
	vocabularies
)

// canonical holds the one spelling that is written: the engines document http,
// and Search Console has reported https as wrong
// (https://developers.google.com/search/blog/2023/06/sitemaps-lastmod-ping).
var canonical = [vocabularies]struct{ prefix, uri string }{
	core:              {"", "http://www.sitemaps.org/schemas/sitemap/0.9"},
	imageVocabulary:   {"image", "http://www.google.com/schemas/sitemap-image/1.1"},
	videoVocabulary:   {"video", "http://www.google.com/schemas/sitemap-video/1.1"},
	newsVocabulary:    {"news", "http://www.google.com/schemas/sitemap-news/0.9"},
	xhtmlVocabulary:   {"xhtml", "http://www.w3.org/1999/xhtml"},
	pageMapVocabulary: {"", "http://www.google.com/schemas/sitemap-pagemap/1.0"},
	mobileVocabulary:  {"mobile", "http://www.google.com/schemas/sitemap-mobile/1.0"},
}

// legacy lists other names that are understood, as trimNamespace leaves them: those
// of 2005 to 2009, which many generators still write.
var legacy = map[string]vocabulary{
	"google.com/schemas/sitemap/0.84":      core,
	"google.com/schemas/sitemap/0.9":       core,
	"google.com/schemas/sitemap/0.90":      core,
	"google.com/schemas/sitemap-news/0.84": newsVocabulary,
	"google.com/schemas/sitemap-image/1.0": imageVocabulary,
	"google.com/schemas/sitemap-video/1.0": videoVocabulary,
}

var trimmed = func() map[string]vocabulary {
	m := make(map[string]vocabulary, vocabularies)
	for v := core; v < vocabularies; v++ {
		m[trimNamespace(canonical[v].uri)] = v
	}
	return m
}()

// trimNamespace removes what writers vary in a namespace: the scheme, www, a slash
// at the end, letter case.
func trimNamespace(uri string) string {
	s := strings.ToLower(strings.TrimSpace(uri))
	s = strings.TrimPrefix(s, "http:")
	s = strings.TrimPrefix(s, "https:")
	s = strings.TrimPrefix(s, "//")
	s = strings.TrimPrefix(s, "www.")
	return strings.TrimRight(s, "/")
}

// lookUpNamespace finds the vocabulary of a namespace name and whether the name
// is the canonical one.
func lookUpNamespace(uri string) (v vocabulary, exact bool) {
	for v := core; v < vocabularies; v++ {
		if canonical[v].uri == uri {
			return v, true
		}
	}
	name := trimNamespace(uri)
	if v, ok := trimmed[name]; ok {
		return v, false
	}
	return legacy[name], false
}

// usualPrefix returns what a prefix means where its declaration is missing.
func usualPrefix(prefix string) vocabulary {
	for v := imageVocabulary; v < vocabularies; v++ {
		if prefix != "" && canonical[v].prefix == prefix {
			return v
		}
	}
	return foreign
}

// A binding is one xmlns attribute in force.
type binding struct {
	prefix, uri string
	vocabulary  vocabulary
}

const maxBindings = 64

var errBindings = errors.New("more than 64 namespace declarations")

// A scope holds the bindings in force, the innermost last.
type scope []binding

// declare adds the namespace declarations among the attributes of a tag. Of two
// for one prefix the first counts.
func (s scope) declare(attributes []byte) (scope, error) {
	outer := len(s)
	for at := 0; ; {
		a, next, err := xmlscan.NextAttribute(attributes, at)
		if err != nil {
			return s, err
		}
		if a.Name == nil {
			return s, nil
		}
		at = next
		prefix, isDeclaration := strings.CutPrefix(string(a.Name), "xmlns")
		if !isDeclaration || prefix != "" && prefix[0] != ':' {
			continue
		}
		if len(s) == maxBindings {
			return s, errBindings
		}
		prefix = strings.TrimPrefix(prefix, ":")
		if _, twice := s[outer:].find([]byte(prefix)); twice {
			continue
		}
		uri := string(xmltext.Unescape(nil, a.Value, xmltext.Ignore))
		v, _ := lookUpNamespace(uri)
		s = append(s, binding{prefix, uri, v})
	}
}

// find returns the innermost binding of a prefix.
func (s scope) find(prefix []byte) (binding, bool) {
	for _, b := range slices.Backward(s) {
		if b.prefix == string(prefix) {
			return b, true
		}
	}
	return binding{}, false
}

// vocabulary returns the vocabulary of a prefix, by declaration or by convention.
func (s scope) vocabulary(prefix []byte) vocabulary {
	if b, ok := s.find(prefix); ok {
		return b.vocabulary
	}
	return usualPrefix(string(prefix))
}
