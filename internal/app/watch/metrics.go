package watch

import (
	"context"
	"net/http"

	"github.com/mapatools/mapa/internal/prometheus"
	"github.com/mapatools/mapa/watch"
	"github.com/mapatools/mapa/watch/sqlitestore"
)

// metricsHandler serves what is known of the sites to Prometheus.
func metricsHandler(store *sqlitestore.Store) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, r *http.Request) {
		text, err := metrics(r.Context(), store)
		if err != nil {
			http.Error(w, "the state cannot be read", http.StatusInternalServerError)
			return
		}
		_ = text.Respond(w) // the client has gone
	})
	return mux
}

// siteMetrics are the figures of a site.
var siteMetrics = []struct {
	name, help string
	value      func(*watch.Site) float64
}{
	{"mapa_watch_last_pass_timestamp_seconds", "Start of the last pass.", func(s *watch.Site) float64 {
		return float64(s.LastPass.UnixMilli()) / 1000
	}},
	{"mapa_watch_complete", "Whether the last pass read everything.", func(s *watch.Site) float64 {
		if s.Complete {
			return 1
		}
		return 0
	}},
	{"mapa_watch_requests", "Requests of the last pass.", func(s *watch.Site) float64 { return float64(s.Requests) }},
	{"mapa_watch_bytes", "Bytes of the bodies of the last pass.", func(s *watch.Site) float64 { return float64(s.Bytes) }},
	{"mapa_watch_documents", "Sitemaps, indexes and feeds of the site.", func(s *watch.Site) float64 { return float64(s.Documents) }},
	{"mapa_watch_entries", "Entries in the sitemaps of the site.", func(s *watch.Site) float64 { return float64(s.Entries) }},
	{"mapa_watch_new", "New pages of the last pass.", func(s *watch.Site) float64 { return float64(s.New) }},
	{"mapa_watch_changed", "Changed pages of the last pass.", func(s *watch.Site) float64 { return float64(s.Changed) }},
	{"mapa_watch_gone", "Pages of the last pass that are gone.", func(s *watch.Site) float64 { return float64(s.Gone) }},
}

// metrics returns the figures of all sites.
func metrics(ctx context.Context, store *sqlitestore.Store) (*prometheus.Text, error) {
	sites, err := store.Sites(ctx)
	if err != nil {
		return nil, err
	}
	pending, err := store.PendingCount(ctx)
	if err != nil {
		return nil, err
	}
	text := &prometheus.Text{}
	for _, metric := range siteMetrics {
		text.Metric(metric.name, prometheus.Gauge, metric.help)
		for i := range sites {
			text.Sample(metric.name, metric.value(&sites[i]), "site", sites[i].Name)
		}
	}
	text.Gauge("mapa_watch_pending", "Events that were not delivered yet.", pending)
	return text, nil
}
