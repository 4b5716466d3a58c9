// Package why implements mapa why: what a crawl decided about a page, and why. Begin with
// [Explain].
package why

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mapatools/mapa/internal/app/addresses"
	"github.com/mapatools/mapa/internal/app/crawlfile"
	"github.com/mapatools/mapa/internal/report"
	"github.com/mapatools/mapa/internal/store"
	"github.com/mapatools/mapa/internal/urlnorm"
)

// An Answer is what a crawl decided about a page. Its JSON is for programs, its In for
// people.
type Answer struct {
	*report.Why
	Folder string `json:"-"` // of the crawl
}

// Explain returns what the last crawl decided about a page. The crawl is that of the folder;
// without one, of the current folder if that has a crawl, or of the folder named after
// the host.
func Explain(ctx context.Context, address, folder string) (*Answer, error) {
	if strings.HasPrefix(address, "/") {
		return whyPath(ctx, address, cmp.Or(folder, "."))
	}
	urls, err := addresses.ReadPage(address)
	if err != nil {
		return nil, err
	}
	if folder == "" {
		if folder, err = crawlFolderFor(urls[0]); err != nil {
			return nil, err
		}
	}
	file, err := crawlfile.Open(folder)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	why, err := findWhy(ctx, file, urls, folder)
	return &Answer{why, folder}, err
}

// whyPath resolves a path against the start of the crawl.
func whyPath(ctx context.Context, path, folder string) (*Answer, error) {
	file, err := crawlfile.Open(folder)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	base, err := urlnorm.NewBase([]byte(crawlfile.SiteOrigin(file) + path))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, addresses.ErrNotPage)
	}
	why, err := findWhy(ctx, file, addresses.PageURLs(base.String()), folder)
	return &Answer{why, folder}, err
}

func crawlFolderFor(address string) (string, error) {
	if _, err := os.Stat(crawlfile.Name); err == nil {
		return ".", nil
	}
	u, err := url.Parse(address)
	if err != nil {
		return "", fmt.Errorf("%w: %w", addresses.ErrNotPage, err)
	}
	return crawlfile.FolderOf(u.Host), nil
}

// findWhy looks for the first of some URLs, then for other spellings of them, and for an orphan page.
func findWhy(ctx context.Context, file *store.File, urls []string, folder string) (*report.Why, error) {
	options, err := crawlfile.ReadMeta(file)
	if err != nil {
		return nil, err
	}
	why, err := report.AskWhy(ctx, file, urls, addresses.PageKey(options.Strip))
	if err != nil || why.Found {
		return why, err
	}
	orphan, err := findOrphan(folder, urls)
	if orphan != "" {
		why.URL, why.Orphan = orphan, true
	}
	return why, err
}

// findOrphan returns the first of some URLs that is one of an orphan page, or "".
func findOrphan(folder string, urls []string) (string, error) {
	name := crawlfile.FileIn(folder, crawlfile.OrphansName)
	if name == "" {
		return "", nil
	}
	text, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		return "", err
	}
	orphans := strings.Split(string(text), "\n")
	for _, url := range urls {
		if slices.Contains(orphans, url) {
			return url, nil
		}
	}
	return "", nil
}
