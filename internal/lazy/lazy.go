// Package lazy holds values that are made when they are first used.
package lazy

import "sync"

// A Value makes its value once. Unlike [sync.OnceValue], a variable of this type needs no
// code that runs before main: every package with such code costs each command 64 KiB of
// memory, which is what Linux maps around an address that is used.
//
// The zero value is ready to use, by several goroutines at once.
type Value[T any] struct {
	once  sync.Once
	value T
}

// Get returns the value. The first call makes it, and the others wait for that. Every
// call must pass the same function.
func (v *Value[T]) Get(make func() T) T {
	v.once.Do(func() { v.value = make() })
	return v.value
}
