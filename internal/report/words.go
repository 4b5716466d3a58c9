package report

import "github.com/mapatools/mapa/crawl"

// Waiting is the decision about an address that the crawl has not come to yet.
const Waiting crawl.Reason = "waiting"

// An Explanation says to a site's owner what a reason means.
type Explanation struct {
	Reason crawl.Reason
	Name   string // a few words, for headings
	Text   string // a sentence about the addresses of this reason
}

// Explanations holds every reason, the ones that matter most to an owner first.
var Explanations = []Explanation{
	{crawl.Listed, "Listed", "Good pages. They belong in the sitemap."},
	{crawl.Added, "Listed unseen", "Listed without a visit, as a pattern of --add asks."},
	{crawl.ClientError, "Not found", "The server says that there is no such page (4xx). Mend the links to them, or redirect them."},
	{crawl.ServerError, "Server error", "The server fails when asked for them (5xx). Visitors see an error too."},
	{crawl.Unreachable, "No answer", "No answer came: a name that does not resolve, a connection refused, a time limit."},
	{crawl.RedirectLoop, "Redirect loop", "They redirect to each other without end. Visitors see an error."},
	{crawl.SoftNotFound, "Soft 404", "They show the page for missing pages but say 200 OK. They should answer 404."},
	{crawl.Inconclusive, "Refused", "Refused to a crawler (401, 403, 429), perhaps not to people. Look at them in a browser."},
	{crawl.Redirect, "Redirect", "They lead on to another address, which is listed instead when it is a good page."},
	{crawl.Canonical, "Canonical elsewhere", "They name another page as the one that search engines should show."},
	{crawl.NoIndex, "Noindex", "They ask search engines not to show them."},
	{crawl.Robots, "Closed by robots.txt", "robots.txt forbids crawlers to fetch them."},
	{crawl.NofollowOnly, "Nofollow only", "Every link to them says nofollow, so they were not followed."},
	{crawl.Duplicate, "Duplicate", "Byte for byte the same as another page, which is listed instead."},
	{crawl.Variant, "Parameter variant", "The same as another page but for the parameters of the address."},
	{crawl.Trap, "Trap", "Endless parts of the site, such as calendars and filters. Crawlers lose their time there."},
	{crawl.Limit, "Beyond a limit", "A limit of the crawl was reached first."},
	{crawl.Truncated, "Too large", "Too large to be read whole; only the beginning was."},
	{crawl.Excluded, "Excluded", "Left out by a pattern of --include or --exclude."},
	{crawl.Unlisted, "Not to be listed", "Fetched and followed, but not listed, as a pattern of --no-list asks."},
	{crawl.NotAPage, "Not a page", "Images, feeds, scripts and other files that are no pages."},
	{crawl.OutOfScope, "Other site", "On another site, or outside of the part that was crawled."},
	{Waiting, "Waiting", "Found, but not visited yet: the crawl has not come to its end."},
}

// Explain returns the explanation of a reason; one that is not known explains
// itself by its name.
func Explain(reason crawl.Reason) Explanation {
	for _, e := range Explanations {
		if e.Reason == reason {
			return e
		}
	}
	return Explanation{Reason: reason, Name: string(reason)}
}

// decision is what programs read: the reason, or "listed".
func decision(reason crawl.Reason) string {
	if reason == crawl.Listed {
		return "listed"
	}
	return string(reason)
}
