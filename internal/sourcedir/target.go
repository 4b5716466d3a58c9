package sourcedir

import (
	"net/url"
	"slices"
	"strings"
)

// A written is the target of a link, in a form in which those of sources and pages can be compared.
type written struct {
	rooted   bool     // a URL or a path of a host, and not relative to what only the generator knows
	segments []string // the origin where it is rooted, and those of the path without what generators change
	query    string
	fragment string
}

// parse reads the target of a link. It reports false for one that names no page, such as mailto:, and for
// one that nobody knows.
func (x *Index) parse(address string) (w written, known bool) {
	address, hasBase, known := cutCalls(address)
	if !known || strings.ContainsAny(address, "\n\r") {
		return w, false
	}
	path, fragment, _ := strings.Cut(cutAlias(address), "#")
	w.fragment = unescape(fragment)
	scheme, _, hasScheme := strings.Cut(strings.ToLower(path), ":")
	switch {
	case hasScheme && (scheme == "http" || scheme == "https"), strings.HasPrefix(path, "/") && !hasBase:
		resolved, err := x.base.AppendResolve(nil, []byte(path))
		if err != nil {
			return w, false
		}
		w.rooted = true
		var own bool
		if path, own = strings.CutPrefix(string(resolved), x.origin+"/"); !own {
			w.segments = []string{path} // of another site: only the same URL is alike
			return w, true
		}
		w.segments = []string{x.origin}
	case hasScheme && !strings.ContainsAny(scheme, "/?."):
		return w, false
	}
	path, w.query, _ = strings.Cut(path, "?")
	w.query = unescape(w.query)
	w.segments = append(w.segments, splitPath(unescape(path))...)
	return w, len(w.segments) > 0 || path == "" // unlike ../
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

// key returns what targets that may be the same have in common: the last segment.
func (w *written) key() string { return strings.Join(w.segments[max(0, len(w.segments)-1):], "") }

// matches reports whether a link of the sources may lead to the target.
func (t *target) matches(w *written) bool {
	rest := len(t.segments) - len(w.segments)
	switch {
	case t.fragment != "" && w.fragment != t.fragment:
		return false
	case len(w.segments) == 0:
		return t.samePage && w.query == ""
	case w.query != t.query || rest < 0 || w.rooted && rest > 0:
		return false
	}
	return slices.Equal(w.segments, t.segments[rest:])
}

// unescape decodes percent-encoding where that is valid.
func unescape(text string) string {
	if decoded, err := url.PathUnescape(text); err == nil {
		return decoded
	}
	return text
}
