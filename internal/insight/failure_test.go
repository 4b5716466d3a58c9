package insight_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/insight"
)

// TestFailureVerdict judges start pages that gave an answer, and no others.
func TestFailureVerdict(t *testing.T) {
	for _, test := range []struct {
		err      error
		cause    string
		sentence string
	}{
		{&crawl.StartError{Status: 404}, "site-start-broken",
			"The sitemap cannot be used: the start page cannot be fetched (404 Not Found)."},
		{&crawl.StartError{Status: 401, URL: "https://a.example/"}, "site-login",
			"The sitemap cannot be used: the pages lead to the log-in form at https://a.example/."},
		{&crawl.StartError{Status: 200, MediaType: "image/png"}, "site-start-not-html",
			"The sitemap cannot be used: the start page is image/png."},
		{fmt.Errorf("crawl: %w", &crawl.ForbiddenError{Line: 2}), "site-robots-blocks-all",
			"The sitemap cannot be used: robots.txt blocks the start page."},
		{&crawl.MovedError{To: "https://b.example/"}, "site-other-host",
			"The sitemap cannot be used: canonical URLs or links lead to https://b.example/ on 1 of 1 pages."},
		{&crawl.StartError{}, "", ""},
		{&crawl.ForbiddenError{}, "", ""},
		{errors.New("disk full"), "", ""},
	} {
		v := insight.FailureVerdict(test.err)
		switch {
		case v == nil:
			if test.cause != "" {
				t.Errorf("%v: no verdict", test.err)
			}
		case v.Cause != test.cause || v.Kind != insight.Unusable || v.Action == "":
			t.Errorf("%v: %+v", test.err, v)
		default:
			if got := v.Sentence(catalog.For(catalog.English)); got != test.sentence {
				t.Errorf("%v: %q, want %q", test.err, got, test.sentence)
			}
		}
	}
}
