package cli

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/config"
	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// withoutFlags is the annotation of a command with its settings that have no flag: lines of a name
// and its help.
const withoutFlags = "mapa_without_flags"

// addFlags defines a flag for every setting that has one. Parsing fills the settings. A setting
// without a declared risk is a mistake of the programmer.
func addFlags(c *cobra.Command, settings []setting.Setting) {
	var others []string
	for _, s := range settings {
		if !s.DeclaresRisk() {
			panic(fmt.Sprintf("setting %s declares no risk, or one too many", s.Name))
		}
		switch {
		case s.HasFlag():
			addFlag(c.Flags(), &s)
		case s.FileOnly && s.Help != "":
			others = append(others, s.Name+"\t"+strings.ReplaceAll(s.Help, "`", ""))
		}
	}
	if others != nil {
		slices.Sort(others)
		c.Annotations = map[string]string{withoutFlags: strings.Join(others, "\n")}
	}
	completeFlags(c, settings)
}

// addSettings adds the flags of settings that the environment may set too, before the command runs.
func addSettings(a *app.App, c *cobra.Command, settings []setting.Setting) {
	addFlags(c, settings)
	c.PreRunE = func(c *cobra.Command, _ []string) error {
		if err := config.ApplyEnvironment(a, settings, typed(c.Flags())); err != nil {
			return &usageError{c, err}
		}
		return nil
	}
}

// settingsWithoutFlags yields the names and the help of a command's settings that have no flag.
func settingsWithoutFlags(c *cobra.Command) iter.Seq2[string, string] {
	return func(yield func(name, help string) bool) {
		for line := range strings.Lines(c.Annotations[withoutFlags]) {
			name, help, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
			if !yield(name, help) {
				return
			}
		}
	}
}

func addFlag(flags *pflag.FlagSet, s *setting.Setting) {
	flag := flags.VarPF(s.Value, s.Name, s.Short, s.Help)
	if s.Value.Type() == "bool" {
		flag.NoOptDefVal = "true"
	}
	if s.Value.IsZero() {
		flag.DefValue = "" // help does not name it
	}
}

// flagError explains a flag that cannot be read, without the words of the Go library.
func flagError(c *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		err = unknownFlag(c, unknown)
	case errors.As(err, &invalid):
		err = fmt.Errorf("--%s: %w", invalid.GetFlag().Name, invalid.Unwrap())
	}
	return &usageError{c, err}
}

// unknownFlag names a flag that a command does not have, and what to use in its place.
func unknownFlag(c *cobra.Command, unknown *pflag.NotExistError) error {
	for name := range settingsWithoutFlags(c) {
		if name == unknown.GetSpecifiedName() {
			return fmt.Errorf("unknown flag: --%s: write %s in %s, or set %s", name, name, config.DefaultName,
				config.EnvironmentName(name))
		}
	}
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	names = append(names, formatsOf(c)...)
	typed := "--" + unknown.GetSpecifiedName()
	suggestion := setting.Suggest(unknown.GetSpecifiedName(), names, "--")
	if short := unknown.GetSpecifiedShortnames(); short != "" {
		typed = typed[1:]
		if long := setting.Suggest(short, names, "--"); long != "" { // one dash, as for the flags of Go
			typed, suggestion = "-"+short, long
		}
	}
	if suggestion == "" && c.Name() == "crawl" {
		suggestion = reportFormat(c, unknown.GetSpecifiedName())
	}
	if suggestion != "" {
		return fmt.Errorf("unknown flag: %s: %s", typed, suggestion)
	}
	return &helpError{fmt.Errorf("unknown flag: %s", typed)}
}

// formatsOf returns "format NAME" for each format of a command.
func formatsOf(c *cobra.Command) (formats []string) {
	complete, has := c.GetFlagCompletionFunc("format")
	if !has {
		return nil
	}
	values, _ := complete(c, nil, "")
	for _, value := range values {
		formats = append(formats, "format "+value)
	}
	return formats
}

// reportFormat returns the report of a crawl in a format, or "" if it has no such format.
func reportFormat(c *cobra.Command, format string) string {
	report, _, err := c.Root().Find([]string{"report"})
	if err != nil || !slices.Contains(formatsOf(report), "format "+format) {
		return ""
	}
	return "mapa report FOLDER --format " + format + " writes it after the crawl"
}

// typed returns the names of the flags that the command line sets.
func typed(flags *pflag.FlagSet) (names []string) {
	flags.Visit(func(f *pflag.Flag) { names = append(names, f.Name) })
	return names
}

// formatSetting is the setting of commands that print text or JSON.
func formatSetting(value *string, help string) setting.Setting {
	return setting.Setting{
		Name: "format", Value: setting.String(value), Risk: setting.RiskNone, Help: help,
		Values: func() []string { return []string{formatText, formatJSON} },
	}
}

// checkFormat refuses other formats than text and JSON.
func checkFormat(format string) error {
	if format != formatText && format != formatJSON {
		return fmt.Errorf("--format must be text or json, not %q", format)
	}
	return nil
}

const (
	formatText = "text"
	formatJSON = "json"
)
