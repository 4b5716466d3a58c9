// Package swar holds the constants for looking at eight bytes in one machine
// word at once (SIMD within a register).
//
// A byte c is compared with all eight bytes of a word x by x ^ c*Ones, which is
// zero where they are equal. A test of every byte leaves its answer in the
// byte's highest bit; x & HighBits keeps these bits alone. A subtraction borrows
// from the next byte, so the lowest marked byte is always right, while bytes
// above it may be marked wrongly.
package swar

const (
	// Ones has the value 1 in each of its eight bytes. c*Ones repeats the byte c.
	Ones = 0x0101010101010101
	// HighBits has the highest bit of each of its eight bytes set.
	HighBits = 0x80 * Ones
)
