package setting

import (
	"fmt"
	"slices"
)

// An EntryList is a [Value] that is a list of entries, each with settings of its own. As texts,
// they are JSON.
type EntryList interface {
	Value
	// Table returns the settings of an entry that is in no list.
	Table() []Setting
	// Make replaces the list by n entries with the defaults, and returns the settings of each.
	Make(n int) [][]Setting
}

// Entries returns a value that is a list of entries. table returns the settings of one. It has
// no flag.
func Entries[T any](p *[]T, table func(*T) []Setting) EntryList { return &entries[T]{p, table} }

type entries[T any] struct {
	p     *[]T
	table func(*T) []Setting
}

func (e *entries[T]) Table() []Setting { return e.table(new(T)) }

func (e *entries[T]) Make(n int) (tables [][]Setting) {
	*e.p = make([]T, n)
	for i := range *e.p {
		tables = append(tables, e.table(&(*e.p)[i]))
	}
	return tables
}

func (e *entries[T]) Set(text string) error { return e.Assign([]string{text}, false) }

func (e *entries[T]) Assign(texts []string, _ bool) error {
	for i, table := range e.Make(len(texts)) {
		if err := DecodeSettings(table, []byte(texts[i])); err != nil {
			return fmt.Errorf("entry %d: %w", i+1, err)
		}
	}
	return nil
}

func (e *entries[T]) Texts() (texts []string) {
	for i := range *e.p {
		encoded, err := EncodeSettings(e.table(&(*e.p)[i]), e.Table())
		if err != nil {
			panic(err) // lists of texts are always JSON
		}
		texts = append(texts, string(encoded))
	}
	return texts
}

func (e *entries[T]) String() string       { return bracketed(e.Texts()) }
func (e *entries[T]) Type() string         { return "entries" }
func (e *entries[T]) IsList() bool         { return true }
func (e *entries[T]) IsSeparated() bool    { return false }
func (e *entries[T]) IsZero() bool         { return len(*e.p) == 0 }
func (e *entries[T]) copyFrom(other Value) { *e.p = slices.Clone(*other.(*entries[T]).p) }
