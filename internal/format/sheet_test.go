package format_test

import (
	"encoding/csv"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/format"
)

// TestSheet writes cells that spreadsheets would split, and reads them with another program's rules.
func TestSheet(t *testing.T) {
	rows := [][]string{
		{"url", "título"}, {"a,b", "c;d"}, {"tab\there", `"quoted"`}, {" space", "two\r\nlines"}, {"", "1,5"}, {"plain", ""},
	}
	for _, separator := range []byte{',', ';'} {
		var out strings.Builder
		sheet := format.NewSheet(&out, separator)
		for _, row := range rows {
			if err := sheet.Write(row); err != nil {
				t.Fatal(err)
			}
		}
		sheet.Flush()
		text, found := strings.CutPrefix(out.String(), "\ufeff")
		if !found || sheet.Error() != nil || !strings.Contains(text, "plain"+string(separator)+"\r\n") {
			t.Errorf("%q, %v", out.String(), sheet.Error())
		}
		for _, wrong := range []string{"\na,b", ";c;d", "\ntab\t"} {
			if strings.Contains(text, wrong) {
				t.Errorf("%q has %q", text, wrong)
			}
		}
		reader := csv.NewReader(strings.NewReader(text))
		reader.Comma = rune(separator)
		read, err := reader.ReadAll()
		rows[3][1] = "two\nlines" // as the reader has it
		if err != nil || !slices.EqualFunc(read, rows, slices.Equal) {
			t.Errorf("%q, %v", read, err)
		}
		rows[3][1] = "two\r\nlines"
	}
	sheet := format.NewSheet(fullDisk{}, ',')
	sheet.Flush()
	if err := sheet.Write([]string{"a"}); !errors.Is(err, errFull) || !errors.Is(sheet.Error(), errFull) {
		t.Errorf("%v, %v", err, sheet.Error())
	}
}

var errFull = errors.New("no space left")

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }
