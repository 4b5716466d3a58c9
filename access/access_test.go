package access_test

import (
	"math"
	"net/http"
	"testing"

	"github.com/mapatools/mapa/access"
)

func TestRate(t *testing.T) {
	for text, want := range map[string]float64{"5": 5, "0.5": 0.5, "0": 0, "1e3": 1000, "auto": 0} {
		rate, err := access.ParseRate(text)
		if err != nil || rate.Limit() != want {
			t.Errorf("%s: %v, %v; want %v", text, rate.Limit(), err, want)
		}
		again, err := access.ParseRate(rate.String())
		if err != nil || again != rate {
			t.Errorf("%s: String gives %q, which reads as %v, %v", text, rate, again, err)
		}
	}
	for _, text := range []string{"", "-1", "NaN", "fast", "5/s"} {
		rate := access.PerSecond(7)
		if err := rate.UnmarshalText([]byte(text)); err == nil || rate != access.PerSecond(7) {
			t.Errorf("%q: %v, %v; want an error and no change", text, rate, err)
		}
	}
	for _, n := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		if rate := access.PerSecond(n); rate.Limit() != 0 {
			t.Errorf("PerSecond(%v): %v, want no limit", n, rate)
		}
	}
	if auto, _ := access.ParseRate("auto"); auto != access.AutoRate() || auto == access.PerSecond(0) {
		t.Errorf("auto is %v", auto)
	}
	if rate := (access.Rate{}); rate.Limit() != access.DefaultRate || rate == access.PerSecond(0) {
		t.Errorf("the zero Rate is %v", rate)
	}
}

// TestSetBasicAuth adds a password to one origin, and to no copy that was made before.
func TestSetBasicAuth(t *testing.T) {
	const origin = "https://a.example"
	before := access.Access{Headers: map[string]http.Header{
		origin: {"X-Key": {"k"}}, "https://b.example": {"X-Key": {"b"}},
	}}
	after := before
	after.SetBasicAuth(origin, "me", "a:b")
	if len(before.Headers[origin]) != 1 || after.Headers[origin].Get("X-Key") != "k" ||
		after.Headers["https://b.example"].Get("X-Key") != "b" || len(after.Headers) != 2 {
		t.Errorf("%v became %v", before.Headers, after.Headers)
	}
	request := http.Request{Header: after.Headers[origin]}
	if name, password, ok := request.BasicAuth(); !ok || name != "me" || password != "a:b" {
		t.Errorf("sent %q, %q, %t", name, password, ok)
	}
}
