// Package config gives settings their values from mapa.yaml, the environment and flags. Begin
// with [Read] and [Combine]. A file that is only found, and that nobody named, may be of
// strangers: see [setting.Risk].
package config

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/mapatools/mapa/internal/catalog"
	"go.yaml.in/yaml/v3"
)

// DefaultName is the configuration file that is read from the current folder when
// none is named.
const DefaultName = "mapa.yaml"

// maxConfigSize is the largest configuration file that is read, in bytes.
const maxConfigSize = 1 << 20

// A File is a configuration file: settings of all sites, of each site, of build, of lint,
// of announce and of watch, under the names of the flags.
type File struct {
	// Sites are the sites to crawl, in the order of the file.
	Sites []Site

	app  *app.App
	name string
	// found is set when nobody named the file, which limits what it may say: see [setting.Risk].
	found bool
	// lookupEnv expands $NAME; nil where the file may not.
	lookupEnv func(string) (string, bool)
	all       []assignment // of crawl, for every site
	sections  map[string][]assignment
}

// Tables are the settings that a configuration file may have.
type Tables struct {
	Crawl    []setting.Setting            // of all sites, and of each
	Sections map[string][]setting.Setting // of the other commands, by the name of the section
}

// A Site is a site that a configuration file names, with settings of its own.
type Site struct {
	URL      string
	line     int // of the file that lists it, or 0
	settings []assignment
}

// IsListed reports whether the file lists the site, and the user did not name it.
func (s *Site) IsListed() bool { return s.line > 0 }

// Sets reports whether the file has this setting for this site alone.
func (s *Site) Sets(setting string) bool {
	return slices.ContainsFunc(s.settings, func(a assignment) bool { return a.name == setting })
}

// HasSettings reports whether the file has settings for this site alone.
func (s *Site) HasSettings() bool { return len(s.settings) > 0 }

// An assignment is one key of the file with its value: a scalar, a list, or a list of entries
// with keys of their own.
type assignment struct {
	name    string
	line    int
	texts   []string
	isList  bool
	entries [][]assignment
}

// An Error says what is wrong with a configuration file, and in which line.
type Error struct {
	File string
	Line int // 0 where it is unknown
	Err  error
}

// Error names the file, the line and the problem.
func (e *Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %v", e.File, e.Err)
	}
	return fmt.Sprintf("%s, line %d: %v", e.File, e.Line, e.Err)
}

// Unwrap returns the problem.
func (e *Error) Unwrap() error { return e.Err }

// Read reads a configuration file. Without a name it reads [DefaultName], which
// need not exist.
//
// In a file that is named, the value $NAME is that of the environment variable. One that
// is only found in the current folder may come from strangers: it expands nothing, and what
// its settings may do depends on their [setting.Risk].
func Read(a *app.App, name string, tables Tables) (*File, error) {
	c := &File{app: a, name: cmp.Or(name, DefaultName), found: name == ""}
	if !c.found {
		c.lookupEnv = a.LookupEnv
	}
	if c.found {
		if err := checkBelow(c.name); err != nil {
			return nil, c.refusal(0, "the link %v", err)
		}
	}
	text, err := readConfigFile(c.name)
	switch {
	case name == "" && errors.Is(err, fs.ErrNotExist):
		return c, nil
	case err != nil:
		return nil, err
	}
	a.Emit(FileRead{c.name})
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		return nil, fmt.Errorf("%s: %s", c.name, strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if len(document.Content) == 0 {
		return c, nil
	}
	return c, c.read(document.Content[0], tables)
}

// readConfigFile reads no more than maxConfigSize. It may be given a pipe or a device.
func readConfigFile(name string) ([]byte, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxConfigSize+1))
	if err == nil && len(text) > maxConfigSize {
		err = &Error{File: name, Err: fmt.Errorf("larger than %d bytes", maxConfigSize)}
	}
	return text, err
}

// Name returns the name of the file, which may not exist.
func (c *File) Name() string { return c.name }

// Site returns the site of the file that has the origin of the address, or else is on the
// same host or the same folder, or one without settings of its own.
func (c *File) Site(address string) Site {
	typed := Site{URL: address}
	for _, site := range c.Sites {
		if origin := typed.Origin(); origin != "" && site.Origin() == origin {
			return Site{URL: address, settings: site.settings}
		}
	}
	place := typed.place()
	for _, site := range c.Sites {
		if site.place() == place {
			return Site{URL: address, settings: site.settings}
		}
	}
	return typed
}

func (c *File) read(root *yaml.Node, tables Tables) error {
	c.sections = map[string][]assignment{}
	names := slices.Concat([]string{"url", "sites"}, slices.Sorted(maps.Keys(tables.Sections)))
	var single Site
	err := c.each(root, func(key, value *yaml.Node) error {
		switch key.Value {
		case "url":
			single.URL, single.line = value.Value, key.Line
			return c.scalar(value)
		case "sites":
			return c.readSites(value, tables.Crawl)
		}
		if known, isSection := tables.Sections[key.Value]; isSection {
			assigned, err := c.assignments(value, known)
			c.sections[key.Value] = assigned
			return err
		}
		a, err := c.assignment(key, value, tables.Crawl, names...)
		c.all = append(c.all, a)
		return err
	})
	if single.URL != "" {
		c.Sites = slices.Insert(c.Sites, 0, single)
	}
	return err
}

func (c *File) readSites(list *yaml.Node, crawl []setting.Setting) error {
	if list.Kind != yaml.SequenceNode {
		return c.fault(list, "sites must be a list of sites, each with its url")
	}
	for _, item := range list.Content {
		s := Site{line: item.Line}
		if item.Kind == yaml.ScalarNode {
			s.URL = item.Value
			c.Sites = append(c.Sites, s)
			continue
		}
		err := c.each(item, func(key, value *yaml.Node) error {
			if key.Value == "url" {
				s.URL, s.line = value.Value, key.Line
				return c.scalar(value)
			}
			a, err := c.assignment(key, value, crawl, "url")
			s.settings = append(s.settings, a)
			return err
		})
		if err != nil {
			return err
		}
		if s.URL == "" {
			return c.fault(item, "a site needs its url")
		}
		c.Sites = append(c.Sites, s)
	}
	return nil
}

func (c *File) assignments(node *yaml.Node, known []setting.Setting) (all []assignment, err error) {
	err = c.each(node, func(key, value *yaml.Node) error {
		a, err := c.assignment(key, value, known)
		all = append(all, a)
		return err
	})
	return all, err
}

// each calls f for every key of a mapping. A key that is repeated is an error.
func (c *File) each(node *yaml.Node, f func(key, value *yaml.Node) error) error {
	if node.Kind != yaml.MappingNode {
		return c.fault(node, "expected names and values, such as rate: 5")
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		if seen[key.Value] {
			return c.fault(key, fmt.Sprintf("%s is set twice", key.Value))
		}
		seen[key.Value] = true
		if err := f(key, value); err != nil {
			return err
		}
	}
	return nil
}

// assignment reads one key, which must name a known setting. The names of others may
// have been meant where it does not.
func (c *File) assignment(key, value *yaml.Node, known []setting.Setting, others ...string) (assignment, error) {
	a := assignment{name: key.Value, line: key.Line}
	named := setting.Find(known, key.Value)
	switch {
	case named == nil:
		return a, c.unknown(key, known, others)
	case named.CommandLineOnly:
		return a, c.fault(key, fmt.Sprintf("--%s goes on the command line only", key.Value))
	}
	if list, is := named.Value.(setting.EntryList); is {
		var err error
		a.entries, err = c.readEntries(a.name, value, list.Table())
		return a, err
	}
	switch value.Kind {
	case yaml.ScalarNode:
		text, err := c.text(value, named.Secret)
		a.texts = []string{text}
		return a, err
	case yaml.SequenceNode:
		a.isList = true
		for _, item := range value.Content {
			text, err := c.text(item, false)
			if err != nil {
				return a, err
			}
			a.texts = append(a.texts, text)
		}
		return a, nil
	case yaml.MappingNode:
		a.isList = true
		return a, c.each(value, func(name, item *yaml.Node) error {
			text, err := c.text(item, false)
			a.texts = append(a.texts, name.Value+"="+text)
			return err
		})
	}
	return a, c.fault(value, "a value is a text, a number, true, false, or a list of them")
}

// readEntries reads a list of entries, each with settings of its own.
func (c *File) readEntries(name string, list *yaml.Node, known []setting.Setting) (entries [][]assignment, err error) {
	if list.Kind != yaml.SequenceNode {
		return nil, c.fault(list, name+" must be a list of entries, each with its keys")
	}
	for i, item := range list.Content {
		entry, err := c.assignments(item, known)
		if err != nil {
			return nil, c.inEntry(err, name, i)
		}
		entries = append(entries, entry)
	}
	return entries, nil
}

// inEntry adds the entry of a list to an error about it.
func (c *File) inEntry(err error, name string, i int) error {
	if wrong, is := errors.AsType[*Error](err); is {
		return &Error{wrong.File, wrong.Line, fmt.Errorf("%s, entry %d: %w", name, i+1, wrong.Err)}
	}
	return err
}

var variable = regexp.MustCompile(`^\$([A-Za-z_][A-Za-z0-9_]*)$`)

// text returns the text of a value. A value that is $NAME, and nothing else, is that of
// the environment variable. One that is optional may be unset, which is empty.
func (c *File) text(node *yaml.Node, optional bool) (string, error) {
	if err := c.scalar(node); err != nil {
		return "", err
	}
	name := variable.FindStringSubmatch(node.Value)
	if name == nil || c.lookupEnv == nil {
		return node.Value, nil
	}
	text, found := c.lookupEnv(name[1])
	if !found && !optional {
		return "", c.fault(node, fmt.Sprintf("the environment variable %s is not set", name[1]))
	}
	return text, nil
}

func (c *File) scalar(node *yaml.Node) error {
	if node.Kind != yaml.ScalarNode {
		return c.fault(node, "expected one text or number")
	}
	return nil
}

func (c *File) unknown(key *yaml.Node, known []setting.Setting, names []string) error {
	for _, s := range known {
		if !s.CommandLineOnly {
			names = append(names, s.Name)
		}
	}
	why := fmt.Sprintf("unknown setting %q", key.Value)
	if suggestion := setting.Suggest(key.Value, names, ""); suggestion != "" {
		why += ": " + suggestion
	}
	return c.fault(key, why)
}

func (c *File) fault(node *yaml.Node, why string) error {
	return &Error{c.name, node.Line, errors.New(why)}
}

// FileRead reports the configuration file that is in force.
type FileRead struct{ Name string }

// In names the file.
func (e FileRead) In(c *catalog.Catalog) string { return c.Text("notice.settings", e.Name) }
