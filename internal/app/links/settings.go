// Package links implements mapa links: whether the links in files, or the URLs of lists and
// sitemaps, lead somewhere. Begin with [Run].
package links

import (
	"slices"
	"time"

	appaccess "github.com/mapatools/mapa/internal/app/access"
	"github.com/mapatools/mapa/internal/app/checks"
	"github.com/mapatools/mapa/internal/app/outputs"
	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/mapatools/mapa/internal/report"
	"github.com/mapatools/mapa/lint"
)

// Section is the section of mapa.yaml that has the settings of links.
const Section = "links"

// Settings say how to check links. Get them from [NewSettings].
type Settings struct {
	BaseURL        string
	Exclude        []string // patterns of files and URLs that are not checked
	External       bool
	Format, Output string // of the list of findings; Output is a file
	Lang           string
	Every          bool // lists findings that are alike one by one
	MaxTime        time.Duration
	Config         string // file that the settings are from; never overwritten
	Rules          checks.RuleSettings
	Checks         checks.Settings
	Access         appaccess.AccessSettings
}

// NewSettings returns the defaults.
func NewSettings() *Settings {
	s := &Settings{External: true, Format: "text", Access: appaccess.NewAccessSettings()}
	s.Checks.FailOn = []string{"broken", "anchors"}
	return s
}

// All returns the table of the settings.
func (s *Settings) All() []setting.Setting {
	return slices.Concat([]setting.Setting{
		{Name: "base-url", Value: setting.String(&s.BaseURL), Risk: setting.RiskSite,
			Help: "the public `URL` of the folder: links to it are links to its files"},
		{Name: "exclude", Value: setting.Strings(&s.Exclude), Risk: setting.RiskNone,
			Help: "do not check files and URLs that match the `PATTERN`"},
		{Name: "external", Value: setting.Bool(&s.External), Risk: setting.RiskNone,
			Help: "check links to web sites too"},
		{Name: "format", Value: setting.String(&s.Format), Risk: setting.RiskNone,
			Values: setting.Choices(report.FindingFormats()...), Help: setting.OneOf(report.FindingFormats())},
		setting.LangSetting(&s.Lang),
		{Name: "all", Value: setting.Bool(&s.Every), Risk: setting.RiskNone,
			Help: "list each finding, also those that are alike"},
		{Name: "max-time", Value: setting.Duration(&s.MaxTime), Risk: setting.RiskNone,
			Help: "stop after this `TIME`, such as 10m"},
		outputs.FileSetting(&s.Output),
	}, s.Rules.All(), s.Checks.All(), s.Access.All())
}

// applies are rules about pages that are about links too.
var applies = []string{"redirect-chain", "redirect-loop", "canonical-broken", "hreflang-target-broken"}

// applied are the rules about links, apart from those that the user chooses.
func applied() (ids []string) {
	for _, rule := range lint.PageRules() {
		isAboutLinks := rule.Subject == lint.SubjectLink || slices.Contains(applies, rule.ID)
		if isAboutLinks && rule.ID != "link-localhost" { // instructions name the reader's computer
			ids = append(ids, rule.ID)
		}
	}
	return ids
}
