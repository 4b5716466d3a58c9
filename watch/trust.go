package watch

// trustAfter is in how many passes the lastmods of an index must move with the content
// before a child whose lastmod did not move is passed over.
const trustAfter = 3

// restlessAfter is in how many passes the lastmods of an index move alone before that is
// reported.
const restlessAfter = 3

// An observation is what a pass showed about the lastmods of an index.
type observation struct{ honest, restless, frozen bool }

// observe notes whether the lastmod that an index gives for a document moved with its
// content. It is called before ListedThen changes.
func (v *visit) observe(d *Document, changed bool) {
	if d.Kind == KindUnread || d.Parent == "" {
		return
	}
	seen := v.observed[d.Parent]
	moved := d.Listed != d.ListedThen
	switch {
	case moved && changed:
		seen.honest = true
	case moved:
		seen.restless = true
	case changed:
		seen.frozen = true
	}
	v.observed[d.Parent] = seen
}

// learn adds the observations of the pass to the indexes.
func (v *visit) learn() {
	for address, seen := range v.observed {
		index := v.documents[address]
		if index == nil || seen == (observation{}) {
			continue
		}
		if seen.frozen {
			index.Frozen++
		} else if seen.restless {
			index.Restless++
		} else {
			index.Honest++
		}
		v.unsaved[address] = true
	}
}

// isTrusted reports whether a child need not be requested when its lastmod did not move.
func (d *Document) isTrusted() bool { return d != nil && d.Honest >= trustAfter && d.Frozen == 0 }

// lies returns what the documents of a site say wrongly.
func lies(documents []Document) (all []Lie) {
	for i := range documents {
		d := &documents[i]
		if d.Frozen > 0 {
			all = append(all, Lie{d.URL, "a sitemap changed, but its lastmod in the index did not move"})
		}
		if d.Restless >= restlessAfter && d.Honest == 0 {
			all = append(all, Lie{d.URL, "lastmods move, but the sitemaps do not change"})
		}
		if d.WrongUnchanged {
			all = append(all, Lie{d.URL, "it changed without a new ETag or Last-Modified, so 304 is not believed"})
		}
	}
	return all
}
