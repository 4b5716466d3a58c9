package config

import (
	"path/filepath"
	"slices"

	"github.com/mapatools/mapa/internal/app/addresses"
	"github.com/mapatools/mapa/internal/fetch"
	"github.com/mapatools/mapa/internal/urlnorm"
)

// CredentialNames are the settings of a crawl that may hold a secret of one site. A file of
// cookies names its hosts.
var CredentialNames = []string{"user", "cookie", "header"}

// HasSecretsFor reports whether what may be a secret in the file is for a site: one that the
// file names, by its origin. A file that names no site is for all.
func (c *File) HasSecretsFor(site Site) bool {
	origin := site.Origin()
	return origin == "" || len(c.Sites) == 0 || slices.ContainsFunc(c.Sites, func(named Site) bool {
		return named.Origin() == origin
	})
}

// isFolder reports whether files are crawled.
func (s *Site) isFolder() bool { return addresses.IsPath(s.URL) || addresses.IsFolder(s.URL) }

// Origin returns the origin that is crawled, or "" for a folder.
func (s *Site) Origin() string {
	if s.isFolder() {
		return ""
	}
	return fetch.Origin(addresses.WithScheme(s.URL))
}

// place returns the host that is crawled, or the folder.
func (s *Site) place() string {
	if s.isFolder() {
		return "folder " + filepath.Clean(s.URL)
	}
	return urlnorm.Host(addresses.WithScheme(s.URL))
}

// assignmentsFor returns the values of the file for all sites and for one, without secrets
// for a site that was typed and has another origin than those of the file, such as the same
// host by http.
func (c *File) assignmentsFor(site Site) []assignment {
	all := slices.Concat(c.all, site.settings)
	if c.HasSecretsFor(site) {
		return all
	}
	return slices.DeleteFunc(all, func(a assignment) bool {
		isSecret := slices.Contains(CredentialNames, a.name)
		if isSecret {
			c.app.Notify("notice.credentials", c.name, a.name, site.Origin())
		}
		return isSecret
	})
}
