package documents

import (
	"maps"
	"path"
	"slices"
	"strings"
)

// maxSample is how many documents a sample has.
const maxSample = 100

// hasOtherAnchors reports whether a sample of the documents of a folder shows that headings have other anchors than
// those of code hosts.
func (s *Set) hasOtherAnchors(folder string) bool {
	s.mutex.Lock()
	has, known := s.otherAnchors[folder]
	s.mutex.Unlock()
	if known {
		return has
	}
	pages := slices.Compact(slices.Sorted(maps.Values(s.indexOf().pages)))
	pages = slices.DeleteFunc(pages, func(name string) bool {
		return kindOf(name) != kindMarkdown || folder != "." && !strings.HasPrefix(name, folder+"/")
	})
	t := sampleTally{other: map[string]bool{}, same: map[string]bool{}}
	for i := 0; i < len(pages); i += 1 + len(pages)/maxSample {
		d, err := s.load(pages[i], 0)
		if err != nil {
			continue // who checks the document reports it
		}
		w := s.rewriterOf(partName{name: pages[i]}, d)
		for i := range d.links {
			at, fragment, _ := strings.Cut(strings.TrimSpace(d.links[i].URL), "#")
			at, _, _ = strings.Cut(at, "?")
			isOther := strings.HasPrefix(at, "//") || hasScheme.MatchString(at) || d.isPlaceholder(&d.links[i])
			if !isOther && !d.generated {
				t.addAnchor(w, at, fragment)
			}
		}
	}
	has = len(t.other) >= minFiles && len(t.other) > len(t.same)
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.otherAnchors[folder] = has
	return has
}

// A sampleTally counts the links of a sample.
type sampleTally struct {
	// Anchors that have other characters between the words than those of code hosts, or the same.
	other, same map[string]bool
}

// addAnchor counts an anchor that programs write in several forms.
func (t *sampleTally) addAnchor(w *rewriter, at, fragment string) {
	file := w.name
	if at != "" {
		file = path.Join(path.Dir(w.name), unescape(at))
	}
	if fragment == "" || kindOf(file) != kindMarkdown {
		return
	}
	switch d, plain := w.set.target(file), strings.ToLower(unescape(fragment)); {
	case d.generated || !d.hasName(plain):
	case !d.hasAnchor(plain):
		t.other[file+"#"+plain] = true
	case strings.Contains(plain, "--") || strings.Contains(plain, "_"):
		t.same[file+"#"+plain] = true
	}
}

// firstOf returns the first part of a path from the root.
func firstOf(name string) string {
	first, _, _ := strings.Cut(strings.TrimLeft(name, "/"), "/")
	return first
}
