package setting

import (
	"errors"
	"fmt"
	"maps"
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
func String(p *string) Value {
	return &scalar[string]{p, "string", func(text string) (string, error) { return text, nil }}
}

// Bool returns a value that is true or false. Its flag needs no text.
func Bool(p *bool) Value {
	return &scalar[bool]{p, "bool", func(text string) (bool, error) {
		return read(text, "true or false", strconv.ParseBool)
	}}
}

// Switch returns a value that is true, false, or empty where the program decides. Its flag
// needs no text.
func Switch(p *string) Value {
	return &scalar[string]{p, "bool", func(text string) (string, error) {
		on, err := read(text, "true or false", strconv.ParseBool)
		return strconv.FormatBool(on), err
	}}
}

// Int returns a value that is a whole number.
func Int(p *int) Value { return &scalar[int]{p, "int", readInt} }

// OptionalInt returns a value that is a whole number or empty.
func OptionalInt(p *string) Value {
	return &scalar[string]{p, "int", func(text string) (string, error) {
		if text == "" {
			return "", nil
		}
		n, err := readInt(text)
		return strconv.Itoa(n), err
	}}
}

// Int64 returns a value that is a whole number of 64 bits.
func Int64(p *int64) Value {
	return &scalar[int64]{p, "int", func(text string) (int64, error) {
		return read(text, wholeNumber, func(text string) (int64, error) { return strconv.ParseInt(text, 0, 64) })
	}}
}

// Duration returns a value that is a time with its unit.
func Duration(p *time.Duration) Value {
	return &scalar[time.Duration]{p, "duration", func(text string) (time.Duration, error) {
		return read(text, "a time with its unit, such as 30s or 10m", time.ParseDuration)
	}}
}

// PositiveDuration returns a value that is a time of more than nothing.
func PositiveDuration(p *time.Duration) Value {
	return &scalar[time.Duration]{p, "duration", func(text string) (time.Duration, error) {
		t, err := read(text, "a time with its unit, such as 30s or 10m", time.ParseDuration)
		if err == nil && t <= 0 {
			err = errors.New("it must be more than 0")
		}
		return t, err
	}}
}

// FileName returns a value that is the name of a file or a folder.
func FileName(p *string) Value {
	return &scalar[string]{p, "string", func(text string) (string, error) {
		if text == "" {
			return "", errors.New("it needs a name")
		}
		return text, nil
	}}
}

// Rate returns a value that is a rate of requests. The zero rate is the default of the site.
func Rate(p *access.Rate) Value {
	return &scalar[access.Rate]{p, "rate", func(text string) (r access.Rate, err error) {
		return r, r.UnmarshalText([]byte(text))
	}}
}

// Strings returns a value that is a list, to which each flag adds one element.
func Strings(p *[]string) Value { return &list{p: p} }

// List returns a value that is a list, which commas separate in a text.
func List(p *[]string) Value { return &list{p: p, separated: true} }

// Ints returns a value that gives names numbers: NAME=N.
func Ints(p *map[string]int) Value { return &dictionary[int]{p: p, parse: readInt, kind: "NAME=N"} }

// Names returns a value that gives names texts: NAME=VALUE.
func Names(p *map[string]string) Value {
	return &dictionary[string]{p: p, parse: func(text string) (string, error) { return text, nil }, kind: "NAME=VALUE"}
}

// A scalar is one value of type T.
type scalar[T comparable] struct {
	p     *T
	kind  string
	parse func(string) (T, error)
}

var errOneValue = errors.New("it takes one value, not a list")

func (s *scalar[T]) Set(text string) (err error) {
	value, err := s.parse(text)
	if err == nil {
		*s.p = value
	}
	return err
}

func (s *scalar[T]) Assign(texts []string, isList bool) error {
	if isList || len(texts) != 1 {
		return errOneValue
	}
	return s.Set(texts[0])
}

func (s *scalar[T]) String() string       { return fmt.Sprint(*s.p) }
func (s *scalar[T]) Texts() []string      { return []string{s.String()} }
func (s *scalar[T]) Type() string         { return s.kind }
func (s *scalar[T]) IsList() bool         { return false }
func (s *scalar[T]) IsSeparated() bool    { return false }
func (s *scalar[T]) IsZero() bool         { return *s.p == *new(T) }
func (s *scalar[T]) copyFrom(other Value) { *s.p = *other.(*scalar[T]).p }

// A list is several texts.
type list struct {
	p         *[]string
	separated bool
	isSet     bool // by a flag, so that the next one adds to it
}

func (l *list) Set(text string) error {
	before := *l.p
	if err := l.Assign([]string{text}, false); err != nil {
		return err
	}
	if l.isSet {
		*l.p = slices.Concat(before, *l.p)
	}
	l.isSet = true
	return nil
}

func (l *list) Assign(texts []string, isList bool) error {
	if l.separated && !isList {
		texts = strings.Split(strings.Join(texts, ","), ",")
	}
	*l.p = texts
	return nil
}

func (l *list) String() string       { return bracketed(*l.p) }
func (l *list) Texts() []string      { return *l.p }
func (l *list) Type() string         { return "strings" }
func (l *list) IsList() bool         { return true }
func (l *list) IsSeparated() bool    { return l.separated }
func (l *list) IsZero() bool         { return len(*l.p) == 0 }
func (l *list) copyFrom(other Value) { *l.p = *other.(*list).p }

// A dictionary gives names values of type T.
type dictionary[T any] struct {
	p     *map[string]T
	parse func(string) (T, error)
	kind  string
	isSet bool // by a flag, so that the next one adds to it
}

func (d *dictionary[T]) Set(text string) error {
	before := *d.p
	if err := d.Assign([]string{text}, false); err != nil {
		return err
	}
	if d.isSet {
		for name, value := range before {
			if _, again := (*d.p)[name]; !again {
				(*d.p)[name] = value
			}
		}
	}
	d.isSet = true
	return nil
}

func (d *dictionary[T]) Assign(texts []string, isList bool) error {
	if !isList {
		texts = strings.Split(strings.Join(texts, ","), ",")
	}
	values := make(map[string]T, len(texts))
	for _, text := range texts {
		name, written, found := strings.Cut(text, "=")
		if !found {
			return fmt.Errorf("%q is not %s", text, d.kind)
		}
		value, err := d.parse(written)
		if err != nil {
			return err
		}
		values[name] = value
	}
	*d.p = values
	return nil
}

func (d *dictionary[T]) Texts() (texts []string) {
	for _, name := range slices.Sorted(maps.Keys(*d.p)) {
		texts = append(texts, fmt.Sprintf("%s=%v", name, (*d.p)[name]))
	}
	return texts
}

func (d *dictionary[T]) String() string       { return bracketed(d.Texts()) }
func (d *dictionary[T]) Type() string         { return d.kind }
func (d *dictionary[T]) IsList() bool         { return true }
func (d *dictionary[T]) IsSeparated() bool    { return true }
func (d *dictionary[T]) IsZero() bool         { return len(*d.p) == 0 }
func (d *dictionary[T]) copyFrom(other Value) { *d.p = *other.(*dictionary[T]).p }

// bracketed returns a list for people, or "".
func bracketed(texts []string) string {
	if len(texts) == 0 {
		return ""
	}
	return "[" + strings.Join(texts, ",") + "]"
}

const wholeNumber = "a whole number"

func readInt(text string) (int, error) {
	n, err := read(text, wholeNumber, func(text string) (int64, error) {
		return strconv.ParseInt(text, 0, strconv.IntSize)
	})
	return int(n), err
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
