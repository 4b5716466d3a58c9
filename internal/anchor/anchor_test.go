package anchor

import (
	"slices"
	"strings"
	"testing"
)

// TestFragment finds the ids of a page by the fragments that links keep.
func TestFragment(t *testing.T) {
	long := strings.Repeat("ä", 100)
	ids := HashAll([][]byte{
		[]byte("part"), []byte("50%"), []byte("a b"), []byte(long), []byte("part"), []byte("%c3%a9"),
	})
	if len(ids) != 6 {
		t.Errorf("%d hashes", len(ids))
	}
	for link, want := range map[string]bool{
		"/page#part": true, "/page#a%20b": true, "/page#50%": true,
		"/page#%c3%a9": true, "/page#é": true, "/page#" + long: true,
		"/page#" + long + ":~:text=x": true,
		"/page#Part":                  false, "/page#" + long + "b": false, "/page#:~:text=part": false, "/page": false,
	} {
		kept := Fragment([]byte(link))
		if _, found := slices.BinarySearch(ids, HashFragment(kept)); found != want {
			t.Errorf("%s, kept as %q: %t", link, kept, found)
		}
		if len(kept) > maxFragment+len(shortenedMark)+hashDigits {
			t.Errorf("%s: %d bytes are kept", link, len(kept))
		}
	}
}
