package extract

import (
	"slices"
	"strings"
	"testing"
)

func shinglesOf(page string) []uint32 {
	var s Scanner
	return s.Scan([]byte(page), "text/html; charset=utf-8", Options{Shingles: true}).Shingles
}

// TestShingles counts the shingles of texts, and those that a change of one word replaces.
func TestShingles(t *testing.T) {
	text := strings.Join(strings.Fields(strings.Repeat("x ", 3)), " ")
	for page, want := range map[string]int{
		"<p>one two three four":                                   0,
		"<p>one two three four five":                              1,
		"<p>one two three<p>four five six":                        2, // across blocks
		"<p>a b c d e a b c d e":                                  5, // each once
		"<p>漢字と仮名を":                                               2,
		"<nav>one two three four five</nav><p>" + text:            0,
		"<p>one two three four five<main>a b c d e f</main>":      2,
		"<ul><li><a href=/a>one two three four five six</a></ul>": 0,
	} {
		got := shinglesOf(page)
		if len(got) != want || !slices.IsSorted(got) {
			t.Errorf("%s: %v, want %d", page, got, want)
		}
	}
	one, other := shinglesOf("<p>The quick, brown fox JUMPS over the dog"), shinglesOf("<p>the quick brown fox jumps over the dog.")
	if len(one) != 4 || !slices.Equal(one, other) {
		t.Errorf("case and punctuation change the shingles: %v, %v", one, other)
	}
	words := strings.Repeat("alpha beta gamma delta epsilon zeta eta theta iota kappa ", 1)
	before, after := shinglesOf("<p>"+words), shinglesOf("<p>"+strings.Replace(words, "zeta", "changed", 1))
	same := 0
	for _, shingle := range after {
		if slices.Contains(before, shingle) {
			same++
		}
	}
	if len(before) != 6 || same != 1 {
		t.Errorf("%d of %d shingles are the same after a change of one word", same, len(before))
	}
	var s Scanner
	if page := s.Scan([]byte("<p>"+words), "", Options{}); page.Shingles != nil {
		t.Error("shingles that nobody asked for")
	}
	long := shinglesOf("<p>" + strings.Repeat("漢", 3*maxShingleWords) + "<p>" + strings.Repeat("a b ", maxShingleWords))
	if len(long) > 2*maxShingleWords {
		t.Errorf("%d shingles", len(long))
	}
}
