package setting

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mapatools/mapa/access"
	"github.com/spf13/pflag"
)

// A Value is a variable that holds a setting. Its content when the table is made is the
// default. As a [pflag.Value], it is set by flags; repeated flags add to a list.
type Value interface {
	pflag.Value
	// Assign replaces the value by what texts say: one text, or several when the value was
	// written as a list.
	Assign(texts []string, isList bool) error
	// Texts returns the value as texts, one for each element of a list. Assign takes them.
	Texts() []string
	// IsList reports whether there can be several values.
	IsList() bool
	// IsSeparated reports whether commas separate several values in one text.
	IsSeparated() bool
	// IsZero reports whether nothing is set.
	IsZero() bool
	// copyFrom takes the value of another variable of the same type.
	copyFrom(Value)
}

// String returns a value that is a text.
func String(p *string) Value { return scalar(p, "string", asText) }

func asText(text string) (string, error) { return text, nil }

// Bool returns a value that is true or false. Its flag needs no text.
func Bool(p *bool) Value { return scalar(p, "bool", readBool) }

// Switch returns a value that is true, false, or empty where the program decides. Its flag
// needs no text.
func Switch(p *string) Value {
	return scalar(p, "bool", func(text string) (string, error) {
		on, err := readBool(text)
		return strconv.FormatBool(on), err
	})
}

// Int returns a value that is a whole number.
func Int(p *int) Value { return scalar(p, "int", readInt) }

// OptionalInt returns a value that is a whole number or empty.
func OptionalInt(p *string) Value {
	return scalar(p, "int", func(text string) (string, error) {
		if text == "" {
			return "", nil
		}
		n, err := readInt(text)
		return strconv.Itoa(n), err
	})
}

// Int64 returns a value that is a whole number of 64 bits.
func Int64(p *int64) Value {
	return scalar(p, "int", func(text string) (int64, error) {
		return read(text, wholeNumber, func(text string) (int64, error) { return strconv.ParseInt(text, 0, 64) })
	})
}

// Duration returns a value that is a time with its unit.
func Duration(p *time.Duration) Value { return scalar(p, "duration", readDuration) }

// PositiveDuration returns a value that is a time of more than nothing.
func PositiveDuration(p *time.Duration) Value {
	return scalar(p, "duration", func(text string) (time.Duration, error) {
		t, err := readDuration(text)
		if err == nil && t <= 0 {
			err = errors.New("it must be more than 0")
		}
		return t, err
	})
}

// FileName returns a value that is the name of a file or a folder.
func FileName(p *string) Value {
	return scalar(p, "string", func(text string) (string, error) {
		if text == "" {
			return "", errors.New("it needs a name")
		}
		return text, nil
	})
}

// Rate returns a value that is a rate of requests. The zero rate is the default of the site.
func Rate(p *access.Rate) Value {
	return scalar(p, "rate", func(text string) (r access.Rate, err error) {
		return r, r.UnmarshalText([]byte(text))
	})
}

// Strings returns a value that is a list, to which each flag adds one element.
func Strings(p *[]string) Value {
	return list(p, false, func(texts []string, _ bool) ([]string, error) { return texts, nil })
}

// List returns a value that is a list, which commas separate in a text.
func List(p *[]string) Value {
	return list(p, true, func(texts []string, isList bool) ([]string, error) { return separated(texts, isList), nil })
}

// Ints returns a value that gives names numbers: NAME=N.
func Ints(p *map[string]int) Value { return dictionary(p, "NAME=N", readInt) }

// Names returns a value that gives names texts: NAME=VALUE.
func Names(p *map[string]string) Value { return dictionary(p, "NAME=VALUE", asText) }

// A variable is a [Value] of type T.
type variable[T any] struct {
	p           *T
	kind        string
	parse       func(texts []string, isList bool) (T, error)
	texts       func(T) []string
	merge       func(before, added T) T // what a repeated flag does; nil of a single value, which it replaces
	isSeparated bool
	isSet       bool // by a flag
}

func (v *variable[T]) Set(text string) error {
	before := *v.p
	if err := v.Assign([]string{text}, false); err != nil {
		return err
	}
	if v.isSet && v.merge != nil {
		*v.p = v.merge(before, *v.p)
	}
	v.isSet = true
	return nil
}

func (v *variable[T]) Assign(texts []string, isList bool) error {
	value, err := v.parse(texts, isList)
	if err == nil {
		*v.p = value
	}
	return err
}

func (v *variable[T]) String() string {
	texts := v.Texts()
	if v.IsList() && len(texts) > 0 {
		return "[" + strings.Join(texts, ",") + "]"
	}
	return strings.Join(texts, "")
}

func (v *variable[T]) Texts() []string      { return v.texts(*v.p) }
func (v *variable[T]) Type() string         { return v.kind }
func (v *variable[T]) IsList() bool         { return v.merge != nil }
func (v *variable[T]) IsSeparated() bool    { return v.isSeparated }
func (v *variable[T]) copyFrom(other Value) { *v.p = *other.(*variable[T]).p }

func (v *variable[T]) IsZero() bool {
	if v.IsList() {
		return len(v.Texts()) == 0
	}
	return reflect.ValueOf(v.p).Elem().IsZero()
}

var errOneValue = errors.New("it takes one value, not a list")

// scalar returns a single value.
func scalar[T any](p *T, kind string, parse func(string) (T, error)) Value {
	return &variable[T]{p: p, kind: kind, texts: func(value T) []string { return []string{fmt.Sprint(value)} },
		parse: func(texts []string, isList bool) (value T, err error) {
			if isList || len(texts) != 1 {
				return value, errOneValue
			}
			return parse(texts[0])
		}}
}

// list returns several texts.
func list(p *[]string, isSeparated bool, parse func([]string, bool) ([]string, error)) Value {
	return &variable[[]string]{p: p, kind: "strings", isSeparated: isSeparated, parse: parse,
		texts: func(texts []string) []string { return texts },
		merge: func(before, added []string) []string { return slices.Concat(before, added) }}
}

// separated returns the texts of a list, which are separated by commas unless they were written as one.
func separated(texts []string, isList bool) []string {
	if isList {
		return texts
	}
	return strings.Split(strings.Join(texts, ","), ",")
}

// dictionary returns names with values of type T.
func dictionary[T any](p *map[string]T, kind string, parse func(string) (T, error)) Value {
	return &variable[map[string]T]{p: p, kind: kind, isSeparated: true,
		parse: func(texts []string, isList bool) (map[string]T, error) {
			values := map[string]T{}
			for _, text := range separated(texts, isList) {
				name, written, found := strings.Cut(text, "=")
				if !found {
					return nil, fmt.Errorf("%q is not %s", text, kind)
				}
				var err error
				if values[name], err = parse(written); err != nil {
					return nil, err
				}
			}
			return values, nil
		},
		texts: func(values map[string]T) (texts []string) {
			for _, name := range slices.Sorted(maps.Keys(values)) {
				texts = append(texts, fmt.Sprintf("%s=%v", name, values[name]))
			}
			return texts
		},
		merge: func(before, added map[string]T) map[string]T {
			before = maps.Clone(before)
			maps.Copy(before, added)
			return before
		}}
}

const wholeNumber = "a whole number"

func readInt(text string) (int, error) {
	n, err := read(text, wholeNumber, func(text string) (int64, error) {
		return strconv.ParseInt(text, 0, strconv.IntSize)
	})
	return int(n), err
}

func readBool(text string) (bool, error) { return read(text, "true or false", strconv.ParseBool) }

func readDuration(text string) (time.Duration, error) {
	return read(text, "a time with its unit, such as 30s or 10m", time.ParseDuration)
}

// read parses a text and says what it should be when it cannot.
func read[T any](text, what string, parse func(string) (T, error)) (T, error) {
	value, err := parse(text)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return value, fmt.Errorf("%q is too large", text)
	case err != nil:
		return value, fmt.Errorf("%q is not %s", text, what)
	}
	return value, nil
}
