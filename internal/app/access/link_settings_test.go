package access

import (
	"slices"
	"strings"
	"testing"

	"github.com/mapatools/mapa/crawl"
)

// TestLinks reads the policy of links, with the accepted failures last.
func TestLinks(t *testing.T) {
	s := AccessSettings{
		Policy: []LinkSettings{
			{URL: `^https://jobs\.example/`, Status: []string{"999", "5xx", "400-403", "dns"}, Level: "skip"},
			{URL: "https://Intranet.example:443/", User: "me:sesame", Header: []string{"X-Key: k"}, Rate: "0"},
			{URL: "https://api.example", Cookie: "session=1", Level: "error"},
		},
		Accept: []string{"200-299", "timeout"},
	}
	policy, origins, err := s.links()
	if err != nil {
		t.Fatal(err)
	}
	want := []crawl.LinkRule{
		{Level: crawl.LinkSkip, Statuses: [][2]int{{999, 999}, {500, 599}, {400, 403}}, Causes: []string{crawl.CauseDNS}},
		{Level: crawl.LinkError},
		{Level: crawl.LinkSkip, Statuses: [][2]int{{200, 299}}, Causes: []string{crawl.CauseTimeout}},
	}
	if len(policy) != len(want) {
		t.Fatalf("%+v", policy)
	}
	for i, rule := range policy {
		if rule.Level != want[i].Level || !slices.Equal(rule.Statuses, want[i].Statuses) ||
			!slices.Equal(rule.Causes, want[i].Causes) {
			t.Errorf("%+v, want %+v", rule, want[i])
		}
	}
	if got := policy[1].URL.String(); got != `^https://api\.example/` || policy[2].URL != nil {
		t.Errorf("patterns %s and %v", got, policy[2].URL)
	}
	intranet, api := origins["https://intranet.example"], origins["https://api.example"]
	if intranet.Header.Get("Authorization") != "Basic bWU6c2VzYW1l" || intranet.Header.Get("X-Key") != "k" ||
		intranet.Rate == nil || intranet.Rate.Limit() != 0 || api.Header.Get("Cookie") != "session=1" || api.Rate != nil ||
		len(origins) != 2 {
		t.Errorf("%+v", origins)
	}
}

// TestInvalidLinks names the entry and the key that is wrong, and never a secret.
func TestInvalidLinks(t *testing.T) {
	const origin = "https://intranet.example/"
	for want, entry := range map[string]LinkSettings{
		"url is missing: a pattern":                  {Level: "skip"},
		"level is missing: error, warning, info or":  {URL: "x"},
		"level is missing: error, warning, info":     {URL: origin, Rate: "1", Status: []string{"403"}},
		`level must be error, warning, info or skip`: {URL: "x", Level: "off"},
		`status: unknown status "6x"`:                {URL: "x", Level: "skip", Status: []string{"403", "6x"}},
		`unknown status "0xx"`:                       {URL: "x", Level: "skip", Status: []string{"0xx"}},
		`unknown status "403-400"`:                   {URL: "x", Level: "skip", Status: []string{"403-400"}},
		"url: error parsing regexp":                  {URL: "(", Level: "skip"},
		"user must be NAME:PASSWORD":                 {URL: origin, User: "sesame"},
		"header must be NAME: VALUE on one line":     {URL: origin, Header: []string{"sesame"}},
		"cookie must be NAME=VALUE on one line":      {URL: origin, Cookie: "sesame"},
		`rate "fast"`:                                {URL: origin, Rate: "fast"},
		"url must be the origin that user, cookie":   {URL: `^https://intranet\.example/`, User: "me:sesame"},
		"url must be the origin that user":           {URL: origin + "wiki/", User: "me:sesame"},
		"url must be the origin":                     {URL: "https://me:sesame@intranet.example/", Rate: "1"},
		"url must be the":                            {URL: "ftp://intranet.example/", Cookie: "a=sesame"},
		"url must be":                                {URL: "https://", Cookie: "a=sesame"},
		"url must":                                   {URL: "https://intranet.example?sesame", Cookie: "a=sesame"},
		"url ":                                       {URL: "intranet.example", Header: []string{"X-Key: sesame"}},
	} {
		s := AccessSettings{Policy: []LinkSettings{{URL: "x", Level: "info"}, entry}}
		_, _, err := s.links()
		if err == nil || !strings.HasPrefix(err.Error(), "link-policy: entry 2: ") || !strings.Contains(err.Error(), want) ||
			strings.Contains(err.Error(), "sesame") {
			t.Errorf("%+v: %v, want %s", entry, err, want)
		}
	}
	twice := AccessSettings{Policy: []LinkSettings{{URL: origin, Rate: "1"}, {URL: "https://intranet.example", Rate: "2"}}}
	if _, _, err := twice.links(); err == nil ||
		err.Error() != "link-policy: entry 2: an entry before says how https://intranet.example is requested" {
		t.Error(err)
	}
}
