package access

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/mapatools/mapa/internal/fetch"
)

// LinkSettings are an entry of the policy of links: how bad it is when some URLs fail, and how an
// origin is requested.
type LinkSettings struct {
	URL    string   // a pattern; an origin where the entry says how that is requested
	Status []string // failures; none means all
	Level  string   // of crawl.LinkLevels; empty for an origin only

	User, Cookie, Rate string
	Header             []string
}

// all returns the table of the settings.
func (s *LinkSettings) all() []setting.Setting {
	return []setting.Setting{
		{Name: "url", Value: setting.String(&s.URL), Risk: setting.RiskNone},
		{Name: "status", Value: setting.List(&s.Status), Risk: setting.RiskNone},
		{Name: "level", Value: setting.String(&s.Level), Risk: setting.RiskNone},
		{Name: "user", Value: setting.String(&s.User), Risk: setting.RiskOutside},
		{Name: "cookie", Value: setting.String(&s.Cookie), Risk: setting.RiskOutside},
		{Name: "header", Value: setting.Strings(&s.Header), Risk: setting.RiskOutside},
		{Name: "rate", Value: setting.String(&s.Rate), Risk: setting.RiskOutside},
	}
}

// links validates the policy of links and returns it, with the failures of Accept last, and how
// origins are requested.
func (s *AccessSettings) links() (policy []crawl.LinkRule, origins map[string]crawl.LinkOrigin, err error) {
	origins = map[string]crawl.LinkOrigin{}
	for i := range s.Policy {
		entry := &s.Policy[i]
		rule, err := entry.rule()
		if err == nil {
			err = entry.addOrigin(origins)
		}
		if err != nil {
			return nil, nil, setting.WrapKey("link-policy", fmt.Errorf("entry %d: %w", i+1, err))
		}
		if rule.Level != "" {
			policy = append(policy, rule)
		}
	}
	if len(s.Accept) > 0 {
		accepted := crawl.LinkRule{Level: crawl.LinkSkip}
		if err := readFailures(&accepted, s.Accept); err != nil {
			return nil, nil, setting.Wrap("accept", err)
		}
		policy = append(policy, accepted)
	}
	return policy, origins, nil
}

// isOfOrigin reports whether the entry says how an origin is requested.
func (s *LinkSettings) isOfOrigin() bool {
	return s.User != "" || s.Cookie != "" || s.Rate != "" || len(s.Header) > 0
}

// rule returns the rule of the entry, without a level where it has none.
func (s *LinkSettings) rule() (rule crawl.LinkRule, err error) {
	rule.Level = crawl.LinkLevel(s.Level)
	levels := crawl.LinkLevels()
	switch {
	case s.URL == "":
		return rule, fmt.Errorf("url is missing: a pattern such as ^https://example\\.com/")
	case s.Level == "" && (!s.isOfOrigin() || len(s.Status) > 0):
		return rule, fmt.Errorf("level is missing: %s", setting.OneOf(levels))
	case s.Level != "" && !slices.Contains(levels, rule.Level):
		return rule, fmt.Errorf("level must be %s, not %q", setting.OneOf(levels), s.Level)
	}
	if err = readFailures(&rule, s.Status); err != nil {
		return rule, fmt.Errorf("status: %w", err)
	}
	pattern := s.URL
	if s.isOfOrigin() {
		pattern = "^" + regexp.QuoteMeta(fetch.Origin(s.URL)) + "/"
	}
	if rule.URL, err = regexp.Compile(pattern); err != nil {
		return rule, fmt.Errorf("url: %w", err)
	}
	return rule, nil
}

// addOrigin adds how the origin of the entry is requested, if it says that.
func (s *LinkSettings) addOrigin(origins map[string]crawl.LinkOrigin) error {
	if !s.isOfOrigin() {
		return nil
	}
	address, err := url.Parse(s.URL)
	origin := fetch.Origin(s.URL)
	if err != nil || origin == "" || strings.TrimSuffix(s.URL, "/") != address.Scheme+"://"+address.Host {
		// It may hold a password, so it is not shown.
		return fmt.Errorf("url must be the origin that user, cookie, header and rate are for, " +
			"such as https://intranet.example.com/, and no pattern")
	}
	if _, again := origins[origin]; again {
		return fmt.Errorf("an entry before says how %s is requested", origin)
	}
	how := crawl.LinkOrigin{}
	if how.Header, err = s.requestHeader(address); err != nil {
		return err
	}
	if s.Rate != "" {
		rate, err := access.ParseRate(s.Rate)
		if err != nil {
			return err
		}
		how.Rate = &rate
	}
	origins[origin] = how
	return nil
}

// requestHeader returns the header for the origin of the entry.
func (s *LinkSettings) requestHeader(address *url.URL) (http.Header, error) {
	request := RequestSettings{User: s.User, Cookie: s.Cookie, Header: s.Header}
	if err := request.check(); err != nil {
		return nil, err
	}
	var a access.Access
	err := request.SetHeaders(&a, []string{address.String()}, nil)
	return a.Headers[fetch.Origin(address.String())], err
}

// readFailures reads statuses, such as 403, 5xx and 200-299, and causes such as timeout, that a rule is about.
func readFailures(rule *crawl.LinkRule, texts []string) error {
	for _, text := range texts {
		if slices.Contains(crawl.FailureCauses(), text) {
			rule.Causes = append(rule.Causes, text)
			continue
		}
		statuses, ok := readStatuses(text)
		if !ok {
			return fmt.Errorf("unknown status %q: use statuses such as 403, 5xx and 200-299, %s", text,
				setting.OneOf(crawl.FailureCauses()))
		}
		rule.Statuses = append(rule.Statuses, statuses)
	}
	return nil
}

// readStatuses reads a status, a class of statuses or a range of them.
func readStatuses(text string) (statuses [2]int, ok bool) {
	first, last, isRange := strings.Cut(text, "-")
	if hundreds, isClass := strings.CutSuffix(text, "xx"); isClass {
		first, last = hundreds+"00", hundreds+"99"
	} else if !isRange {
		last = first
	}
	var errFirst, errLast error
	statuses[0], errFirst = strconv.Atoi(first)
	statuses[1], errLast = strconv.Atoi(last)
	return statuses, errFirst == nil && errLast == nil &&
		100 <= statuses[0] && statuses[0] <= statuses[1] && statuses[1] <= 999
}
