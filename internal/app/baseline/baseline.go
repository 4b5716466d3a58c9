// Package baseline reads and writes lists of what is known and ignored: single findings, what a rule finds in a folder
// or on a site, and pages that left the sitemap. All commands and the web application use this one format and this one
// matcher. Begin with [Open].
package baseline

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mapatools/mapa/internal/compare"
)

// An Entry is something that is ignored: a single finding, an open loss, or everything that a rule finds in a folder.
// Only Rule is necessary. Message is for people.
type Entry struct {
	Rule string `json:"rule"` // ID, or left-sitemap or newly-broken for a loss
	// Folder is the path of a folder, with a slash at its end, or / for the whole site. Pages that come later are in
	// it too. An entry without it is a single finding, which covers nothing else.
	Folder string `json:"folder,omitempty"`
	// URL is the page of a single finding: a path with its query on the site, or else a whole URL. Without it the
	// finding is ignored on any page, as a broken target is. File is the sitemap, Target another URL such as that of a
	// link, and Value the status, the title or what else the finding says of them. When one of these changes, the
	// finding is another one.
	URL    string `json:"url,omitempty"`
	File   string `json:"file,omitempty"`
	Target string `json:"target,omitempty"`
	Value  string `json:"value,omitempty"`
	// Count is how many times a finding in a sitemap is known; 0 is any number.
	Count   int    `json:"count,omitempty"`
	Message string `json:"message,omitempty"`
	Reason  string `json:"reason,omitempty"` // why it is ignored
	Date    string `json:"date,omitempty"`   // since when, YYYY-MM-DD
	Name    string `json:"name,omitempty"`   // of who wants it, as typed
	// Fixed is when a crawl did not find it any more. In later crawls the entry matches nothing.
	Fixed time.Time `json:"fixed,omitzero"`
}

// A key identifies a single finding.
type key [16]byte

func keyOf(rule, file, url, target, value string) (k key) {
	hash := sha256.New()
	for _, part := range []string{rule, file, url, target, value} {
		hash.Write([]byte(part))
		hash.Write([]byte{0})
	}
	copy(k[:], hash.Sum(nil))
	return k
}

func (e *Entry) key() key { return keyOf(e.Rule, e.File, e.URL, e.Target, e.Value) }

// Check reports what is wrong with an entry.
func (e *Entry) Check() error {
	switch {
	case e.Rule == "":
		return errors.New("it has no rule")
	case e.Folder != "" && (!strings.HasPrefix(e.Folder, "/") || !strings.HasSuffix(e.Folder, "/")):
		return fmt.Errorf("the folder %q does not begin and end with a slash", e.Folder)
	case e.Folder != "" && e.URL+e.File+e.Target+e.Value != "":
		return errors.New("it has a folder, and is of a single finding")
	case e.Count < 0:
		return errors.New("its count is negative")
	}
	return nil
}

// IsLoss reports whether the entry is about a page that left the sitemap.
func (e *Entry) IsLoss() bool { return compare.Kind(e.Rule).IsLoss() }

// A List matches what is found with entries, and counts what each matched.
type List struct {
	name    string          // of its file; empty without one
	known   map[string]bool // the rules of all entries
	singles map[key]*single
	folders []folder
	// Pages is how many pages each sitemap listed, by its name.
	Pages map[string]int
}

// A single is what a [List] keeps of an entry of a single finding.
type single struct{ left, matched int }

// A folder is an entry of a folder.
type folder struct {
	rule, path string
	matched    int
}

// anyNumber is what is left of an entry without a count.
const anyNumber = -1

// NewList returns a list of entries that [Read] returned, for a crawl that began at a time, or for new ones with the
// zero time.
func NewList(entries []*Entry, began time.Time) *List {
	l := &List{known: map[string]bool{}, singles: map[key]*single{}}
	for _, e := range entries {
		if e.Fixed.IsZero() || !began.IsZero() && began.Before(e.Fixed) {
			l.add(e)
		}
	}
	return l
}

func (l *List) add(e *Entry) {
	l.known[e.Rule] = true
	switch {
	case e.Folder != "":
		l.folders = append(l.folders, folder{rule: e.Rule, path: e.Folder})
	default:
		k, left := e.key(), e.Count
		if left == 0 {
			left = anyNumber
		}
		if before := l.singles[k]; before != nil && before.left != anyNumber && left != anyNumber {
			left += before.left
		}
		l.singles[k] = &single{left: left}
	}
}

// take returns how many of n places are ignored, and counts them.
func (l *List) take(k key, n int) int {
	one := l.singles[k]
	if one == nil {
		return 0
	}
	if one.left != anyNumber {
		n = min(n, one.left)
		one.left -= n
	}
	one.matched += n
	return n
}

// inFolder reports whether what a rule found at a path of the site is ignored, and counts it. What is not on the site
// is in / alone.
func (l *List) inFolder(rule, path string) (is bool) {
	for i := range l.folders {
		f := &l.folders[i]
		if f.rule == rule && (f.path == "/" || strings.HasPrefix(path, f.path)) {
			f.matched++
			is = true
		}
	}
	return is
}

// Matched returns how many findings an entry matched. Those of an entry with a folder count for each such entry.
func (l *List) Matched(e *Entry) int {
	if e.Folder != "" {
		i := slices.IndexFunc(l.folders, func(f folder) bool { return f.rule == e.Rule && f.path == e.Folder })
		if i < 0 {
			return 0
		}
		return l.folders[i].matched
	}
	if one := l.singles[e.key()]; one != nil {
		return one.matched
	}
	return 0
}
