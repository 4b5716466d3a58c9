package publish

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"

	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/sitemap"
)

// RefusedError means that the new sitemap was not published because too many pages of
// the current one would be lost.
type RefusedError struct {
	Before, Now int    // pages
	MaxShrink   int    // percent
	Home        string // the home page, if only the current sitemap lists it
	Limited     bool   // the new sitemap is that of a crawl that ended at a limit
}

// Error implements error.
func (e *RefusedError) Error() string {
	if e.Home != "" {
		return fmt.Sprintf("nothing is published: the new sitemap lacks the home page %s, "+
			"which the current one has (%d pages now, %d before)", e.Home, e.Now, e.Before)
	}
	if e.Limited {
		return fmt.Sprintf("nothing is published: the crawl ended at a limit with %s, "+
			"and the current sitemap of a complete crawl has %d", format.Plural(e.Now, "page"), e.Before)
	}
	return fmt.Sprintf("nothing is published: the new sitemap has %s, the current one %d: "+
		"a loss of more than %d %%", format.Plural(e.Now, "page"), e.Before, e.MaxShrink)
}

// ErrEmpty means that nothing was published because the sitemap would list no page.
var ErrEmpty = errors.New("nothing is published: the sitemap would list no page")

// guard compares the new sitemap with the one in the folder.
func (r *run) guard() error {
	before := readCurrentSet(r.options.Folder, r.options.Home)
	r.done.Before = before.pages
	switch {
	case r.done.Pages == 0:
		return ErrEmpty
	case r.options.MaxShrink >= 100:
		return nil
	}
	refused := &RefusedError{Before: before.pages, Now: r.done.Pages, MaxShrink: r.options.MaxShrink}
	switch {
	case before.home && !r.homeSeen:
		refused.Home = r.options.Home
		return refused
	case r.options.KeepLarger && before.pages > r.done.Pages:
		refused.Limited = true
		return refused
	}
	// A hundred times the number of pages can exceed 32 bits.
	if lost := int64(before.pages - r.done.Pages); lost*100 > int64(r.options.MaxShrink)*int64(before.pages) {
		return refused
	}
	return nil
}

// currentSet is the sitemap in a folder.
type currentSet struct {
	dir   string
	loc   string // of the home page
	home  bool   // listed
	pages int
}

// readCurrentSet counts the readable pages of the sitemap in a folder, or of its URL
// list if it has no sitemap.
func readCurrentSet(dir, home string) *currentSet {
	p := &currentSet{dir: dir, loc: home}
	for _, name := range []string{"sitemap.xml", "sitemap.xml.gz"} {
		if p.read(name, true) {
			return p
		}
	}
	list := series{stage: &stage{dir: dir}, stem: "urllist", extension: ".txt"}
	for number := 1; p.read(list.name(number), false); number++ {
	}
	return p
}

// extensionPart matches the parts that repeat pages for an extension.
var extensionPart = regexp.MustCompile(`^sitemap-(images|news|videos)-[0-9]`)

// read counts the entries of a file and, if it is an index, of its parts. It reports
// whether the file exists.
func (p *currentSet) read(name string, mayBeIndex bool) bool {
	location := filepath.Join(p.dir, name)
	if info, err := os.Stat(location); err != nil || !info.Mode().IsRegular() {
		return false // opening a pipe would wait for its other end
	}
	file, err := os.Open(location)
	if err != nil {
		return false
	}
	defer file.Close()
	for entry, err := range sitemap.NewReader(file).Entries() {
		if err != nil {
			break
		}
		if !entry.IsSitemap() {
			p.pages++
			p.home = p.home || string(entry.Loc) == p.loc
			continue
		}
		if part := path.Base(string(entry.Loc)); mayBeIndex && !extensionPart.MatchString(part) {
			p.read(part, false)
		}
	}
	return true
}
