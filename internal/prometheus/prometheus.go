// Package prometheus writes figures in the text format of Prometheus
// (https://prometheus.io/docs/instrumenting/exposition_formats/).
//
// Begin each metric with [Text.Metric] and add its values with [Text.Sample], or write a
// metric of one value with [Text.Gauge]. [Text.Respond] sends the text.
package prometheus

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
)

// The kinds of metrics.
const (
	Counter   = "counter"
	Gauge     = "gauge"
	Histogram = "histogram"
)

// A Text is the text that Prometheus reads. The zero value is empty and ready to use. It
// is not safe for concurrent use.
type Text struct{ text bytes.Buffer }

// Metric begins a metric: its name, its kind and a sentence about it. The samples of the
// metric follow.
func (t *Text) Metric(name, kind, help string) {
	fmt.Fprintf(&t.text, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
}

var escaper = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

// Sample adds a value, a number, with its labels: name, value, name, value.
func (t *Text) Sample(name string, value any, labels ...string) {
	t.text.WriteString(name)
	for i := 0; i+1 < len(labels); i += 2 {
		separator := byte(',')
		if i == 0 {
			separator = '{'
		}
		t.text.WriteByte(separator)
		fmt.Fprintf(&t.text, `%s="%s"`, labels[i], escaper.Replace(labels[i+1]))
	}
	if len(labels) > 0 {
		t.text.WriteByte('}')
	}
	fmt.Fprintf(&t.text, " %v\n", value)
}

// Gauge adds a gauge that has one value without labels.
func (t *Text) Gauge(name, help string, value any) {
	t.Metric(name, Gauge, help)
	t.Sample(name, value)
}

// String returns the text.
func (t *Text) String() string { return t.text.String() }

// Respond sends the text as the response to Prometheus.
func (t *Text) Respond(w http.ResponseWriter) error {
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	_, err := w.Write(t.text.Bytes())
	return err
}
