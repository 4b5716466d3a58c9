package app

import (
	"fmt"
	"net/http"

	"github.com/mapatools/mapa/internal/journal"
)

// workerHandler serves what a worker does: /metrics in the text format of Prometheus
// (https://prometheus.io/docs/instrumenting/exposition_formats/), and /healthz, which
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
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		fmt.Fprint(w, workerMetrics(worker))
	})
	return mux
}

// workerMetrics returns the text that Prometheus reads.
func workerMetrics(worker *journal.Worker) (text string) {
	report := worker.Report()
	healthy, waiting := 0, int64(0)
	if worker.Healthy() {
		healthy = 1
	}
	for _, site := range report.Sites {
		waiting += site.Waiting
	}
	for _, metric := range []struct {
		name, kind, help string
		value            int64
	}{
		{"lease", "gauge", "Whether the worker has a lease, without which it requests nothing.", int64(healthy)},
		{"sites", "gauge", "Sites that the worker crawls now.", int64(len(report.Sites))},
		{"pages_total", "counter", "Pages of the sites that the worker has crawled.", report.Pages},
		{"waiting", "gauge", "URLs found and not fetched yet, of the sites that it crawls now.", waiting},
	} {
		text += fmt.Sprintf("# HELP mapa_worker_%[1]s %[3]s\n# TYPE mapa_worker_%[1]s %[2]s\nmapa_worker_%[1]s %[4]d\n",
			metric.name, metric.kind, metric.help, metric.value)
	}
	return text
}
