package watch

// trustAfter is in how many passes the lastmods of an index must move with the content
// before a child whose lastmod did not move is passed over.
const trustAfter = 3

// movedAloneAfter is in how many passes the lastmods of an index move alone before that is
// reported.
const movedAloneAfter = 3

// An observation is what a pass showed about the lastmods of an index.
type observation struct{ movedWithContent, movedAlone, notMoved bool }

// observe notes whether the lastmod that an index gives for a document moved with its
// content. It is called before ListedThen changes.
func (v *visit) observe(d *Document, changed bool) {
	if d.Kind == kindUnread || d.Parent == "" {
		return
	}
	seen := v.observed[d.Parent]
	moved := d.Listed != d.ListedThen
	switch {
	case moved && changed:
		seen.movedWithContent = true
	case moved:
		seen.movedAlone = true
	case changed:
		seen.notMoved = true
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
		if seen.notMoved {
			index.NotMoved++
		} else if seen.movedAlone {
			index.MovedAlone++
		} else {
			index.MovedWithContent++
		}
		v.unsaved[address] = true
	}
}

// isTrusted reports whether a child need not be requested when its lastmod did not move.
func (d *Document) isTrusted() bool {
	return d != nil && d.MovedWithContent >= trustAfter && d.NotMoved == 0
}

// discrepancies returns what the documents of a site say wrongly.
func discrepancies(documents []Document) (all []Discrepancy) {
	for i := range documents {
		d := &documents[i]
		if d.NotMoved > 0 {
			all = append(all, Discrepancy{d.URL, "a sitemap changed, but its lastmod in the index did not move"})
		}
		if d.MovedAlone >= movedAloneAfter && d.MovedWithContent == 0 {
			all = append(all, Discrepancy{d.URL, "lastmods move, but the sitemaps do not change"})
		}
		if d.WrongUnchanged {
			all = append(all, Discrepancy{d.URL, "it changed without a new ETag or Last-Modified, so 304 is not believed"})
		}
	}
	return all
}
