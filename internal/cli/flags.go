package cli

import (
	"errors"
	"fmt"

	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// addFlags defines a flag for every setting. Parsing fills the settings. A setting without
// a declared risk is a mistake of the programmer.
func addFlags(flags *pflag.FlagSet, settings []setting.Setting) {
	for _, s := range settings {
		if !s.DeclaresRisk() {
			panic(fmt.Sprintf("setting %s declares no risk, or one too many", s.Name))
		}
		if s.HasFlag() {
			addFlag(flags, &s)
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
		err = unknownFlag(c.Flags(), unknown)
	case errors.As(err, &invalid):
		err = fmt.Errorf("--%s: %w", invalid.GetFlag().Name, invalid.Unwrap())
	}
	return &usageError{c, err}
}

// unknownFlag names a flag that a command does not have, and the one that was probably meant.
func unknownFlag(flags *pflag.FlagSet, unknown *pflag.NotExistError) error {
	var names []string
	flags.VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	typed := "--" + unknown.GetSpecifiedName()
	suggestion := setting.Suggest(unknown.GetSpecifiedName(), names, "--")
	if short := unknown.GetSpecifiedShortnames(); short != "" {
		typed = typed[1:]
		if long := setting.Suggest(short, names, "--"); long != "" { // one dash, as for the flags of Go
			typed, suggestion = "-"+short, long
		}
	}
	if suggestion != "" {
		return fmt.Errorf("unknown flag: %s: %s", typed, suggestion)
	}
	return fmt.Errorf("unknown flag: %s", typed)
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
