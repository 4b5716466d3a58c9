package watch

import (
	"cmp"
	"net/url"
	"path"
	"strings"

	"github.com/mapatools/mapa/internal/urlnorm"
)

// A start is what the name of a site means.
type start struct {
	origins []string // to try, for a site; the sitemaps are those of robots.txt
	root    string   // the URL of a sitemap, an index or a feed
}

// parseSite says what the name of a site means. Without a scheme, https is tried before
// http.
func parseSite(name string) (start, error) {
	address, schemes := name, []string{"https", "http"}
	if scheme, rest, found := strings.Cut(name, "://"); found {
		schemes = []string{strings.ToLower(scheme)}
		address = rest
		if schemes[0] != "http" && schemes[0] != "https" {
			return start{}, &SiteError{name, "use http or https"}
		}
	}
	u, err := url.Parse("https://" + address)
	switch {
	case err != nil, strings.HasSuffix(u.Host, ":"): // as in http:/example.com
		return start{}, &SiteError{name, "it is not a URL"}
	case u.Host == "" || u.Hostname() == "":
		return start{}, &SiteError{name, "it has no host"}
	case len(schemes) == 2 && !strings.ContainsAny(u.Host, ".:") && u.Hostname() != "localhost":
		return start{}, &SiteError{name, "for a host of this network type http://" + u.Host + "/"}
	case u.User != nil:
		u.User = nil
		return start{}, &SiteError{u.String(), "remove the user and the password from the URL"}
	}
	u.Fragment, u.RawFragment = "", ""
	if strings.Trim(u.EscapedPath(), "/") == "" && u.RawQuery == "" || path.Base(u.Path) == "robots.txt" {
		var s start
		for _, scheme := range schemes {
			origin := scheme + "://" + u.Host
			s.origins = append(s.origins, scheme+"://"+cmp.Or(urlnorm.Host(origin), u.Host))
		}
		return s, nil
	}
	u.Scheme = schemes[0]
	u.Host = cmp.Or(urlnorm.Host(u.String()), u.Host)
	return start{root: u.String()}, nil
}

// sameHost reports whether two URLs have the same host and port, however they are spelled.
func sameHost(a, b string) bool {
	host := urlnorm.Host(a)
	return host != "" && host == urlnorm.Host(b)
}
