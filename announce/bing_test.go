package announce

import (
	"testing"
	"time"
)

func TestParseBingDate(t *testing.T) {
	for text, want := range map[string]string{
		"/Date(1399100400000-0700)/": "2014-05-03T07:00:00Z", "/Date(1399100400000)/": "2014-05-03T07:00:00Z",
		"/Date(-62135568000000-0800)/": "0001-01-01T00:00:00Z", "2014-05-03": "0001-01-01T00:00:00Z",
		"/Date(99999999999999999999)/": "0001-01-01T00:00:00Z",
	} {
		if got := parseBingDate(text).Format(time.RFC3339); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
