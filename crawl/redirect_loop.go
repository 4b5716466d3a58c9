package crawl

import "slices"

// redirect is a redirect of the site, kept to find loops.
type redirect struct {
	target ID
	status int
}

// maxLoop is the length of the longest loop that is found.
const maxLoop = 100

// recordRedirectLocked notes a redirect. If it closes a loop, every page of the loop
// is recorded again with that as its reason.
func (s *state) recordRedirectLocked(page *Page) {
	s.redirects[page.ID] = redirect{page.Target, page.Status}
	members := []ID{}
	for at := page.Target; at != page.ID; {
		next, ok := s.redirects[at]
		if !ok || len(members) == maxLoop {
			return
		}
		members = append(members, at)
		at = next.target
	}
	for _, id := range members {
		earlier := s.redirects[id]
		s.pending.Done = append(s.pending.Done, Page{
			ID: id, Time: page.Time, Status: earlier.status, Target: earlier.target,
			Reason: ReasonRedirectLoop, Detail: DetailLoop,
		})
		s.tally.Redirects--
		s.tally.Broken++
	}
	page.Reason, page.Detail = ReasonRedirectLoop, DetailLoop
	if page.ID == startID || slices.Contains(members, startID) {
		s.failLocked(&StartError{URL: s.start, Status: page.Status, Detail: "the redirect " + DetailLoop.String()})
	}
}
