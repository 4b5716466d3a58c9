package catalog

// englishReasons explain why URLs are, or are not, in the sitemap: the name of each
// reason, what follows a number of URLs, a sentence about several URLs and one about one.
func englishReasons() map[string]string {
	return map[string]string{
		"reason.listed.name":     "Listed",
		"reason.listed.brief":    "good pages",
		"reason.listed.plural":   "Good pages. They belong in the sitemap.",
		"reason.listed.singular": "A good page: it belongs in the sitemap.",

		"reason.added.name":     "Added",
		"reason.added.brief":    "added by --add without a visit",
		"reason.added.plural":   "Added to the sitemap without a visit, because a pattern of --add matches.",
		"reason.added.singular": "Added to the sitemap without a visit, because a pattern of --add matches.",

		"reason.client-error.name":     "Not found",
		"reason.client-error.brief":    "not found (4xx)",
		"reason.client-error.plural":   "The server has no such page (4xx). Fix the links to them, or redirect them.",
		"reason.client-error.singular": "The server has no such page (4xx). Fix the links to it, or redirect it.",

		"reason.server-error.name":     "Server error",
		"reason.server-error.brief":    "server errors (5xx)",
		"reason.server-error.plural":   "The server fails to answer (5xx). Visitors see an error too.",
		"reason.server-error.singular": "The server fails to answer (5xx). Visitors see an error too.",

		"reason.unreachable.name":     "No response",
		"reason.unreachable.brief":    "without a response",
		"reason.unreachable.plural":   "The name does not resolve, or the connection is refused or times out.",
		"reason.unreachable.singular": "The name does not resolve, or the connection is refused or times out.",

		"reason.redirect-loop.name":     "Redirect loop",
		"reason.redirect-loop.brief":    "redirect loops",
		"reason.redirect-loop.plural":   "They redirect in a loop. Visitors see an error.",
		"reason.redirect-loop.singular": "It redirects in a loop. Visitors see an error.",

		"reason.soft-404.name":     "Soft 404",
		"reason.soft-404.brief":    "missing pages that answer with status 200 (soft 404)",
		"reason.soft-404.plural":   "Missing pages that answer 200 OK. They should answer 404.",
		"reason.soft-404.singular": "A missing page that answers 200 OK. It should answer 404.",

		"reason.inconclusive.name":  "Refused",
		"reason.inconclusive.brief": "refused to crawlers (401, 403, 429)",
		"reason.inconclusive.plural": "Refused to crawlers (401, 403, 429), perhaps not to people. Check them in a " +
			"browser.",
		"reason.inconclusive.singular": "Refused to crawlers (401, 403, 429), perhaps not to people. Check it in a " +
			"browser.",

		"reason.redirect.name":     "Redirect",
		"reason.redirect.brief":    "redirects",
		"reason.redirect.plural":   "They redirect to another URL, which is listed instead if it is a good page.",
		"reason.redirect.singular": "It redirects to another URL, which is listed instead if it is a good page.",

		"reason.canonical.name":     "Canonical elsewhere",
		"reason.canonical.brief":    "with another page as canonical",
		"reason.canonical.plural":   "Their canonical is another page, which search engines show instead.",
		"reason.canonical.singular": "Its canonical is another page, which search engines show instead.",

		"reason.noindex.name":     "Noindex",
		"reason.noindex.brief":    "noindex",
		"reason.noindex.plural":   "They ask search engines not to show them (noindex).",
		"reason.noindex.singular": "It asks search engines not to show it (noindex).",

		"reason.robots.name":     "Blocked by robots.txt",
		"reason.robots.brief":    "blocked by robots.txt",
		"reason.robots.plural":   "robots.txt blocks crawlers.",
		"reason.robots.singular": "robots.txt blocks crawlers.",

		"reason.nofollow.name":     "Nofollow only",
		"reason.nofollow.brief":    "with nofollow links only",
		"reason.nofollow.plural":   "All links to them are nofollow, so the crawl did not follow them.",
		"reason.nofollow.singular": "All links to it are nofollow, so the crawl did not follow them.",

		"reason.duplicate.name":     "Duplicate",
		"reason.duplicate.brief":    "identical to another page",
		"reason.duplicate.plural":   "Identical to another page byte for byte. That page is listed instead.",
		"reason.duplicate.singular": "Identical to another page byte for byte. That page is listed instead.",

		"reason.parameter-variant.name":     "Parameter variant",
		"reason.parameter-variant.brief":    "identical to another page except for URL parameters",
		"reason.parameter-variant.plural":   "Identical to another page except for the URL parameters.",
		"reason.parameter-variant.singular": "Identical to another page except for the URL parameters.",

		"reason.trap.name":   "Trap",
		"reason.trap.brief":  "in endless parts of the site (crawler traps)",
		"reason.trap.plural": "Endless parts of the site, such as calendars and filters. They waste the time of crawlers.",
		"reason.trap.singular": "An endless part of the site, such as a calendar or a filter. It wastes the time of " +
			"crawlers.",

		"reason.limit.name":     "Beyond a limit",
		"reason.limit.brief":    "beyond a limit",
		"reason.limit.plural":   "The crawl reached a limit first.",
		"reason.limit.singular": "The crawl reached a limit first.",

		"reason.too-large.name":     "Too large",
		"reason.too-large.brief":    "too large to read completely",
		"reason.too-large.plural":   "Too large to read completely. The crawl read only the beginning.",
		"reason.too-large.singular": "Too large to read completely. The crawl read only the beginning.",

		"reason.unlistable.name":     "Not allowed in a sitemap",
		"reason.unlistable.brief":    "with a URL that no sitemap may contain",
		"reason.unlistable.plural":   "Their URLs may not be in a sitemap, mostly because they have more than 2,047 characters.",
		"reason.unlistable.singular": "Its URL may not be in a sitemap, mostly because it has more than 2,047 characters.",

		"reason.excluded.name":     "Excluded",
		"reason.excluded.brief":    "excluded by a pattern",
		"reason.excluded.plural":   "Excluded by a pattern of --include or --exclude.",
		"reason.excluded.singular": "Excluded by a pattern of --include or --exclude.",

		"reason.no-list.name":     "Not to be listed",
		"reason.no-list.brief":    "matching --no-list",
		"reason.no-list.plural":   "Fetched and followed, but not listed, because a pattern of --no-list matches.",
		"reason.no-list.singular": "Fetched and followed, but not listed, because a pattern of --no-list matches.",

		"reason.not-a-page.name":     "Not a page",
		"reason.not-a-page.brief":    "not pages (images, feeds, other files)",
		"reason.not-a-page.plural":   "Images, feeds, scripts and other files that are not pages.",
		"reason.not-a-page.singular": "An image, a feed, a script or another file that is not a page.",

		"reason.out-of-scope.name":     "Other site",
		"reason.out-of-scope.brief":    "on other sites",
		"reason.out-of-scope.plural":   "On another site, or outside the part of the site to crawl.",
		"reason.out-of-scope.singular": "On another site, or outside the part of the site to crawl.",

		"reason.waiting.name":     "Waiting",
		"reason.waiting.brief":    "waiting to be visited",
		"reason.waiting.plural":   "Found, but not visited yet: the crawl is not finished.",
		"reason.waiting.singular": "Found, but not visited yet: the crawl is not finished.",
	}
}
