package dedupe

import (
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"testing"
)

// An item is a text with a note that equal items may differ in.
type item struct{ text, note string }

// noteNumber returns a number for a note, 0 for none.
func noteNumber(note string) (n uint64) {
	for _, c := range []byte(note) {
		n = n<<8 | uint64(c)
	}
	return n
}

func options(known int, repeats *[]string) *Options[item] {
	hasher := NewHasher()
	return &Options[item]{
		Known: known,
		Key: func(i item) Key {
			return Key{hasher.Hash(i.text), FactsOf(noteNumber(i.note), 0, 0)}
		},
		Append: func(dst []byte, i item) []byte { return fmt.Appendf(dst, "%s|%s", i.text, i.note) },
		Parse: func(text []byte) (item, error) {
			at := slices.Index(text, '|')
			return item{string(text[:at]), string(text[at+1:])}, nil
		},
		OnRepeat: func(i item, conflict bool) error {
			*repeats = append(*repeats, fmt.Sprint(i, conflict))
			return nil
		},
	}
}

// TestFirst compares with a map, with room in memory for all items, few and one.
func TestFirst(t *testing.T) {
	const count = 60_000
	random := rand.New(rand.NewPCG(1, 2))
	items := make([]item, count)
	for i := range items {
		items[i] = item{fmt.Sprintf("https://example.com/a/page/%d", random.IntN(count/2)), fmt.Sprint(random.IntN(3))}
	}
	var want []item
	var wantRepeats []string
	first := map[string]string{}
	for _, i := range items {
		if note, seen := first[i.text]; seen {
			wantRepeats = append(wantRepeats, fmt.Sprint(i, note != i.note))
			continue
		}
		first[i.text] = i.note
		want = append(want, i)
	}
	for _, known := range []int{0, 1000, 1} {
		var got []item
		var repeats []string
		o := options(known, &repeats)
		o.Batch = known % 64
		for i, err := range First(all(items), o) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, i)
		}
		if !slices.Equal(got, want) || !slices.Equal(repeats, wantRepeats) {
			t.Errorf("known %d: %d items and %d repeats, want %d and %d", known, len(got), len(repeats), len(want),
				len(wantRepeats))
		}
	}
}

func all(items []item) iter.Seq2[item, error] {
	return func(yield func(item, error) bool) {
		for _, i := range items {
			if !yield(i, nil) {
				return
			}
		}
	}
}

// TestEnd passes errors on, and ends when the caller or OnRepeat does.
func TestEnd(t *testing.T) {
	items := []item{{text: "a"}, {text: "b"}, {text: "a"}, {text: "c"}}
	failed := errors.New("failed")
	for _, known := range []int{0, 1} {
		var repeats []string
		o := options(known, &repeats)
		for range First(all(items), o) {
			break
		}
		o.OnRepeat = func(item, bool) error { return failed }
		var texts []string
		var last error
		for i, err := range First(all(items), o) {
			texts, last = append(texts, i.text), err
		}
		if !errors.Is(last, failed) || slices.Contains(texts, "c") {
			t.Errorf("known %d: %q, %v", known, texts, last)
		}
		among := func(yield func(item, error) bool) {
			_ = yield(items[0], nil) && yield(item{}, failed) && yield(items[1], nil)
		}
		count, faults := 0, 0
		for _, err := range First(among, o) {
			count++
			if err != nil {
				faults++
			}
		}
		if count != 3 || faults != 1 {
			t.Errorf("known %d: %d items, %d errors", known, count, faults)
		}
	}
}

// TestBatchOrder keeps errors between the items that they are between, and repeats before
// the errors after them.
func TestBatchOrder(t *testing.T) {
	var repeats, got []string
	o := options(0, &repeats)
	o.Batch = 10
	o.OnRepeat = func(i item, _ bool) error {
		got = append(got, "repeated "+i.text)
		return nil
	}
	among := func(yield func(item, error) bool) {
		for _, text := range []string{"a", "a", "", "b"} {
			var err error
			if text == "" {
				err = errors.New("fault")
			}
			if !yield(item{text: text}, err) {
				return
			}
		}
	}
	for i, err := range First(among, o) {
		got = append(got, i.text+fmt.Sprint(err))
	}
	if want := []string{"a<nil>", "repeated a", "fault", "b<nil>"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
