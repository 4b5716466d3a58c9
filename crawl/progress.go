package crawl

import "time"

// Progress counts what a crawl has done, earlier runs of the same crawl included.
type Progress struct {
	Pages      int           // pages of the site that were fetched
	Listed     int           // pages for the sitemap
	Found      int           // URLs found
	Waiting    int           // URLs found and not fetched yet
	Broken     int           // URLs to which every link is a broken link
	Redirects  int           // URLs that redirect
	Blocked    int           // URLs blocked by robots.txt
	Requests   int           // requests
	Rendered   int           // pages that were rendered
	Bytes      int64         // bytes of response bodies, as sent
	Elapsed    time.Duration // of this run
	Limit      string        // the limit that ended the crawl, or LimitNone
	Unanswered int           // URLs that got no answer when the site stopped answering; they wait for the next run
	Reading    string        // the sitemap that is read; empty once pages are requested
	Resumed    bool          // whether the store held a part of the crawl already
	Delay      time.Duration // the Crawl-delay that the site's robots.txt asks for, once it is read; 0 without one
}

// countRequest adds the request for one URL.
func (p *Progress) countRequest(page *Page) {
	if page.Status > 0 || page.Reason == ReasonUnreachable {
		p.Requests++
	}
	p.Bytes += page.Transferred
}

// countResult adds the result of one URL.
func (p *Progress) countResult(page *Page) {
	switch {
	case page.Broken():
		p.Broken++
	case page.Reason == ReasonRedirect:
		p.Redirects++
	case page.Reason == ReasonRobots:
		p.Blocked++
	case page.Reason == ReasonListed:
		p.Listed++
	}
}
