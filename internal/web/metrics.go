package web

import (
	"bytes"
	"fmt"
	"net/http"
	"runtime"
	"sync"
	"time"
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

func newMetrics() *metrics { return &metrics{} }

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

// writeMetrics writes the state of the server in the text format of Prometheus
// (https://prometheus.io/docs/instrumenting/exposition_formats/).
func (s *Server) writeMetrics(w http.ResponseWriter, r *http.Request) error {
	stats, err := s.options.Service.Stats(r.Context())
	if err != nil {
		return err
	}
	var text bytes.Buffer
	s.metrics.write(&text)
	gauge := func(name, help string, value any) {
		fmt.Fprintf(&text, "# HELP %s %s\n# TYPE %s gauge\n%s %v\n", name, help, name, name, value)
	}
	gauge("mapa_crawls_queued", "Crawls that wait.", stats.Queued)
	gauge("mapa_crawls_running", "Crawls that run.", stats.Running)
	gauge("mapa_crawls_paused", "Crawls that are paused.", stats.Paused)
	gauge("mapa_bytes_today", "Bytes that the crawls of this day downloaded.", stats.BytesToday)
	gauge("mapa_disk_bytes", "Size of all results.", stats.Disk)
	gauge("mapa_streams", "Open event streams and downloads.", s.streams.number())
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	gauge("go_memstats_sys_bytes", "Memory from the system.", memory.Sys)
	gauge("go_goroutines", "Goroutines.", runtime.NumGoroutine())
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	_, err = w.Write(text.Bytes())
	return err
}

func (m *metrics) write(text *bytes.Buffer) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	fmt.Fprint(text, "# HELP mapa_http_requests_total Requests by the first digit of their status.\n"+
		"# TYPE mapa_http_requests_total counter\n")
	for class := 1; class < len(m.statuses); class++ {
		fmt.Fprintf(text, "mapa_http_requests_total{status=\"%dxx\"} %d\n", class, m.statuses[class])
	}
	fmt.Fprint(text, "# HELP mapa_http_request_seconds Time of requests, streams included.\n"+
		"# TYPE mapa_http_request_seconds histogram\n")
	total := int64(0)
	for i, most := range requestTimes {
		total += m.times[i]
		fmt.Fprintf(text, "mapa_http_request_seconds_bucket{le=\"%v\"} %d\n", most, total)
	}
	total += m.times[len(requestTimes)]
	fmt.Fprintf(text, "mapa_http_request_seconds_bucket{le=\"+Inf\"} %d\nmapa_http_request_seconds_sum %v\n"+
		"mapa_http_request_seconds_count %d\n", total, m.seconds, total)
}
