package config

import (
	"slices"
)

// Assigned returns the names of the settings that the file has for a site, and those of a section.
func (c *File) Assigned(site Site, section string) (names []string) {
	assigned := slices.Concat(c.all, site.settings)
	if section != "" {
		assigned = c.sections[section]
	}
	for _, a := range assigned {
		names = append(names, a.name)
	}
	return names
}
