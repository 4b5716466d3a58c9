package extract

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// sumOf digests a text in runs, by windows or word by word.
func sumOf(runs []string, byWindow bool) (uint64, int) {
	d := digest{wide: true}
	for _, run := range runs {
		text := []byte(run)
		if byWindow {
			d.text(append(text, make([]byte, window+16)...)[:len(run)])
		} else {
			d.words(text)
		}
	}
	return d.sum()
}

func compareWindows(t *testing.T, runs []string) {
	t.Helper()
	want, words := sumOf(runs, false)
	if got, n := sumOf(runs, true); got != want || n != words {
		t.Errorf("%q: %#x of %d words by windows, %#x of %d one by one", runs, got, n, want, words)
	}
}

// TestWindows holds the digest by windows of 64 bytes against that word by word, on
// texts of the words that it treats apart.
func TestWindows(t *testing.T) {
	words := []string{"the", "out", "many", "may", "May", "(Monday),", "November", "sun", "4", "21", "2026", "v1.2",
		"comments",
		"km", "€", "of", "minutes", "a", "incomprehensibilities", "12345678", "deadbeef01", "segunda-feira",
		"(((segunda-feira)))", "é", "märz", "ago",
		"今日", "は", "ひらがなで書く", "漢", "2026年", "“quoted”", "오늘은", "नमस्ते"}
	spaces := []string{" ", " ", " ", "\n   ", strings.Repeat(" ", 70)}
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		runs := []string{"", ""}
		for i := range runs {
			for range random.IntN(40) {
				runs[i] += words[random.IntN(len(words))] + spaces[random.IntN(len(spaces))]
			}
		}
		compareWindows(t, runs)
	}
}

func FuzzWindows(f *testing.F) {
	f.Add("on Monday, May 21 2026 there were 4 comments", "and 5 km of May")
	f.Fuzz(func(t *testing.T, first, second string) { compareWindows(t, []string{first, second}) })
}
