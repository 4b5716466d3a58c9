package crawl

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/addresses"
	"github.com/mapatools/mapa/internal/app/crawlfile"
	"github.com/mapatools/mapa/internal/app/outputs"
	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/mapatools/mapa/internal/atomicfile"
	"github.com/mapatools/mapa/internal/folder"
	"github.com/mapatools/mapa/internal/publish"
	"github.com/mapatools/mapa/internal/store"
	"github.com/mapatools/mapa/internal/urlnorm"
)

// The values of the orphans setting.
const (
	orphansReport = "report"
	orphansList   = "list"
)

var orphanSettings = []string{orphansReport, orphansList}

// folderHost is the host that a folder is crawled at, in place of its public one. It
// never exists (https://www.rfc-editor.org/rfc/rfc2606#section-2).
const folderHost = "folder.invalid"

// ErrSiteFolder says that a folder cannot be crawled as a site.
var ErrSiteFolder = errors.New("cannot crawl the folder")

// A folderSite is a site that is crawled in its folder.
type folderSite struct {
	*folder.Site
	name      string
	path      string // of the public URL
	base      *urlnorm.Base
	list      bool // orphan pages
	mayList   func(url string) bool
	published []publish.Output // into the folder itself, nil when into another
	history   func() *folder.History
	fileTimes bool

	ignoreHeader bool // X-Robots-Tag
	cleanOrphans int  // orphan pages that links name without .html
}

// crawlFolder crawls the site in a folder by its public URL.
func crawlFolder(ctx context.Context, a *app.App, name string, s *Settings) (*Result, error) {
	if s.BaseURL == "" {
		return nil, setting.Invalid("base-url", "%s is missing: %[2]s is a folder, whose pages need the URL of the site", name)
	}
	if err := addresses.CheckBaseURL(s.BaseURL); err != nil {
		return nil, err
	}
	if crawlfile.FileIn(name, crawlfile.Name) != "" {
		return nil, fmt.Errorf("%w %s: it holds a crawl, not a site", ErrSiteFolder, name)
	}
	public, err := url.Parse(s.BaseURL)
	if err != nil {
		return nil, err
	}
	if contains(name, s.folderOf(public.Host)) {
		if s.Output == "" {
			return nil, setting.Invalid("output", "%s must name a folder outside of %[2]s, which is the site, such as {output} %[3]s",
				name, filepath.Join(name, "..", s.folderOf(public.Host)))
		}
		return nil, setting.Invalid("output", "%s must be outside of %[2]s, which is the site: {publish} writes the sitemap there",
			name)
	}
	site, err := openFolder(ctx, a, name, public, s)
	if err != nil {
		return nil, err
	}
	crawled := url.URL{Scheme: public.Scheme, Host: folderHost, Path: site.path}
	start := addresses.StartAddress{URL: crawled.String(), Host: public.Host}
	result, err := crawlFrom(ctx, a, start, site, false, s)
	return result, errors.Join(err, site.Close())
}

// contains reports whether a folder is another one or is below it.
func contains(outer, inner string) bool {
	outer, errOuter := filepath.Abs(outer)
	inner, errInner := filepath.Abs(inner)
	below, err := filepath.Rel(outer, inner)
	return errOuter == nil && errInner == nil && err == nil && filepath.IsLocal(below)
}

// openFolder opens a folder as the site at a public URL.
func openFolder(ctx context.Context, a *app.App, name string, public *url.URL, s *Settings) (*folderSite, error) {
	public = addresses.CutPage(public)
	f := &folderSite{name: name, path: "/" + strings.Trim(public.Path, "/")}
	if f.path != "/" {
		f.path += "/"
	}
	base := url.URL{Scheme: public.Scheme, Host: public.Host, Path: f.path}
	var err error
	if f.base, err = urlnorm.NewBase([]byte(base.String())); err != nil {
		return nil, setting.Wrap("base-url", err)
	}
	f.list, f.ignoreHeader = s.Orphans == orphansList, s.IgnoreNoIndex
	f.fileTimes = slices.Contains(s.LastMod, string(crawl.LastModFile))
	f.history = func() *folder.History { return &folder.History{} }
	if len(s.LastMod) == 0 || slices.Contains(s.LastMod, string(crawl.LastModGit)) {
		f.history = sync.OnceValue(func() *folder.History { return readHistory(ctx, a, f.Site, s.Limits.Time) })
	}
	options := &folder.Options{URL: f.base.String()}
	if s.CleanURLs != "" {
		options.CleanURLs = new(s.CleanURLs == "true")
	}
	if f.Site, err = folder.Open(name, options); err != nil {
		return nil, fmt.Errorf("%w %w", ErrSiteFolder, withIndex(name, err))
	}
	if options.CleanURLs == nil && f.CleanURLs() {
		a.Notify("notice.clean-urls")
	}
	return f, nil
}

// historyTime bounds the time for the history of a folder. That of the Linux kernel, with
// 1.3 million commits, takes two minutes.
const historyTime = 10 * time.Minute

// readHistory reads when git committed the last changes of the files of a site, in the
// time that the crawl has, if it is limited.
func readHistory(ctx context.Context, a *app.App, site *folder.Site, limit time.Duration) *folder.History {
	if limit <= 0 || limit > historyTime {
		limit = historyTime
	}
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	history, err := site.ReadHistory(limited)
	switch {
	case errors.Is(err, folder.ErrShallow):
		a.Notify("notice.git.shallow")
	case ctx.Err() != nil:
	case isDeadline(limited):
		a.Notify("notice.git.slow", limit)
	case err != nil:
		a.Notify("notice.git", err)
	}
	return history
}

// prepare makes a run crawl the folder.
func (f *folderSite) prepare(run *crawlRun) {
	run.options.Local = crawl.Local{
		Transport: f.Site, Address: f.Address, LastModified: f.modified, IsNotFoundPage: f.isNotFoundPage,
	}
	f.mayList = run.options.MayList
	run.publish.FolderURL = f.base.String()
	if outputs.IsSamePath(run.publish.Folder, f.name) {
		if f.published = run.publish.Outputs; f.published == nil {
			f.published = []publish.Output{publish.OutputXML}
		}
	}
}

// isNotFoundPage reports whether a URL is that of a page for missing ones.
func (f *folderSite) isNotFoundPage(address string) bool {
	u, err := url.Parse(address)
	return err == nil && f.IsNotFoundPage(u.Path)
}

// modified returns the date of a page that the page itself does not give.
func (f *folderSite) modified(address string) (time.Time, crawl.LastModSource) {
	u, err := url.Parse(address)
	if err != nil {
		return time.Time{}, ""
	}
	name := f.Name(u.Path)
	if name == "" {
		return time.Time{}, ""
	}
	if at, found := f.history().Date(name); found {
		return at, crawl.LastModGit
	}
	if f.fileTimes {
		if info, err := os.Stat(filepath.Join(f.name, filepath.FromSlash(name))); err == nil {
			return info.ModTime().Truncate(time.Second), crawl.LastModFile
		}
	}
	return time.Time{}, ""
}

// A sitePage is a page by its URL and by the name of its file.
type sitePage struct{ url, name string }

// pages yields every page that a sitemap may list, without the outputs of an earlier run.
func (f *folderSite) pages() iter.Seq2[sitePage, error] {
	return func(yield func(sitePage, error) bool) {
		for page, err := range f.Pages() {
			if err != nil {
				yield(sitePage{}, err)
				return
			}
			if !strings.Contains(page.Name, "/") && publish.IsOutput(page.Name, f.published) && f.published != nil {
				continue
			}
			address := f.address(page.Path)
			if address != "" && f.mayList(address) && !yield(sitePage{address, page.Name}, nil) {
				return
			}
		}
	}
}

// address returns the public URL of a path in the form that a crawl gives it.
func (f *folderSite) address(path string) string {
	address, err := f.base.AppendResolve(nil, []byte(path))
	if err != nil {
		return ""
	}
	return string(urlnorm.AppendKey(nil, address, urlnorm.KeyOptions{}))
}

// withPages adds the pages of the folder to the seeds of a crawl if orphan pages are listed.
func (f *folderSite) withPages(seeds iter.Seq2[crawl.Seed, error]) iter.Seq2[crawl.Seed, error] {
	if !f.list {
		return seeds
	}
	return func(yield func(crawl.Seed, error) bool) {
		if seeds != nil {
			for seed, err := range seeds {
				if !yield(seed, err) {
					return
				}
			}
		}
		for page, err := range f.pages() {
			if err == nil && f.KeepsOut(page.name, f.ignoreHeader) {
				continue
			}
			if !yield(crawl.Seed{URL: page.url, Source: crawl.SeedList}, err) {
				return
			}
		}
	}
}

// shownOrphans is the number of orphan pages that the summary names.
const shownOrphans = 10

// findOrphans finds the pages of the folder that the crawl did not reach, and writes them to orphans.txt. A
// crawl that did not finish has none.
func (f *folderSite) findOrphans(ctx context.Context, file *store.File, result *Result) error {
	name := filepath.Join(result.Details.Folder, crawlfile.OrphansName)
	if !file.Finished() || result.Limit != "" {
		return crawlfile.RemoveFile(name)
	}
	unfollowed, err := unfollowedPages(ctx, file)
	if err != nil {
		return err
	}
	err = atomicfile.Replace(name, func(out io.Writer) error {
		w := bufio.NewWriter(out)
		for page, err := range f.pages() {
			known := false
			if err == nil {
				known, err = file.HasURL(page.url)
			}
			if err != nil {
				return err
			}
			if known && !unfollowed[page.url] || f.KeepsOut(page.name, f.ignoreHeader) {
				continue
			}
			if result.Orphans++; result.Orphans <= shownOrphans {
				result.Details.Orphans = append(result.Details.Orphans, page.url)
			}
			if _, err := fmt.Fprintln(w, page.url); err != nil {
				return err
			}
			if clean, is := strings.CutSuffix(page.url, ".html"); is {
				if known, err := file.HasURL(clean); err != nil {
					return err
				} else if known {
					f.cleanOrphans++
				}
			}
		}
		return w.Flush()
	})
	if err == nil && result.Orphans == 0 {
		return crawlfile.RemoveFile(name)
	}
	return err
}

// unfollowedPages returns the URLs to which only nofollow links lead, or link elements that are not followed, or only
// an earlier crawl.
func unfollowedPages(ctx context.Context, file *store.File) (map[string]bool, error) {
	urls := map[string]bool{}
	for record, err := range file.Pages(ctx, crawl.ReasonNofollow, crawl.ReasonNotAPage, crawl.ReasonUnlinked) {
		if err != nil {
			return nil, err
		}
		if !record.Fetched || record.Link.OnlyEarlier() {
			urls[record.Link.URL] = true
		}
	}
	return urls, nil
}

// hasScriptMenu reports whether a script of the start page names one of the first orphans.
func (f *folderSite) hasScriptMenu(orphans []string) bool {
	var names []string
	for _, orphan := range orphans {
		name := path.Base(orphan)
		if !strings.Contains(name, ".") {
			name = "/" + name
		}
		names = append(names, name)
	}
	return f.ScriptNames(f.Name(f.path), names)
}
