package store

import (
	"strings"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/sqlite"
)

// minDuplicateWords is how many words of main content a page needs to be called a
// duplicate: pages that are nearly empty are equal by chance.
const minDuplicateWords = 20

// Conclude makes the decisions that need the whole crawl: which canonical URLs, and which addresses that scripts
// open, lead back, which pages are duplicates, and, once the crawl is finished, whether the
// Last-Modified header of the site is to be believed. mayList reports whether a sitemap may
// list a page by its URL. Conclude may be called again when more has been crawled.
func (f *File) Conclude(mayList func(url string) bool) error {
	err := f.db.InTransaction(func() error {
		if err := f.forgetNumbers(); err != nil {
			return err
		}
		if err := f.listReturning(mayList); err != nil {
			return err
		}
		if err := f.markDuplicates(); err != nil {
			return err
		}
		if err := f.settleUpdates(); err != nil {
			return err
		}
		if !f.finished {
			return nil
		}
		return f.checkLastModified()
	})
	if err != nil {
		return f.db.Explain(err)
	}
	return nil
}

// A returning page names a canonical URL that redirects back to it, or its scripts open such an address.
type returning struct {
	id       crawl.ID
	conflict crawl.Detail
}

// The redirects of each canonical URL, and of each address that scripts open, are followed to where they end, or to
// the page. A page whose canonicals contradict each other stays out. Of two pages whose scripts open each other, one
// does; mutual says that a script leads back. What only an earlier crawl names (16) is never listed.
const selectReturning = `with recursive way(page, at, hops, by_script, mutual) as (
	select id, target, 0, reason = 'redirect', 0 from fetch
	where target <> 0 and (reason = 'canonical' and detail in ('link-element', 'link-header') and conflict is null
		or reason = 'redirect' and detail = 'script')
	union all
	select page, target, hops + 1, by_script, mutual or detail = 'script' from way join fetch on id = at
	where reason = 'redirect' and target <> 0 and at <> page and hops < ? and (not by_script or detail <> 'script' or at > page))
select page, p.url, f.detail, t.url, mutual from way join fetch f on f.id = page join url p on p.id = page join url t on t.id = f.target
where at = page and p.seed_sources <> 16`

// Scripts of a page often write its address in another way, which the host may not have.
const selectRenamed = `select f.id, p.url, t.url from fetch f join url p using (id) join url t on t.id = f.target
left join fetch a on a.id = f.target
where p.seed_sources <> 16 and f.reason = 'redirect' and f.detail = 'script' and (a.id is null or a.status = 0 or a.status >= 400)`

// maxReturn is how many redirects lead back to a page at most.
const maxReturn = 10

// listReturning lists every page whose canonical URL, or the address that its scripts open, redirects back to it: the
// redirect is what visitors and search engines get. It also lists a page whose scripts only write its address in
// another way, unless the host answers that one, too.
func (f *File) listReturning(mayList func(url string) bool) error {
	var pages []returning
	err := f.db.Query(selectReturning, func(r sqlite.Row) bool {
		page := returning{id: crawl.ID(r.Number(0))}
		if from := crawl.Detail(r.Text(2)); from != crawl.DetailScript {
			page.conflict = from.BackFrom(r.Text(3))
		}
		// Pages at different addresses that open each other show nothing.
		isLoop := page.conflict == "" && r.Number(4) != 0 && withoutIndex(r.Text(1)) != withoutIndex(r.Text(3))
		if !isLoop && mayList(r.Text(1)) {
			pages = append(pages, page)
		}
		return true
	}, int64(maxReturn))
	if err != nil {
		return err
	}
	err = f.db.Query(selectRenamed, func(r sqlite.Row) bool {
		if withoutIndex(r.Text(1)) == withoutIndex(r.Text(2)) && mayList(r.Text(1)) {
			pages = append(pages, returning{id: crawl.ID(r.Number(0))})
		}
		return true
	})
	if err != nil || len(pages) == 0 {
		return err
	}
	list, err := f.db.Prepare(`update fetch set reason = null, detail = null, target = 0,
conflict = coalesce(?, conflict) where id = ?`)
	if err != nil {
		return err
	}
	defer list.Close()
	for _, p := range pages {
		if err := list.Exec(nullable(string(p.conflict)), int64(p.id)); err != nil {
			return err
		}
	}
	return nil
}

// duplicate is a page that is left out for another with the same body.
type duplicate struct {
	id, best crawl.ID
	reason   crawl.Reason
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
	err := f.db.Exec("update fetch set reason = null, target = 0 where reason in ('duplicate', 'parameter-variant')")
	if err != nil {
		return err
	}
	var duplicates []duplicate
	var best struct {
		id   crawl.ID
		path string
		body int64
	}
	err = f.db.Query(selectDuplicates, func(r sqlite.Row) bool {
		id, page, body := crawl.ID(r.Number(0)), path(r.Text(1)), r.Number(2)
		if best.id == 0 || body != best.body {
			best.id, best.path, best.body = id, page, body
			return true
		}
		reason := crawl.ReasonDuplicate
		if page == best.path {
			reason = crawl.ReasonParameterVariant
		}
		duplicates = append(duplicates, duplicate{id, best.id, reason})
		return true
	}, int64(minDuplicateWords), int64(minDuplicateWords))
	if err != nil {
		return err
	}
	mark, err := f.db.Prepare("update fetch set reason = ?, target = ? where id = ?")
	if err != nil {
		return err
	}
	defer mark.Close()
	for _, d := range duplicates {
		if err := mark.Exec(string(d.reason), int64(d.best), int64(d.id)); err != nil {
			return err
		}
	}
	return nil
}

// withoutIndex returns a URL without the name of the index of a folder, and without a slash at the end of its path.
func withoutIndex(url string) string {
	path, query, _ := strings.Cut(url, "?")
	return strings.TrimSuffix(strings.TrimSuffix(path, "index.html"), "/") + "?" + query
}

// path returns a URL without its query.
func path(url string) string {
	path, _, _ := strings.Cut(url, "?")
	return path
}

// checkLastModified drops all dates of the Last-Modified header when the header gives
// the time of the response on most pages of the site.
func (f *File) checkLastModified() error {
	return f.db.Exec(`update fetch set lastmod = null, lastmod_source = 'time-of-answer' where lastmod_source = 'last-modified'
and (select sum(lastmod_source = 'time-of-answer') > sum(lastmod_source = 'last-modified') from fetch)`)
}
