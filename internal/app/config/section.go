package config

import (
	"fmt"
	"slices"

	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/setting"
)

// A Section is the settings that a configuration file has for a command.
type Section struct {
	file     *File
	assigned []assignment // later ones win
	site     Site         // to crawl
}

// Crawl returns the settings of the file for a crawl of a site: those for all sites, and
// its own.
func (c *File) Crawl(site Site) Section {
	return Section{file: c, assigned: c.assignmentsFor(site), site: site}
}

// Section returns the settings of the file in a section of this name.
func (c *File) Section(name string) Section {
	return Section{file: c, assigned: c.sections[name]}
}

// Without returns the section without the settings of these names.
func (s Section) Without(names ...string) Section {
	s.assigned = slices.DeleteFunc(slices.Clone(s.assigned), func(a assignment) bool {
		return slices.Contains(names, a.name)
	})
	return s
}

// Combine gives settings their values: those of a section of the file, of the environment,
// and of the flags that were typed. Later ones override earlier ones. A file that nobody
// named may be of strangers: what it may not have is a [*Error].
func Combine(a *app.App, settings []setting.Setting, section Section, flags []setting.Setting, typed []string) error {
	if err := section.Apply(settings); err != nil {
		return err
	}
	if err := ApplyEnvironment(a, settings, typed); err != nil {
		return err
	}
	setting.Override(settings, flags, typed)
	if err := section.file.CheckSite(section.site, typed); err != nil {
		return err
	}
	return section.checkCredentials(settings, typed)
}

// Apply gives settings the values of the section alone.
func (s *Section) Apply(settings []setting.Setting) error {
	for _, a := range s.assigned {
		named := setting.Find(settings, a.name)
		if list, is := named.Value.(setting.EntryList); is {
			if err := s.applyEntries(list, &a); err != nil {
				return err
			}
			continue
		}
		if err := named.Value.Assign(a.texts, a.isList); err != nil {
			return &Error{s.file.name, a.line, fmt.Errorf("%s: %w", a.name, err)}
		}
		if err := s.file.checkRisk(named, a.line); err != nil {
			return err
		}
	}
	return nil
}

// applyEntries gives a list the entries of the file. Each of their settings has a risk of its own.
func (s *Section) applyEntries(list setting.EntryList, a *assignment) error {
	for i, settings := range list.Make(len(a.entries)) {
		entry := Section{file: s.file, assigned: a.entries[i]}
		if err := entry.Apply(settings); err != nil {
			return s.file.inEntry(err, a.name, i)
		}
	}
	return nil
}
