package cli

import (
	"errors"
	"fmt"
	"time"

	"github.com/mapatools/mapa/crawl"
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
	switch value := s.Value.(type) {
	case *string:
		flags.StringVarP(value, s.Name, s.Short, *value, s.Help)
	case *bool:
		flags.BoolVarP(value, s.Name, s.Short, *value, s.Help)
	case *int:
		flags.IntVarP(value, s.Name, s.Short, *value, s.Help)
	case *int64:
		flags.Int64VarP(value, s.Name, s.Short, *value, s.Help)
	case *float64:
		flags.Float64VarP(value, s.Name, s.Short, *value, s.Help)
	case *crawl.Rate:
		flags.TextVarP(value, s.Name, s.Short, *value, s.Help)
	case *time.Duration:
		flags.DurationVarP(value, s.Name, s.Short, *value, s.Help)
	case *[]string:
		flags.StringArrayVarP(value, s.Name, s.Short, *value, s.Help)
	case *setting.List:
		flags.StringSliceVarP((*[]string)(value), s.Name, s.Short, *value, s.Help)
	case *map[string]int:
		flags.StringToIntVarP(value, s.Name, s.Short, *value, s.Help)
	case *map[string]string:
		flags.StringToStringVarP(value, s.Name, s.Short, *value, s.Help)
	default:
		panic(fmt.Sprintf("setting %s of type %T", s.Name, s.Value))
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
		flag := invalid.GetFlag()
		if want := valueKind(flag.Value.Type()); want != "" {
			err = fmt.Errorf("--%s must be %s, not %q", flag.Name, want, invalid.GetValue())
		} else {
			err = fmt.Errorf("--%s: %w", flag.Name, invalid.Unwrap())
		}
	}
	return &usageError{c, err}
}

// valueKind says what the value of a flag must be, by its type in pflag. It is empty where
// the error of pflag says it.
func valueKind(flagType string) string {
	switch flagType {
	case "bool":
		return "true or false"
	case "duration":
		return "a time with its unit, such as 30s or 10m"
	case "float64":
		return "a number"
	case "int", "int64":
		return "a whole number"
	case "stringToInt":
		return "NAME=N with a whole number"
	case "stringToString":
		return "NAME=VALUE"
	}
	return ""
}

// typed returns the names of the flags that the command line sets.
func typed(flags *pflag.FlagSet) (names []string) {
	flags.Visit(func(f *pflag.Flag) { names = append(names, f.Name) })
	return names
}

// formatSetting is the setting of commands that print text or JSON.
func formatSetting(value *string, help string) setting.Setting {
	return setting.Setting{
		Name: "format", Value: value, Risk: setting.RiskNone, Help: help,
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
