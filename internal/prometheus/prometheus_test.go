package prometheus_test

import (
	"net/http/httptest"
	"testing"

	"github.com/mapatools/mapa/internal/prometheus"
)

func TestText(t *testing.T) {
	var text prometheus.Text
	text.Gauge("mapa_waiting", "URLs that wait.", 3)
	text.Metric("mapa_requests_total", prometheus.Counter, "Requests.")
	text.Sample("mapa_requests_total", int64(2), "site", "a\"\\\nb", "status", "2xx")
	text.Sample("mapa_requests_total", 1.5)
	want := "# HELP mapa_waiting URLs that wait.\n# TYPE mapa_waiting gauge\nmapa_waiting 3\n" +
		"# HELP mapa_requests_total Requests.\n# TYPE mapa_requests_total counter\n" +
		`mapa_requests_total{site="a\"\\\nb",status="2xx"} 2` + "\nmapa_requests_total 1.5\n"
	if got := text.String(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	response := httptest.NewRecorder()
	if err := text.Respond(response); err != nil || response.Body.String() != want {
		t.Errorf("response %q, %v", response.Body, err)
	}
	if got := response.Header().Get("Content-Type"); got != "text/plain; version=0.0.4; charset=utf-8" {
		t.Errorf("content type %s", got)
	}
}
