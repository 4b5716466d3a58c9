package app

import "slices"

// CheckCredentials refuses to send credentials to several sites of a run that do not have
// them as settings of their own.
func CheckCredentials(sites []Site, settings []*CrawlSettings) error {
	for _, name := range credentialNames {
		var shared []string
		for i, site := range sites {
			if !site.Sets(name) && slices.Contains(settings[i].Access.credentials(), name) {
				shared = append(shared, site.origin())
			}
		}
		if err := checkOneOrigin(name, shared); err != nil {
			return err
		}
	}
	return nil
}
