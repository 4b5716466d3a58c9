// Package outputs holds the settings of what is written about a site, and keeps what others
// wrote: it replaces only files that its list of written files names.
package outputs

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/mapatools/mapa/internal/publish"
	"github.com/mapatools/mapa/internal/urlnorm"
	"github.com/mapatools/mapa/sitemap"
)

// PublishSettings say what is written about the pages of a crawl.
type PublishSettings struct {
	Outputs, Apart                 []string
	Sets                           []string
	Gzip                           bool
	Stylesheet                     string
	News, NewsLanguage             string
	Priority                       string
	PriorityRules, ChangeFreqRules []string
	MaxShrink                      int
	RobotsTxt                      string // file
	Hub                            []string
}

// NewPublishSettings returns the defaults.
func NewPublishSettings() PublishSettings {
	return PublishSettings{
		Outputs: []string{string(publish.OutputXML)}, Priority: string(publish.PriorityNone),
		MaxShrink: 30, Stylesheet: string(publish.StylesheetCSS),
	}
}

// All returns the table of the settings.
func (s *PublishSettings) All() []setting.Setting {
	return []setting.Setting{
		{Name: "outputs", Value: setting.List(&s.Outputs), Risk: setting.RiskNone,
			Values: setting.Choices(publish.AllOutputs()...),
			Help:   "`KINDS` of files to write: " + setting.Joined(publish.AllOutputs(), ", ")},
		{Name: "gzip", Value: setting.Bool(&s.Gzip), Risk: setting.RiskNone, Help: "compress the sitemap"},
		{Name: "stylesheet", Value: setting.String(&s.Stylesheet), Risk: setting.RiskNone, FileOnly: true,
			Values: setting.Choices(publish.AllStylesheets...),
			Help:   "how the sitemap looks in a browser: css or none"},
		{Name: "set", Value: setting.Strings(&s.Sets), Risk: setting.RiskNone,
			Help: "write pages that match a pattern to a sitemap of their own: `NAME=PATTERN`"},
		{Name: "apart", Value: setting.List(&s.Apart), Risk: setting.RiskNone, FileOnly: true, Values: apartNames,
			Help: "write `EXTENSIONS` to sitemaps of their own: " + strings.Join(apartNames(), ", ")},
		{Name: "news", Value: setting.String(&s.News), Risk: setting.RiskNone, FileOnly: true,
			Help: "`NAME` of the publication; without it no news is written"},
		{Name: "news-language", Value: setting.String(&s.NewsLanguage), Risk: setting.RiskNone, FileOnly: true,
			Help: "language of articles that do not state one, such as en"},
		{Name: "priority-rule", Value: setting.Strings(&s.PriorityRules), Risk: setting.RiskNone,
			Help: "priority of pages that match a pattern, which Google ignores: `PATTERN=0.8`"},
		{Name: "changefreq-rule", Value: setting.Strings(&s.ChangeFreqRules), Risk: setting.RiskNone, FileOnly: true,
			Help: "changefreq of pages that match a pattern, which Google ignores: `PATTERN=daily`"},
		{Name: "max-shrink", Value: setting.Int(&s.MaxShrink), Risk: setting.RiskNone,
			Help: "publish nothing when the sitemap loses more than this `PERCENT` of its pages, or the home page;" +
				" 100 always publishes"},
		{Name: "hub", Value: setting.Strings(&s.Hub), Risk: setting.RiskNone, FileOnly: true,
			Help: "name this WebSub hub in rss.xml and atom.xml: `URL`; mapa announce --to websub notifies it"},
		{Name: "robots-txt", Value: setting.String(&s.RobotsTxt), Risk: setting.RiskFile,
			Help: "add or correct the Sitemap line in this `FILE`, a robots.txt; all else in it stays"},
	}
}

// priorities are the values of the setting of a crawl.
var priorities = []publish.PriorityBy{publish.PriorityByDepth, publish.PriorityNone}

// OfCrawl returns the table of the settings that need the links of a crawl, besides those of All.
func (s *PublishSettings) OfCrawl() []setting.Setting {
	return []setting.Setting{
		{Name: "priority", Value: setting.String(&s.Priority), Risk: setting.RiskNone, FileOnly: true,
			Values: setting.Choices(priorities...), Help: "derive priority from depth, or none; Google ignores it"},
	}
}

// Options validates the settings. What is wrong is a [*setting.Error].
func (s *PublishSettings) Options() (o publish.Options, err error) {
	o = publish.Options{
		Gzip:      s.Gzip,
		News:      publish.Publication{Name: s.News, Language: s.NewsLanguage},
		Weights:   publish.Weights{Priority: publish.PriorityBy(s.Priority)},
		MaxShrink: s.MaxShrink, Stylesheet: publish.Stylesheet(s.Stylesheet),
	}
	if !slices.Contains(publish.AllStylesheets, o.Stylesheet) {
		return o, setting.InvalidKey("stylesheet", "%s must be %s, not %q", setting.OneOf(publish.AllStylesheets),
			s.Stylesheet)
	}
	if s.MaxShrink < 0 || s.MaxShrink > 100 {
		return o, setting.Invalid("max-shrink", "%s must be a percentage from 0 to 100, not %d", s.MaxShrink)
	}
	if !slices.Contains(priorities, o.Weights.Priority) {
		return o, setting.InvalidKey("priority", "%s must be %s, not %q", setting.OneOf(priorities), s.Priority)
	}
	for _, name := range s.Outputs {
		if !slices.Contains(publish.AllOutputs(), publish.Output(name)) {
			return o, setting.Invalid("outputs", "unknown %s %q: use any of %s", name,
				setting.Joined(publish.AllOutputs(), ", "))
		}
		o.Outputs = append(o.Outputs, publish.Output(name))
	}
	for _, name := range s.Apart {
		i := slices.IndexFunc(extensionsApart(&o.Apart), func(e extensionApart) bool { return e.name == name })
		if i < 0 {
			return o, setting.InvalidKey("apart", "unknown extension %[2]q for %[1]s: use any of %[3]s",
				name, strings.Join(apartNames(), ", "))
		}
		*extensionsApart(&o.Apart)[i].chosen = true
	}
	if err := s.checkHubs(&o); err != nil {
		return o, err
	}
	if s.RobotsTxt != "" && !slices.ContainsFunc(o.Outputs, isSitemapOutput) {
		return o, setting.Invalid("robots-txt", "%s needs a sitemap: {outputs} must have any of %s", setting.Joined(sitemapOutputs, ", "))
	}
	return o, s.rules(&o)
}

// checkHubs takes the hubs, which only feeds name.
func (s *PublishSettings) checkHubs(o *publish.Options) error {
	isFeed := func(output publish.Output) bool { return output == publish.OutputRSS || output == publish.OutputAtom }
	if len(s.Hub) > 0 && !slices.ContainsFunc(o.Outputs, isFeed) {
		return setting.InvalidKey("hub", "%s needs a feed: {outputs} must have any of rss, atom")
	}
	for _, hub := range s.Hub {
		if u := urlnorm.ParseHTTP(hub); u == nil || u.User != nil {
			return setting.InvalidKey("hub", "%s must be an http or https URL")
		}
	}
	o.Hubs = s.Hub
	return nil
}

// An extensionApart is an extension that can have sitemaps of its own.
type extensionApart struct {
	name   string
	chosen *bool
}

func extensionsApart(a *publish.Apart) []extensionApart {
	return []extensionApart{{"images", &a.Images}, {"news", &a.News}, {"videos", &a.Videos}}
}

func apartNames() []string {
	var names []string
	for _, e := range extensionsApart(&publish.Apart{}) {
		names = append(names, e.name)
	}
	return names
}

func (s *PublishSettings) rules(o *publish.Options) error {
	for _, text := range s.Sets {
		name, pattern, found := strings.Cut(text, "=")
		if !found || name == "" {
			return setting.Invalid("set", "%s must be NAME=PATTERN, not %q", text)
		}
		compiled, err := regexp.Compile(pattern)
		if err == nil {
			err = publish.CheckSetName(name)
		}
		if err != nil {
			return setting.Wrap("set", err)
		}
		o.Sets = append(o.Sets, publish.Rule[string]{Pattern: compiled, Value: name})
	}
	var err error
	if o.Weights.PriorityRules, err = rules("priority-rule", s.PriorityRules, parsePriority); err != nil {
		return err
	}
	o.Weights.ChangeFreqRules, err = rules("changefreq-rule", s.ChangeFreqRules, parseChangeFreq)
	return err
}

func parsePriority(text string) (sitemap.Priority, error) {
	value, err := strconv.ParseFloat(text, 64)
	if err != nil || !(value >= 0 && value <= 1) {
		return sitemap.Priority{}, fmt.Errorf("%q is not a number from 0 to 1", text)
	}
	return sitemap.PriorityOf(value), nil
}

func parseChangeFreq(text string) (sitemap.ChangeFreq, error) {
	if value := sitemap.ChangeFreq(text); value.Valid() {
		return value, nil
	}
	return "", fmt.Errorf("%q is not one of always, hourly, daily, weekly, monthly, yearly, never", text)
}

// rules parses PATTERN=VALUE. A pattern may contain "=" itself.
func rules[T any](option string, texts []string, value func(string) (T, error)) (read publish.Rules[T], err error) {
	for _, text := range texts {
		at := strings.LastIndexByte(text, '=')
		if at < 0 {
			return nil, setting.Invalid(option, "%s must be PATTERN=VALUE, not %q", text)
		}
		rule := publish.Rule[T]{}
		if rule.Pattern, err = regexp.Compile(text[:at]); err == nil {
			rule.Value, err = value(text[at+1:])
		}
		if err != nil {
			return nil, setting.Wrap(option, err)
		}
		read = append(read, rule)
	}
	return read, nil
}
