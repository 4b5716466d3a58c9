package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/setting"
)

// environmentPrefix begins the names of environment variables that hold settings.
const environmentPrefix = "MAPA_"

// EnvironmentName returns the environment variable of a setting: MAPA_MAX_PAGES for max-pages.
func EnvironmentName(setting string) string {
	return environmentPrefix + strings.ToUpper(strings.ReplaceAll(setting, "-", "_"))
}

// MisspelledVariables returns why variables of an environment, each NAME=VALUE, are ignored: they differ little from
// that of a setting. The names of the settings are given.
func MisspelledVariables(environment, settings []string) (notices []string) {
	for _, entry := range environment {
		variable, _, _ := strings.Cut(entry, "=")
		name, isOurs := strings.CutPrefix(variable, environmentPrefix)
		if !isOurs {
			continue
		}
		name = strings.ReplaceAll(strings.ToLower(name), "_", "-")
		if near := setting.Nearest(name, settings); near != "" && near != name {
			notices = append(notices, fmt.Sprintf("%s is not a setting: did you mean %s?", variable, EnvironmentName(near)))
		}
	}
	return notices
}

// An EnvironmentError says which environment variable has a value that cannot be used.
type EnvironmentError struct {
	Name string
	Err  error
}

// Error names the variable and the problem.
func (e *EnvironmentError) Error() string { return fmt.Sprintf("%s: %v", e.Name, e.Err) }

// Unwrap returns the problem.
func (e *EnvironmentError) Unwrap() error { return e.Err }

// ApplyEnvironment gives settings the values of environment variables, except for the
// settings named by typed, which flags override, and those that only a command line may
// have. An empty variable counts as unset. Commas separate the values of
// some lists.
func ApplyEnvironment(a *app.App, settings []setting.Setting, typed []string) error {
	if a.LookupEnv == nil {
		return nil
	}
	for i := range settings {
		s := &settings[i]
		text, _ := a.LookupEnv(EnvironmentName(s.Name))
		if text == "" || s.CommandLineOnly || slices.Contains(typed, s.Name) {
			continue
		}
		if err := s.Value.Assign([]string{text}, false); err != nil {
			return &EnvironmentError{EnvironmentName(s.Name), err}
		}
	}
	return nil
}

// givenBy returns the flag or the environment variable by which the user gave a setting that
// both can have, or "".
func givenBy(a *app.App, name string, typed []string) string {
	switch variable := EnvironmentName(name); {
	case slices.Contains(typed, name):
		return "--" + name
	case a.Environment(variable) != "":
		return variable
	}
	return ""
}
