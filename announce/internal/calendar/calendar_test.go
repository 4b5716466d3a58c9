package calendar

import (
	"testing"
	"time"
)

// TestZones checks the resets around changes of the clock in Los Angeles.
func TestZones(t *testing.T) {
	for _, test := range []struct{ at, since, until string }{
		{"2026-03-08T07:59:59Z", "2026-03-07T08:00:00Z", "2026-03-08T08:00:00Z"},
		{"2026-03-08T08:00:00Z", "2026-03-08T08:00:00Z", "2026-03-09T07:00:00Z"}, // 23 hours
		{"2026-11-01T12:00:00Z", "2026-11-01T07:00:00Z", "2026-11-02T08:00:00Z"}, // 25 hours
	} {
		at, err := time.Parse(time.RFC3339, test.at)
		if err != nil {
			t.Fatal(err)
		}
		since, until := Pacific.Day(at)
		if since.UTC().Format(time.RFC3339) != test.since || until.UTC().Format(time.RFC3339) != test.until {
			t.Errorf("%s: from %v until %v", test.at, since.UTC(), until.UTC())
		}
	}
	december := time.Date(2026, 12, 31, 21, 0, 0, 0, time.UTC) // January in Moscow
	since, until := Moscow.Month(december)
	if since.Month() != time.January || until.Month() != time.February {
		t.Errorf("from %v until %v", since, until)
	}
}
