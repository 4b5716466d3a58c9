package crawl

import (
	"context"
	"fmt"
	"regexp"

	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/mapatools/mapa/internal/browser"
)

// BrowserPackage is the package of Debian with the browser that costs least.
const BrowserPackage = browser.DebianPackage

// BrowserSettings say which browser renders pages.
type BrowserSettings struct {
	Path      string
	NoSandbox bool
}

// All returns the table of the settings.
func (s *BrowserSettings) All() []setting.Setting {
	return []setting.Setting{
		{Name: "browser", Value: setting.String(&s.Path), Risk: setting.RiskOutside,
			Help: "the `PROGRAM` that renders pages (default: Chromium, where it is installed)"},
		{Name: "browser-no-sandbox", Value: setting.Bool(&s.NoSandbox), Risk: setting.RiskOutside,
			Help: "run the browser without its sandbox: only for sites that you trust"},
	}
}

// The values of render apart from patterns.
const (
	renderNever  = "never"
	RenderAuto   = "auto" // pages that need it
	renderAlways = "always"
)

var renderModes = []string{renderNever, RenderAuto, renderAlways}

// renderSettings returns the table of the settings that say which pages are rendered.
func (s *Settings) renderSettings() []setting.Setting {
	return append([]setting.Setting{
		{Name: "render", Value: setting.String(&s.Render), Risk: setting.RiskNone, Values: setting.Choices(renderModes...),
			Help: "run the scripts of pages: never, auto, always, or of those that match a `PATTERN`"},
		{Name: "max-render", Value: setting.Int(&s.Limits.Render), Risk: setting.RiskNone, FileOnly: true,
			Help: "render at most this many pages"},
	}, s.Browser.All()...)
}

// readRender returns [crawl.Options].RenderPattern.
func readRender(text string) (*regexp.Regexp, error) {
	switch text {
	case renderAlways:
		return regexp.MustCompile(""), nil
	case "", renderNever, RenderAuto:
		return nil, nil
	}
	if setting.Nearest(text, setting.Texts(renderModes)) != "" {
		return nil, setting.Invalid("render", "%s must be %s, or a pattern, not %q",
			setting.OneOf(renderModes), text)
	}
	pattern, err := regexp.Compile(text)
	if err != nil {
		return nil, setting.Wrap("render", err)
	}
	return pattern, nil
}

// Rendering returns what a value of render says about which pages are rendered, or "" where none is.
func Rendering(text string) string {
	if text == renderNever {
		return ""
	}
	return text
}

// recallRender renders the pages that the crawl before rendered, unless the user says which.
func (r *crawlRun) recallRender(before string) error {
	if before == "" || r.render != "" {
		return nil
	}
	pattern, err := readRender(before)
	if err != nil {
		return fmt.Errorf("read the options of the crawl: %w", err)
	}
	r.render, r.options.RenderPattern = before, pattern
	r.app.Notify("notice.rendering")
	return nil
}

// startBrowser starts the browser that the options need, before anything is written. stop ends it.
func (r *crawlRun) startBrowser(ctx context.Context, s *BrowserSettings) (stop func() error, err error) {
	if Rendering(r.render) == "" {
		return func() error { return nil }, nil
	}
	started, err := browser.Start(ctx, browser.Options{
		Path: s.Path, NoSandbox: s.NoSandbox, UserAgent: r.options.Access.UserAgent,
	})
	if err != nil {
		return nil, err
	}
	r.options.Renderer = started
	return started.Close, nil
}

// Check starts the browser, ends it, and returns why that failed.
func (s *BrowserSettings) Check(ctx context.Context) error {
	run := &crawlRun{render: renderAlways}
	stop, err := run.startBrowser(ctx, s)
	if err != nil {
		return err
	}
	return stop()
}
