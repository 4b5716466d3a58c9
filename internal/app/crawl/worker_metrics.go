package crawl

import (
	"fmt"
	"net/http"

	"github.com/mapatools/mapa/internal/journal"
	"github.com/mapatools/mapa/internal/prometheus"
)

// workerHandler serves what a worker does: /metrics for Prometheus, and /healthz, which
// fails while the worker has no lease and so requests nothing.
func workerHandler(worker *journal.Worker) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		if !worker.Healthy() {
			http.Error(w, "no lease: the NATS servers do not answer", http.StatusServiceUnavailable)
			return
		}
		fmt.Fprintln(w, "ok")
	})
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, _ *http.Request) {
		_ = workerMetrics(worker).Respond(w) // the client has gone
	})
	return mux
}

// workerMetrics returns the figures of a worker.
func workerMetrics(worker *journal.Worker) *prometheus.Text {
	report := worker.Report()
	healthy, waiting := 0, int64(0)
	if worker.Healthy() {
		healthy = 1
	}
	for _, site := range report.Sites {
		waiting += site.Waiting
	}
	text := &prometheus.Text{}
	text.Gauge("mapa_worker_lease", "Whether the worker has a lease, without which it requests nothing.", healthy)
	text.Gauge("mapa_worker_sites", "Sites that the worker crawls now.", len(report.Sites))
	text.Metric("mapa_worker_pages_total", prometheus.Counter, "Pages of the sites that the worker has crawled.")
	text.Sample("mapa_worker_pages_total", report.Pages)
	text.Gauge("mapa_worker_waiting", "URLs found and not fetched yet, of the sites that it crawls now.", waiting)
	return text
}
