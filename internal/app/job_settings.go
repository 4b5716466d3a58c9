package app

import (
	"encoding/json"
	"slices"

	"github.com/mapatools/mapa/internal/urlnorm"
)

// localSettings name files of this machine, which workers do not have, or an output that
// several sites would share.
var localSettings = []string{
	"list", "log", "cookie-file", "ca-file", "publish", "robots-txt", "baseline", "write-baseline", "output",
}

// encodeForWorkers validates the settings of a site and returns them for workers.
func (a *App) encodeForWorkers(start startAddress, s *CrawlSettings, defaults []Setting) (json.RawMessage, error) {
	all := s.forWorkers()
	if err := s.checkForWorkers(all, defaults); err != nil {
		return nil, err
	}
	if _, err := a.newRun(start, nil, false, s); err != nil {
		return nil, err
	}
	return encodeSettings(all, defaults)
}

// decodeForWorkers returns the settings that encodeForWorkers has returned. They may have been
// written by anybody who may write to the servers, and name no file of this machine.
func decodeForWorkers(encoded []byte) (*CrawlSettings, error) {
	s := NewCrawlSettings()
	all := s.forWorkers()
	if err := decodeSettings(all, encoded); err != nil {
		return nil, err
	}
	return s, s.checkForWorkers(all, NewCrawlSettings().forWorkers())
}

// checkForWorkers refuses settings that name files.
func (s *CrawlSettings) checkForWorkers(all, defaults []Setting) error {
	for _, name := range localSettings {
		if !slices.Equal(Find(all, name).texts(), Find(defaults, name).texts()) {
			return badSetting(name, "%s cannot be used with {nats}: workers do not have the files of this machine")
		}
	}
	for _, location := range s.Seeds.Sitemaps {
		if !urlnorm.IsHTTP(location) {
			return badSetting("sitemap", "%s must be a URL with {nats}: workers do not have the files of this machine")
		}
	}
	return nil
}
