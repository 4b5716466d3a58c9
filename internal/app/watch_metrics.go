package app

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/mapatools/mapa/watch"
	"github.com/mapatools/mapa/watch/sqlitestore"
)

// metricsHandler serves what is known of the sites in the text format of Prometheus
// (https://prometheus.io/docs/instrumenting/exposition_formats/).
func metricsHandler(store *sqlitestore.Store) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, r *http.Request) {
		text, err := metrics(r.Context(), store)
		if err != nil {
			http.Error(w, "the state cannot be read", http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		fmt.Fprint(w, text)
	})
	return mux
}

// siteMetrics are the figures of a site.
var siteMetrics = []struct {
	name, help string
	value      func(*watch.Site) float64
}{
	{"last_pass_timestamp_seconds", "Start of the last pass.", func(s *watch.Site) float64 {
		return float64(s.LastPass.UnixMilli()) / 1000
	}},
	{"complete", "Whether the last pass read everything.", func(s *watch.Site) float64 {
		if s.Complete {
			return 1
		}
		return 0
	}},
	{"requests", "Requests of the last pass.", func(s *watch.Site) float64 { return float64(s.Requests) }},
	{"bytes", "Bytes of the bodies of the last pass.", func(s *watch.Site) float64 { return float64(s.Bytes) }},
	{"documents", "Sitemaps, indexes and feeds of the site.", func(s *watch.Site) float64 { return float64(s.Documents) }},
	{"entries", "Entries in the sitemaps of the site.", func(s *watch.Site) float64 { return float64(s.Entries) }},
	{"new", "New pages of the last pass.", func(s *watch.Site) float64 { return float64(s.New) }},
	{"changed", "Changed pages of the last pass.", func(s *watch.Site) float64 { return float64(s.Changed) }},
	{"gone", "Pages of the last pass that are gone.", func(s *watch.Site) float64 { return float64(s.Gone) }},
}

// metrics returns the text that Prometheus reads.
func metrics(ctx context.Context, store *sqlitestore.Store) (string, error) {
	sites, err := store.Sites(ctx)
	if err != nil {
		return "", err
	}
	pending, err := store.PendingCount(ctx)
	if err != nil {
		return "", err
	}
	var text strings.Builder
	for _, metric := range siteMetrics {
		fmt.Fprintf(&text, "# HELP mapa_watch_%s %s\n# TYPE mapa_watch_%s gauge\n", metric.name, metric.help, metric.name)
		for i := range sites {
			fmt.Fprintf(&text, "mapa_watch_%s{site=\"%s\"} %v\n", metric.name, labelEscaper.Replace(sites[i].Name),
				metric.value(&sites[i]))
		}
	}
	fmt.Fprintf(&text, "# HELP mapa_watch_pending Events that were not delivered yet.\n"+
		"# TYPE mapa_watch_pending gauge\nmapa_watch_pending %d\n", pending)
	return text.String(), nil
}

var labelEscaper = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)
