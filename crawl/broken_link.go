package crawl

// BrokenLink is a link of a page to a broken URL.
type BrokenLink struct {
	Page string // URL of the page that has the link
	Link Edge
	URL  string // that is broken
	// Status is the HTTP status of URL, 0 without a response. Reason and Detail say what
	// is wrong with it.
	Status int
	Reason Reason
	Detail Detail
}
