package announce

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/announce"
	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/setting"
)

// A credentialError says that a provider was asked for without its credentials.
type credentialError struct{ provider, need string }

// Error says what is missing.
func (e *credentialError) Error() string {
	return "no credentials for " + e.provider + ": set " + e.need
}

// announcers returns the chosen providers, except for robots.txt, and whether that is
// chosen.
func announcers(
	s *Settings, c *secretValues, options *announce.Options,
) (all []announce.Announcer, robots bool, err error) {
	hasGoogle := c.googleFile != "" || hasDefaultCredentials()
	robots = len(s.To) == 0 || slices.Contains(s.To, string(announce.ProviderRobots))
	for _, p := range []struct {
		provider announce.Provider
		has      bool // it has what it needs
		need     string
		open     func() (announce.Announcer, error)
	}{
		{announce.ProviderGoogle, hasGoogle, variableGoogle, func() (announce.Announcer, error) {
			return announce.NewGoogle(announce.GoogleOptions{CredentialsFile: c.googleFile}, options)
		}},
		{announce.ProviderBing, c.bing != "", variableBing, func() (announce.Announcer, error) {
			return announce.NewBing(announce.BingOptions{Key: c.bing}, options)
		}},
		{announce.ProviderIndexNow, c.indexNowKey != "", variableIndexNow, func() (announce.Announcer, error) {
			return announce.NewIndexNow(announce.IndexNowOptions{Key: c.indexNowKey, KeyLocation: c.indexNowLocation}, options)
		}},
		{announce.ProviderYandex, c.yandex != "", variableYandex, func() (announce.Announcer, error) {
			return announce.NewYandex(announce.YandexOptions{Token: c.yandex}, options)
		}},
		{announce.ProviderBaidu, c.baidu != "", variableBaidu, func() (announce.Announcer, error) {
			return announce.NewBaidu(announce.BaiduOptions{Token: c.baidu}, options)
		}},
		{announce.ProviderWebSub, len(s.Hubs) > 0, "", func() (announce.Announcer, error) {
			return announce.NewWebSub(announce.WebSubOptions{Hubs: s.Hubs}, options)
		}},
	} {
		asked := slices.Contains(s.To, string(p.provider))
		switch {
		case !asked && (len(s.To) > 0 || !p.has):
			continue
		case asked && !p.has && p.need != "" && p.provider != announce.ProviderGoogle:
			return nil, robots, setting.Invalid("to", "%s %s: %v", p.provider, &credentialError{string(p.provider), p.need})
		}
		announcer, err := p.open()
		if err != nil {
			return nil, robots, &ProviderError{p.provider, err}
		}
		all = append(all, announcer)
	}
	return all, robots, nil
}

// A ProviderError says that the credentials or options of a provider cannot be used.
type ProviderError struct {
	Provider announce.Provider
	Err      error
}

// Error names the provider.
func (e *ProviderError) Error() string { return string(e.Provider) + ": " + e.Err.Error() }

// Unwrap returns the reason.
func (e *ProviderError) Unwrap() error { return e.Err }

// hasDefaultCredentials reports whether gcloud left application default credentials where
// Google's libraries look for them.
func hasDefaultCredentials() bool {
	home, err := os.UserHomeDir()
	if err != nil {
		return false
	}
	folder := filepath.Join(home, ".config")
	if runtime.GOOS == "windows" {
		folder = os.Getenv("APPDATA")
	}
	info, err := os.Stat(filepath.Join(folder, "gcloud", "application_default_credentials.json"))
	return err == nil && info.Mode().IsRegular()
}

// announceOptions are common to all providers.
func announceOptions(a *app.App, s *Settings, c *secretValues, ledger announce.Ledger) *announce.Options {
	wait := s.Wait
	if wait == 0 {
		wait = -1
	}
	return &announce.Options{
		Access: access.Access{UserAgent: a.UserAgent()},
		Ledger: ledger, Endpoint: s.Endpoint, Secrets: c.secrets(), Wait: wait,
		OnWait: func(p announce.Provider, wait time.Duration, why *announce.Error) {
			a.Emit(Waiting{wait, why})
		},
	}
}
