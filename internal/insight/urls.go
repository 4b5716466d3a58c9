package insight

import (
	"net/http"
	"slices"
	"strings"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/extract"
	"github.com/mapatools/mapa/internal/fetch"
	"github.com/mapatools/mapa/internal/urlnorm"
	"github.com/mapatools/mapa/lint"
)

// traits say what rules need to know of a URL other than the one that they judge.
type traits uint32

const (
	isListed       traits = 1 << iota // it is in the sitemap
	isDocument                        // a page of the site that answered 200 with HTML
	isPage                            // it is, or could be, a page of the site
	isExternal                        // it belongs to another site
	isFetched                         // its result is known
	isAnswered                        // the response was 200
	isBroken                          // links to it are broken links
	isInconclusive                    // it refuses programs, perhaps not people
	isFailing                         // a page of the site, for which the server fails
	isRedirect                        // it redirects
	isLoop                            // it is in a redirect loop
	isNoIndex                         // it asks not to be indexed
	isBlocked                         // robots.txt forbids it
	isCanonical                       // it names another URL as canonical
	isCopy                            // it has the content of another page, which is listed
	isPrivate                         // its host is of this machine or of a private network
	isStart                           // the crawl began with it
	isSeeded                          // a sitemap, a list or a log names it
)

// A urlTable holds a few bytes for each URL of a crawl, by ID.
type urlTable struct {
	traits    []traits
	templates []uint32
	targets   []target         // of redirects, canonicals and copies, by ID
	failures  map[crawl.ID]Why // of broken and inconclusive URLs
	policy    []crawl.LinkRule
	levels    map[crawl.ID]lint.Severity // of failures, by the policy
	moved     map[crawl.ID]crawl.Detail  // of URLs of other sites; nil where nobody asks
	last      crawl.ID
}

// A target is where a redirect or a canonical leads.
type target struct{ from, to crawl.ID }

// add adds a URL. URLs are added in the order of their IDs. One that only an earlier crawl names has no traits.
func (t *urlTable) add(r *crawl.Record) traits {
	id := r.Link.ID
	for crawl.ID(len(t.traits)) <= id {
		t.traits, t.templates = append(t.traits, 0), append(t.templates, 0)
	}
	if t.last = id; r.Link.OnlyEarlier() {
		return 0
	}
	of := traitsOf(r)
	t.traits[id], t.templates[id] = of, urlnorm.Template(r.Link.URL)
	if r.Page.Target > 0 {
		t.targets = append(t.targets, target{id, r.Page.Target})
	}
	if code := r.Page.Detail.Code(); t.moved != nil && (code == crawl.DetailMoved || code == crawl.DetailChained) {
		t.moved[id] = r.Page.Detail
	}
	if of&(isBroken|isInconclusive) != 0 {
		t.failures[id] = WhyOf(r)
		if level := levelOf(t.policy, r); level != lint.SeverityOff {
			t.levels[id] = level
		}
	}
	return of
}

// levelOf returns the severity that the policy of links has for the failure of a URL, or
// SeverityOff where it has none.
func levelOf(policy []crawl.LinkRule, r *crawl.Record) lint.Severity {
	switch crawl.LevelOf(policy, r.Link.URL, &r.Page) {
	case crawl.LinkError:
		return lint.SeverityError
	case crawl.LinkWarning:
		return lint.SeverityWarning
	case crawl.LinkInfo:
		return lint.SeverityInfo
	}
	return lint.SeverityOff // what is skipped is no failure
}

// has reports whether a URL has all of some traits.
func (t *urlTable) has(id crawl.ID, all traits) bool {
	return id > 0 && id <= t.last && t.traits[id]&all == all
}

// hasAny reports whether a URL has any of some traits.
func (t *urlTable) hasAny(id crawl.ID, any traits) bool {
	return id > 0 && id <= t.last && t.traits[id]&any != 0
}

func (t *urlTable) template(id crawl.ID) uint32 {
	if id <= 0 || id > t.last {
		return 0
	}
	return t.templates[id]
}

// target returns where a URL leads, or 0.
func (t *urlTable) target(id crawl.ID) crawl.ID {
	at, found := slices.BinarySearchFunc(t.targets, id, func(one target, id crawl.ID) int { return int(one.from - id) })
	if !found {
		return 0
	}
	return t.targets[at].to
}

// maxSteps is how many redirects in a row are followed. Crawls follow fewer.
const maxSteps = 100

// follow returns where a redirect ends, or 0 where nobody knows, and after how many steps.
func (t *urlTable) follow(id crawl.ID) (end crawl.ID, steps int) {
	for end = id; t.has(end, isRedirect); steps++ {
		if end = t.target(end); end == 0 || steps == maxSteps {
			return 0, steps + 1
		}
	}
	return end, steps
}

func traitsOf(r *crawl.Record) (of traits) {
	reason := r.Reason()
	set := func(trait traits, is bool) {
		if is {
			of |= trait
		}
	}
	listed := reason == crawl.ReasonAdded || r.Fetched && reason == crawl.ReasonListed
	set(isListed, listed)
	isOfSite := reason != crawl.ReasonOutOfScope || r.Link.Detail == crawl.DetailNotGiven
	set(isPage, r.Link.Role == crawl.RolePage && isOfSite && reason != crawl.ReasonNotAPage)
	set(isExternal, r.Link.Role == crawl.RoleExternal || r.Link.Detail.Code() == crawl.DetailOtherSite)
	set(isFetched, r.Fetched)
	set(isAnswered, r.Fetched && r.Page.Status == http.StatusOK)
	isHTML := r.Page.Facts != nil && extract.IsHTML(r.Page.MediaType)
	set(isDocument, r.Requested() && r.Page.Status == http.StatusOK && isHTML)
	set(isBroken, reason.Broken())
	set(isInconclusive, reason == crawl.ReasonInconclusive)
	set(isFailing, of&isPage != 0 && r.Fetched && (reason == crawl.ReasonServerError ||
		reason == crawl.ReasonUnreachable && r.Page.Detail.Cause() == crawl.CauseTimeout))
	set(isRedirect, r.Fetched && reason == crawl.ReasonRedirect)
	set(isLoop, reason == crawl.ReasonRedirectLoop)
	set(isNoIndex, reason == crawl.ReasonNoIndex)
	set(isBlocked, reason == crawl.ReasonRobots)
	set(isCanonical, reason == crawl.ReasonCanonical)
	set(isCopy, reason == crawl.ReasonDuplicate || reason == crawl.ReasonParameterVariant)
	set(isPrivate, isPrivateHost(hostOf(r.Link.URL)))
	set(isStart, r.Link.SeededBy&crawl.SeedStart != 0)
	set(isSeeded, r.Link.SeededBy&(crawl.SeedSitemap|crawl.SeedList|crawl.SeedLog) != 0)
	return of
}

// hostOf returns the host of a normalized URL, with its port.
func hostOf(url string) string {
	_, host, _ := strings.Cut(urlnorm.Origin(url), "://")
	return host
}

// isPrivateHost reports whether a host, with a port or without, is of this machine or of a
// private network, or means every address of this machine.
func isPrivateHost(host string) bool {
	return fetch.IsPrivate(host) || strings.HasPrefix(host+":", "0.0.0.0:") || strings.HasPrefix(host+":", "[::]:")
}
