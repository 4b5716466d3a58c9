package service

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/app/addresses"
	appcrawl "github.com/mapatools/mapa/internal/app/crawl"
	"github.com/mapatools/mapa/internal/app/setting"
)

// An OptionError says which option of a request cannot be used, and why.
type OptionError struct {
	Name string
	Err  error // a *setting.Error, or why it is not offered
}

// Error gives the reason.
func (e *OptionError) Error() string {
	if setting, ok := errors.AsType[*setting.Error](e.Err); ok {
		return setting.Error()
	}
	return fmt.Sprintf("%s: %v", e.Name, e.Err)
}

// Unwrap returns the reason.
func (e *OptionError) Unwrap() error { return e.Err }

var (
	// ErrUnknownOption means that mapa crawl has no such flag.
	ErrUnknownOption = errors.New("there is no such option")
	// ErrNotOffered means that a flag of mapa crawl is not an option of this server: it names
	// a file of the machine, decides what the server itself decides, or is not for
	// strangers.
	ErrNotOffered = errors.New("this server does not offer the option")
	errTooLong    = errors.New("the value is too long")
	errTooLarge   = errors.New("the patterns of a crawl are too large")
	errSource     = errors.New("it must be an http or https URL, or none")
	errOnlySeeds  = errors.New("it must be 1 or more: the server keeps crawls of whole sites")
)

// publicOptions are what strangers may set: nothing that makes requests to other hosts,
// carries credentials or overrides robots.txt.
var publicOptions = []string{
	"prefix", "include", "exclude", "no-list", "strip-params", "documents", "images", "lastmod", "feeds",
	crawl.LimitPages, "max-depth", "rate", "lang",
	"outputs", "gzip", "stylesheet", "set", "priority", "priority-rule", "changefreq-rule",
}

// ownerOptions are what the owner of the server may set in addition. Options that name
// files of the machine (output, publish, robots-txt, list, log, cookie-file, ca-file,
// baseline) or concern a command line (force, fresh, fail-on) or a folder as the site
// (orphans, clean-urls) are not offered: schedules publish, and crawls have folders of
// their own.
var ownerOptions = append([]string{
	"subdomains", "add", "trap", "ignore-robots", "base-url", "ignore-noindex", "assets", "external", "check-agents",
	"external-max-age", "sitemap",
	"concurrency", crawl.LimitTime, crawl.LimitBytes, "timeout", "accept",
	"header", "user", "cookie", "proxy", "user-agent", "insecure",
	"apart", "news", "news-language", "max-shrink", "hub", "render", "max-render",
}, publicOptions...)

// localOptions are not offered where workers crawl: these have no browser, and do not keep what a site says to other
// crawlers.
var localOptions = []string{"render", "max-render", "check-agents"}

// OptionNames returns the names of the options that the server offers, sorted.
func (s *Service) OptionNames() []string { return slices.Sorted(slices.Values(s.offered())) }

func (s *Service) offered() []string {
	if s.options.Public != nil {
		return publicOptions
	}
	if s.options.Workers != nil {
		isRender := func(name string) bool { return slices.Contains(localOptions, name) }
		return slices.DeleteFunc(slices.Clone(ownerOptions), isRender)
	}
	return ownerOptions
}

const (
	maxOptionSize  = 4 << 10 // bytes of a value
	maxOptionCount = 100     // values of an option
)

// settings returns the settings that options ask for. What is wrong is an [*OptionError].
func (s *Service) settings(options map[string][]string) (*appcrawl.Settings, error) {
	settings := appcrawl.NewSettings()
	table := settings.All()
	for _, name := range slices.Sorted(maps.Keys(options)) {
		setting := setting.Find(table, name)
		switch {
		case setting == nil:
			return nil, &OptionError{name, ErrUnknownOption}
		case !slices.Contains(s.offered(), name):
			return nil, &OptionError{name, ErrNotOffered}
		}
		if err := checkValues(name, options[name]); err != nil {
			return nil, &OptionError{name, err}
		}
		if err := setting.Set(options[name]); err != nil {
			return nil, &OptionError{name, err}
		}
	}
	if settings.OnlySeeds() {
		return nil, &OptionError{crawl.LimitDepth, errOnlySeeds}
	}
	if s.options.Public != nil {
		if name, is := largePattern(options); is {
			return nil, &OptionError{name, errTooLarge}
		}
	}
	return settings, nil
}

func checkValues(name string, values []string) error {
	if len(values) > maxOptionCount {
		return errTooLong
	}
	for _, value := range values {
		if len(value) > maxOptionSize {
			return errTooLong
		}
		isURL := strings.HasPrefix(value, "https://") || strings.HasPrefix(value, "http://")
		if name == "sitemap" && !isURL && value != "none" {
			return errSource
		}
	}
	return nil
}

// validate refuses options that cannot be used together, for a site.
func validate(settings *appcrawl.Settings, site *addresses.SiteAddress) error {
	err := settings.Check(site)
	if setting, ok := errors.AsType[*setting.Error](err); ok {
		return &OptionError{setting.Name, err}
	}
	return err
}
