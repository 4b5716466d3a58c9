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
	ReasonRedirectLoop     Reason = "redirect-loop"     // redirect loop
	ReasonClientError      Reason = "client-error"      // 4xx
	ReasonServerError      Reason = "server-error"      // 5xx
	ReasonUnreachable      Reason = "unreachable"       // no response
	ReasonInconclusive     Reason = "inconclusive"      // 401, 403, 429, 999: refused to programs, perhaps not to people
	ReasonNotAPage         Reason = "not-a-page"        // an image, a feed, a script
	ReasonOutOfScope       Reason = "out-of-scope"      // another host, outside the prefix, or no seed
	ReasonExcluded         Reason = "excluded"          // the pattern
	ReasonAdded            Reason = "added"             // the pattern: listed without being fetched
	ReasonNoList           Reason = "no-list"           // the pattern: fetched and followed, not listed
	ReasonNofollow         Reason = "nofollow"          // every link to it is nofollow
	ReasonDuplicate        Reason = "duplicate"         // the same content as another page
	ReasonParameterVariant Reason = "parameter-variant" // the same content as another page with other parameters
	ReasonSoft404          Reason = "soft-404"          // status 200 with the content of a not-found page
	ReasonUnlinked         Reason = "unlinked"          // an earlier crawl listed it, and nothing leads to it any more
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

// The codes of details, except for those of traps, which [TrapKind.Detail] returns, and of
// requests without a response, which begin with "failure.". The comment says what the
// arguments are.
const (
	DetailRobotsHeader   Detail = "robots-header"     // an X-Robots-Tag header
	DetailMetaRobots     Detail = "meta-robots"       // a meta robots element
	DetailMetaRefresh    Detail = "meta-refresh"      // a meta refresh element
	DetailScript         Detail = "script"            // a script opens another URL
	DetailLinkElement    Detail = "link-element"      // a canonical link in the page
	DetailLinkHeader     Detail = "link-header"       // a canonical link in the header
	DetailVerification   Detail = "verification"      // a file that verifies the owner of the site
	DetailNotFoundPage   Detail = "not-found-page"    // a page that the site shows for missing ones
	DetailLinkOnly       Detail = "link-only"         // only link elements name the URL
	DetailElementBack    Detail = "link-element-back" // in Page.Conflict; the canonical in the page: it redirects back
	DetailHeaderBack     Detail = "link-header-back"  // in Page.Conflict; that of the header: it redirects back
	DetailConflict       Detail = "conflict"          // in Page.Conflict; the canonical URLs of the header and the page
	DetailLocation       Detail = "location"          // the URL that a redirect leads to
	DetailNoLocation     Detail = "no-location"       // a redirect without a URL
	DetailLoop           Detail = "loop"              // a redirect that leads back to itself
	DetailStatus         Detail = "status"            // the text of the status
	DetailAccepted       Detail = "accepted"          // the status, which Checks.Policy skips
	DetailAcceptedCause  Detail = "accepted-cause"    // why there is no response, a detail, which it skips
	DetailSoft404        Detail = "soft-404"          // the content of the site's missing pages
	DetailNotFoundText   Detail = "not-found-text"    // the phrase that scripts show as title or h1
	DetailTruncated      Detail = "truncated"         // only the beginning was read
	DetailMoved          Detail = "moved"             // permanent redirects of another site in a row, and where they end
	DetailChained        Detail = "chained"           // redirects of another site in a row
	DetailMediaType      Detail = "media-type"        // the media type
	DetailPattern        Detail = "pattern"           // the pattern of the options that matches
	DetailNotIncluded    Detail = "not-included"      // no pattern of Scope.Include matches
	DetailOutside        Detail = "outside"           // the prefix that the URL does not have
	DetailOtherSite      Detail = "other-site"        // a URL of another site
	DetailNotGiven       Detail = "not-given"         // Scope.OnlySeeds
	DetailMaxDepth       Detail = "max-depth"         // Limits.Depth
	DetailDisallowed     Detail = "disallowed"        // the line of the rule in robots.txt, and the rule
	DetailRobotsRefused  Detail = "robots.refused"    // robots.txt disallows everything; a detail that says why
	DetailRobotsAnswered Detail = "robots.answered"   // the status of the response for robots.txt
	DetailRobotsFailed   Detail = "robots-failed"     // robots.txt cannot be fetched; a detail that says why
	DetailLongDelay      Detail = "long-delay"        // the delay that robots.txt asks for
	DetailTooLong        Detail = "too-long"          // the characters that a URL may have in a sitemap
	DetailInvalidHost    Detail = "invalid-host"      // a host that no sitemap may contain
	DetailError          Detail = "error"             // the text of an error
)

// The codes of [Rendered].Failure and [Rendered].Lacking. The comment says what the arguments are.
const (
	DetailRenderPartial Detail = "render-partial" // the page was not finished in time
	DetailRenderFailed  Detail = "render-failed"  // a request of the page failed or was refused; its URL and the cause
	DetailRenderScript  Detail = "render-script"  // its scripts show nothing; the error that ended one
	DetailRenderEmpty   Detail = "render-empty"   // its scripts show nothing
	DetailRenderError   Detail = "render-error"   // the browser failed; the text of the error
	DetailNoBrowser     Detail = "no-browser"     // in UnrenderedError: the browser failed; the text of the error
	DetailMaxRender     Detail = "max-render"     // Limits.Render
)
