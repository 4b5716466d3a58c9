package crawl

// A page can name URLs that are much longer than its links: each has the base of the
// page in front. What links do not spell out of their URLs may take at most as many bytes
// in files as the site has sent, and freeExpansion more, except for usualExpansion bytes
// of every URL. Otherwise a page of some kilobytes could fill a disk.
const (
	freeExpansion  = 4 << 20 // bytes
	usualExpansion = 100
	// expansionCost is how often files hold a URL: the crawl file, its index, a report.
	expansionCost = 3
)

// maxPageURLs is how many bytes the URLs of one page may have together.
const maxPageURLs = 4 << 20

// expansionOf returns how many bytes of files the URL of a link takes that the link does
// not spell out.
func expansionOf(url, link int) int { return max(url-link-usualExpansion, 0) * expansionCost }

// canExpandLocked reports whether there is room for so many bytes more.
func (s *state) canExpandLocked(expansion int) bool {
	return s.expanded+int64(expansion) <= s.received+freeExpansion || s.options.Traps.Links == trapOff
}

// Every URL that a site names takes some memory, and a site can name URLs without end. The
// crawl keeps freeURLs of them, and urlsPerRequest more for every request.
const (
	freeURLs       = 1 << 20
	urlsPerRequest = 50
)

// canAddLocked reports whether a link may lead to a new URL.
func (s *state) canAddLocked(link *resolvedLink) bool {
	switch {
	case link.isTarget, link.source != 0, s.options.Traps.Links == trapOff:
		return true
	case int64(s.lastID) >= freeURLs+urlsPerRequest*int64(s.tally.Requests):
		return false
	}
	return s.canExpandLocked(link.url.expands)
}
