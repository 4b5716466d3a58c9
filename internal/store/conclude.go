package store

import (
	"fmt"
	"strings"

	"github.com/mapatools/mapa/crawl"
)

// minDuplicateWords is how many words of main content a page needs to be called a
// duplicate: pages that are nearly empty are equal by chance.
const minDuplicateWords = 20

// Conclude makes the decisions that need the whole crawl: which pages are
// duplicates, and, once the crawl is finished, whether the Last-Modified header of
// the site is to be believed. It may be called again when more has been crawled.
func (f *File) Conclude() error {
	err := f.db.inTransaction(func() error {
		if err := f.markDuplicates(); err != nil {
			return err
		}
		if !f.finished {
			return nil
		}
		return f.checkLastModified()
	})
	if err != nil {
		return fmt.Errorf("conclude %s: %w", f.name, err)
	}
	return nil
}

// duplicate is a page with the same body as others.
type duplicate struct {
	id   crawl.ID
	url  string
	body int64
}

// The page that stays in the sitemap comes first: https before http, then the
// shortest URL.
const selectDuplicates = `select f.id, u.url, f.body from fetch f join url u using (id)
where f.reason is null and f.words >= ? and f.body in (
	select body from fetch where reason is null and words >= ? and body <> 0 group by body having count(*) > 1)
order by f.body, u.url like 'http:%', length(u.url), u.url`

// markDuplicates removes from the sitemap every page whose body is byte for byte
// that of another listed page.
func (f *File) markDuplicates() error {
	err := f.db.exec("update fetch set reason = null, target = 0 where reason in ('duplicate', 'parameter-variant')")
	if err != nil {
		return err
	}
	var pages []duplicate
	err = f.db.query(selectDuplicates, func(r row) bool {
		pages = append(pages, duplicate{crawl.ID(r.number(0)), r.text(1), r.number(2)})
		return true
	}, int64(minDuplicateWords), int64(minDuplicateWords))
	if err != nil {
		return err
	}
	mark, err := f.db.prepare("update fetch set reason = ?, target = ? where id = ?")
	if err != nil {
		return err
	}
	defer mark.close()
	var best duplicate
	for _, p := range pages {
		if best.id == 0 || p.body != best.body {
			best = p
			continue
		}
		reason := crawl.ReasonDuplicate
		if path(p.url) == path(best.url) {
			reason = crawl.ReasonParameterVariant
		}
		if err := mark.exec(string(reason), int64(best.id), int64(p.id)); err != nil {
			return err
		}
	}
	return nil
}

// path returns a URL without its query.
func path(url string) string {
	path, _, _ := strings.Cut(url, "?")
	return path
}

// checkLastModified drops all dates of the Last-Modified header when the header gives
// the time of the response on most pages of the site.
func (f *File) checkLastModified() error {
	return f.db.exec(`update fetch set lastmod = null, lastmod_source = 'time-of-answer' where lastmod_source = 'last-modified'
and (select sum(lastmod_source = 'time-of-answer') > sum(lastmod_source = 'last-modified') from fetch)`)
}
