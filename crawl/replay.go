package crawl

import "context"

// replay restores the state from the store.
func (c *crawler) replay(ctx context.Context) error {
	urls := normalizer{site: c.site}
	var done, skipped idSet
	err := c.store.Replay(ctx, func(commit Commit) error {
		c.mutex.Lock()
		defer c.mutex.Unlock()
		for i := range commit.Done {
			page := &commit.Done[i]
			done.add(page.ID)
			if page.skipped() {
				skipped.add(page.ID)
			}
			if page.Reason == ReasonRedirect && page.Target > 0 {
				c.redirects[page.ID] = redirect{page.Target, page.Status}
			}
			c.tally.count(page)
			c.seeded = true
		}
		for i := range commit.Found {
			link := &commit.Found[i]
			c.lastID = max(c.lastID, link.ID)
			c.seen.add(urls.key([]byte(link.URL)), link.ID)
			switch {
			case !done.has(link.ID):
				c.restoreLinkLocked(link)
			case link.Role == RolePage && !skipped.has(link.ID):
				c.tally.Pages++
			}
		}
		return c.failed
	})
	for range maxLoop {
		if next, ok := c.redirects[c.landing]; ok {
			c.landing = next.target
		}
	}
	c.requested = c.tally.Pages
	c.tally.Resumed = c.lastID > 0
	return err
}

// restoreLinkLocked restores a URL that was found and not fetched.
func (c *crawler) restoreLinkLocked(link *Link) {
	switch {
	case link.Reason == ReasonListed:
		c.queueLocked(link.item())
	case link.Reason == ReasonNofollow:
		c.nofollowed.add(link.ID)
	case link.isProvisional():
		c.provisional.add(link.ID)
	}
}

// idSet is a set of IDs, one bit each.
type idSet []uint64

func (s *idSet) add(id ID) {
	for int(id/64) >= len(*s) {
		*s = append(*s, 0)
	}
	(*s)[id/64] |= 1 << (id % 64)
}

func (s idSet) remove(id ID) {
	if s.has(id) {
		s[id/64] &^= 1 << (id % 64)
	}
}

func (s idSet) has(id ID) bool {
	return int(id/64) < len(s) && s[id/64]&(1<<(id%64)) != 0
}
