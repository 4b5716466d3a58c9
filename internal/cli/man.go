package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/mapatools/mapa/internal/app/crawlfile"
	"github.com/spf13/cobra"
)

// newMan writes the manual pages, for packagers.
func newMan() *cobra.Command {
	return &cobra.Command{
		Use:     "man FOLDER",
		Short:   "Write the manual pages",
		Long:    manText,
		Example: "  mapa man /usr/local/share/man/man1",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return &usageError{c, &helpError{errors.New("man needs a folder")}}
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o777); err != nil {
				return &crawlfile.FolderError{Folder: args[0], Setting: "folder", Err: err}
			}
			return writeManPages(c.Root(), args[0])
		},
	}
}

// writeManPages writes the manual page of a command and those of its subcommands.
func writeManPages(c *cobra.Command, folder string) error {
	name := strings.ReplaceAll(c.CommandPath(), " ", "-") + ".1"
	if err := os.WriteFile(filepath.Join(folder, name), []byte(manPage(c)), 0o666); err != nil {
		return err
	}
	for _, sub := range c.Commands() {
		if !sub.IsAvailableCommand() {
			continue
		}
		if err := writeManPages(sub, folder); err != nil {
			return err
		}
	}
	return nil
}

// manPage returns the manual page of a command in the language of man(7).
func manPage(c *cobra.Command) string {
	p := newCommandPage(c)
	name := strings.ReplaceAll(p.Command, " ", "-")
	var b strings.Builder
	fmt.Fprintf(&b, ".TH %s 1 \"\" \"mapa %s\"\n.SH NAME\n%s \\- %s\n",
		strings.ToUpper(roff(name)), roff(c.Root().Version), roff(name), roff(p.Short))
	fmt.Fprintf(&b, ".SH SYNOPSIS\n%s\n.SH DESCRIPTION\n", roff(p.Usage))
	for _, paragraph := range p.Text {
		fmt.Fprintf(&b, "%s\n.PP\n", roff(paragraph))
	}
	writeTerms(&b, "COMMANDS", p.Commands)
	b.WriteString(".SH OPTIONS\n")
	for _, group := range p.Groups {
		if len(p.Groups) > 1 {
			fmt.Fprintf(&b, ".SS %s\n", roff(group.Title))
		}
		for _, f := range group.Flags {
			fmt.Fprintf(&b, ".TP\n\\fB%s\\fR \\fI%s\\fR\n%s\n", roff(f.Names()), roff(f.Value), roff(f.Text))
		}
	}
	writeTerms(&b, "SETTINGS WITHOUT A FLAG\nIn mapa.yaml, or as MAPA_NAME in the environment:", p.Settings)
	if p.Examples != "" {
		fmt.Fprintf(&b, ".SH EXAMPLES\n.EX\n%s\n.EE\n", roff(p.Examples))
	}
	_, codes, _ := strings.Cut(exitTextOf(c, usualHelp), "\n")
	fmt.Fprintf(&b, ".SH EXIT STATUS\n.EX\n%s\n.EE\n", roff(strings.TrimRight(codes, "\n")))
	return b.String()
}

// writeTerms writes a section of names with their meanings, if there are any.
func writeTerms(b *strings.Builder, heading string, terms []Described) {
	if len(terms) > 0 {
		fmt.Fprintf(b, ".SH %s\n", heading)
	}
	for _, term := range terms {
		fmt.Fprintf(b, ".TP\n.B %s\n%s\n", roff(term.Name), roff(term.Text))
	}
}

// roff escapes a text: backslashes and hyphens, and what would begin a request.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
