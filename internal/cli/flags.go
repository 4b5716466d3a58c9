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
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() == "":
		var names []string
		c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		err = fmt.Errorf("unknown flag: --%s", unknown.GetSpecifiedName())
		if near := setting.Nearest(unknown.GetSpecifiedName(), names); near != "" {
			err = fmt.Errorf("%w: did you mean --%s?", err, near)
		}
	case errors.As(err, &invalid):
		err = fmt.Errorf("--%s: %w", invalid.GetFlag().Name, invalid.Unwrap())
	}
	return &usageError{c, err}
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
