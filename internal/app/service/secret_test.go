package service

import (
	"errors"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/mapatools/mapa/internal/jobs"
)

// secretsOf are options with a secret of each kind.
func secretsOf() map[string][]string {
	return map[string][]string{
		"user": {"me:hunter2"}, "cookie": {"a=hunter2"}, "header": {"Authorization: hunter2", "X-Key: hunter2"},
		"proxy":   {"http://me:hunter2@proxy.example:3128"},
		"sitemap": {"https://me:hunter2@files.example/one.xml", "https://www.example.com/two.xml"},
		"rate":    {"5"},
	}
}

// TestSecretsGoNowhereElse changes a schedule and repeats a crawl as they are shown. Their
// secrets are kept only where they go the way that they were given for.
func TestSecretsGoNowhereElse(t *testing.T) {
	t.Parallel()
	s := open(t, Options{Folder: t.TempDir()})
	defer s.Close()
	set := func(name string, values ...string) func(*Schedule) {
		return func(x *Schedule) { x.Options[name] = values }
	}
	address := func(url string) func(*Schedule) { return func(x *Schedule) { x.URL = url } }
	without := func(names ...string) func(*Schedule) {
		return func(x *Schedule) {
			for _, name := range names {
				delete(x.Options, name)
			}
		}
	}
	const start = "https://www.example.com/shop/"
	for _, test := range []struct {
		name    string
		url     string // of the target, when it is not start
		change  []func(*Schedule)
		refused string              // option, or empty when the secrets are kept
		want    map[string][]string // that are not those of the target
	}{
		{name: "as it was"},
		{name: "another page", change: []func(*Schedule){address("https://www.example.com/")}},
		{name: "another spelling", change: []func(*Schedule){address("HTTPS://WWW.Example.com:443/shop/")}},
		{name: "the scheme that is guessed", url: "www.example.com",
			change: []func(*Schedule){address("https://www.example.com/")}},
		{name: "Punycode", url: "https://exämple.com/", change: []func(*Schedule){address("https://xn--exmple-cua.com/")}},
		{name: "another host", change: []func(*Schedule){address("https://evil.example/")}, refused: "cookie"},
		{name: "https to http", change: []func(*Schedule){address("http://www.example.com/shop/")}, refused: "cookie"},
		{name: "http to https", url: "http://www.example.com/", change: []func(*Schedule){address(start)}, refused: "cookie"},
		{name: "http on the port of https", refused: "cookie",
			change: []func(*Schedule){address("http://www.example.com:443/")}},
		{name: "another port", change: []func(*Schedule){address("https://www.example.com:8443/")}, refused: "cookie"},
		{name: "a subdomain", change: []func(*Schedule){address("https://a.www.example.com/")}, refused: "cookie"},
		{name: "without www", change: []func(*Schedule){address("https://example.com/")}, refused: "cookie"},
		{name: "the host as user information", change: []func(*Schedule){address("https://www.example.com@evil.example/")},
			refused: "cookie"},
		{name: "another spelling of another host", refused: "cookie",
			change: []func(*Schedule){address("https://www.example.com.evil.example/shop/")}},
		{name: "only a password", refused: "user",
			change: []func(*Schedule){address("https://evil.example/"), without("cookie", "header", "proxy", "sitemap")}},
		{name: "only a header", refused: "header",
			change: []func(*Schedule){address("https://evil.example/"), without("cookie", "user", "proxy", "sitemap")}},
		{name: "only a proxy", refused: "proxy",
			change: []func(*Schedule){address("https://evil.example/"), without("cookie", "user", "header", "sitemap")}},
		{name: "the password given again, for another host", refused: "cookie",
			change: []func(*Schedule){address("https://me:other@evil.example/")}},
		{name: "the password given again in the address", want: map[string][]string{"user": {"me:new"}},
			change: []func(*Schedule){address("https://me:new@www.example.com/")}},
		{name: "all of them given again, for another host", change: []func(*Schedule){
			address("https://other.example/"), set("user", "a:b"), set("cookie", "a=b"), set("header", "A: b"),
			set("proxy", "http://p:1"), without("sitemap"),
		}, want: map[string][]string{
			"user": {"a:b"}, "cookie": {"a=b"}, "header": {"A: b"}, "proxy": {"http://p:1"}, "sitemap": nil}},
		{name: "none, for another host", change: []func(*Schedule){
			address("https://other.example/"), without("user", "cookie", "header", "proxy", "sitemap"),
		}, want: map[string][]string{"user": nil, "cookie": nil, "header": nil, "proxy": nil, "sitemap": nil}},
		{name: "another proxy", change: []func(*Schedule){set("proxy", "http://evil.example:8080")}, refused: "cookie"},
		{name: "no proxy", change: []func(*Schedule){without("proxy")}, refused: "cookie"},
		{name: "without a check of the certificate", change: []func(*Schedule){set("insecure", "true")}, refused: "cookie"},
		{name: "without a check, in another word", change: []func(*Schedule){set("insecure", "T")}, refused: "cookie"},
		{name: "the check named", change: []func(*Schedule){set("insecure", "false")}},
		{name: "a public URL", change: []func(*Schedule){set("base-url", "https://public.example/")}},
		{name: "a header more", change: []func(*Schedule){set("header", "X-New: 1", Redacted)},
			want: map[string][]string{"header": {"X-New: 1", "Authorization: hunter2", "X-Key: hunter2"}}},
		{name: "another option", change: []func(*Schedule){set("rate", "1")}},
		{name: "a sitemap of another host in place of the stored one",
			change: []func(*Schedule){set("sitemap", "https://"+Redacted+"@evil.example/one.xml")}, refused: "sitemap"},
		{name: "a stored sitemap by http",
			change: []func(*Schedule){set("sitemap", "http://"+Redacted+"@files.example/one.xml")}, refused: "sitemap"},
		{name: "a stored sitemap through another proxy", refused: "sitemap",
			change: []func(*Schedule){set("proxy", "http://evil.example:8080"), without("user", "cookie", "header")}},
		{name: "a stored sitemap for another start", want: map[string][]string{"user": nil, "cookie": nil, "header": nil},
			change: []func(*Schedule){
				address("https://other.example/"), without("user", "cookie", "header"), set("proxy", secretsOf()["proxy"]...)}},
	} {
		t.Run(test.name, func(t *testing.T) {
			from := Schedule{URL: start, Every: time.Hour, Options: secretsOf()}
			if test.url != "" {
				from.URL = test.url
			}
			schedule, err := s.PutSchedule(t.Context(), from)
			if err != nil {
				t.Fatal(err)
			}
			crawl, err := s.Start(t.Context(), Request{URL: from.URL, Options: from.Options})
			if err != nil {
				t.Fatal(err)
			}
			for _, shown := range []any{crawl, schedule} {
				if text := dump(t, shown); !notContains(text, "hunter2") {
					t.Fatalf("shown: %s", text)
				}
			}
			changed := *schedule
			changed.Options = maps.Clone(schedule.Options)
			for _, change := range test.change {
				change(&changed)
			}
			want := secretsOf()
			maps.Copy(want, test.want)
			_, err = s.PutSchedule(t.Context(), changed)
			checkSecrets(t, "a schedule", err, test.refused, want, optionsOfSchedule(t, s, schedule.ID))
			again, err := s.Start(t.Context(), Request{URL: changed.URL, Options: changed.Options, Like: crawl.ID})
			id := crawl.ID
			if again != nil {
				id = again.ID
			}
			checkSecrets(t, "a crawl", err, test.refused, want, optionsOfCrawl(t, s, id))
		})
	}
}

// checkSecrets checks whether a request was refused because of an option, or else what it
// stored.
func checkSecrets(t *testing.T, what string, err error, refused string, want, stored map[string][]string) {
	t.Helper()
	if refused != "" {
		option, ok := errors.AsType[*OptionError](err)
		if !ok || option.Name != refused && refused != "cookie" || !errors.Is(err, ErrSecret) {
			t.Errorf("%s: %v, want that the secret of %s is asked for", what, err, refused)
		}
		want = secretsOf()
	} else if err != nil {
		t.Errorf("%s: %v", what, err)
	}
	for _, name := range []string{"user", "cookie", "header", "proxy", "sitemap"} {
		if !slices.Equal(stored[name], want[name]) {
			t.Errorf("%s has %s %q, want %q", what, name, stored[name], want[name])
		}
	}
}

func optionsOfSchedule(t *testing.T, s *Service, id string) (options map[string][]string) {
	t.Helper()
	err := s.store.Update(t.Context(), func(tx *jobs.Tx) error {
		stored, err := tx.Schedule(id)
		if err == nil {
			options = stored.Options
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return options
}

func optionsOfCrawl(t *testing.T, s *Service, id string) (options map[string][]string) {
	t.Helper()
	err := s.store.Update(t.Context(), func(tx *jobs.Tx) error {
		stored, err := tx.Crawl(id)
		if err == nil {
			options = stored.Options
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return options
}

// TestUnknownSecrets refuses the text that is shown for a secret where none is stored.
func TestUnknownSecrets(t *testing.T) {
	t.Parallel()
	s := open(t, Options{Folder: t.TempDir()})
	defer s.Close()
	plain, err := s.Start(t.Context(), Request{URL: "https://www.example.com/"})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ option, value string }{
		{"user", Redacted}, {"cookie", Redacted}, {"header", Redacted}, {"proxy", Redacted},
		{"sitemap", "https://" + Redacted + "@www.example.com/sitemap.xml"},
	} {
		options := map[string][]string{test.option: {test.value}}
		for _, like := range []string{"", plain.ID} {
			_, err := s.Start(t.Context(), Request{URL: "https://www.example.com/", Options: options, Like: like})
			if option, ok := errors.AsType[*OptionError](err); !ok || option.Name != test.option || !errors.Is(err, ErrSecret) {
				t.Errorf("%s: %v", test.option, err)
			}
		}
		schedule := Schedule{URL: "https://www.example.com/", Every: time.Hour, Options: options}
		if _, err := s.PutSchedule(t.Context(), schedule); !errors.Is(err, ErrSecret) {
			t.Errorf("a schedule with %s: %v", test.option, err)
		}
	}
	for _, webhook := range []string{"https://hooks.example/" + Redacted, "http://hooks.example:443/" + Redacted} {
		schedule := Schedule{URL: "https://www.example.com/", Every: time.Hour, Webhook: webhook}
		_, err := s.PutSchedule(t.Context(), schedule)
		if field, ok := errors.AsType[*ScheduleError](err); !ok || field.Field != "webhook" || !errors.Is(err, ErrSecret) {
			t.Errorf("webhook %s: %v", webhook, err)
		}
	}
}

// TestSecretsOnTheWire crawls a site with a password and repeats the crawl for another
// site, which gets no request.
func TestSecretsOnTheWire(t *testing.T) {
	t.Parallel()
	asked := make(chan http.Header, 100)
	site := newSite(t, 2)
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { asked <- r.Header }))
	defer other.Close()
	s, _ := start(t, Options{Folder: t.TempDir()})
	first, err := s.Start(t.Context(), Request{URL: site.URL, Options: map[string][]string{
		"user": {"me:hunter2"}, "header": {"X-Key: hunter2"}, "cookie": {"a=hunter2"}, "rate": {"0"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	ended(t, s, first.ID)
	options := first.Options
	_, err = s.Start(t.Context(), Request{URL: other.URL, Options: options, Like: first.ID})
	if !errors.Is(err, ErrSecret) {
		t.Errorf("another site: %v", err)
	}
	// The public URL of a preview gets no request, and the preview none of its passwords.
	options = map[string][]string{
		"sitemap": {"http://me:hunter2@public.example/sitemap.xml"}, "base-url": {"http://public.example/"}, "rate": {"0"},
	}
	preview, err := s.Start(t.Context(), Request{URL: other.URL, Options: options})
	if err != nil {
		t.Fatal(err)
	}
	ended(t, s, preview.ID)
	if len(asked) == 0 {
		t.Error("the preview was not requested")
	}
	for len(asked) > 0 {
		if header := <-asked; header.Get("Authorization")+header.Get("X-Key")+header.Get("Cookie") != "" {
			t.Errorf("another site got %v", header)
		}
	}
}
