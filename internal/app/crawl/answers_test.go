package crawl

import (
	"net/url"
	"testing"

	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/addresses"
)

// runWith returns a run with settings that change adjusts, of an app with a folder for caches.
func runWith(t *testing.T, change func(*Settings)) *crawlRun {
	t.Helper()
	s := NewSettings()
	s.Output, s.External = t.TempDir(), true
	change(s)
	start, err := addresses.ReadStart("https://example.com/")
	if err != nil {
		t.Fatal(err)
	}
	run, err := newRun(&app.App{CacheFolder: t.TempDir()}, start, nil, false, s)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// TestShareAnswers shares answers only between crawls of the user that ask other sites.
func TestShareAnswers(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*Settings)
		want   bool
	}{
		"external":     {func(*Settings) {}, true},
		"assets":       {func(s *Settings) { s.External, s.Assets = false, true }, true},
		"neither":      {func(s *Settings) { s.External = false }, false},
		"off":          {func(s *Settings) { s.ExternalMaxAge = 0 }, false},
		"for everyone": {func(s *Settings) { s.Access.PublicOnly = true }, false},
	} {
		run := runWith(t, test.change)
		end := run.shareAnswers()
		if got := run.options.Answers != nil; got != test.want {
			t.Errorf("%s: %v", name, got)
		}
		end()
	}
	run := runWith(t, func(*Settings) {})
	run.app.CacheFolder = ""
	run.shareAnswers()()
	if run.options.Answers != nil {
		t.Error("answers are shared without a folder")
	}
}

// TestAnswersProfile separates the answers of crawls whose settings change them.
func TestAnswersProfile(t *testing.T) {
	profiles := map[string]string{}
	for name, change := range map[string]func(*Settings){
		"default":       func(*Settings) {},
		"user-agent":    func(s *Settings) { s.Access.UserAgent = "other" },
		"proxy":         func(s *Settings) { s.Access.Proxy = "http://proxy.example:8080" },
		"timeout":       func(s *Settings) { s.Access.Timeout = 1 },
		"insecure":      func(s *Settings) { s.Access.Insecure = true },
		"ignore-robots": func(s *Settings) { s.IgnoreRobots = true },
		"trap":          func(s *Settings) { s.Traps = map[string]int{"redirects": 3} },
	} {
		profile := runWith(t, change).answersProfile()
		if other := profiles[profile]; other != "" {
			t.Errorf("%s and %s share answers", name, other)
		}
		profiles[profile] = name
	}
	site := runWith(t, func(s *Settings) { s.Access.User, s.Access.Accept, s.Assets = "me:secret", []string{"404"}, true })
	if profiles[site.answersProfile()] != "default" {
		t.Error("settings about the site separate the answers of other sites")
	}
}

// TestExternalMaxAge refuses a negative age.
func TestExternalMaxAge(t *testing.T) {
	s := NewSettings()
	s.ExternalMaxAge = -1
	if _, err := s.Options(&url.URL{}); err == nil {
		t.Error("a negative age is accepted")
	}
}
