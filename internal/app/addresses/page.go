package addresses

import (
	"errors"
	"fmt"
	"strings"

	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/urlnorm"
)

// ReadPage returns the URLs that people may mean by the address of a page, in the form of a
// crawl: see [PageURLs]. The error wraps [ErrNotPage].
func ReadPage(address string) ([]string, error) {
	address, _ = format.CutUser(WithScheme(strings.TrimSpace(address)))
	base, err := urlnorm.NewBase([]byte(address))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", TruncatedAddress(address), ErrNotPage)
	}
	return PageURLs(base.String()), nil
}

// PageKey returns the options of the keys that are equal for the URLs of a page. Ignored are the
// names of query parameters that do not change the page.
func PageKey(ignored []string) urlnorm.KeyOptions {
	return urlnorm.KeyOptions{Strip: urlnorm.PageParameters(ignored...), SortQuery: true}
}

// PageURLs returns the URLs that people may mean by the address of a page, which may lack
// its scheme: as it is first, then with the other scheme, with or without www., with or without
// the trailing slash of its path, and with or without index.html.
func PageURLs(address string) []string {
	scheme, rest, found := strings.Cut(strings.TrimSpace(address), "://")
	if !found {
		scheme, rest = "https", scheme
	}
	path, query := rest, ""
	if i := strings.IndexByte(rest, '?'); i >= 0 {
		path, query = rest[:i], rest[i:]
	}
	slash := path + "/"
	if trimmed, ended := strings.CutSuffix(path, "/"); ended {
		slash = trimmed
	}
	const indexName = "/index.html"
	index := strings.TrimSuffix(path, "/") + indexName
	if folder, named := strings.CutSuffix(path, indexName); named {
		index = folder + "/"
	}
	slash, index = slash+query, index+query
	return withSchemes(scheme, rest, slash, WWWVariant(rest), WWWVariant(slash), index, WWWVariant(index))
}

// SiteURLs returns the URLs of a page on the hosts of its site: as it is first.
func SiteURLs(address string) []string {
	scheme, rest, _ := strings.Cut(address, "://")
	return withSchemes(scheme, rest, WWWVariant(rest))
}

// withSchemes returns the URLs of places, http and https ones with the other scheme too.
func withSchemes(scheme string, places ...string) (urls []string) {
	other := map[string]string{"http": "https", "https": "http"}[scheme]
	for _, place := range places {
		urls = append(urls, scheme+"://"+place)
		if other != "" {
			urls = append(urls, other+"://"+place)
		}
	}
	return urls
}

// WWWVariant returns a host, or an address that begins with one, with www. if it has none, and without
// it if it has.
func WWWVariant(host string) string {
	if bare, has := strings.CutPrefix(host, "www."); has {
		return bare
	}
	return "www." + host
}

// ErrNotPage says that an address is not the URL of a page.
var ErrNotPage = errors.New("not the URL of a page")
