package cli

import (
	"fmt"
	"strings"

	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/addresses"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/spf13/cobra"
)

// suggest names the next useful command, and what it does by the key of a text, for a person who reads the
// output of this one at a terminal.
func suggest(a *app.App, c *cobra.Command, what string, command ...string) {
	if !isQuiet(c) && isTerminal(c.OutOrStdout()) && isTerminal(c.ErrOrStderr()) {
		fmt.Fprint(c.ErrOrStderr(), nextText(a.Texts(), what, command...))
	}
}

// nextText is the line that names the next useful command, and what it does by the key of a text.
func nextText(c *catalog.Catalog, what string, command ...string) string {
	return "\n" + c.Text("next", commandText(command), c.Text(what)) + "\n"
}

// commandText returns a command of Mapa as a shell reads it.
func commandText(command []string) string {
	words := []string{"mapa"}
	for _, word := range command {
		words = append(words, printable(quoted(word)))
	}
	return strings.Join(words, " ")
}

// sayFolder says that a command reads a folder, where its name could be that of a site.
func sayFolder(a *app.App, c *cobra.Command, names ...string) {
	for _, name := range names {
		if !isQuiet(c) && addresses.IsHostFolder(name) {
			fmt.Fprintln(c.ErrOrStderr(), "mapa: "+a.Texts().Text("next.folder", printable(name)))
		}
	}
}

// isQuiet reports whether -q was given.
func isQuiet(c *cobra.Command) bool {
	quiet, err := c.Flags().GetBool("quiet")
	return err == nil && quiet
}
