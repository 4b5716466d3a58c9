package report

import (
	"slices"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/format"
)

// Waiting is the decision about a URL that the crawl has not visited yet.
const Waiting crawl.Reason = "waiting"

// Explanation explains a reason to the owner of a site.
type Explanation struct {
	Reason   crawl.Reason
	Name     string // for headings
	Brief    string // follows the number of URLs
	Plural   string // sentence about several URLs
	Singular string // sentence about one URL
}

// Explanations returns the explanations of all reasons, the most important first.
func Explanations() []Explanation { return slices.Clone(explanations) }

var explanations = []Explanation{
	{crawl.ReasonListed, "Listed", "good pages",
		"Good pages. They belong in the sitemap.",
		"A good page: it belongs in the sitemap."},
	{crawl.ReasonAdded, "Added", "added by --add without a visit",
		"Added to the sitemap without a visit, because a pattern of --add matches.",
		"Added to the sitemap without a visit, because a pattern of --add matches."},
	{crawl.ReasonClientError, "Not found", "not found (4xx)",
		"The server has no such page (4xx). Fix the links to them, or redirect them.",
		"The server has no such page (4xx). Fix the links to it, or redirect it."},
	{crawl.ReasonServerError, "Server error", "server errors (5xx)",
		"The server fails to answer (5xx). Visitors see an error too.",
		"The server fails to answer (5xx). Visitors see an error too."},
	{crawl.ReasonUnreachable, "No response", "without a response",
		"The name does not resolve, or the connection is refused or times out.",
		"The name does not resolve, or the connection is refused or times out."},
	{crawl.ReasonRedirectLoop, "Redirect loop", "redirect loops",
		"They redirect in a loop. Visitors see an error.",
		"It redirects in a loop. Visitors see an error."},
	{crawl.ReasonSoft404, "Soft 404", "missing pages that answer with status 200 (soft 404)",
		"Missing pages that answer 200 OK. They should answer 404.",
		"A missing page that answers 200 OK. It should answer 404."},
	{crawl.ReasonInconclusive, "Refused", "refused to crawlers (401, 403, 429)",
		"Refused to crawlers (401, 403, 429), perhaps not to people. Check them in a browser.",
		"Refused to crawlers (401, 403, 429), perhaps not to people. Check it in a browser."},
	{crawl.ReasonRedirect, "Redirect", "redirects",
		"They redirect to another URL, which is listed instead if it is a good page.",
		"It redirects to another URL, which is listed instead if it is a good page."},
	{crawl.ReasonCanonical, "Canonical elsewhere", "with another page as canonical",
		"Their canonical is another page, which search engines show instead.",
		"Its canonical is another page, which search engines show instead."},
	{crawl.ReasonNoIndex, "Noindex", "noindex",
		"They ask search engines not to show them (noindex).",
		"It asks search engines not to show it (noindex)."},
	{crawl.ReasonRobots, "Blocked by robots.txt", "blocked by robots.txt",
		"robots.txt blocks crawlers.",
		"robots.txt blocks crawlers."},
	{crawl.ReasonNofollow, "Nofollow only", "with nofollow links only",
		"All links to them are nofollow, so the crawl did not follow them.",
		"All links to it are nofollow, so the crawl did not follow them."},
	{crawl.ReasonDuplicate, "Duplicate", "identical to another page",
		"Identical to another page byte for byte. That page is listed instead.",
		"Identical to another page byte for byte. That page is listed instead."},
	{crawl.ReasonParameterVariant, "Parameter variant", "identical to another page except for URL parameters",
		"Identical to another page except for the URL parameters.",
		"Identical to another page except for the URL parameters."},
	{crawl.ReasonTrap, "Trap", "in endless parts of the site (crawler traps)",
		"Endless parts of the site, such as calendars and filters. They waste the time of crawlers.",
		"An endless part of the site, such as a calendar or a filter. It wastes the time of crawlers."},
	{crawl.ReasonLimit, "Beyond a limit", "beyond a limit",
		"The crawl reached a limit first.",
		"The crawl reached a limit first."},
	{crawl.ReasonTooLarge, "Too large", "too large to read completely",
		"Too large to read completely. The crawl read only the beginning.",
		"Too large to read completely. The crawl read only the beginning."},
	{crawl.ReasonExcluded, "Excluded", "excluded by a pattern",
		"Excluded by a pattern of --include or --exclude.",
		"Excluded by a pattern of --include or --exclude."},
	{crawl.ReasonNoList, "Not to be listed", "matching --no-list",
		"Fetched and followed, but not listed, because a pattern of --no-list matches.",
		"Fetched and followed, but not listed, because a pattern of --no-list matches."},
	{crawl.ReasonNotAPage, "Not a page", "not pages (images, feeds, other files)",
		"Images, feeds, scripts and other files that are not pages.",
		"An image, a feed, a script or another file that is not a page."},
	{crawl.ReasonOutOfScope, "Other site", "on other sites",
		"On another site, or outside the part of the site to crawl.",
		"On another site, or outside the part of the site to crawl."},
	{Waiting, "Waiting", "waiting to be visited",
		"Found, but not visited yet: the crawl is not finished.",
		"Found, but not visited yet: the crawl is not finished."},
}

// Explain returns the explanation of a reason. The texts of an unknown reason, which only
// another program can have written, are its name in printable form.
func Explain(reason crawl.Reason) Explanation {
	for _, e := range explanations {
		if e.Reason == reason {
			return e
		}
	}
	name := format.Printable(string(reason))
	return Explanation{Reason: reason, Name: name, Brief: name, Plural: name, Singular: name}
}

// decisionName returns the name of a reason for programs: "listed" if it is empty.
func decisionName(reason crawl.Reason) string {
	if reason == crawl.ReasonListed {
		return "listed"
	}
	return string(reason)
}
