package store

import (
	"fmt"
	"strings"

	"github.com/mapatools/mapa/crawl"
)

// fewestWords is how much main content pages must have to be called duplicates:
// two nearly empty pages are equal by chance.
const fewestWords = 20

// Conclude decides what only the whole crawl can tell, and may be called again
// when more has been crawled: which pages are duplicates, and, once the crawl is
// finished, whether the site's Last-Modified means anything.
func (f *File) Conclude() error {
	err := f.db.inTransaction(func() error {
		if err := f.markDuplicates(); err != nil {
			return err
		}
		if !f.finished {
			return nil
		}
		return f.doubtLastModified()
	})
	if err != nil {
		return fmt.Errorf("conclude %s: %w", f.name, err)
	}
	return nil
}

// A twin is a page with the same body as others.
type twin struct {
	id   crawl.ID
	url  string
	body int64
}

// The best of twins comes first: the secure address, then the shortest.
const selectTwins = `select f.id, u.url, f.body from fetch f join url u using (id)
where f.reason is null and f.words >= ? and f.body in (
	select body from fetch where reason is null and words >= ? and body <> 0 group by body having count(*) > 1)
order by f.body, u.url like 'http:%', length(u.url), u.url`

// markDuplicates takes every page out of the sitemap whose body is, byte for byte,
// that of another listed page.
func (f *File) markDuplicates() error {
	err := f.db.exec("update fetch set reason = null, target = 0 where reason in ('duplicate', 'parameter-variant')")
	if err != nil {
		return err
	}
	var twins []twin
	err = f.db.query(selectTwins, func(r row) bool {
		twins = append(twins, twin{crawl.ID(r.number(0)), r.text(1), r.number(2)})
		return true
	}, int64(fewestWords), int64(fewestWords))
	if err != nil {
		return err
	}
	mark, err := f.db.prepare("update fetch set reason = ?, target = ? where id = ?")
	if err != nil {
		return err
	}
	defer mark.close()
	var best twin
	for _, t := range twins {
		if best.id == 0 || t.body != best.body {
			best = t
			continue
		}
		reason := crawl.ReasonDuplicate
		if path(t.url) == path(best.url) {
			reason = crawl.ReasonParameterVariant
		}
		if err := mark.exec(string(reason), int64(best.id), int64(t.id)); err != nil {
			return err
		}
	}
	return nil
}

func path(url string) string {
	path, _, _ := strings.Cut(url, "?")
	return path
}

// doubtLastModified drops the dates of the Last-Modified header on a site that
// gives the time of the answer there on most pages.
func (f *File) doubtLastModified() error {
	return f.db.exec(`update fetch set lastmod = null, lastmod_source = 'time-of-answer' where lastmod_source = 'last-modified'
and (select sum(lastmod_source = 'time-of-answer') > sum(lastmod_source = 'last-modified') from fetch)`)
}
