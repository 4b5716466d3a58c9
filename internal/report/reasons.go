package report

import "github.com/mapatools/mapa/crawl"

// Waiting is the decision about an address that the crawl has not come to yet.
const Waiting crawl.Reason = "waiting"

// An Explanation says to a site's owner what a reason means.
type Explanation struct {
	Reason crawl.Reason
	Name   string // a few words, for headings
	Brief  string // what the addresses of this reason are, behind their number, be it 1 or more
	Text   string // a sentence about them
	One    string // a sentence about one of them
}

// Explanations holds every reason, the ones that matter most to an owner first.
var Explanations = []Explanation{
	{crawl.ReasonListed, "Listed", "good pages",
		"Good pages. They belong in the sitemap.",
		"A good page: it belongs in the sitemap."},
	{crawl.ReasonAdded, "Listed unseen", "listed unseen, as --add asks",
		"Listed without a visit, as a pattern of --add asks.",
		"Listed without a visit, as a pattern of --add asks."},
	{crawl.ReasonClientError, "Not found", "not found (4xx)",
		"The server says that there is no such page (4xx). Mend the links to them, or redirect them.",
		"The server says that there is no such page (4xx). Mend the links to it, or redirect it."},
	{crawl.ReasonServerError, "Server error", "failing on the server (5xx)",
		"The server fails when asked for them (5xx). Visitors see an error too.",
		"The server fails when asked for it (5xx). Visitors see an error too."},
	{crawl.ReasonUnreachable, "No answer", "without an answer",
		"No answer came: a name that does not resolve, a connection refused, a time limit.",
		"No answer came: the name does not resolve, the connection was refused, or it took too long."},
	{crawl.ReasonRedirectLoop, "Redirect loop", "redirecting without end",
		"They redirect to each other without end. Visitors see an error.",
		"It redirects back to itself without end. Visitors see an error."},
	{crawl.ReasonSoft404, "Soft 404", "showing the site's page for missing pages with status 200",
		"They show the page for missing pages but say 200 OK. They should answer 404.",
		"It shows the page for missing pages but says 200 OK. It should answer 404."},
	{crawl.ReasonInconclusive, "Refused", "refused to a crawler, perhaps not to people (401, 403, 429)",
		"Refused to a crawler (401, 403, 429), perhaps not to people. Look at them in a browser.",
		"Refused to a crawler (401, 403, 429), perhaps not to people. Look at it in a browser."},
	{crawl.ReasonRedirect, "Redirect", "leading on to another address",
		"They lead on to another address, which is listed instead when it is a good page.",
		"It leads on to another address, which is listed instead when it is a good page."},
	{crawl.ReasonCanonical, "Canonical elsewhere", "naming another page as the canonical one",
		"They name another page as the one that search engines should show.",
		"It names another page as the one that search engines should show."},
	{crawl.ReasonNoIndex, "Noindex", "not for search engines, as the page says (noindex)",
		"They ask search engines not to show them.",
		"It asks search engines not to show it."},
	{crawl.ReasonRobots, "Closed by robots.txt", "closed to crawlers by robots.txt",
		"robots.txt forbids crawlers to fetch them.",
		"robots.txt forbids crawlers to fetch it."},
	{crawl.ReasonNofollow, "Nofollow only", "linked with nofollow only",
		"Every link to them says nofollow, so they were not followed.",
		"Every link to it says nofollow, so it was not followed."},
	{crawl.ReasonDuplicate, "Duplicate", "byte for byte the same as another page",
		"Byte for byte the same as another page, which is listed instead.",
		"Byte for byte the same as another page, which is listed instead."},
	{crawl.ReasonParameterVariant, "Parameter variant", "the same as another page but for parameters of the address",
		"The same as another page but for the parameters of the address.",
		"The same as another page but for the parameters of the address."},
	{crawl.ReasonTrap, "Trap", "in endless parts of the site",
		"Endless parts of the site, such as calendars and filters. Crawlers lose their time there.",
		"An endless part of the site, such as a calendar or a filter. Crawlers lose their time there."},
	{crawl.ReasonLimit, "Beyond a limit", "beyond a limit",
		"A limit of the crawl was reached first.",
		"A limit of the crawl was reached first."},
	{crawl.ReasonTooLarge, "Too large", "too large to be read whole",
		"Too large to be read whole; only the beginning was.",
		"Too large to be read whole; only the beginning was."},
	{crawl.ReasonExcluded, "Excluded", "left out by a pattern",
		"Left out by a pattern of --include or --exclude.",
		"Left out by a pattern of --include or --exclude."},
	{crawl.ReasonNoList, "Not to be listed", "matching --no-list",
		"Fetched and followed, but not listed, as a pattern of --no-list asks.",
		"Fetched and followed, but not listed, as a pattern of --no-list asks."},
	{crawl.ReasonNotAPage, "Not a page", "not a page but an image, a feed or another file",
		"Images, feeds, scripts and other files that are no pages.",
		"An image, a feed, a script or another file that is no page."},
	{crawl.ReasonOutOfScope, "Other site", "on other sites",
		"On another site, or outside of the part that was crawled.",
		"On another site, or outside of the part that was crawled."},
	{Waiting, "Waiting", "waiting to be visited",
		"Found, but not visited yet: the crawl has not come to its end.",
		"Found, but not visited yet: the crawl has not come to its end."},
}

// Explain returns the explanation of a reason; one that is not known explains
// itself by its name.
func Explain(reason crawl.Reason) Explanation {
	for _, e := range Explanations {
		if e.Reason == reason {
			return e
		}
	}
	name := string(reason)
	return Explanation{Reason: reason, Name: name, Brief: name, Text: name, One: name}
}

// decisionName is what programs read: the reason, or "listed".
func decisionName(reason crawl.Reason) string {
	if reason == crawl.ReasonListed {
		return "listed"
	}
	return string(reason)
}
