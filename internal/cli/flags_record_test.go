package cli

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/format/formattest"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// TestFlagsRecord records every command with its exit codes, and its flags with their types
// and defaults. UPDATE_GOLDEN=1 rewrites the file.
func TestFlagsRecord(t *testing.T) {
	var text strings.Builder
	recordCommand(&text, newRoot(&app.App{}))
	formattest.Golden(t, filepath.Join("testdata", "flags.txt"), []byte(text.String()))
}

// exitCode matches a line that explains an exit code.
var exitCode = regexp.MustCompile(`(?m)^  ([0-9]+) `)

func recordCommand(text *strings.Builder, c *cobra.Command) {
	fmt.Fprintf(text, "%s\n\texit codes", c.CommandPath())
	for _, line := range exitCode.FindAllStringSubmatch(exitTextOf(c, 80), -1) {
		text.WriteString(" " + line[1])
	}
	text.WriteString("\n")
	c.NonInheritedFlags().VisitAll(func(f *pflag.Flag) {
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + " " + name
		}
		fmt.Fprintf(text, "\t%s %s %q\n", name, f.Value.Type(), f.DefValue)
	})
	for _, sub := range c.Commands() {
		recordCommand(text, sub)
	}
}
