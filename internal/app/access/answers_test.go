package access

import (
	"testing"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/app"
)

// optionsOf returns the options of a crawl that checks other sites.
func optionsOf(t *testing.T, s *AccessSettings) *crawl.Options {
	t.Helper()
	o := &crawl.Options{Checks: crawl.Checks{External: true}}
	requested, err := s.Access("", []string{"https://example.com/"}, nil)
	if err == nil {
		err = s.SetOptions(o, requested)
	}
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// TestShareAnswers shares answers only between crawls of the user that ask other sites.
func TestShareAnswers(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*AccessSettings, *crawl.Options)
		want   bool
	}{
		"external":     {func(*AccessSettings, *crawl.Options) {}, true},
		"assets":       {func(_ *AccessSettings, o *crawl.Options) { o.Checks = crawl.Checks{Assets: true} }, true},
		"neither":      {func(_ *AccessSettings, o *crawl.Options) { o.Checks = crawl.Checks{} }, false},
		"off":          {func(_ *AccessSettings, o *crawl.Options) { o.AnswerAge = 0 }, false},
		"for everyone": {func(_ *AccessSettings, o *crawl.Options) { o.Access.PublicOnly = true }, false},
		"own only":     {func(_ *AccessSettings, o *crawl.Options) { o.Local.Offline = true }, false},
	} {
		s := NewAccessSettings()
		o := optionsOf(t, &s)
		test.change(&s, o)
		end := s.ShareAnswers(&app.App{CacheFolder: t.TempDir()}, o)
		if got := o.Answers != nil; got != test.want {
			t.Errorf("%s: %v", name, got)
		}
		end()
	}
	s := NewAccessSettings()
	o := optionsOf(t, &s)
	s.ShareAnswers(&app.App{}, o)()
	if o.Answers != nil {
		t.Error("answers are shared without a folder")
	}
}

// TestAnswersProfile separates the answers of crawls whose settings change them.
func TestAnswersProfile(t *testing.T) {
	profiles := map[string]string{}
	for name, change := range map[string]func(*AccessSettings, *crawl.Options){
		"default":       func(*AccessSettings, *crawl.Options) {},
		"user-agent":    func(s *AccessSettings, _ *crawl.Options) { s.UserAgent = "other" },
		"proxy":         func(s *AccessSettings, _ *crawl.Options) { s.Proxy = "http://proxy.example:8080" },
		"timeout":       func(s *AccessSettings, _ *crawl.Options) { s.Timeout = 1 },
		"insecure":      func(s *AccessSettings, _ *crawl.Options) { s.Insecure = true },
		"ignore-robots": func(_ *AccessSettings, o *crawl.Options) { o.Scope.IgnoreRobots = true },
		"trap":          func(_ *AccessSettings, o *crawl.Options) { o.Traps.Redirects = 3 },
	} {
		s, o := NewAccessSettings(), &crawl.Options{}
		change(&s, o)
		after := optionsOf(t, &s)
		after.Scope, after.Traps = o.Scope, o.Traps
		profile := s.answersProfile(after)
		if other := profiles[profile]; other != "" {
			t.Errorf("%s and %s share answers", name, other)
		}
		profiles[profile] = name
	}
	s := NewAccessSettings()
	s.User, s.Accept = "me:secret", []string{"404"}
	if profiles[s.answersProfile(optionsOf(t, &s))] != "default" {
		t.Error("settings about the site separate the answers of other sites")
	}
}

// TestExternalMaxAge refuses a negative age.
func TestExternalMaxAge(t *testing.T) {
	s := NewAccessSettings()
	s.ExternalMaxAge = -1
	if err := s.SetOptions(&crawl.Options{}, access.Access{}); err == nil {
		t.Error("a negative age is accepted")
	}
}
