package robots

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unsafe"
)

// Group is all that a robots.txt says to one crawler. It never changes, is safe
// for concurrent use and does not retain the [File]; make it once for a file and
// keep it.
type Group struct {
	rules     []rule  // the most specific first
	encodes   bool    // a rule needs the encoded form of the path
	otherwise Verdict // when no rule matches
	delay     time.Duration
	hasDelay  bool
}

// Group gives the group of the crawler with the given product token, such as
// "Mapa", without version. The token should consist of letters, "-" and "_";
// case does not matter. All groups that name the crawler count as one; if none
// does, all groups for "*" do; if there are none, everything is allowed
// (RFC 9309, section 2.2.1).
func (f *File) Group(productToken string) *Group {
	var named, general selection
	for line := range f.Lines() {
		named.read(line, func(agent string) bool { return isNamed(agent, productToken) })
		general.read(line, isGeneral)
	}
	chosen := &general
	if named.found {
		chosen = &named
	}
	g := &Group{rules: chosen.rules, delay: chosen.delay, hasDelay: chosen.hasDelay}
	slices.SortStableFunc(g.rules, bySpecificity)
	g.rules = detach(g.rules)
	g.encodes = slices.ContainsFunc(g.rules, func(r rule) bool { return r.encoded != nil })
	g.otherwise = f.otherwise(chosen.found)
	return g
}

// otherwise gives the verdict for a URL that no rule matches, in a file with or
// without a group for the crawler.
func (f *File) otherwise(grouped bool) Verdict {
	switch {
	case f.blanket != nil:
		return *f.blanket
	case grouped:
		return Verdict{Allowed: true, Reason: "no rule matches"}
	default:
		return Verdict{Allowed: true, Reason: "no group applies"}
	}
}

// CrawlDelay gives the time that the site asks the crawler to leave between two
// requests, and whether it does ask. It is a convention outside of RFC 9309.
// Of several values the longest counts, and none counts for more than [MaxAge].
func (g *Group) CrawlDelay() (time.Duration, bool) {
	return g.delay, g.hasDelay
}

// detach copies rules and their texts, so that they hold no more memory than they
// need and do not keep the text of the whole file alive.
func detach(rules []rule) []rule {
	if len(rules) == 0 {
		return nil
	}
	var texts strings.Builder
	for i := range rules {
		texts.WriteString(rules[i].text)
	}
	rest := texts.String()
	own := make([]rule, len(rules))
	for i, r := range rules {
		r.text, rest = rest[:len(r.text)], rest[len(r.text):]
		own[i] = r
	}
	return own
}

// Size returns about how many bytes of memory the Group holds, for caches that
// are bounded in bytes.
func (g *Group) Size() int {
	size := int(unsafe.Sizeof(*g)) + len(g.otherwise.Rule) + len(g.otherwise.Reason)
	for i := range g.rules {
		size += g.rules[i].size()
	}
	return size
}

// selection collects what the groups for one crawler, or for "*", say.
type selection struct {
	found    bool // a User-agent line matched
	rules    []rule
	delay    time.Duration
	hasDelay bool

	ruled   scope
	delayed scope
}

// scope tells whether the lines now read are for the crawler.
type scope struct {
	inside bool // one of its User-agent lines matched
	closed bool // the next User-agent line begins a new scope
}

func (s *scope) agent(matches bool) {
	s.inside = matches || s.inside && !s.closed
	s.closed = false
}

// read takes one line in. Only rules close a group (RFC 9309, sections 2.1 and
// 2.2.4). A delay however is meant for the crawlers named before it alone, even
// where, for want of a rule, their group goes on with further crawlers.
func (s *selection) read(line Line, matches func(agent string) bool) {
	switch line.Kind {
	case UserAgent:
		match := matches(line.Value)
		s.found = s.found || match
		s.ruled.agent(match)
		s.delayed.agent(match)
	case Allow, Disallow:
		s.ruled.closed, s.delayed.closed = true, true
		if s.ruled.inside {
			s.rules = appendRules(s.rules, line)
		}
	case CrawlDelay:
		s.delayed.closed = true
		if delay, ok := parseDelay(line.Value); ok && s.delayed.inside {
			s.delay, s.hasDelay = max(s.delay, delay), true
		}
	}
}

// isGeneral reports whether the value of a User-agent line means every crawler.
func isGeneral(agent string) bool {
	return agent == "*" || len(agent) > 1 && agent[0] == '*' && strings.ContainsRune(whiteSpace, rune(agent[1]))
}

// isNamed reports whether the value of a User-agent line names the product: by
// its leading run of the characters that a product token may hold, or, for the
// sake of products such as MJ12bot, by all that stands before a version.
func isNamed(agent, product string) bool {
	if product == "" {
		return false
	}
	name := agent
	if end := strings.IndexAny(agent, "/"+whiteSpace); end >= 0 {
		name = agent[:end]
	}
	token := agent
	if end := strings.IndexFunc(agent, isNoTokenCharacter); end >= 0 {
		token = agent[:end]
	}
	return strings.EqualFold(token, product) || strings.EqualFold(name, product)
}

// isNoTokenCharacter reports whether c is outside of the identifier of RFC
// 9309, section 2.2.
func isNoTokenCharacter(c rune) bool {
	return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && c != '-' && c != '_'
}

// parseDelay reads a number of seconds: digits and perhaps a fraction.
func parseDelay(value string) (time.Duration, bool) {
	if strings.Trim(value, "0123456789.") != "" {
		return 0, false
	}
	seconds, err := strconv.ParseFloat(value, 64)
	if err != nil {
		return 0, false
	}
	return time.Duration(min(seconds, MaxAge.Seconds()) * float64(time.Second)), true
}
