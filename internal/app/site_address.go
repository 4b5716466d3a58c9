package app

import (
	"net/url"
	"strings"

	"github.com/mapatools/mapa/internal/fetch"
	"github.com/mapatools/mapa/internal/urlnorm"
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
// a folder. The error wraps [ErrScheme], [ErrNoFolder] or crawl.ErrStart.
func ReadSiteAddress(address string) (*SiteAddress, error) {
	address = strings.TrimSpace(address)
	start, err := readStart(address)
	if err != nil {
		return nil, err
	}
	base, err := urlnorm.NewBase([]byte(start.url))
	if err != nil {
		return nil, invalidStart(start.url)
	}
	u, err := url.Parse(base.String())
	if err != nil {
		return nil, invalidStart(start.url)
	}
	s := &SiteAddress{
		URL: start.url, User: start.user, Name: strings.ToLower(u.Host), Start: bareHost(u) + u.RequestURI(),
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

// Check validates settings for a site before its crawl begins. What is wrong is a
// [*SettingError], or [ErrUnlistableStart].
func (s *CrawlSettings) Check(site *SiteAddress) error {
	start, err := url.Parse(withScheme(site.URL))
	if err != nil {
		return invalidStart(site.URL)
	}
	if _, err := s.Options(start); err != nil {
		return err
	}
	if err := s.checkStart(start); err != nil {
		return err
	}
	_, err = s.Publish.options()
	return err
}
