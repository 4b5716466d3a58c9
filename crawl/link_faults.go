package crawl

import (
	"bytes"
	"errors"
	"strings"

	"github.com/mapatools/mapa/internal/extract"
	"github.com/mapatools/mapa/internal/urlnorm"
)

// findLinkFault looks for what is wrong with a link that has no URL to request.
func (w *worker) findLinkFault(facts *Facts, base []byte, link *extract.Link) {
	switch link.Kind {
	case extract.KindAnchor, extract.KindArea:
	case extract.KindCanonical, extract.KindAlternate, extract.KindFeed, extract.KindPagination, extract.KindRelated:
	default:
		return
	}
	scheme, rest, _ := urlnorm.CutScheme(plainReference(link.URL))
	switch name := strings.ToLower(string(scheme)); {
	case name == "javascript":
		if link.Kind == extract.KindAnchor {
			facts.addLinkFault(ruleLinkUncrawlable, link)
		}
	case name == "mailto" && !hasRecipient(string(rest)), name == "tel" && !bytes.ContainsAny(rest, "0123456789"),
		!w.resolver.isURL(base, link.URL):
		facts.addLinkFault(ruleLinkInvalid, link)
	}
}

// plainReference returns a reference as the URL standard reads it: without control characters
// around it, tabs and line ends (https://url.spec.whatwg.org/#concept-basic-url-parser).
func plainReference(ref []byte) []byte {
	ref = bytes.TrimFunc(ref, func(r rune) bool { return r <= ' ' })
	if !bytes.ContainsAny(ref, "\t\r\n") {
		return ref
	}
	return bytes.Map(func(r rune) rune {
		if r == '\t' || r == '\r' || r == '\n' {
			return -1
		}
		return r
	}, ref)
}

// isURL reports whether the URL standard can parse a reference. The host of a scheme that no
// browser knows is not looked at.
func (n *normalizer) isURL(base, ref []byte) bool {
	ref = plainReference(ref)
	scheme, rest, _ := urlnorm.CutScheme(ref)
	switch strings.ToLower(string(scheme)) {
	case "ftp", "ws", "wss": // have hosts like that of http
		base, ref = nil, append([]byte("http:"), rest...)
	}
	resolver := &urlnorm.Base{}
	if base != nil {
		var ok bool
		if resolver, ok = n.baseOf(base); !ok {
			return true
		}
	}
	_, err := resolver.AppendResolve(nil, ref)
	return !errors.Is(err, urlnorm.ErrInvalid)
}

// hasRecipient reports whether what follows "mailto:" has an address, or fields that name one
// or the subject (RFC 6068).
func hasRecipient(rest string) bool {
	to, fields, _ := strings.Cut(rest, "?")
	if strings.Contains(to, "@") || strings.Contains(to, "%40") {
		return true
	}
	for field := range strings.SplitSeq(fields, "&") {
		name, _, _ := strings.Cut(field, "=")
		if strings.EqualFold(name, "to") || strings.EqualFold(name, "subject") {
			return true
		}
	}
	return false
}

// isHashRoute reports whether a link leads to a view that a script of its page shows: the part after # is a path.
func isHashRoute(href []byte) bool {
	_, fragment, _ := bytes.Cut(href, []byte{'#'})
	return bytes.HasPrefix(fragment, []byte{'/'}) || bytes.HasPrefix(fragment, []byte("!"))
}

// isOwnHashRoute reports whether it is a view of the same host, by the link as it is written.
func isOwnHashRoute(href []byte) bool {
	return isHashRoute(href) && !bytes.HasPrefix(href, []byte("//")) && !bytes.Contains(href, []byte("://"))
}

// isScript reports whether a link runs a script.
func isScript(href []byte) bool {
	const scheme = "javascript:"
	return len(href) >= len(scheme) && href[0]|0x20 == 'j' && bytes.EqualFold(href[:len(scheme)], []byte(scheme))
}
