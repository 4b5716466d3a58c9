package layout

import "golang.org/x/sys/cpu"

var hasVectors = cpu.X86.HasAVX2 && cpu.X86.HasBMI1

// follow is followInWords, a quarter faster on processors with vectors of 32 bytes.
func follow(b []byte, pieces []piece, values *[Fields]Span) (end int, clean bool) {
	if hasVectors && len(b) > 0 && len(pieces) > 0 {
		return followInVectors(&b[0], len(b), &pieces[0], len(pieces), values)
	}
	return followInWords(b, pieces, values)
}

// followInVectors does the work of followInWords, but gives up a value when b ends
// less than a piece after its start. It needs AVX2 and BMI1, and at least one byte
// and one piece.
//
//go:noescape
func followInVectors(b *byte, length int, pieces *piece, count int, values *[Fields]Span) (end int, clean bool)
