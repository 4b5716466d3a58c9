package sitemap

import (
	"strings"
	"testing"
)

// FuzzUsualDate compares the fast date parser with the thorough one.
func FuzzUsualDate(f *testing.F) {
	for _, text := range []string{
		"2024-02-29", "2023-02-29", "0000-01-01", "9999-12-31", "2024-13-01", "2024-00-10", "2024/03/15",
		"2024-03-15T08:12:44Z", "2024-03-15T23:59:59+00:00", "2024-03-15T24:00:00Z", "2024-03-15T08:60:00Z",
		"2024-03-15T08:12:44-05:30", "2024-03-15T08:12:44-00:00", "2024-03-15T08:12:44+15:00", "2024-03-15t08:12:44Z",
		"2024-03-15T08:12:44+0000", "2024-03-15 08:12:44Z", "2024-03-15T08:12:44z", "2:24-03-15", "2024-0\xb3-15",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		usual, ok := parseUsualDate([]byte(text))
		thorough, valid := parseDate(text)
		if ok && (!valid || usual != thorough) {
			t.Errorf("%q: %+v, want %+v, %t", text, usual, thorough, valid)
		}
		plain := len(text) == 10 || len(text) == 20 && strings.HasSuffix(text, "Z") && text[10] == 'T'
		if valid && plain && thorough.shape.precision() != PrecisionMinute && !ok && !strings.Contains(text, "T24") {
			t.Errorf("%q is a usual date and was left to the slow way", text)
		}
	})
}

func BenchmarkEntryDate(b *testing.B) {
	for _, text := range []string{"2024-03-15", "2024-03-15T08:12:44Z", "2024-03-15T08:12:44+00:00",
		"2024-03-15T08:12:44+02:00"} {
		b.Run(text, func(b *testing.B) {
			e := &Entry{LastMod: []byte(text)}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := e.Date(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
