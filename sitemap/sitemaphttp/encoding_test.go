package sitemaphttp

import (
	"net/http"
	"testing"
)

func TestAcceptsGzip(t *testing.T) {
	for _, test := range []struct {
		want  bool
		lines []string
	}{
		{false, nil},
		{false, []string{""}},
		{true, []string{"gzip"}},
		{true, []string{"GZip"}},
		{true, []string{"x-gzip"}},
		{true, []string{"deflate, gzip;q=1.0, *;q=0.5"}},
		{true, []string{"br", "gzip;q=0.1"}},
		{true, []string{"*"}},
		{true, []string{"gzip ; Q=0.001"}},
		{true, []string{"gzip, identity"}},
		{true, []string{"identity;q=0.5, gzip;q=0.5"}},
		{false, []string{"identity;q=0.5, gzip;q=0.2"}},
		{false, []string{"gzip;q=0"}},
		{false, []string{"gzip;q=0.000, *"}},
		{false, []string{"*;q=0"}},
		{false, []string{"br, deflate"}},
		{false, []string{"gzipped"}},
		{false, []string{"gzip;q=2"}},
		{false, []string{"gzip;q=NaN"}},
		{false, []string{"gzip;q=-1"}},
		{false, []string{"gzip;q="}},
	} {
		if got := acceptsGzip(http.Header{"Accept-Encoding": test.lines}); got != test.want {
			t.Errorf("%q: %t", test.lines, got)
		}
	}
}
