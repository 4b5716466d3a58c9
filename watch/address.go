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
	case u.User != nil:
		u.User = nil
		return start{}, &SiteError{u.String(), "remove the user and the password from the URL"}
	}
	u.Fragment, u.RawFragment = "", ""
	if strings.Trim(u.EscapedPath(), "/") == "" && u.RawQuery == "" || path.Base(u.Path) == "robots.txt" {
		var s start
		for _, scheme := range schemes {
			origin := scheme + "://" + u.Host
			s.origins = append(s.origins, scheme+"://"+cmp.Or(hostOf(origin), u.Host))
		}
		return s, nil
	}
	u.Scheme = schemes[0]
	u.Host = cmp.Or(hostOf(u.String()), u.Host)
	return start{root: u.String()}, nil
}

// sameHost reports whether two URLs have the same host and port, however they are spelled.
func sameHost(a, b string) bool {
	host := hostOf(a)
	return host != "" && host == hostOf(b)
}

// hostOf returns the host of a URL in its usual form, with Punycode and without the usual
// port, or "".
func hostOf(address string) string {
	var none urlnorm.Base
	usual, err := none.AppendResolve(nil, []byte(address))
	if err != nil {
		return ""
	}
	u, err := url.Parse(string(usual))
	if err != nil {
		return ""
	}
	return u.Host
}
