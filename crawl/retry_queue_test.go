package crawl

import (
	"testing"
	"time"
)

// TestRetryWait tells how long pages are waited for: those that are due in time.
func TestRetryWait(t *testing.T) {
	now := time.Now()
	for name, test := range map[string]struct {
		due     []time.Duration
		elapsed time.Duration
		want    time.Duration
	}{
		"none":      {nil, time.Hour, 0},
		"due":       {[]time.Duration{-time.Second}, time.Hour, 0},
		"one":       {[]time.Duration{9 * time.Second}, time.Hour, 9 * time.Second},
		"several":   {[]time.Duration{9 * time.Second, 30 * time.Second, time.Second}, time.Hour, 30 * time.Second},
		"some late": {[]time.Duration{9 * time.Second, time.Hour}, time.Hour, 9 * time.Second},
		"all late":  {[]time.Duration{9 * time.Second}, 20 * time.Second, 0},
	} {
		var queue retryQueue
		for _, due := range test.due {
			queue.push(&unansweredPage{due: now.Add(due)})
		}
		queue.begin(now, test.elapsed)
		if got := queue.wait(now); got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}
