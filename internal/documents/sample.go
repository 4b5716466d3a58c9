package documents

import (
	"maps"
	"path"
	"slices"
	"strings"
)

// A sample is what some documents of a folder show of the program that makes a site of them.
type sample struct {
	hasPaths     bool            // pages have the paths of their files
	first        map[string]bool // the first parts of paths from the root that lead to a file
	otherAnchors bool            // headings have other anchors than those of code hosts
}

const (
	// maxSample is how many documents a sample has.
	maxSample = 100
	// minRight is how many of a hundred links to pages lead to a file if these have the paths of their files.
	minRight = 90
)

// sampleOf returns what a sample of the documents of a folder shows.
func (s *Set) sampleOf(folder string) *sample {
	s.mutex.Lock()
	known := s.samples[folder]
	s.mutex.Unlock()
	if known != nil {
		return known
	}
	pages := slices.Compact(slices.Sorted(maps.Values(s.indexOf().pages)))
	pages = slices.DeleteFunc(pages, func(name string) bool {
		return kindOf(name) != kindMarkdown || folder != "." && !strings.HasPrefix(name, folder+"/")
	})
	t := sampleTally{seen: map[string]bool{}, first: map[string]bool{}, other: map[string]bool{}, same: map[string]bool{}}
	for i := 0; i < len(pages); i += 1 + len(pages)/maxSample {
		d, err := s.load(pages[i], 0)
		if err != nil {
			continue // who checks the document reports it
		}
		w := s.rewriterOf(partName{name: pages[i]}, d)
		for i := range d.links {
			at, fragment, _ := strings.Cut(strings.TrimSpace(d.links[i].URL), "#")
			at, _, _ = strings.Cut(at, "?")
			switch {
			case strings.HasPrefix(at, "//") || hasScheme.MatchString(at) || d.isPlaceholder(&d.links[i]):
			case !d.generated:
				t.addAnchor(w, at, fragment)
			case w.site == folder && at != "" && isPagePath(at):
				t.addPath(w, at)
			}
		}
	}
	found := &sample{
		hasPaths: t.right*100 >= t.all*minRight, first: t.first,
		otherAnchors: len(t.other) >= minFiles && len(t.other) > len(t.same),
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.samples[folder] = found
	return found
}

// A sampleTally counts the links of a sample.
type sampleTally struct {
	seen       map[string]bool // pages that links name: many may lead to one that is gone
	right, all int             // of these
	first      map[string]bool
	// Anchors that have other characters between the words than those of code hosts, or the same.
	other, same map[string]bool
}

func (t *sampleTally) addPath(w *rewriter, at string) {
	page := w.literalPath(at)
	if t.seen[page] {
		return
	}
	t.seen[page] = true
	t.all++
	if found := w.resolve(at); found.moved || found.file != "" {
		t.right++
		t.first[firstOf(at)] = true
	}
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
