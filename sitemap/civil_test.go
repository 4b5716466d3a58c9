package sitemap

import (
	"testing"
	"time"
)

// TestCivil compares every day of the years 1 to 9999, and some far away, with
// package time, and converts it back.
func TestCivil(t *testing.T) {
	check := func(days int64) {
		t.Helper()
		year, month, day := civil(days)
		want := time.Unix(days*86400, 0).UTC()
		if year != want.Year() || month != int(want.Month()) || day != want.Day() {
			t.Fatalf("day %d: %d-%d-%d, want %s", days, year, month, day, want)
		}
		if back := daysSince1970(year, month, day); back != days {
			t.Fatalf("%d-%d-%d is day %d, want %d", year, month, day, back, days)
		}
	}
	for days := daysSince1970(1, 1, 1); days < daysSince1970(10_000, 1, 1); days++ {
		check(days)
	}
	for days := int64(1); days < 1<<40; days = days*3 + 1 {
		check(days)
		check(-days)
	}
}
