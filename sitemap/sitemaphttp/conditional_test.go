package sitemaphttp

import (
	"net/http"
	"testing"
	"time"
)

// TestClockSetBack has versions that are seen while the clock goes back: the dates
// still ascend, and one in the future is not used.
func TestClockSetBack(t *testing.T) {
	noon := time.Date(2024, time.May, 1, 12, 0, 0, 500, time.UTC)
	first, same, second := state{tag: "a"}, state{tag: "a"}, state{tag: "b"}
	first.since(nil, noon)
	same.since(&first, noon.Add(time.Hour))
	if !same.modified.Equal(noon) {
		t.Errorf("the same version is dated %v", same.modified)
	}
	second.since(&same, noon.Add(-time.Hour))
	if !second.modified.Truncate(time.Second).After(first.modified.Truncate(time.Second)) {
		t.Errorf("a later version is dated %v", second.modified)
	}
	header := http.Header{"If-Modified-Since": {noon.Add(time.Minute).Format(http.TimeFormat)}}
	for now, want := range map[time.Time]bool{noon.Add(-time.Hour): false, noon.Add(time.Minute): true} {
		if second.isDated(now) != want || second.isNotModified(header, now) != want {
			t.Errorf("at %v, the date %v is used: %t", now, second.modified, !want)
		}
	}
}
