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
func Entries[T any](p *[]T, table func(*T) []Setting) EntryList {
	e := &entries[T]{table: table}
	e.variable = variable[[]T]{p: p, kind: "entries", parse: e.decode, texts: e.encode,
		merge: func(before, added []T) []T { return slices.Concat(before, added) }}
	return e
}

type entries[T any] struct {
	variable[[]T]
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

func (e *entries[T]) decode(texts []string, _ bool) ([]T, error) {
	for i, table := range e.Make(len(texts)) {
		if err := DecodeSettings(table, []byte(texts[i])); err != nil {
			return nil, fmt.Errorf("entry %d: %w", i+1, err)
		}
	}
	return *e.p, nil
}

func (e *entries[T]) encode(all []T) (texts []string) {
	for i := range all {
		encoded, err := EncodeSettings(e.table(&all[i]), e.Table())
		if err != nil {
			panic(err) // lists of texts are always JSON
		}
		texts = append(texts, string(encoded))
	}
	return texts
}

func (e *entries[T]) copyFrom(other Value) { *e.p = slices.Clone(*other.(*entries[T]).p) }
