package crawl

import (
	"context"
	"fmt"
	"regexp"
	"slices"

	"github.com/mapatools/mapa/crawl"
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

// renderModes are the values of render apart from patterns.
var renderModes = []crawl.RenderMode{crawl.RenderNever, crawl.RenderAuto, crawl.RenderAlways}

// renderSettings returns the table of the settings that say which pages are rendered.
func (s *Settings) renderSettings() []setting.Setting {
	return append([]setting.Setting{
		{Name: "render", Value: setting.String(&s.Render), Risk: setting.RiskNone, Values: setting.Choices(renderModes...),
			Help: "run the scripts of pages: never, auto, always, or of those that match a `PATTERN`"},
		{Name: "max-render", Value: setting.Int(&s.Limits.Render), Risk: setting.RiskNone, FileOnly: true,
			Help: "render at most this many pages"},
	}, s.Browser.All()...)
}

// readRender returns which pages are rendered, without a browser.
func readRender(text string) (crawl.Render, error) {
	if mode := crawl.RenderMode(text); text == "" || slices.Contains(renderModes, mode) {
		return crawl.Render{Mode: mode}, nil
	}
	if setting.Nearest(text, setting.Texts(renderModes)) != "" {
		return crawl.Render{}, setting.Invalid("render", "%s must be %s, or a pattern, not %q",
			setting.OneOf(renderModes), text)
	}
	pattern, err := regexp.Compile(text)
	if err != nil {
		return crawl.Render{}, setting.Wrap("render", err)
	}
	return crawl.Render{Mode: crawl.RenderMatching, Pattern: pattern}, nil
}

// rendersPages reports whether a browser is needed.
func rendersPages(r *crawl.Render) bool { return r.Mode != "" && r.Mode != crawl.RenderNever }

// renderText returns what readRender reads, or "" where nothing is rendered.
func renderText(r *crawl.Render) string {
	switch {
	case !rendersPages(r):
		return ""
	case r.Pattern != nil:
		return r.Pattern.String()
	}
	return string(r.Mode)
}

// recallRender renders the pages that the crawl before rendered, unless the user says which.
func (r *crawlRun) recallRender(before string) error {
	if before == "" || r.options.Render.Mode != "" {
		return nil
	}
	render, err := readRender(before)
	if err != nil {
		return fmt.Errorf("read the options of the crawl: %w", err)
	}
	r.options.Render = render
	r.app.Notify("notice.rendering")
	return nil
}

// startBrowser starts the browser that the options need, before anything is written. stop ends it.
func (r *crawlRun) startBrowser(ctx context.Context, s *BrowserSettings) (stop func() error, err error) {
	if !rendersPages(&r.options.Render) {
		return func() error { return nil }, nil
	}
	started, err := browser.Start(ctx, browser.Options{
		Path: s.Path, NoSandbox: s.NoSandbox, UserAgent: r.options.Access.UserAgent,
	})
	if err != nil {
		return nil, err
	}
	r.options.Render.Renderer = started
	return started.Close, nil
}

// Check starts the browser, ends it, and returns why that failed.
func (s *BrowserSettings) Check(ctx context.Context) error {
	run := &crawlRun{options: crawl.Options{Render: crawl.Render{Mode: crawl.RenderAlways}}}
	stop, err := run.startBrowser(ctx, s)
	if err != nil {
		return err
	}
	return stop()
}
