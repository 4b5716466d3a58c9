package crawl_test

import (
	"slices"
	"testing"

	"github.com/mapatools/mapa/crawl"
)

func TestNewDetail(t *testing.T) {
	for _, c := range []struct {
		arguments []string
		want      crawl.Detail
		split     []string
	}{
		{nil, "error", nil},
		{[]string{""}, "error\t", []string{""}},
		{[]string{"a b", "c"}, "error\ta b\tc", []string{"a b", "c"}},
		{[]string{"a\tb\r\nc\x00ñ\xff"}, "error\ta b  c\x00ñ\xff", []string{"a b  c\x00ñ\xff"}},
	} {
		detail := crawl.NewDetail(crawl.DetailError, c.arguments...)
		code, arguments := detail.Split()
		if detail != c.want || detail.Code() != crawl.DetailError || code != "error" || !slices.Equal(arguments, c.split) {
			t.Errorf("NewDetail(%q) is %q with code %q, split into %q, %q", c.arguments, string(detail),
				string(detail.Code()), code, arguments)
		}
	}
}

func TestNewDetailAllocates(t *testing.T) {
	if n := testing.AllocsPerRun(100, func() { crawl.NewDetail(crawl.DetailDisallowed, "3", "Disallow: /a") }); n != 1 {
		t.Errorf("%v allocations, want 1", n)
	}
}
