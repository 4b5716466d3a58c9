// Package setting describes a value that a user can set by a flag, in mapa.yaml or in the
// environment. Each command has a table of its [Setting] values, which all three read.
package setting

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mapatools/mapa/crawl"
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
	// FileOnly says that the command line has arguments in place of a flag.
	FileOnly bool
	// Secret keeps the setting off the command line, which other users of the machine
	// can see.
	Secret bool
	// Values, when set, returns the values to choose from, or what they begin with, for the
	// completion of command lines.
	Values func() []string
	// Value points to the field: a *string, *bool, *int, *int64, *float64,
	// *crawl.Rate, *time.Duration, *[]string (the flag may be repeated), *[List],
	// *map[string]int or *map[string]string. What it holds when the table is made is the default.
	Value any
}

// DeclaresRisk reports whether it is decided which mapa.yaml may have the setting.
func (s *Setting) DeclaresRisk() bool { return s.CommandLineOnly != (s.Risk != 0) }

// HasFlag reports whether a command line can have the setting as a flag.
func (s *Setting) HasFlag() bool { return !s.Secret && !s.FileOnly }

// A List is a setting of several values, separated by commas on a command line.
type List []string

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
			target.copyFrom(source)
		}
	}
}

func (s *Setting) copyFrom(from *Setting) {
	switch value := s.Value.(type) {
	case *string:
		*value = *from.Value.(*string)
	case *bool:
		*value = *from.Value.(*bool)
	case *int:
		*value = *from.Value.(*int)
	case *int64:
		*value = *from.Value.(*int64)
	case *float64:
		*value = *from.Value.(*float64)
	case *crawl.Rate:
		*value = *from.Value.(*crawl.Rate)
	case *time.Duration:
		*value = *from.Value.(*time.Duration)
	case *[]string:
		*value = *from.Value.(*[]string)
	case *List:
		*value = *from.Value.(*List)
	case *map[string]int:
		*value = *from.Value.(*map[string]int)
	case *map[string]string:
		*value = *from.Value.(*map[string]string)
	default:
		panic(fmt.Sprintf("setting %s of type %T", s.Name, s.Value))
	}
}

// Set replaces the value by texts, as flags that are repeated do: a [List] and a map take
// several values in a text, separated by commas. What cannot be used is a
// [*Error].
func (s *Setting) Set(texts []string) error {
	if len(texts) == 0 {
		return Wrap(s.Name, errNoValue)
	}
	isList := len(texts) > 1
	switch s.Value.(type) {
	case *List, *map[string]int, *map[string]string:
		isList, texts = true, strings.Split(strings.Join(texts, ","), ",")
	}
	if err := s.Assign(texts, isList); err != nil {
		return Wrap(s.Name, err)
	}
	return nil
}

var errNoValue = errors.New("it takes a value")

var errOneValue = errors.New("it takes one value, not a list")

// Assign replaces the value by what texts say: one text, or several when the value was
// written as a list. A map takes NAME=VALUE.
func (s *Setting) Assign(texts []string, isList bool) (err error) {
	switch value := s.Value.(type) {
	case *[]string:
		*value = texts
		return nil
	case *List:
		if !isList {
			texts = strings.Split(texts[0], ",")
		}
		*value = texts
		return nil
	case *map[string]int:
		*value, err = readMap(texts, readInt)
		return err
	case *map[string]string:
		*value, err = readMap(texts, func(text string) (string, error) { return text, nil })
		return err
	}
	if isList {
		return errOneValue
	}
	return s.setText(texts[0])
}

func (s *Setting) setText(text string) (err error) {
	switch value := s.Value.(type) {
	case *string:
		*value = text
	case *bool:
		*value, err = read(text, "true or false", strconv.ParseBool)
	case *int:
		*value, err = readInt(text)
	case *int64:
		*value, err = readInt64(text)
	case *float64:
		*value, err = read(text, "a number", func(text string) (float64, error) { return strconv.ParseFloat(text, 64) })
	case *crawl.Rate:
		err = value.UnmarshalText([]byte(text))
	case *time.Duration:
		*value, err = read(text, "a duration such as 10m", time.ParseDuration)
	default:
		panic(fmt.Sprintf("setting %s of type %T", s.Name, s.Value))
	}
	return err
}

func readInt(text string) (int, error) {
	n, err := read(text, wholeNumber, func(text string) (int64, error) {
		return strconv.ParseInt(text, 0, strconv.IntSize)
	})
	return int(n), err
}

func readInt64(text string) (int64, error) {
	return read(text, wholeNumber, func(text string) (int64, error) { return strconv.ParseInt(text, 0, 64) })
}

const wholeNumber = "a whole number"

// read parses a text and says what it should be when it cannot.
func read[T any](text, what string, parse func(string) (T, error)) (T, error) {
	value, err := parse(text)
	if err != nil {
		return value, fmt.Errorf("%q is not %s", text, what)
	}
	return value, nil
}

func readMap[T any](texts []string, parse func(string) (T, error)) (map[string]T, error) {
	values := make(map[string]T, len(texts))
	for _, text := range texts {
		name, written, found := strings.Cut(text, "=")
		if !found {
			return nil, fmt.Errorf("%q is not NAME=VALUE", text)
		}
		value, err := parse(written)
		if err != nil {
			return nil, err
		}
		values[name] = value
	}
	return values, nil
}

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

// Wrap returns a [Error] that puts the name before the cause.
func Wrap(name string, err error) error {
	return &Error{Name: name, text: nameMark + name + ": " + err.Error(), err: err}
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
