package cli

import (
	"fmt"
	"strings"

	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/spf13/cobra"
)

func newCompletion() *cobra.Command {
	shells := []string{"bash", "zsh", "fish", "powershell"}
	return &cobra.Command{
		Use:       "completion SHELL",
		Short:     "Print the completion script of a shell",
		Long:      completionText,
		Example:   completionExamples,
		ValidArgs: shells,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return &usageError{c, fmt.Errorf("completion needs a shell: %s", strings.Join(shells, ", "))}
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			root, out := c.Root(), c.OutOrStdout()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(out, true)
			case "zsh":
				return root.GenZshCompletion(out)
			case "fish":
				return root.GenFishCompletion(out, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(out)
			}
			return &usageError{c, fmt.Errorf("unknown shell %q: use one of %s", args[0], strings.Join(shells, ", "))}
		},
	}
}

// A completer completes the word that is typed.
type completer = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective)

// completeFlags completes the values of the flags of a command.
func completeFlags(c *cobra.Command, settings []setting.Setting) {
	for _, s := range settings {
		if s.Value.Type() == "bool" || !s.HasFlag() {
			continue
		}
		// An error is only possible for a flag that is not there, or twice.
		_ = c.RegisterFlagCompletionFunc(s.Name, func(
			_ *cobra.Command, _ []string, typed string,
		) ([]string, cobra.ShellCompDirective) {
			// The values are looked up only now: some take longer than a whole command.
			if s.Values == nil {
				return nil, cobra.ShellCompDirectiveDefault
			}
			before := ""
			if comma := strings.LastIndexByte(typed, ','); s.Value.IsSeparated() && comma >= 0 {
				before = typed[:comma+1]
			}
			return completions(before, s.Values(), typed)
		})
	}
}

// completions returns the values that begin with the typed text, after what precedes
// them in a list.
func completions(before string, values []string, typed string) ([]string, cobra.ShellCompDirective) {
	directive := cobra.ShellCompDirectiveNoFileComp
	var fitting []string
	for _, value := range values {
		if strings.HasPrefix(before+value, typed) {
			fitting = append(fitting, before+value)
		}
		if strings.HasSuffix(value, "=") {
			directive |= cobra.ShellCompDirectiveNoSpace
		}
	}
	return fitting, directive
}

// completeArgument completes the argument at a position, counted from 0.
func completeArgument(position int, values func() []string) completer {
	return func(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		if len(args) != position {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return completions("", values(), typed)
	}
}
