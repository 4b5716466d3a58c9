package source

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"io"
	"slices"
	"strings"
	"testing"
)

// FuzzCSV compares the cells of every text that encoding/csv can read.
func FuzzCSV(f *testing.F) {
	for _, text := range []string{"a,b\n\n\"c\",\"d,\"\"\ne\"\nf", ",\n,,\n\"\"\n", "\"a\"b\n", "a\"b,c\n", "\"a\n"} {
		f.Add(text)
	}
	noSpace := strings.NewReplacer(" ", "_", "\r", "_") // which the two handle differently
	f.Fuzz(func(t *testing.T, text string) {
		text = noSpace.Replace(text)
		oracle := csv.NewReader(strings.NewReader(text))
		oracle.FieldsPerRecord = -1
		want, err := oracle.ReadAll()
		if err != nil {
			return
		}
		reader := newCSVReader(bufio.NewReaderSize(strings.NewReader(text), max(len(text), 16)+1), ',')
		var got [][]string
		lines := 1
		for {
			cells, line, err := reader.next()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatalf("%q: %v", text, err)
			}
			if line != lines {
				t.Fatalf("%q: line %d, want %d", text, line, lines)
			}
			var record []string
			for _, c := range cells {
				record = append(record, string(c.text))
			}
			lines += 1 + strings.Count(strings.Join(record, ""), "\n")
			isEmpty := len(record) == 1 && record[0] == "" && !strings.HasPrefix(lineAt(text, line), `"`)
			if !isEmpty { // which encoding/csv skips
				got = append(got, record)
			}
		}
		if !slices.EqualFunc(got, want, slices.Equal) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	})
}

// lineAt returns a line of a text, counted from 1, and what follows it.
func lineAt(text string, line int) string {
	for range line - 1 {
		_, text, _ = strings.Cut(text, "\n")
	}
	return text
}

// TestPriority compares the quick way with the thorough one.
func TestPriority(t *testing.T) {
	for first := range byte(128) {
		for last := range byte(128) {
			text := []byte{first, '.', last}
			quick, err := priority(text)
			thorough, thoroughErr := priority(append(bytes.Clone(text), "000"...))
			if isDigit := last >= '0' && last <= '9'; isDigit && (quick != thorough || (err == nil) != (thoroughErr == nil)) ||
				!isDigit && err == nil {
				t.Errorf("%q: %v, %v, want %v, %v", text, quick, err, thorough, thoroughErr)
			}
		}
	}
}

// TestTextBlock copies texts of many lengths and compares all of them at the end.
func TestTextBlock(t *testing.T) {
	var block textBlock
	var got, want []string
	for length := range 3000 {
		text := bytes.Repeat([]byte{byte('a' + length%26)}, length)
		want = append(want, string(text))
		got = append(got, block.copy(text))
		clear(text)
	}
	if !slices.Equal(got, want) {
		t.Error("texts have changed")
	}
}
