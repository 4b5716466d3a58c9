package announce

import (
	"cmp"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/mapatools/mapa/announce"
	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/access"
	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/mapatools/mapa/sitemap"
)

// Section is the section of mapa.yaml that has the settings of announce.
const Section = "announce"

// Settings say what to announce, to whom, and how. Get them from
// [NewSettings].
type Settings struct {
	To         []string
	Since      string
	All, Yes   bool
	Previous   string // crawl or sitemap to count changes from
	BaseURL    string
	Ledger     string
	DryRun     bool
	Force      []string // checks
	Sample     string
	Wait       time.Duration
	Endpoint   string
	RobotsFile string
	Feeds      []string
	Hubs       []string

	Request     access.RequestSettings // for the site
	Credentials CredentialSettings
}

// CredentialSettings are the secrets of providers, and the files that hold them. A secret
// is never a flag.
type CredentialSettings struct {
	GoogleFile                                                      string
	IndexNowFile, BingFile, YandexFile, BaiduFile                   string
	IndexNowKey, IndexNowLocation, BingKey, YandexToken, BaiduToken string
}

// The checks that refuse to announce.
const (
	CheckLint    = "lint"    // the sitemap has errors
	CheckStatus  = "status"  // a page does not answer 200, or a deleted one does
	CheckNoIndex = "noindex" // a page is noindex
	CheckHost    = "host"    // a page is on another host
	Check        = "robots"  // robots.txt blocks a page
)

var announceChecks = []string{CheckLint, CheckStatus, CheckNoIndex, CheckHost, Check}

const (
	defaultAnnounceSample = "1000"
	defaultAnnounceWait   = 10 * time.Minute
)

// NewSettings returns the defaults.
func NewSettings() *Settings {
	return &Settings{Sample: defaultAnnounceSample, Wait: defaultAnnounceWait}
}

// Table returns the table of the settings.
func (s *Settings) Table() []setting.Setting {
	c := &s.Credentials
	return append([]setting.Setting{
		{Name: "to", Value: setting.List(&s.To), Risk: setting.RiskNone, Values: setting.Choices(announce.Providers()...),
			Help: "`PROVIDERS` to announce to: " + setting.Joined(announce.Providers(), ",") +
				" (default: robots, and those with credentials)"},
		{Name: "since", Value: setting.String(&s.Since), Risk: setting.RiskNone, Help: "announce pages with a lastmod of this `DAY` or later"},
		{Name: "all", Value: setting.Bool(&s.All), CommandLineOnly: true, Help: "announce all pages, after asking"},
		{Name: "yes", Value: setting.Bool(&s.Yes), CommandLineOnly: true, Help: "with --all, do not ask"},
		{Name: "previous", Value: setting.String(&s.Previous), Risk: setting.RiskSource,
			Help: "count changes from this `SOURCE`, an older sitemap or the folder of an older crawl"},
		{Name: "base-url", Value: setting.String(&s.BaseURL), Risk: setting.RiskSite, Help: "the `URL` where a folder or file is published"},
		{Name: "ledger", Value: setting.String(&s.Ledger), Risk: setting.RiskFile,
			Help: "`FILE` that records what was announced (default: announce.sqlite in the folder)"},
		{Name: "dry-run", Value: setting.Bool(&s.DryRun), CommandLineOnly: true,
			Help: "print the requests without their secrets, and send nothing"},
		{Name: "force", Value: setting.List(&s.Force), CommandLineOnly: true, Values: setting.Choices(announceChecks...),
			Help: "announce although these `CHECKS` refuse: " + strings.Join(announceChecks, ", ")},
		{Name: "sample", Value: setting.String(&s.Sample), Risk: setting.RiskNone,
			Help: "number of changed `PAGES` to check on the site, or all"},
		{Name: "wait", Value: setting.Duration(&s.Wait), Risk: setting.RiskNone,
			Help: "total time to wait for a provider that asks to be called later; 0s means not at all"},
		{Name: "endpoint", Value: setting.String(&s.Endpoint), Risk: setting.RiskOutside,
			Help: "send everything to this `URL` on this machine instead, for a rehearsal"},
		{Name: "robots-txt", Value: setting.String(&s.RobotsFile), Risk: setting.RiskFile,
			Help: "add the Sitemap line to this robots.txt `FILE`"},
		{Name: "feed", Value: setting.Strings(&s.Feeds), Risk: setting.RiskNone,
			Help: "`URL` of a feed for WebSub (default: the feeds in the folder)"},
		{Name: "hub", Value: setting.Strings(&s.Hubs), Risk: setting.RiskNone,
			Help: "`URL` of a WebSub hub (default: the hubs that the feed names)"},
		{Name: "google-credentials", Value: setting.String(&c.GoogleFile), Risk: setting.RiskFile,
			Help: "JSON `FILE` of a service account"},
		{Name: "indexnow-key-file", Value: setting.String(&c.IndexNowFile), Risk: setting.RiskFile,
			Help: "`FILE` that holds the IndexNow key"},
		{Name: "bing-key-file", Value: setting.String(&c.BingFile), Risk: setting.RiskFile,
			Help: "`FILE` that holds the key of Bing Webmaster Tools"},
		{Name: "yandex-token-file", Value: setting.String(&c.YandexFile), Risk: setting.RiskFile,
			Help: "`FILE` that holds the token of Yandex Webmaster"},
		{Name: "baidu-token-file", Value: setting.String(&c.BaiduFile), Risk: setting.RiskFile,
			Help: "`FILE` that holds the token of Baidu"},
		{Name: "indexnow-key", Value: setting.String(&c.IndexNowKey), Risk: setting.RiskNone, Secret: true},
		{Name: "indexnow-key-location", Value: setting.String(&c.IndexNowLocation), Risk: setting.RiskNone, Secret: true},
		{Name: "bing-key", Value: setting.String(&c.BingKey), Risk: setting.RiskNone, Secret: true},
		{Name: "yandex-token", Value: setting.String(&c.YandexToken), Risk: setting.RiskNone, Secret: true},
		{Name: "baidu-token", Value: setting.String(&c.BaiduToken), Risk: setting.RiskNone, Secret: true},
	}, s.Request.All()...)
}

// check validates the settings, except for the credentials.
func (s *Settings) check() error {
	for _, name := range s.To {
		if !slices.Contains(announce.Providers(), announce.Provider(name)) {
			return setting.Invalid("to", "unknown provider %[2]q for %[1]s: use any of %[3]s", name,
				setting.Joined(announce.Providers(), ", "))
		}
	}
	for _, name := range s.Force {
		if !slices.Contains(announceChecks, name) {
			return setting.Invalid("force", "unknown check %[2]q for %[1]s: use any of %[3]s", name,
				setting.Joined(announceChecks, ", "))
		}
	}
	switch {
	case s.Yes && !s.All:
		return setting.Invalid("yes", "%s needs {all}")
	case s.All && s.Since != "":
		return setting.Invalid("all", "%s and {since} exclude each other")
	case s.Wait < 0:
		return setting.Invalid("wait", "%s must be 0s or more")
	case s.RobotsFile != "" && len(s.To) > 0 && !slices.Contains(s.To, string(announce.ProviderRobots)):
		return setting.Invalid("robots-txt", "%s needs robots in {to}")
	}
	if s.Endpoint != "" {
		if _, err := announce.CheckEndpoint(s.Endpoint); err != nil {
			return setting.Invalid("endpoint", "%s %v", err)
		}
	}
	if _, err := s.since(); err != nil {
		return err
	}
	_, err := sampleSize(s.Sample)
	return err
}

// since returns the day of the since setting; the zero date means that it is not set.
func (s *Settings) since() (sitemap.Date, error) {
	if s.Since == "" {
		return sitemap.Date{}, nil
	}
	day, err := sitemap.ParseDate(s.Since)
	if err != nil {
		return day, setting.Invalid("since", "%s must be a day such as 2026-01-31, not %q", s.Since)
	}
	return day, nil
}

// A secret is where a secret of a provider may come from, in the order of precedence.
type secret struct {
	setting, file, value string // the file setting with its value, and the value of the configuration file
	variable             string
}

var errSecretFile = errors.New("the file must hold one line with the secret, and nothing else")

// read returns a secret, or "" where there is none. No error shows it.
func (s secret) read(a *app.App) (string, error) {
	switch {
	case s.file != "":
		return readSecretFile(s.setting, s.file)
	case strings.HasPrefix(s.value, "$"):
		return "", setting.Invalid(strings.TrimSuffix(s.setting, "-file"),
			"%s has a name of an environment variable, which is read only from a file that {config} names")
	case s.value != "":
		return strings.TrimSpace(s.value), nil
	}
	return strings.TrimSpace(a.Environment(s.variable)), nil
}

func readSecretFile(option, name string) (string, error) {
	const largest = 16 << 10
	file, err := os.Open(name)
	if err != nil {
		return "", setting.Wrap(option, err)
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, largest))
	if err != nil {
		return "", setting.Wrap(option, err)
	}
	line := strings.TrimSpace(string(text))
	if line == "" || strings.ContainsAny(line, " \t\r\n\x00") {
		return "", setting.Wrap(option, errSecretFile)
	}
	return line, nil
}

// The environment variables of credentials.
const (
	variableGoogle   = "GOOGLE_APPLICATION_CREDENTIALS"
	variableIndexNow = "INDEXNOW_KEY"
	variableLocation = "INDEXNOW_KEY_LOCATION"
	variableBing     = "BING_WEBMASTER_KEY"
	variableYandex   = "YANDEX_WEBMASTER_TOKEN"
	variableBaidu    = "BAIDU_PUSH_TOKEN"
)

// secretValues are the secrets that were found.
type secretValues struct{ googleFile, indexNowKey, indexNowLocation, bing, yandex, baidu string }

// secrets returns all that no output may show.
func (c *secretValues) secrets() []string { return []string{c.indexNowKey, c.bing, c.yandex, c.baidu} }

func credentials(a *app.App, s *CredentialSettings) (c secretValues, err error) {
	c.googleFile = cmp.Or(s.GoogleFile, a.Environment(variableGoogle))
	for _, each := range []struct {
		into   *string
		secret secret
	}{
		{&c.indexNowKey, secret{"indexnow-key-file", s.IndexNowFile, s.IndexNowKey, variableIndexNow}},
		{&c.indexNowLocation, secret{"indexnow-key-location", "", s.IndexNowLocation, variableLocation}},
		{&c.bing, secret{"bing-key-file", s.BingFile, s.BingKey, variableBing}},
		{&c.yandex, secret{"yandex-token-file", s.YandexFile, s.YandexToken, variableYandex}},
		{&c.baidu, secret{"baidu-token-file", s.BaiduFile, s.BaiduToken, variableBaidu}},
	} {
		if *each.into, err = each.secret.read(a); err != nil {
			return c, err
		}
	}
	return c, nil
}
