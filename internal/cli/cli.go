// Package cli is the command line: it wires the packages together and finds the
// words for people. [Run] is the whole program.
package cli

import (
	"context"
	"io"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// Run runs the program with its arguments, without the program's name, and
// returns the exit code. Results go to stdout, everything else to stderr.
// Cancelling ctx interrupts it.
func Run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := newRoot()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	return explain(ctx, stderr, err)
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:           "mapa",
		Short:         "Make, read and check sitemaps",
		Long:          rootText,
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          noCommand,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.SetVersionTemplate("mapa {{.Version}}\n")
	root.SetHelpTemplate(helpTemplate)
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error { return &usageError{c, err} })
	root.SuggestionsMinimumDistance = 2
	root.CompletionOptions.HiddenDefaultCmd = true
	root.AddCommand(newCrawl(), newDemo(), newList(), newLint(), newRules())
	return root
}

// version is the module's, or "devel" for a build from a checkout.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return "devel"
	}
	return info.Main.Version
}

func userAgent() string {
	return "Mapa/" + version() + " (+https://github.com/mapatools/mapa)"
}
