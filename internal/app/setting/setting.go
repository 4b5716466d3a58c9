// Package setting describes a value that a user can set by a flag, in mapa.yaml or in the
// environment. Each command has a table of its [Setting] values, which all three read.
package setting

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mapatools/mapa/internal/spelling"
)

// A Setting is a value that a user can set by a flag or in mapa.yaml. Both read the
// same tables of settings, such as [crawl.Settings.All].
type Setting struct {
	Name  string // of the flag, and the key in mapa.yaml
	Short string // one-letter flag, or empty
	// Help is the text for people. A word in backquotes in it names the value.
	Help string
	// CommandLineOnly keeps the setting out of mapa.yaml and the environment.
	CommandLineOnly bool
	// Risk is what a mapa.yaml of strangers could do with the setting. Every setting that
	// is not CommandLineOnly declares it.
	Risk Risk
	// FileOnly says that the setting has no flag: it belongs to a site, not to a run, or the
	// command line has arguments in its place.
	FileOnly bool
	// Secret keeps the setting off the command line, which other users of the machine
	// can see.
	Secret bool
	// Values, when set, returns the values to choose from, or what they begin with, for the
	// completion of command lines.
	Values func() []string
	// Value is the field that holds the setting.
	Value Value
}

// DeclaresRisk reports whether it is decided which mapa.yaml may have the setting.
func (s *Setting) DeclaresRisk() bool { return s.CommandLineOnly != (s.Risk != 0) }

// HasFlag reports whether a command line can have the setting as a flag.
func (s *Setting) HasFlag() bool { return !s.Secret && !s.FileOnly }

// Find returns the setting of a name, or nil.
func Find(settings []Setting, name string) *Setting {
	i := slices.IndexFunc(settings, func(s Setting) bool { return s.Name == name })
	if i < 0 {
		return nil
	}
	return &settings[i]
}

// Nearest returns the name that was probably meant by a misspelled one, or "".
func Nearest(misspelled string, names []string) string { return spelling.Nearest(misspelled, names) }

// Override copies the values of the named settings from one struct to another of the
// same type, each given by its table. Names that are not in the table are skipped.
func Override(to, from []Setting, names []string) {
	for _, name := range names {
		if target, source := Find(to, name), Find(from, name); target != nil && source != nil {
			target.Value.copyFrom(source.Value)
		}
	}
}

// Set replaces the value by texts, as flags that are repeated do: commas separate the values
// of some lists. What cannot be used is a [*Error].
func (s *Setting) Set(texts []string) error {
	if len(texts) == 0 {
		return Wrap(s.Name, errNoValue)
	}
	if err := s.Value.Assign(texts, len(texts) > 1 && !s.Value.IsSeparated()); err != nil {
		return Wrap(s.Name, err)
	}
	return nil
}

var errNoValue = errors.New("it takes a value")

// An Error says which setting has a value that cannot be used, and why.
type Error struct {
	Name string
	text string // nameMark precedes every name of a setting
	err  error  // or nil
}

const nameMark = "\x00"

// Error gives the reason with the names of settings as in mapa.yaml.
func (e *Error) Error() string { return e.Text("") }

// Text gives the reason with a prefix before every name of a setting, such as "--".
func (e *Error) Text(prefix string) string {
	return strings.ReplaceAll(e.text, nameMark, prefix)
}

// Unwrap returns the cause, or nil.
func (e *Error) Unwrap() error { return e.err }

// Invalid returns a [Error]. The first verb of format is for the name, the
// others for values. The format names other settings in braces.
func Invalid(name, format string, values ...any) error {
	format = strings.NewReplacer("{", nameMark, "}", "").Replace(format)
	return &Error{Name: name, text: fmt.Sprintf(format, append([]any{nameMark + name}, values...)...)}
}

// InvalidKey returns an [Error] about a setting without a flag. The first verb of format is for the
// name, as in [Invalid].
func InvalidKey(name, format string, values ...any) error {
	format = strings.NewReplacer("{", nameMark, "}", "").Replace(format)
	return &Error{Name: name, text: fmt.Sprintf(format, append([]any{name}, values...)...)}
}

// Wrap returns a [Error] that puts the name before the cause.
func Wrap(name string, err error) error {
	return &Error{Name: name, text: nameMark + name + ": " + err.Error(), err: err}
}

// WrapKey returns a [Error] that puts the name of a setting without a flag before the cause.
func WrapKey(name string, err error) error {
	return &Error{Name: name, text: name + ": " + err.Error(), err: err}
}

// OneOf joins names for a sentence: "a, b or c".
func OneOf[T ~string](names []T) string {
	switch len(names) {
	case 0:
		return ""
	case 1:
		return string(names[0])
	}
	last := len(names) - 1
	return Joined(names[:last], ", ") + " or " + string(names[last])
}

// Joined joins names by a separator.
func Joined[T ~string](names []T, separator string) string {
	texts := make([]string, len(names))
	for i, name := range names {
		texts[i] = string(name)
	}
	return strings.Join(texts, separator)
}

// Choices returns the values of a setting to choose from, for [Setting.Values].
func Choices[T ~string](names ...T) func() []string {
	return func() []string { return Texts(names) }
}

// Assigned returns the values of a setting that gives names a value: they begin with NAME=.
func Assigned(names []string) func() []string {
	return func() (beginnings []string) {
		for _, name := range names {
			beginnings = append(beginnings, name+"=")
		}
		return beginnings
	}
}

// Texts returns names as texts.
func Texts[T ~string](names []T) []string {
	list := make([]string, 0, len(names))
	for _, name := range names {
		list = append(list, string(name))
	}
	return list
}

// CrossHostHelp is the text of the setting that several commands have for sources on other
// hosts.
const CrossHostHelp = "follow sitemaps that an index lists on other hosts"
