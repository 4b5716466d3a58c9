package crawl_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/robots"
)

// agentSite is a site that has an answer of its own for each user agent.
type agentSite struct {
	answers  map[string]int // status by the name of an agent; 0 drops the connection
	start    string         // where the start page leads to; empty for itself
	mu       sync.Mutex
	requests []string // user agent and path, of pages
}

func (s *agentSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/robots.txt" {
		fmt.Fprint(w, "User-agent: Yandex\nDisallow: /\n")
		return
	}
	name := r.UserAgent()[:strings.IndexAny(r.UserAgent(), "/ ")]
	s.mu.Lock()
	s.requests = append(s.requests, name+" "+r.URL.Path+" "+r.Header.Get("Authorization"))
	s.mu.Unlock()
	if r.URL.Path == "/" && s.start != "" {
		http.Redirect(w, r, s.start, http.StatusFound)
		return
	}
	switch status, has := s.answers[name]; {
	case has && status == 0:
		panic(http.ErrAbortHandler)
	case has && status == http.StatusOK:
		w.Header().Set("cf-mitigated", "challenge")
	case has:
		w.WriteHeader(status)
		return
	}
	w.Header().Set("Content-Type", "text/html")
	fmt.Fprint(w, "<title>Home</title><p>home")
}

// of returns the requests of an agent, one a line.
func (s *agentSite) of(name string) (requests []string) {
	for _, request := range s.requests {
		if strings.HasPrefix(request, name+" ") {
			requests = append(requests, request)
		}
	}
	return requests
}

var testAgents = []crawl.Agent{
	{UserAgent: "Alpha/1", Tokens: []string{"Alpha"}}, {UserAgent: "Beta/1", Tokens: []string{"Beta"}},
	{UserAgent: "YandexBot/1", Tokens: []string{"YandexBot", "Yandex"}},
}

// TestAgents asks for the start page once in the name of each agent that robots.txt does not forbid, with the header of
// the site, and reports the refused ones.
func TestAgents(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		answers map[string]int
		start   string
		want    string // "" if nothing is known
		path    string // that is asked for
	}{
		{"none is refused", nil, "", "none", "/"},
		{"forbidden", map[string]int{"Alpha": 403}, "", "none Alpha/1 403 Forbidden", "/"},
		{"not authorized", map[string]int{"Alpha": 401}, "", "none Alpha/1 401 Unauthorized", "/"},
		{"too many requests", map[string]int{"Beta": 429}, "", "none Beta/1 429 Too Many Requests", "/"},
		{"errors", map[string]int{"Alpha": 500, "Beta": 503}, "",
			"none Alpha/1 500 Internal Server Error Beta/1 503 Service Unavailable", "/"},
		{"a challenge", map[string]int{"Beta": 200}, "", "none Beta/1 200 OK", "/"},
		{"a page that the start leads to", map[string]int{"Alpha": 403}, "/en", "none Alpha/1 403 Forbidden", "/en"},
		{"a site that refuses the crawler too", map[string]int{"Alpha": 403, "Mapa": 404}, "", "", ""},
		{"another host", map[string]int{"Alpha": 403}, "http://other.invalid/", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			site := &agentSite{answers: test.answers, start: test.start}
			origin, got := serve(t, site), ""
			_, _ = run(t, &crawl.MemoryStore{}, &crawl.Options{ // some sites have no start page
				Start: origin, Checks: crawl.Checks{Agents: testAgents},
				Access: access.Access{Headers: map[string]http.Header{origin: {"Authorization": {"secret"}}}},
				OnAgents: func(refused []crawl.Agent) {
					got = "none"
					for _, one := range refused {
						got += fmt.Sprint(" ", one.UserAgent, " ", one.Status, " ", one.Detail)
					}
				},
			})
			if got != test.want {
				t.Errorf("%q is refused, want %q", got, test.want)
			}
			for _, agent := range []string{"Alpha", "Beta"} {
				var want []string
				if test.path != "" {
					want = []string{agent + " " + test.path + " secret"}
				}
				if requests := site.of(agent); !slices.Equal(requests, want) {
					t.Errorf("requests %q, want %q", requests, want)
				}
			}
			if requests := site.of("YandexBot"); len(requests) > 0 {
				t.Errorf("robots.txt forbids %q", requests)
			}
		})
	}
}

// TestAgentDropped reports an agent whose connections the site drops.
func TestAgentDropped(t *testing.T) {
	t.Parallel()
	var found []crawl.Agent
	_, err := run(t, &crawl.MemoryStore{}, &crawl.Options{
		Start: serve(t, &agentSite{answers: map[string]int{"Alpha": 0}}), Checks: crawl.Checks{Agents: testAgents},
		OnAgents: func(refused []crawl.Agent) { found = refused },
	})
	if err != nil || len(found) != 1 || found[0].Status != 0 || found[0].Detail == "" ||
		found[0].UserAgent != "Alpha/1" {
		t.Errorf("%v, %+v", err, found)
	}
}

// TestNoAgents asks in no other name unless that is wanted, and shows the robots.txt of the site.
func TestNoAgents(t *testing.T) {
	t.Parallel()
	site, read := &agentSite{}, 0
	_, err := run(t, &crawl.MemoryStore{}, &crawl.Options{
		Start:    serve(t, site),
		OnAgents: func([]crawl.Agent) { t.Error("agents were asked for") },
		OnRobots: func(file *robots.File) {
			if read++; !file.Group("YandexBot").Verdict("/").Allowed || file.Group("Yandex").Verdict("/").Allowed {
				t.Error("another robots.txt")
			}
		},
	})
	if want := []string{"Mapa / "}; err != nil || read != 1 || !slices.Equal(site.requests, want) {
		t.Errorf("%v, robots.txt was read %d times, requests %q", err, read, site.requests)
	}
}
