package robots

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unsafe"
)

// A Group holds the rules and the Crawl-delay of a robots.txt for one crawler. It is
// immutable, safe for concurrent use, and does not retain the [File]. Create it once
// for each file with [File.Group] and keep it. The zero Group disallows everything.
type Group struct {
	rules     []rule  // the most specific first
	encodes   bool    // a rule is compared in the encoded form of the path too
	otherwise Verdict // when no rule matches
	delay     time.Duration
	hasDelay  bool
}

// Group returns the group of the crawler with the given product token, such as
// "Mapa", without version. The token should consist of letters, "-" and "_"; its
// case is ignored. All groups that name the crawler are combined. If no group
// names it, all groups for "*" are combined. Without those, everything is allowed
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

// otherwise returns the verdict for a URL that no rule matches. grouped reports
// whether the file has a group for the crawler.
func (f *File) otherwise(grouped bool) Verdict {
	switch {
	case f.blanket != nil:
		return *f.blanket
	case grouped:
		return Verdict{Allowed: true, Reason: "no rule matches", Cause: CauseNoRule}
	default:
		return Verdict{Allowed: true, Reason: "no group applies", Cause: CauseNoGroup}
	}
}

// CrawlDelay returns the time that the site asks the crawler to wait between two
// requests, and whether it asks for one. The line, whose value is in seconds, is a
// convention outside RFC 9309. Of several values the longest counts. The result is
// at most [MaxAge].
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

// Size returns the approximate number of bytes of memory that the Group holds, for
// caches that are bounded in bytes.
func (g *Group) Size() int {
	size := int(unsafe.Sizeof(*g)) + len(g.otherwise.Rule) + len(g.otherwise.Reason)
	for i := range g.rules {
		size += g.rules[i].size()
	}
	return size
}

// selection collects the lines of the groups for one crawler, or for "*".
type selection struct {
	found    bool // a User-agent line matched
	rules    []rule
	delay    time.Duration
	hasDelay bool

	ruled   scope
	delayed scope
}

// scope tracks whether the lines that are being read apply to the crawler.
type scope struct {
	inside bool // one of its User-agent lines matched
	closed bool // the next User-agent line begins a new scope
}

func (s *scope) agent(matches bool) {
	s.inside = matches || s.inside && !s.closed
	s.closed = false
}

// read adds one line. Only rules end the list of crawlers of a group (RFC 9309,
// sections 2.1 and 2.2.4). A Crawl-delay applies only to the crawlers that are named
// before it, even if the group has no rule yet and names further crawlers.
func (s *selection) read(line Line, matches func(agent string) bool) {
	switch line.Kind {
	case KindUserAgent:
		match := matches(line.Value)
		s.found = s.found || match
		s.ruled.agent(match)
		s.delayed.agent(match)
	case KindAllow, KindDisallow:
		s.ruled.closed, s.delayed.closed = true, true
		if s.ruled.inside {
			s.rules = appendRules(s.rules, line)
		}
	case KindCrawlDelay:
		s.delayed.closed = true
		if delay, ok := parseDelay(line.Value); ok && s.delayed.inside {
			s.delay, s.hasDelay = max(s.delay, delay), true
		}
	}
}

// isGeneral reports whether the value of a User-agent line matches every crawler.
func isGeneral(agent string) bool {
	return agent == "*" || len(agent) > 1 && agent[0] == '*' && strings.ContainsRune(whiteSpace, rune(agent[1]))
}

// isNamed reports whether the value of a User-agent line names the product: its
// longest prefix of characters that a product token allows is compared and, for
// products such as MJ12bot, everything before a version.
func isNamed(agent, product string) bool {
	if product == "" {
		return false
	}
	name := agent
	if end := strings.IndexAny(agent, "/"+whiteSpace); end >= 0 {
		name = agent[:end]
	}
	token := agent
	if end := strings.IndexFunc(agent, isNotTokenCharacter); end >= 0 {
		token = agent[:end]
	}
	return strings.EqualFold(token, product) || strings.EqualFold(name, product)
}

// isNotTokenCharacter reports whether c is not allowed in the identifier of RFC
// 9309, section 2.2.
func isNotTokenCharacter(c rune) bool {
	return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && c != '-' && c != '_'
}

// parseDelay parses a number of seconds, with an optional fraction.
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
