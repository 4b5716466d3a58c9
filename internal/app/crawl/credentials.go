package crawl

import (
	"slices"

	"github.com/mapatools/mapa/internal/app/access"
	"github.com/mapatools/mapa/internal/app/config"
)

// CheckCredentials refuses to send credentials to several sites of a run that do not have
// them as settings of their own.
func CheckCredentials(sites []config.Site, settings []*Settings) error {
	for _, name := range config.CredentialNames {
		var shared []string
		for i, site := range sites {
			if !site.Sets(name) && slices.Contains(settings[i].Access.Credentials(), name) {
				shared = append(shared, site.Origin())
			}
		}
		if err := access.CheckOneOrigin(name, shared); err != nil {
			return err
		}
	}
	return nil
}
