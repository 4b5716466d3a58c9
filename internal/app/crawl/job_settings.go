package crawl

import (
	"encoding/json"
	"slices"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/addresses"
	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/mapatools/mapa/internal/urlnorm"
)

// localSettings name files of this machine, which workers do not have, or an output that
// several sites would share.
var localSettings = []string{
	"list", "log", "cookie-file", "ca-file", "publish", "robots-txt", "baseline", "write-baseline", "output",
}

// encodeForWorkers validates the settings of a site and returns them for workers.
func encodeForWorkers(
	a *app.App, start addresses.StartAddress, s *Settings, defaults []setting.Setting,
) (json.RawMessage, error) {
	all := s.forWorkers()
	if err := s.checkForWorkers(all, defaults); err != nil {
		return nil, err
	}
	if _, err := newRun(a, start, nil, false, s); err != nil {
		return nil, err
	}
	return setting.EncodeSettings(all, defaults)
}

// decodeForWorkers returns the settings that encodeForWorkers has returned. They may have been
// written by anybody who may write to the servers, and name no file of this machine.
func decodeForWorkers(encoded []byte) (*Settings, error) {
	s := NewSettings()
	all := s.forWorkers()
	if err := setting.DecodeSettings(all, encoded); err != nil {
		return nil, err
	}
	return s, s.checkForWorkers(all, NewSettings().forWorkers())
}

// checkForWorkers refuses settings that name files.
func (s *Settings) checkForWorkers(all, defaults []setting.Setting) error {
	for _, name := range localSettings {
		if !slices.Equal(setting.Find(all, name).Value.Texts(), setting.Find(defaults, name).Value.Texts()) {
			return setting.Invalid(name, "%s cannot be used with {nats}: workers do not have the files of this machine")
		}
	}
	for _, name := range []string{"render", "max-render", "browser", "browser-no-sandbox"} {
		given := setting.Find(all, name)
		if slices.Equal(given.Value.Texts(), setting.Find(defaults, name).Value.Texts()) {
			continue
		}
		invalid := setting.Invalid
		if !given.HasFlag() {
			invalid = setting.InvalidKey
		}
		return invalid(name, "%s cannot be used with {nats}: workers have no browser")
	}
	if s.CheckAgents {
		return setting.Invalid("check-agents", "%s cannot be used with {nats}: workers do not keep what it finds")
	}
	if s.OnlySeeds() {
		return setting.Invalid(crawl.LimitDepth, "%s 0 cannot be used with {nats}: jobs crawl whole sites")
	}
	for _, location := range s.Seeds.sitemaps() {
		if !urlnorm.IsHTTP(location) {
			return setting.Invalid("sitemap", "%s must be a URL with {nats}: workers do not have the files of this machine")
		}
	}
	return nil
}
