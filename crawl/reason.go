package crawl

// Reason says why a URL is not in the sitemap. The names are stable.
type Reason string

// The reasons. The comment says what Detail explains, where it is not obvious.
const (
	ReasonListed           Reason = ""
	ReasonRobots           Reason = "robots"            // blocked by robots.txt; the rule and its line
	ReasonNoIndex          Reason = "noindex"           // by robots meta element or X-Robots-Tag header
	ReasonCanonical        Reason = "canonical"         // names another page as canonical
	ReasonRedirect         Reason = "redirect"          // redirects to another URL
	ReasonRedirectLoop     Reason = "redirect-loop"     // redirects in a circle
	ReasonClientError      Reason = "client-error"      // 4xx
	ReasonServerError      Reason = "server-error"      // 5xx
	ReasonUnreachable      Reason = "unreachable"       // no response
	ReasonInconclusive     Reason = "inconclusive"      // 401, 403, 429, 999: refused to programs, perhaps not to people
	ReasonNotAPage         Reason = "not-a-page"        // an image, a feed, a script
	ReasonOutOfScope       Reason = "out-of-scope"      // another host, or outside the prefix
	ReasonExcluded         Reason = "excluded"          // the pattern
	ReasonAdded            Reason = "added"             // the pattern: listed without being fetched
	ReasonNoList           Reason = "no-list"           // the pattern: fetched and followed, not listed
	ReasonNofollow         Reason = "nofollow"          // every link to it is nofollow
	ReasonDuplicate        Reason = "duplicate"         // the same content as another page
	ReasonParameterVariant Reason = "parameter-variant" // the same content as another page with other parameters
	ReasonSoft404          Reason = "soft-404"          // status 200 with the content of a not-found page
	ReasonTrap             Reason = "trap"              // an endless part of the site; TrapKind.Detail
	ReasonLimit            Reason = "limit"             // a limit was reached first; the limit
	ReasonTooLarge         Reason = "too-large"         // only the beginning was read
	ReasonUnlistable       Reason = "unlistable"        // no sitemap may contain its URL; why
)

// BrokenReasons returns the reasons of URLs to which every link is a broken link.
func BrokenReasons() []Reason {
	return []Reason{ReasonClientError, ReasonServerError, ReasonUnreachable, ReasonRedirectLoop}
}

// Broken reports whether links to a URL with this reason are broken links.
func (r Reason) Broken() bool {
	switch r {
	case ReasonClientError, ReasonServerError, ReasonUnreachable, ReasonRedirectLoop:
		return true
	}
	return false
}

// DetailRobotsHeader is the Detail of a [Page] that an X-Robots-Tag header keeps out of
// the sitemap.
const DetailRobotsHeader = "X-Robots-Tag header"

// Details that several steps, or a step and a test, refer to.
const (
	detailNotIncluded = "matches no pattern of include"
	detailOtherSite   = "another site"
	detailMaxDepth    = "max-depth"
	detailMetaRobots  = "meta robots"
	detailMetaRefresh = "meta refresh"
	detailLinkElement = "link element"
	detailLinkHeader  = "Link header"
	detailSoft404     = "shows what the site shows for a missing page"
	detailLinkOnly    = "only link elements name it"
	detailTruncated   = "only the beginning was read"
	detailLoop        = "leads back to itself"
	detailNoLocation  = "redirect that names no address"
)
