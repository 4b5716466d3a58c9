package sitemaphttp

import (
	"cmp"
	"crypto/sha256"
	"database/sql/driver"
	"encoding/binary"
	"strconv"
)

// A Key identifies a row and orders it among the rows of its section. It is an
// integer or a text, the same for all rows of a section. The zero value is not a key.
// Keys are comparable with ==.
type Key struct {
	text   string
	number int64
	kind   keyKind
}

type keyKind uint8

const (
	noKey keyKind = iota
	intKey
	textKey
)

// Int returns an integer key.
func Int(n int64) Key { return Key{number: n, kind: intKey} }

// Text returns a text key, such as a UUID or a URL.
func Text(s string) Key { return Key{text: s, kind: textKey} }

// IsZero reports whether k is the zero value, which is not a key.
func (k Key) IsZero() bool { return k.kind == noKey }

// Int returns an integer key's value, and 0 for other keys.
func (k Key) Int() int64 { return k.number }

// String returns an integer key in decimal, a text key as it is, and nothing for
// the zero value.
func (k Key) String() string {
	if k.kind == intKey {
		return strconv.FormatInt(k.number, 10)
	}
	return k.text
}

// Value makes a key an argument of a query: an int64, a string, or NULL for the
// zero value.
func (k Key) Value() (driver.Value, error) {
	switch k.kind {
	case intKey:
		return k.number, nil
	case textKey:
		return k.text, nil
	}
	return nil, nil
}

// Compare orders integers by value and texts by their bytes.
func (k Key) Compare(other Key) int {
	return cmp.Or(cmp.Compare(k.kind, other.kind), cmp.Compare(k.number, other.number),
		cmp.Compare(k.text, other.text))
}

// hash returns the same number for the same text in every process.
func (k Key) hash() uint64 {
	sum := sha256.Sum256([]byte(k.text))
	return binary.BigEndian.Uint64(sum[:])
}

// A Range holds the keys from From to the last one before Until. A zero bound is
// open, so that the zero Range holds all keys.
type Range struct{ From, Until Key }

// Contains reports whether a key is in the range, in the order of [Key.Compare].
func (r Range) Contains(k Key) bool {
	return (r.From.IsZero() || k.Compare(r.From) >= 0) && (r.Until.IsZero() || k.Compare(r.Until) < 0)
}
