package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/report"
	"github.com/mapatools/mapa/internal/urlnorm"
)

// ErrNotPage says that an address is not the URL of a page.
var ErrNotPage = errors.New("not the URL of a page")

// A Why is what a crawl decided about a page. Its JSON is for programs, its String for
// people.
type Why struct {
	*report.Why
	Folder string `json:"-"` // of the crawl
}

// Explain returns what the last crawl decided about a page. The crawl is that of the folder;
// without one, of the current folder if that has a crawl, or of the folder named after
// the host.
func (a *App) Explain(ctx context.Context, address, folder string) (*Why, error) {
	if strings.HasPrefix(address, "/") {
		return a.whyPath(ctx, address, cmp.Or(folder, "."))
	}
	address, _ = format.CutUser(withScheme(address))
	base, err := urlnorm.NewBase([]byte(address))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", address, ErrNotPage)
	}
	address = base.String()
	if folder == "" {
		if folder, err = crawlFolderFor(address); err != nil {
			return nil, err
		}
	}
	file, err := openCrawlIn(folder)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	why, err := findWhy(ctx, file, address)
	return &Why{why, folder}, err
}

// whyPath resolves a path against the start of the crawl.
func (a *App) whyPath(ctx context.Context, path, folder string) (*Why, error) {
	file, err := openCrawlIn(folder)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	base, err := urlnorm.NewBase([]byte(siteOrigin(file) + path))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, ErrNotPage)
	}
	why, err := findWhy(ctx, file, base.String())
	return &Why{why, folder}, err
}

func crawlFolderFor(address string) (string, error) {
	if _, err := os.Stat(crawlName); err == nil {
		return ".", nil
	}
	u, err := url.Parse(address)
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrNotPage, err)
	}
	return folderOf(u.Host), nil
}

// findWhy looks for the URL as given, then for other spellings of it.
func findWhy(ctx context.Context, file crawl.Reader, address string) (*report.Why, error) {
	all := PageURLs(address)
	for _, spelling := range all {
		if why, err := report.AskWhy(ctx, file, spelling); err != nil || why.Found {
			return why, err
		}
	}
	options, err := readCrawlMeta(file)
	if err != nil {
		return nil, err
	}
	key := urlnorm.KeyOptions{Strip: urlnorm.PageParameters(options.Strip...), SortQuery: true}
	return report.AskWhyLike(ctx, file, all, key)
}
