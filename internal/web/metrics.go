package web

import (
	"fmt"
	"net/http"
	"runtime"
	"sync"
	"time"

	"github.com/mapatools/mapa/internal/prometheus"
)

// requestTimes are the upper bounds of the histogram of request times, in seconds.
var requestTimes = [...]float64{0.005, 0.025, 0.1, 0.5, 2.5, 10}

// metrics count the requests by the first digit of their status and by time.
type metrics struct {
	mutex    sync.Mutex
	statuses [6]int64
	times    [len(requestTimes) + 1]int64
	seconds  float64
}

func (m *metrics) count(status int, took time.Duration) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if class := status / 100; class < len(m.statuses) {
		m.statuses[class]++
	}
	bucket := len(requestTimes)
	for i, most := range requestTimes {
		if took.Seconds() <= most {
			bucket = i
			break
		}
	}
	m.times[bucket]++
	m.seconds += took.Seconds()
}

// writeMetrics sends the state of the server to Prometheus.
func (s *Server) writeMetrics(w http.ResponseWriter, r *http.Request) error {
	stats, err := s.options.Service.Stats(r.Context())
	if err != nil {
		return err
	}
	var text prometheus.Text
	s.metrics.write(&text)
	text.Gauge("mapa_crawls_queued", "Crawls that wait.", stats.Queued)
	text.Gauge("mapa_crawls_running", "Crawls that run.", stats.Running)
	text.Gauge("mapa_crawls_paused", "Crawls that are paused.", stats.Paused)
	text.Gauge("mapa_bytes_today", "Bytes that the crawls of this day downloaded.", stats.BytesToday)
	text.Gauge("mapa_disk_bytes", "Size of all results.", stats.Disk)
	text.Gauge("mapa_streams", "Open event streams and downloads.", s.streams.number())
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	text.Gauge("go_memstats_sys_bytes", "Memory from the system.", memory.Sys)
	text.Gauge("go_goroutines", "Goroutines.", runtime.NumGoroutine())
	return text.Respond(w)
}

func (m *metrics) write(text *prometheus.Text) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	const requests, seconds = "mapa_http_requests_total", "mapa_http_request_seconds"
	text.Metric(requests, prometheus.Counter, "Requests by the first digit of their status.")
	for class := 1; class < len(m.statuses); class++ {
		text.Sample(requests, m.statuses[class], "status", fmt.Sprintf("%dxx", class))
	}
	text.Metric(seconds, prometheus.Histogram, "Time of requests, streams included.")
	total := int64(0)
	for i, most := range requestTimes {
		total += m.times[i]
		text.Sample(seconds+"_bucket", total, "le", fmt.Sprint(most))
	}
	total += m.times[len(requestTimes)]
	text.Sample(seconds+"_bucket", total, "le", "+Inf")
	text.Sample(seconds+"_sum", m.seconds)
	text.Sample(seconds+"_count", total)
}
