package sitemap

import (
	"strings"
	"testing"
)

// TestReadToEnd reads files one after the other, and shows that an entry has no values
// after the end: its memory may be another file's.
func TestReadToEnd(t *testing.T) {
	var before *Reader
	for _, loc := range []string{"https://example.com/a", "https://example.com/b"} {
		r := NewReader(strings.NewReader("<urlset>\n<url><loc>"+loc+"</loc></url>\n</urlset>\n"), nil)
		var kept *Entry
		for entry, err := range r.Entries() {
			if err != nil || string(entry.Loc) != loc || entry.Line() != 2 {
				t.Errorf("%s: %q on line %d, error %v", loc, entry.Loc, entry.Line(), err)
			}
			kept = entry
		}
		if kept == nil || kept.Loc != nil || kept.Line() != 0 || kept.Source().Raw() != nil {
			t.Errorf("the entry after the end is %+v", kept)
		}
		for _, reader := range []*Reader{r, before} {
			if reader == nil {
				continue
			}
			for entry, err := range reader.Entries() {
				t.Errorf("again: %v, %v", entry, err)
			}
		}
		before = r
	}
}
