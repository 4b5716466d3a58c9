package service

import (
	"fmt"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"testing"
)

// BenchmarkLoad has 200 people watch one crawl of ten seconds while 50 others wait. It
// reports the memory of the process, which has the crawled site too.
func BenchmarkLoad(b *testing.B) {
	const watchers, queued = 200, 50
	for b.Loop() {
		web := newSite(b, 4000)
		s, stop := start(b, Options{Folder: b.TempDir(), Parallel: 1})
		c, err := s.Start(b.Context(), Request{URL: web.URL, Options: map[string][]string{"rate": {"400"}}})
		if err != nil {
			b.Fatal(err)
		}
		for i := range queued {
			request(b, s, fmt.Sprintf("http://192.0.2.%d/", i))
		}
		var updates, peak atomic.Int64
		var watching sync.WaitGroup
		for range watchers {
			watching.Go(func() {
				for _, err := range s.Watch(b.Context(), c.ID, 0) {
					if err != nil {
						b.Error(err)
					}
					if updates.Add(1)%watchers == 0 {
						peak.Store(max(peak.Load(), memory()))
					}
				}
			})
		}
		watching.Wait()
		b.ReportMetric(float64(updates.Load())/watchers, "updates/watcher")
		b.ReportMetric(float64(peak.Load())/(1<<20), "peak-MB")
		stop()
	}
}

// memory returns the bytes that the process has of the system and uses.
func memory() int64 {
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(samples)
	return int64(samples[0].Value.Uint64() - samples[1].Value.Uint64())
}
