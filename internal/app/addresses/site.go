package addresses

import (
	"fmt"
	"net"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/mapatools/mapa/internal/fetch"
	"github.com/mapatools/mapa/internal/publish"
	"github.com/mapatools/mapa/internal/urlnorm"
	"golang.org/x/net/publicsuffix"
)

// A SiteAddress is the start of a crawl as a server keeps it.
type SiteAddress struct {
	URL   string // as it was given, without user information
	User  string // NAME:PASSWORD, or empty
	Name  string // host in lower case, without a default port
	Start string // equal for the spellings of one start: http or https, with or without www
	Owner string // the registrable domain, or else Name: redirects of the start stay in it
	// Origin is the scheme, host and port that credentials are sent to, whatever the public
	// URL of the site is.
	Origin string
}

// ReadSiteAddress reads the address of a site: a host or an http or https URL, and never
// a folder. The error wraps [ErrScheme], [ErrNoFolder] or [ErrInvalidURL].
func ReadSiteAddress(address string) (*SiteAddress, error) {
	address = strings.TrimSpace(address)
	start, err := ReadStart(address)
	if err != nil {
		return nil, err
	}
	base, err := urlnorm.NewBase([]byte(start.URL))
	if err != nil {
		return nil, InvalidStart(start.URL)
	}
	u, err := url.Parse(base.String())
	if err != nil {
		return nil, InvalidStart(start.URL)
	}
	s := &SiteAddress{
		URL: start.URL, User: start.User, Name: strings.ToLower(u.Host), Start: BareHost(u) + u.RequestURI(),
		Origin: fetch.Origin(base.String()),
	}
	if !strings.Contains(address, "://") {
		s.URL = strings.TrimPrefix(s.URL, "https://") // http is tried too
	}
	if s.Owner = registrable(u.Hostname()); s.Owner == "" {
		s.Owner = s.Name
	}
	return s, nil
}

// SameOwner reports whether two URLs are on hosts of one registrable domain. IP
// addresses and names such as localhost have none: they must be equal.
func SameOwner(a, b *url.URL) bool {
	if b.Scheme != "http" && b.Scheme != "https" {
		return false
	}
	if BareHost(a) == BareHost(b) {
		return true
	}
	one, other := registrable(a.Hostname()), registrable(b.Hostname())
	return one != "" && one == other
}

// registrable returns the registrable domain of a host, such as example.co.uk, or "".
func registrable(host string) string {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if net.ParseIP(host) != nil {
		return ""
	}
	domain, err := publicsuffix.EffectiveTLDPlusOne(host)
	if err != nil {
		return ""
	}
	return domain
}

// BareHost returns the host of a URL without a leading www. and the default port.
func BareHost(u *url.URL) string {
	host := strings.ToLower(u.Host)
	switch u.Port() {
	case "80", "443":
		host = strings.TrimSuffix(host, ":"+u.Port())
	}
	rest, found := strings.CutPrefix(host, "www.")
	if found && registrable(strings.TrimSuffix(rest, ":"+u.Port())) != "" {
		return rest
	}
	return host
}

// SiteName returns the name of the site of a host: spellings with www. and the default port
// belong to it.
func SiteName(host string) string { return BareHost(&url.URL{Host: host}) }

// SiteHosts returns the hosts of a site.
func SiteHosts(site string) (hosts []string) {
	name := SiteName(site)
	for _, host := range []string{name, WWWVariant(name)} {
		for _, port := range []string{"", ":80", ":443"} {
			if SiteName(host+port) == name {
				hosts = append(hosts, host+port)
			}
		}
	}
	return hosts
}

// SameStart reports whether two URLs are spellings of one start: http or https, with or
// without www.
func SameStart(a, b string) bool {
	one, errOne := urlnorm.NewBase([]byte(a))
	other, errOther := urlnorm.NewBase([]byte(b))
	if errOne != nil || errOther != nil {
		return a == b
	}
	u, errU := url.Parse(one.String())
	v, errV := url.Parse(other.String())
	return errU == nil && errV == nil && BareHost(u) == BareHost(v) && u.RequestURI() == v.RequestURI()
}

// CheckBaseURL refuses what is not the URL of a site, and what no sitemap may list.
func CheckBaseURL(address string) error {
	u := urlnorm.ParseHTTP(address)
	if u == nil || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return setting.Invalid("base-url", "%s must be a URL such as https://example.com/, not %q", TruncatedAddress(address))
	}
	if err := publish.CheckFolderURL(FolderURL(u)); err != nil {
		return setting.Wrap("base-url", fmt.Errorf("with the names of files, %w: %s", err, TruncatedAddress(address)))
	}
	return nil
}

// FolderURL returns the URL of the folder that a base URL names, in which its sitemap is
// published. It ends in a slash.
func FolderURL(base *url.URL) string {
	folder := CutPage(base)
	return folder.Scheme + "://" + folder.Host + strings.TrimSuffix(folder.EscapedPath(), "/") + "/"
}

// pageEndings are those of files that a base URL may name in place of their folder. What follows
// another dot, as in /docs/v1.2, is a part of the folder's name.
var pageEndings = []string{".html", ".htm", ".xhtml", ".php", ".asp", ".aspx", ".jsp", ".xml", ".txt"}

// CutPage returns a base URL without the page at its end, such as index.html.
func CutPage(base *url.URL) *url.URL {
	if !slices.Contains(pageEndings, strings.ToLower(path.Ext(base.Path))) {
		return base
	}
	return base.ResolveReference(&url.URL{Path: "."})
}
