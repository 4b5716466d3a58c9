package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/mapatools/mapa/internal/spelling"
	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v3"
)

// configName is looked for in the present folder.
const configName = "mapa.yaml"

// largestConfig bounds what is read of a configuration file.
const largestConfig = 1 << 20

// A config is a configuration file: settings by the names of the flags, for all
// sites and for each, and those of lint.
type config struct {
	name  string
	all   []setting // of crawl, for every site
	lint  []setting
	sites []site
}

// A site is one that the file names, with settings of its own.
type site struct {
	url      string
	line     int
	settings []setting
}

// A setting is one key of the file with its value, a scalar or a list.
type setting struct {
	name   string
	line   int
	values []string
	list   bool
}

// readConfig reads the configuration file of this name; an empty one stands for
// mapa.yaml, which need not be there. It knows the flags that may be set.
func readConfig(name string, crawl, lint *pflag.FlagSet) (*config, error) {
	c := &config{name: name}
	if name == "" {
		c.name = configName
	}
	text, err := os.ReadFile(c.name)
	switch {
	case name == "" && errors.Is(err, fs.ErrNotExist):
		return c, nil
	case err != nil:
		return nil, err
	case len(text) > largestConfig:
		return nil, fmt.Errorf("%s: larger than %d bytes", c.name, largestConfig)
	}
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		return nil, fmt.Errorf("%s: %s", c.name, strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if len(document.Content) == 0 {
		return c, nil
	}
	return c, c.read(document.Content[0], crawl, lint)
}

func (c *config) read(root *yaml.Node, crawl, lint *pflag.FlagSet) error {
	single := site{}
	err := c.each(root, func(key, value *yaml.Node) error {
		var err error
		switch key.Value {
		case "url":
			single.url, single.line = value.Value, value.Line
			return c.scalar(value)
		case "sites":
			return c.readSites(value, crawl)
		case "lint":
			c.lint, err = c.settings(value, lint)
			return err
		}
		s, err := c.setting(key, value, crawl, "url", "sites", "lint")
		c.all = append(c.all, s)
		return err
	})
	if single.url != "" {
		c.sites = slices.Insert(c.sites, 0, single)
	}
	return err
}

func (c *config) readSites(list *yaml.Node, crawl *pflag.FlagSet) error {
	if list.Kind != yaml.SequenceNode {
		return c.fault(list, "sites is a list, each site with its url")
	}
	for _, item := range list.Content {
		s := site{line: item.Line}
		if item.Kind == yaml.ScalarNode {
			s.url = item.Value
			c.sites = append(c.sites, s)
			continue
		}
		err := c.each(item, func(key, value *yaml.Node) error {
			if key.Value == "url" {
				s.url = value.Value
				return c.scalar(value)
			}
			set, err := c.setting(key, value, crawl, "url")
			s.settings = append(s.settings, set)
			return err
		})
		if err != nil {
			return err
		}
		if s.url == "" {
			return c.fault(item, "a site needs its url")
		}
		c.sites = append(c.sites, s)
	}
	return nil
}

func (c *config) settings(node *yaml.Node, flags *pflag.FlagSet) (all []setting, err error) {
	err = c.each(node, func(key, value *yaml.Node) error {
		s, err := c.setting(key, value, flags)
		all = append(all, s)
		return err
	})
	return all, err
}

// each calls f for every key of a mapping, and refuses one that comes twice.
func (c *config) each(node *yaml.Node, f func(key, value *yaml.Node) error) error {
	if node.Kind != yaml.MappingNode {
		return c.fault(node, "here go names and values, such as rate: 5")
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

// setting reads one key that must be the name of a flag, or one of others.
func (c *config) setting(key, value *yaml.Node, flags *pflag.FlagSet, others ...string) (setting, error) {
	s := setting{name: key.Value, line: key.Line}
	flag := flags.Lookup(key.Value)
	switch {
	case flag != nil && slices.Contains(notInConfig, key.Value):
		return s, c.fault(key, fmt.Sprintf("--%s goes on the command line only", key.Value))
	case flag == nil:
		names := others
		flags.VisitAll(func(f *pflag.Flag) {
			if !slices.Contains(notInConfig, f.Name) {
				names = append(names, f.Name)
			}
		})
		return s, c.unknown(key, names)
	}
	switch value.Kind {
	case yaml.ScalarNode:
		s.values = []string{value.Value}
		return s, nil
	case yaml.SequenceNode:
		s.list = true
		for _, item := range value.Content {
			if err := c.scalar(item); err != nil {
				return s, err
			}
			s.values = append(s.values, item.Value)
		}
		return s, nil
	case yaml.MappingNode:
		s.list = true
		return s, c.each(value, func(name, item *yaml.Node) error {
			s.values = append(s.values, name.Value+"="+item.Value)
			return c.scalar(item)
		})
	}
	return s, c.fault(value, "a value is a text, a number, true, false, or a list of them")
}

// notInConfig are flags that make sense on the command line only.
var notInConfig = []string{"config", "help", "fresh", "fix", "zone", "write-baseline"}

func (c *config) scalar(node *yaml.Node) error {
	if node.Kind != yaml.ScalarNode {
		return c.fault(node, "one text or number goes here")
	}
	return nil
}

func (c *config) unknown(key *yaml.Node, names []string) error {
	why := fmt.Sprintf("there is no setting %q", key.Value)
	if near := spelling.Nearest(key.Value, names); near != "" {
		why += fmt.Sprintf(": did you mean %s?", near)
	}
	return c.fault(key, why)
}

func (c *config) fault(node *yaml.Node, why string) error {
	return fmt.Errorf("%s, line %d: %s", c.name, node.Line, why)
}

// apply gives flags the values of settings, the later ones winning, but leaves
// alone what the command line sets.
func (c *config) apply(flags *pflag.FlagSet, typed map[string]bool, settings ...[]setting) error {
	last := map[string]setting{}
	for _, s := range slices.Concat(settings...) {
		last[s.name] = s
	}
	for _, name := range slices.Sorted(maps.Keys(last)) {
		if s := last[name]; !typed[name] {
			if err := s.set(flags.Lookup(name)); err != nil {
				return fmt.Errorf("%s, line %d: %s: %w", c.name, s.line, name, plainly(err))
			}
		}
	}
	return nil
}

// plainly says of a number that cannot be read what was read, not by what.
func plainly(err error) error {
	var number *strconv.NumError
	if errors.As(err, &number) {
		return fmt.Errorf("%q: %w", number.Num, number.Err)
	}
	return err
}

var errOneValue = errors.New("it takes one value, not a list")

func (s *setting) set(flag *pflag.Flag) error {
	list, isList := flag.Value.(pflag.SliceValue)
	switch {
	case isList:
		return list.Replace(s.values)
	case strings.HasPrefix(flag.Value.Type(), "stringTo"):
		return flag.Value.Set(strings.Join(s.values, ","))
	case s.list:
		return errOneValue
	}
	return flag.Value.Set(s.values[0])
}
