package extract

import (
	"bytes"
	"slices"
	"time"
)

// maxDelay is the maximum delay of a refresh; longer ones are cut to it.
const maxDelay = 365 * 24 * time.Hour

// parseRefresh parses the content of a meta refresh (HTML standard, section
// 4.2.5.3, "shared declarative refresh steps"). Without a URL the page reloads
// itself.
func parseRefresh(content []byte) (r Refresh, ok bool) {
	rest := trimLeft(content)
	digits := 0
	for digits < len(rest) && isDigit(rest[digits]) {
		seconds := time.Duration(rest[digits]-'0') * time.Second
		r.Delay = min(r.Delay*10+seconds, maxDelay)
		digits++
	}
	if digits == 0 && (len(rest) == 0 || rest[0] != '.') {
		return Refresh{}, false
	}
	rest = rest[digits:]
	for len(rest) > 0 && (isDigit(rest[0]) || rest[0] == '.') {
		rest = rest[1:]
	}
	if len(rest) > 0 && rest[0] != ';' && rest[0] != ',' && !isSpace[rest[0]] {
		return Refresh{}, false
	}
	rest = trimLeft(rest)
	if len(rest) > 0 && (rest[0] == ';' || rest[0] == ',') {
		rest = trimLeft(rest[1:])
	}
	r.URL = refreshURL(rest)
	return r, true
}

// refreshURL removes "url=" and quotes around the URL, if any.
func refreshURL(rest []byte) []byte {
	if hasPrefixFold(rest, "url") {
		if value := trimLeft(rest[len("url"):]); len(value) > 0 && value[0] == '=' {
			rest = trimLeft(value[1:])
		}
	}
	if len(rest) > 0 && (rest[0] == '"' || rest[0] == '\'') {
		quote := rest[0]
		rest = rest[1:]
		if end := bytes.IndexByte(rest, quote); end >= 0 {
			rest = rest[:end]
		}
	}
	return trim(rest)
}

// bareRefresh has the redirects of a page that count only if the page has nothing else.
type bareRefresh struct {
	noscript    Refresh // the first meta refresh in a noscript element
	script      Refresh // by location.replace
	isUncertain bool    // scripts redirect to several URLs, or to one that they compute
}

// noscript reads the content of a noscript element.
func (s *Scanner) noscript(content []byte) {
	s.page.AsksForScript = s.page.AsksForScript || indexFold(content, "javascript") >= 0
	if indexFold(content, "refresh") < 0 {
		return
	}
	outer := s.tokenizer
	s.tokenizer = tokenizer{page: content, steps: outer.steps}
	for s.pos < len(content) {
		s.pos = s.find('<', s.pos) + 1
		if s.pos >= len(content) || !isLetter(content[s.pos]) {
			continue
		}
		if e, ok := s.readTag(); !ok || e.id != elementMeta || !s.is(attributeHTTPEquiv, "refresh") {
			continue
		}
		if r, ok := parseRefresh(s.value(attributeContent)); ok && s.bare.noscript.URL == nil && len(r.URL) > 0 {
			s.bare.noscript = r
		}
	}
	outer.steps = s.steps
	s.tokenizer = outer
}

// replacements reads the URL that a script opens by location.replace, and does nothing else. A script that has more may
// do so on a condition.
func (b *bareRefresh) replacements(script []byte) {
	before, rest, found := bytes.Cut(script, []byte("location.replace("))
	if !found {
		return
	}
	object := trim(before)
	isPlain := len(object) == 0 || slices.ContainsFunc([]string{"window.", "document.", "self.", "top."},
		func(name string) bool { return string(object) == name })
	url := literal(rest)
	known := b.script.URL
	b.isUncertain = b.isUncertain || !isPlain || url == nil || known != nil && !bytes.Equal(known, url)
	b.script = Refresh{URL: url, Script: true}
}

// literal returns the string that is the only argument of a call, after which nothing follows. It returns nil for other
// arguments, and for a string with escapes.
func literal(arguments []byte) []byte {
	arguments = trimLeft(arguments)
	if len(arguments) == 0 || bytes.IndexByte([]byte("\"'`"), arguments[0]) < 0 {
		return nil
	}
	text, rest, closed := bytes.Cut(arguments[1:], arguments[:1])
	end := string(bytes.TrimRight(trim(rest), "; \n\t\r"))
	if !closed || end != ")" || bytes.ContainsAny(text, "\\$\n") {
		return nil
	}
	return trim(text)
}

// settleRefresh takes the redirect of a page that has nothing else.
func (s *Scanner) settleRefresh() {
	r := s.bare.script
	if s.bare.isUncertain || len(r.URL) == 0 {
		r = s.bare.noscript
	}
	if s.page.Refresh.URL == nil && len(r.URL) > 0 && s.isBare() {
		s.addLink(Link{URL: r.URL, Kind: KindRedirect})
		s.page.Refresh = r
	}
}

// maxBareWords is how many words say that a page has moved.
const maxBareWords = 20

// isBare reports whether a page has nothing to show but words that it has moved, and no script of a file
// that may write more. All its links lead to one URL.
func (s *Scanner) isBare() bool {
	p := &s.page
	if p.Words > maxBareWords || p.Images > 0 || p.HasForm || p.HasVideo {
		return false
	}
	var target []byte
	for i := range p.Links {
		switch link := &p.Links[i]; link.Kind {
		case KindFrame, KindScript:
			return false
		case KindAnchor, KindArea:
			if target != nil && !bytes.Equal(target, link.URL) {
				return false
			}
			target = link.URL
		}
	}
	return true
}
