package extract

import (
	"bytes"
	"encoding/binary"
	"slices"
	"unicode/utf8"
)

// A shingle is a hash of some words in a row. The part of their shingles that two texts have in
// common says how similar they are, whatever was added or moved
// (https://nlp.stanford.edu/IR-book/html/htmledition/near-duplicates-and-shingling-1.html).
const (
	shingleWords = 5
	// maxShingleWords bounds the words of a page that are kept.
	maxShingleWords = 50_000
)

// shingler collects the words of the main content, block by block, as digest does.
type shingler struct {
	on               bool
	block, all, main []uint64 // hashes of words
}

// text adds the words of a run of text. In one with Chinese or Japanese, each character is a
// word.
func (s *shingler) text(run []byte) {
	for word := range bytes.FieldsSeq(run) {
		if word = trimPunctuation(word); len(word) == 0 || len(s.block) >= maxShingleWords {
			continue
		}
		if !mayHaveCJK(word) {
			s.block = append(s.block, hashWord(word))
			continue
		}
		for len(word) > 0 {
			_, size := utf8.DecodeRune(word)
			s.block = append(s.block, hashWord(word[:size]))
			word = word[size:]
		}
	}
}

// endBlock keeps the words of a block that counts.
func (s *shingler) endBlock(counts, inMain bool) {
	into := &s.all
	if inMain {
		into = &s.main
	}
	if counts && len(*into) < maxShingleWords {
		*into = append(*into, s.block...)
	}
	s.block = s.block[:0]
}

// shingles returns the hashes of every shingleWords words in a row, sorted, each once.
func (s *shingler) shingles(ofMain bool) []uint32 {
	words := s.all
	if ofMain {
		words = s.main
	}
	if len(words) < shingleWords {
		return nil
	}
	found := make([]uint32, 0, len(words)-shingleWords+1)
	for i := range len(words) - shingleWords + 1 {
		var hash uint64
		for _, word := range words[i : i+shingleWords] {
			hash = mix(hash ^ word)
		}
		found = append(found, uint32(hash>>32)^uint32(hash))
	}
	slices.Sort(found)
	return slices.Clip(slices.Compact(found))
}

// hashWord returns a hash of a word in any ASCII case.
func hashWord(word []byte) uint64 {
	hash := uint64(len(word))
	for len(word) >= 8 {
		hash = mix(hash ^ lowerEight(binary.LittleEndian.Uint64(word)))
		word = word[8:]
	}
	return mix(hash ^ lowerEight(pack(word)))
}
