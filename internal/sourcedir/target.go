package sourcedir

import (
	"net/url"
	"slices"
	"strings"
)

// A kind says what a written target is relative to.
type kind uint8

const (
	kindNone     kind = iota // names no page, such as mailto:
	kindURL                  // of another site
	kindRooted               // a path from the root of the site, or of the host
	kindRelative             // to something that only the generator knows
)

// A written is the target of a link, in a form in which those of sources and pages can be compared.
type written struct {
	kind     kind
	url      string   // of another site
	segments []string // of the path, without what generators change
	query    string
	fragment string
}

// parse reads the target of a link.
func (x *Index) parse(address string) (w written) {
	address, ok := fillCalls(cutAlias(strings.TrimSpace(address)))
	if !ok || address == "" || strings.ContainsAny(address, "\n\r") {
		return w
	}
	path := address
	path, w.fragment, _ = strings.Cut(path, "#")
	w.fragment = unescape(w.fragment)
	scheme, _, hasScheme := strings.Cut(strings.ToLower(path), ":")
	switch {
	case strings.HasPrefix(path, "//"), hasScheme && (scheme == "http" || scheme == "https"):
		resolved, err := x.base.AppendResolve(nil, []byte(path))
		if err != nil {
			return written{}
		}
		inner, own := strings.CutPrefix(string(resolved), x.origin+"/")
		if !own {
			w.kind, w.url = kindURL, string(resolved)
			return w
		}
		w.kind, path = kindRooted, "/"+inner
	case hasScheme && !strings.ContainsAny(scheme, "/?."):
		return written{}
	case strings.HasPrefix(path, "/"):
		w.kind = kindRooted
	default:
		w.kind = kindRelative
	}
	path, w.query, _ = strings.Cut(path, "?")
	w.query = unescape(w.query)
	w.segments = splitPath(unescape(path))
	if w.kind == kindRelative && len(w.segments) == 0 && path != "" {
		return written{} // such as ../
	}
	return w
}

// cutAlias removes the names that generators have for their content folder.
func cutAlias(address string) string {
	for _, alias := range []string{"@site/", "@/", "~/"} {
		if rest, found := strings.CutPrefix(address, alias); found {
			return rest
		}
	}
	return address
}

// splitPath returns the segments of a path, without those that are relative, and without what
// generators change at its end: extensions, and the names of the main page of a folder.
func splitPath(path string) (segments []string) {
	for segment := range strings.SplitSeq(path, "/") {
		switch segment {
		case "", ".":
		case "..":
			segments = segments[:max(0, len(segments)-1)]
		default:
			segments = append(segments, segment)
		}
	}
	if len(segments) == 0 {
		return nil
	}
	last := &segments[len(segments)-1]
	for _, extension := range pageExtensions {
		if stem, found := strings.CutSuffix(*last, extension); found && stem != "" {
			*last = stem
			break
		}
	}
	if slices.Contains(mainNames, *last) {
		segments = segments[:len(segments)-1]
	}
	return segments
}

var (
	pageExtensions = []string{".md", ".mdx", ".markdown", ".qmd", ".html", ".htm", ".rst", ".adoc", ".org"}
	mainNames      = []string{"index", "_index", "README"}
)

// key returns what targets have in common that may be the same: the URL, or the last segment, with the
// fragment.
func (w *written) key() string {
	last := w.url
	if n := len(w.segments); n > 0 {
		last = w.segments[n-1]
	}
	return last + "#" + w.fragment
}

// samePageKey is key for links to a fragment of the page itself.
func samePageKey(fragment string) string { return "\x00#" + fragment }

// matches reports whether a link of the sources may lead to the target. The fragment is compared
// already.
func (t *target) matches(w *written) bool {
	switch {
	case w.kind == kindURL || t.kind == kindURL:
		return w.kind == t.kind && w.url == t.url
	case w.kind == kindRelative && len(w.segments) == 0:
		return w.query == "" // in the page itself
	case w.query != t.query:
		return false
	case w.kind == kindRooted:
		return slices.Equal(w.segments, t.segments) || t.below && slices.Equal(w.segments, t.inFolder)
	}
	rest := len(t.segments) - len(w.segments)
	return rest >= 0 && slices.Equal(w.segments, t.segments[rest:])
}

func cutPrefix(segments, prefix []string) (rest []string, ok bool) {
	if len(segments) < len(prefix) || !slices.Equal(segments[:len(prefix)], prefix) {
		return nil, false
	}
	return segments[len(prefix):], true
}

// unescape decodes percent-encoding where that is valid.
func unescape(text string) string {
	if decoded, err := url.PathUnescape(text); err == nil {
		return decoded
	}
	return text
}

// calls are what a call of a template begins and ends with.
var calls = [][2]string{
	{"{{", "}}"}, {"{%", "%}"}, {"<%", "%>"}, {"<?", "?>"}, {"${", "}"}, {"#{", "}"}, {"{", "}"},
}

// fillCalls replaces the calls of a template by the path that they name: {{< ref "about.md" >}} by
// about.md. A call without one is the base of the site if the target begins with it.
func fillCalls(address string) (filled string, ok bool) {
	if !strings.ContainsAny(address, "{<") {
		return address, true
	}
	var b strings.Builder
next:
	for address != "" {
		for _, marks := range calls {
			inner, found := strings.CutPrefix(address, marks[0])
			if !found {
				continue
			}
			inner, rest, closed := strings.Cut(inner, marks[1])
			if !closed {
				return "", false
			}
			name := callArgument(inner)
			if name == "" && b.Len() > 0 {
				return "", false
			}
			b.WriteString(name)
			address = rest
			continue next
		}
		b.WriteByte(address[0])
		address = address[1:]
	}
	return b.String(), true
}

// callArgument returns the first quoted text of a call, or for the tags of Jekyll that quote nothing the
// word after the name.
func callArgument(call string) string {
	if open := strings.IndexAny(call, "\"'`"); open >= 0 {
		if end := strings.IndexByte(call[open+1:], call[open]); end >= 0 {
			return call[open+1 : open+1+end]
		}
		return ""
	}
	if words := strings.Fields(strings.Trim(call, "<>%- ")); len(words) == 2 && (words[0] == "link" || words[0] == "ref" ||
		words[0] == "relref" || words[0] == "post_url") {
		return words[1]
	}
	return ""
}
