package announce

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/access"
	"github.com/mapatools/mapa/internal/app/crawlfile"
	"github.com/mapatools/mapa/internal/app/outputs"
	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/mapatools/mapa/internal/compare"
	"github.com/mapatools/mapa/internal/ledger"
	"github.com/mapatools/mapa/internal/store"
	"github.com/mapatools/mapa/internal/urlnorm"
	"github.com/mapatools/mapa/sitemap"
	"github.com/mapatools/mapa/source"
)

// An announceSource is a sitemap to announce.
type announceSource struct {
	location string // path or URL of the sitemap
	folder   string // that was named, or holds the file that was; empty for a URL
	sitemap  string // its public URL
	options  source.Options
	listed   *compare.Side
	crawl    *compare.Side // of the crawl that made it; nil without one
	file     *store.File   // of crawl
}

// A SitemapURLError says that the public URL of a sitemap is not known.
type SitemapURLError struct{ Location string }

// Error names the sitemap.
func (e *SitemapURLError) Error() string {
	return "the public URL of " + e.Location + " is not known"
}

// There is nothing to announce.
var (
	ErrNoSitemapFile = errors.New("no sitemap.xml in this folder")
	ErrNoSource      = errors.New("no such folder or file")
	ErrSite          = errors.New("this is a site, not a sitemap")
)

// openAnnounceSource opens a sitemap: that of a folder, a file, or a URL.
func openAnnounceSource(
	ctx context.Context, a *app.App, location string, settings *Settings,
) (_ *announceSource, err error) {
	s := &announceSource{}
	clean, options, err := access.Sources(a, &settings.Request, location)
	if err != nil {
		return nil, err
	}
	s.location, s.options = clean[0], options
	info, statErr := os.Stat(s.location)
	switch {
	case statErr == nil && info.IsDir():
		s.folder = s.location
		if s.location, err = outputs.SitemapOf(s.folder); err != nil {
			return nil, err
		}
		if s.location == "" {
			return nil, fmt.Errorf("%s: %w", s.folder, ErrNoSitemapFile)
		}
	case statErr == nil:
		s.folder = filepath.Dir(s.location)
	case !urlnorm.IsHTTP(s.location):
		return nil, fmt.Errorf("%s: %w", s.location, ErrNoSource)
	case urlnorm.IsSite(s.location): // whose sitemaps a reader would find, but which of them is meant?
		return nil, fmt.Errorf("%s: %w", s.location, ErrSite)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.close())
		}
	}()
	if s.listed, err = compare.Open(ctx, s.location, &s.options); err != nil {
		return nil, err
	}
	if s.listed.Files == 0 && len(s.listed.Faults) > 0 {
		return nil, s.listed.Faults[0]
	}
	for _, fault := range s.listed.Faults {
		a.Emit(app.Problem{Err: fault})
	}
	if info != nil && info.IsDir() {
		if err := s.openCrawl(ctx); err != nil {
			return nil, err
		}
	}
	if s.folder != "" && settings.BaseURL == "" && settings.Request.HasCredentials() {
		return nil, setting.Invalid("base-url", "%s is missing: {user}, {header} and cookies go to a site that you name, "+
			"not to the one that %[2]s names", s.location)
	}
	if err := s.setURL(ctx, settings.BaseURL); err != nil {
		return nil, err
	}
	// The host is in Punycode, as those of the pages.
	if usual, err := sitemap.EncodeLoc(s.sitemap); err == nil {
		s.sitemap = usual
	}
	sites, users := access.CutUsers([]string{s.page(), settings.Previous})
	if err := settings.Request.CheckOrigins(sites, users); err != nil {
		return nil, err
	}
	return s, nil
}

// openCrawl opens the crawl in the folder, if it is finished and lists what the sitemap
// lists: the crawl knows which contents changed.
func (s *announceSource) openCrawl(ctx context.Context) error {
	if crawlfile.FileIn(s.folder, crawlfile.Name) == "" {
		return nil
	}
	file, err := store.OpenReader(filepath.Join(s.folder, crawlfile.Name))
	if err != nil {
		return err
	}
	s.file = file
	if !file.Finished() {
		return nil
	}
	side, err := compare.Crawl(ctx, crawlfile.Name, file)
	if err != nil {
		return err
	}
	same, err := listsSame(ctx, side, s.listed)
	if same {
		s.crawl = side
	}
	return err
}

// pages returns the side that knows the most about the pages.
func (s *announceSource) pages() *compare.Side {
	if s.crawl != nil {
		return s.crawl
	}
	return s.listed
}

// setURL finds the public URL: that of the request, or below the base URL, or where the crawl
// or the build of the folder says, or where an index says that the files next to it are, or
// else on the host of the first page.
func (s *announceSource) setURL(ctx context.Context, baseURL string) error {
	if s.folder == "" {
		s.sitemap = s.location
		return nil
	}
	base := baseURL
	if base == "" {
		var err error
		if base, err = outputs.PublishedAt(s.folder); err != nil {
			return err
		}
	}
	if base == "" {
		base = s.folderInIndex(ctx)
	}
	if base == "" {
		for page, err := range s.listed.Listed(ctx) {
			if err != nil {
				return err
			}
			base = page.URL
			break
		}
		u, err := url.Parse(base)
		if err != nil || u.Host == "" {
			return &SitemapURLError{s.location}
		}
		base = u.Scheme + "://" + u.Host + "/"
	}
	if u := urlnorm.ParseHTTP(base); u == nil || u.User != nil || strings.ContainsAny(base, "?#") {
		return setting.Invalid("base-url", "%s must be a URL such as https://example.com/, without user, query and fragment")
	}
	s.sitemap = strings.TrimSuffix(base, "/") + "/" + url.PathEscape(filepath.Base(s.location))
	return nil
}

// page returns the start page of the site of the sitemap.
func (s *announceSource) page() string {
	u, err := url.Parse(s.sitemap)
	if err != nil {
		return s.sitemap
	}
	return u.Scheme + "://" + u.Host + "/"
}

// firstPage returns a page of the sitemap, whose robots.txt has to name the sitemap if
// that is on another host. Without pages it is the start page.
func (s *announceSource) firstPage(ctx context.Context) (string, error) {
	for page, err := range s.listed.Listed(ctx) {
		if err != nil {
			return "", err
		}
		if urlnorm.IsHTTP(page.URL) {
			return page.URL, nil
		}
	}
	return s.page(), nil
}

// ledgerName returns the default ledger: in the folder, or in the one that a crawl of the
// host would have.
func (s *announceSource) ledgerName() (folder, name string) {
	folder = s.folder
	if folder == "" {
		u, _ := url.Parse(s.sitemap) // it was requested
		folder = crawlfile.FolderOf(strings.ToLower(u.Host))
	}
	return folder, filepath.Join(folder, ledger.Name)
}

// close closes what is open.
func (s *announceSource) close() (err error) {
	if s.listed != nil {
		err = s.listed.Close()
	}
	if s.file != nil {
		err = errors.Join(err, s.file.Close())
	}
	return err
}

// folderInIndex returns the URL of the folder in which an index lists a file that is next to
// it. It returns "" where the sitemap is no such index.
func (s *announceSource) folderInIndex(ctx context.Context) string {
	options := s.options
	options.Indexes = true
	for file, err := range source.Sitemaps(ctx, []string{s.location}, &options) {
		if err != nil || file.Format != sitemap.FormatIndex {
			return ""
		}
		for entry, err := range file.Entries() {
			if err != nil {
				return ""
			}
			u, err := url.Parse(string(entry.Loc))
			if err != nil || !u.IsAbs() || crawlfile.FileIn(filepath.Dir(s.location), path.Base(u.Path)) == "" {
				return ""
			}
			return u.ResolveReference(&url.URL{Path: "./"}).String()
		}
	}
	return ""
}
