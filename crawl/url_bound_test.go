package crawl

import "testing"

// TestURLBound lets links lead to new URLs as long as there are few for each request.
func TestURLBound(t *testing.T) {
	site, err := newSite(&Options{Start: "https://site.example/"})
	if err != nil {
		t.Fatal(err)
	}
	defer site.client.Close()
	s := newState(site)
	s.lastID = freeURLs
	for _, test := range []struct {
		link     resolvedLink
		requests int
		want     bool
	}{
		{resolvedLink{}, 0, false},
		{resolvedLink{}, 1, true},
		{resolvedLink{isTarget: true}, 0, true},
		{resolvedLink{source: SeedSitemap}, 0, true},
	} {
		s.tally.Requests = test.requests
		if got := s.canAddLocked(&test.link); got != test.want {
			t.Errorf("%+v after %d requests: %t", test.link, test.requests, got)
		}
	}
}
