package sqlite

import (
	"crypto/rand"
	"errors"
	"fmt"
)

// AddKey adds 32 random bytes to a new file whose table meta has a name and a value.
func AddKey(f *File) error {
	insert, err := f.Prepare("insert into meta (name, value) values ('key', ?)")
	if err != nil {
		return err
	}
	var key [32]byte
	rand.Read(key[:])
	return errors.Join(insert.Exec(key[:]), insert.Close())
}

// ReadKey returns the bytes that AddKey has added.
func (f *File) ReadKey() (key [32]byte, err error) {
	size := 0
	err = f.Query("select value from meta where name = 'key'", func(r Row) bool {
		size = copy(key[:], r.Blob(0))
		return true
	})
	if err == nil && size != len(key) {
		err = f.Explain(fmt.Errorf("%w: it has no key", ErrDamaged))
	}
	return key, err
}
