package service

import (
	"context"

	appcrawl "github.com/mapatools/mapa/internal/app/crawl"
	"github.com/mapatools/mapa/internal/catalog"
)

// BrowserHint returns what to do when no browser can render pages, by the code of the failure.
// The command line has the same hint.
func BrowserHint(c *catalog.Catalog, code string) string {
	return c.Text("hint."+code, appcrawl.BrowserPackage)
}

// checkBrowser starts the browser if the option render needs one, and returns an [*OptionError] if
// that fails. A browser that started once is not checked again.
func (s *Service) checkBrowser(ctx context.Context, render []string) error {
	if len(render) == 0 || appcrawl.Rendering(render[0]) == "" || s.options.Workers != nil {
		return nil
	}
	s.browserMutex.Lock()
	defer s.browserMutex.Unlock()
	if s.browserStarted {
		return nil
	}
	if err := s.options.Browser.Check(ctx); err != nil {
		return &OptionError{"render", err}
	}
	s.browserStarted = true
	return nil
}
