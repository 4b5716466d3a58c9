package source

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path"
	"regexp"
	"strings"
	"sync"
	"time"
)

// sitemapPaths are the usual paths of sitemaps, the most frequent first.
var sitemapPaths = []string{
	"/sitemap.xml", "/sitemap_index.xml", "/sitemap-index.xml", "/wp-sitemap.xml",
	"/sitemap.xml.gz", "/sitemap_index.xml.gz", "/sitemap-index.xml.gz",
	"/sitemap.txt", "/sitemaps.xml", "/sitemap", "/sitemap/sitemap-index.xml", "/sitemap/index.xml",
	"/.sitemap.xml", "/sitemap_news.xml", "/sitemap-news.xml", "/news-sitemap.xml",
	"/sitemap_news.xml.gz", "/sitemap-news.xml.gz", "/admin/config/search/xmlsitemap",
}

var hostForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(localhost|[\pL\pN-]+(\.[\pL\pN-]+)+)(:[0-9]+)?/?$`)
})

// isHostName reports whether a location, which is not a file, looks like a host
// such as example.com.
func isHostName(location string) bool {
	switch strings.ToLower(path.Ext(location)) {
	case ".xml", ".gz", ".txt", ".rss", ".atom", ".csv", ".tsv", ".json", ".jsonl", ".log", ".html", ".htm", ".md",
		".sqlite":
		return false
	}
	return hostForm().MatchString(location)
}

// A MissingError reports a source that is the name of a file or a folder which does not exist. It wraps
// [ErrOpen] and [fs.ErrNotExist].
type MissingError struct{ Name string }

// Error names the file, and the URL that the name may be meant for.
func (e *MissingError) Error() string {
	plain := plainName().MatchString(e.Name)
	switch {
	case plain && (isHostName(e.Name) || strings.EqualFold(path.Ext(e.Name), ".md")): // also a top-level domain
		return fmt.Sprintf("there is no file %s; for a site type https://%[1]s/", e.Name)
	case plain && !strings.Contains(e.Name, "."):
		return fmt.Sprintf("there is no file or folder %s; for a host of this network type http://%[1]s/", e.Name)
	case path.Ext(e.Name) == "":
		return "there is no file or folder " + e.Name
	}
	return "there is no file " + e.Name
}

// Unwrap returns ErrOpen and fs.ErrNotExist.
func (e *MissingError) Unwrap() []error { return []error{ErrOpen, fs.ErrNotExist} }

var plainName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[\pL\pN.-]+$`)
})

// discoverHost tries https first, and http when nothing answers there. A certificate
// that is not trusted is not ignored.
func (o *opener) discoverHost(ctx context.Context, t target) result {
	host := strings.TrimSuffix(t.location, "/")
	secure := o.discover(ctx, target{location: "https://" + host + "/", root: true})
	_, distrusted := errors.AsType[*tls.CertificateVerificationError](secure.err)
	if secure.err == nil || errors.Is(secure.err, ErrNoSitemap) || distrusted {
		return secure
	}
	plain := o.discover(ctx, target{location: "http://" + host + "/", root: true})
	if plain.err == nil || errors.Is(plain.err, ErrNoSitemap) {
		return plain
	}
	return secure
}

// discover finds the sitemaps of a site: those that its robots.txt lists, or else
// the first at a usual path. The error is [ErrNoSitemap] only when the site
// answers.
func (o *opener) discover(ctx context.Context, t target) result {
	site, err := url.Parse(t.location)
	if err != nil {
		return result{err: fmt.Errorf("%w: %w", ErrOpen, err)}
	}
	address := site.ResolveReference(&url.URL{Path: "/robots.txt"}).String()
	limited, stop := expiring(ctx, robotsTimeout)
	defer stop()
	in, err := o.get(limited, address)
	var status *StatusError
	switch {
	case err == nil:
		defer in.body.Close()
		if listed := o.readRobots(in.address, in.body); len(listed.children) > 0 {
			return listed
		}
	case !errors.As(err, &status):
		return result{err: err}
	}
	return o.tryPlaces(ctx, site)
}

// tryPlaces opens the first sitemap at a usual path of a site.
func (o *opener) tryPlaces(ctx context.Context, site *url.URL) result {
	limited, stop := expiring(ctx, placesTimeout)
	defer stop()
	for _, path := range sitemapPaths {
		address := site.ResolveReference(&url.URL{Path: path}).String()
		in, err := o.get(limited, address)
		if err != nil {
			continue
		}
		found := o.read(target{location: address, index: site.String()}, in)
		if found.err == nil || len(found.children) > 0 {
			return found
		}
	}
	switch {
	case ctx.Err() != nil:
		return result{err: ctx.Err()}
	case limited.Err() != nil:
		return result{err: fmt.Errorf("%w: robots.txt lists none, and the usual paths do not answer in time", ErrNoSitemap)}
	}
	return result{err: fmt.Errorf("%w: robots.txt lists none, and there is none at the usual paths", ErrNoSitemap)}
}

// expiring returns a context that ends after a time, unless stop is called before. What
// was opened under it can still be read then.
func expiring(ctx context.Context, after time.Duration) (limited context.Context, stop func() bool) {
	limited, cancel := context.WithCancel(ctx)
	return limited, time.AfterFunc(after, cancel).Stop
}
