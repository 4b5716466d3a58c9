package cli

import (
	"slices"
	"strings"

	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// A CommandPage is the help of a command in its parts, for manual pages and the documentation site.
type CommandPage struct {
	Command  string // with the name of the program, such as "mapa job list"
	Short    string
	Usage    string
	Text     []string // paragraphs; lines of lists and examples begin with a space
	Examples string
	Commands []Described // its subcommands
	Groups   []FlagGroup
	Settings []Described // those of mapa.yaml that have no flag
	Exits    []ExitCode
}

// Described is a name with its meaning.
type Described struct{ Name, Text string }

// A FlagGroup is a heading of the help with its flags.
type FlagGroup struct {
	Title string
	Flags []FlagHelp
}

// A FlagHelp is what the help says of a flag.
type FlagHelp struct {
	Name, Short string // without dashes; Short may be empty
	Value       string // the name of its value, such as FILE; empty for flags that are on or off
	Text        string
	Default     string // empty if the text names it, or without a default
}

// Names returns the flag as it is typed, after its short form.
func (f FlagHelp) Names() string {
	if f.Short != "" {
		return "-" + f.Short + ", --" + f.Name
	}
	return "--" + f.Name
}

// An ExitCode is an exit code of a command.
type ExitCode struct {
	Code int
	Text string
}

// CommandPages returns the help of every command, each before its subcommands.
func CommandPages() []CommandPage {
	root := newRoot(&app.App{Version: version()})
	addQuiet(root, new(bool))
	var pages []CommandPage
	var add func(c *cobra.Command)
	add = func(c *cobra.Command) {
		for _, command := range availableCommands(c) {
			pages = append(pages, newCommandPage(command))
			add(command)
		}
	}
	add(root)
	return pages
}

// availableCommands returns the subcommands that help lists.
func availableCommands(c *cobra.Command) []*cobra.Command {
	return slices.DeleteFunc(slices.Clone(c.Commands()), func(c *cobra.Command) bool { return !c.IsAvailableCommand() })
}

func newCommandPage(c *cobra.Command) CommandPage {
	c.InitDefaultHelpFlag()
	p := CommandPage{Command: c.CommandPath(), Short: c.Short, Usage: c.UseLine(), Examples: c.Example}
	if c.Long != "" {
		p.Text = strings.Split(c.Long, "\n\n")
	}
	for _, command := range availableCommands(c) {
		p.Commands = append(p.Commands, Described{command.Name(), command.Short})
	}
	grouped := flagGroups(c)
	for _, group := range setting.Groups {
		if flags := grouped[group]; flags != nil {
			g := FlagGroup{Title: groupHeading(group, len(grouped))}
			flags.VisitAll(func(f *pflag.Flag) {
				if !f.Hidden {
					g.Flags = append(g.Flags, newFlagHelp(f))
				}
			})
			p.Groups = append(p.Groups, g)
		}
	}
	for name, help := range settingsWithoutFlags(c) {
		p.Settings = append(p.Settings, Described{name, help})
	}
	for _, exit := range exitsOf(c) {
		p.Exits = append(p.Exits, ExitCode{exit.code, exit.text})
	}
	return p
}

func newFlagHelp(f *pflag.Flag) FlagHelp {
	value, text := pflag.UnquoteUsage(f)
	help := FlagHelp{Name: f.Name, Short: f.Shorthand, Value: value, Text: text, Default: f.DefValue}
	if slices.Contains([]string{"", "0", "false", "[]", "0s"}, f.DefValue) {
		help.Default = ""
	}
	return help
}
