package cli

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/mapatools/mapa/internal/app/config"
	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// helpAnnotation holds the help of a flag with the name of its value in back-quotes.
// Flag.Usage has none, because completion scripts show it.
const helpAnnotation = "mapa_help"

// newHelp replaces cobra's help command, which accepts unknown commands.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Explain a command and its flags",
		Args:  atMostOne("a command"),
		ValidArgsFunction: func(c *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
			var names []string
			for _, command := range c.Root().Commands() {
				if command.IsAvailableCommand() && len(args) == 0 {
					names = append(names, command.Name())
				}
			}
			return completions("", names, typed)
		},
		RunE: func(c *cobra.Command, args []string) error {
			root := c.Root()
			if len(args) == 0 {
				return root.Help()
			}
			command, _, err := root.Find(args)
			if err != nil || command == root {
				return noCommand(root, args)
			}
			command.InitDefaultHelpFlag()
			return command.Help()
		},
	}
}

// printHelp prints what a command does, its usage and flags, then the rest of its text and its exit
// codes. args are those of the program, none for the command help.
func printHelp(c *cobra.Command, args []string) {
	if isBrief(c, args) {
		printBrief(c)
		return
	}
	out := c.OutOrStdout()
	width := helpWidth(out)
	first, rest, _ := strings.Cut(c.Long, "\n\n")
	if first != "" {
		fmt.Fprintf(out, "%s\n\n", wrappedParagraph(first, width))
	}
	fmt.Fprint(out, c.UsageString())
	printWithoutFlags(out, c, width)
	if rest != "" {
		for paragraph := range strings.SplitSeq(rest, "\n\n") {
			fmt.Fprintf(out, "\n%s\n", wrappedParagraph(paragraph, width))
		}
	}
	fmt.Fprintf(out, "\n%s", exitTextOf(c, width))
}

// printWithoutFlags prints the settings of a command that have no flag.
func printWithoutFlags(out io.Writer, c *cobra.Command, width int) {
	var names []string
	for name := range settingsWithoutFlags(c) {
		names = append(names, name)
	}
	if names != nil {
		text := fmt.Sprintf("Settings without a flag, in %s or as MAPA_NAME in the environment: %s.",
			config.DefaultName, strings.Join(names, ", "))
		fmt.Fprintf(out, "\n%s\n", wrapped(text, width))
	}
}

// wrappedParagraph breaks a paragraph into lines of at most a number of columns. Lines that begin
// with a space, such as those of a list, stay.
func wrappedParagraph(text string, width int) string {
	var lines, words []string
	end := func() {
		if len(words) > 0 {
			lines, words = append(lines, wrapped(strings.Join(words, " "), width)), nil
		}
	}
	for line := range strings.SplitSeq(text, "\n") {
		if strings.HasPrefix(line, " ") {
			end()
			lines = append(lines, line)
		} else {
			words = append(words, line)
		}
	}
	end()
	return strings.Join(lines, "\n")
}

// wrapped breaks a text into lines of at most a number of columns, where words are not longer.
func wrapped(text string, width int) string {
	var b strings.Builder
	column := 0
	for word := range strings.FieldsSeq(text) {
		switch {
		case column == 0:
		case column+1+len(word) > width:
			b.WriteByte('\n')
			column = 0
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += len(word)
	}
	return b.String()
}

// printUsage prints the usage of a command with its flags in groups. Examples come before the flags,
// or after them where commands come before.
func printUsage(c *cobra.Command) error {
	out := c.OutOrStderr()
	fmt.Fprintf(out, "Usage:\n  %s\n", c.UseLine())
	if c.HasAvailableSubCommands() {
		return printCommands(out, c)
	}
	printExamples(out, c)
	printFlags(out, c)
	return nil
}

func printExamples(out io.Writer, c *cobra.Command) {
	if c.Example != "" {
		fmt.Fprintf(out, "\nExamples:\n%s\n", c.Example)
	}
}

// printCommands prints the commands of a command, then its flags and examples.
func printCommands(out io.Writer, c *cobra.Command) error {
	fmt.Fprintf(out, "  %s COMMAND\n\nCommands:\n", c.CommandPath())
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, command := range c.Commands() {
		if command.IsAvailableCommand() {
			fmt.Fprintf(table, "  %s\t%s\n", command.Name(), command.Short)
		}
	}
	if err := table.Flush(); err != nil {
		return err
	}
	printFlags(out, c)
	printExamples(out, c)
	_, err := fmt.Fprintf(out, "\nRun '%s COMMAND -h' for the flags of a command.\n", c.CommandPath())
	return err
}

// printFlags prints the flags by group. Commands with few flags have one group.
func printFlags(out io.Writer, c *cobra.Command) {
	grouped := flagGroups(c)
	for _, group := range setting.Groups {
		if flags := grouped[group]; flags != nil {
			fmt.Fprintf(out, "\n%s:\n%s", groupHeading(group, len(grouped)), flags.FlagUsagesWrapped(helpWidth(out)))
		}
	}
}

// groupHeading returns the heading of a group of flags in a command with a number of groups.
func groupHeading(group setting.Group, groups int) string {
	if groups == 1 {
		return "Flags"
	}
	return string(group)
}

// helpWidth returns the number of columns of help: those of a terminal, up to a length that is
// easy to read.
func helpWidth(out io.Writer) int {
	if width := widthOf(out); width > 0 {
		return min(width, wideHelp)
	}
	return usualHelp
}

const (
	usualHelp = 80
	wideHelp  = 100
)

// fewFlags is the number of flags up to which help does not group them.
const fewFlags = 8

// flagGroups returns the flags of a command by group, with their values in back-quotes.
func flagGroups(c *cobra.Command) map[setting.Group]*pflag.FlagSet {
	few := 0
	c.NonInheritedFlags().VisitAll(func(*pflag.Flag) { few++ })
	grouped := map[setting.Group]*pflag.FlagSet{}
	add := func(f *pflag.Flag) {
		shown := shownFlag(c, f)
		if shown == nil {
			return
		}
		group := setting.GroupOf(c.Name(), f.Name)
		if few <= fewFlags {
			group = setting.GroupOther
		}
		if grouped[group] == nil {
			grouped[group] = pflag.NewFlagSet("", pflag.ContinueOnError)
		}
		grouped[group].AddFlag(shown)
	}
	c.LocalFlags().VisitAll(add)
	c.InheritedFlags().VisitAll(add)
	return grouped
}

// shownFlag returns a flag as the help of a command shows it, with the name of its value in
// back-quotes. It is nil for one of all commands that this command has no use for.
func shownFlag(c *cobra.Command, f *pflag.Flag) *pflag.Flag {
	shown := *f
	if help := f.Annotations[helpAnnotation]; help != nil {
		shown.Usage = help[0]
	}
	if texts := commonFlagTexts[f.Name]; texts != nil && c.HasParent() {
		path := strings.TrimPrefix(c.CommandPath(), c.Root().Name()+" ")
		if shown.Usage = texts[path]; shown.Usage == "" {
			return nil
		}
	}
	return &shown
}

// unquoteFlags removes the back-quotes from the help of flags, for completion.
func unquoteFlags(c *cobra.Command) {
	unquote := func(f *pflag.Flag) {
		if f.Annotations[helpAnnotation] == nil && strings.Contains(f.Usage, "`") {
			if f.Annotations == nil {
				f.Annotations = map[string][]string{}
			}
			f.Annotations[helpAnnotation] = []string{f.Usage}
			f.Usage = strings.ReplaceAll(f.Usage, "`", "")
		}
	}
	c.Flags().VisitAll(unquote)
	for _, command := range c.Commands() {
		unquoteFlags(command)
	}
}
