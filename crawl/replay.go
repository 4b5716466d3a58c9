package crawl

import (
	"context"

	"github.com/mapatools/mapa/internal/bitset"
)

// replay restores the state from the store.
func (c *crawler) replay(ctx context.Context) error {
	urls := normalizer{site: c.site}
	var done, skipped bitset.Set[ID]
	err := c.store.Replay(ctx, func(commit Commit) error {
		c.mutex.Lock()
		defer c.mutex.Unlock()
		for i := range commit.Done {
			page := &commit.Done[i]
			done.Add(page.ID)
			if page.skipped() {
				skipped.Add(page.ID)
			}
			if page.Reason == ReasonRedirect && page.Target > 0 {
				c.redirects[page.ID] = redirect{page.Target, page.Status}
			}
			c.tally.countRequest(page)
			c.tally.countResult(page)
			if page.Rendered.Ran() {
				c.tally.Rendered++
				if page.Reason == ReasonListed && page.Words > 0 {
					c.tolerateLocked(page.Rendered.Lacking)
				}
			}
			c.seeded = true
		}
		for i := range commit.Found {
			link := &commit.Found[i]
			c.lastID = max(c.lastID, link.ID)
			c.seen.add(urls.key([]byte(link.URL)), link.ID)
			switch {
			case !done.Has(link.ID):
				c.restoreLinkLocked(link)
			case link.Role == RolePage && !skipped.Has(link.ID) && !link.OnlyEarlier():
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
	if err != nil {
		return err
	}
	return c.replayLooks(ctx)
}

// restoreLinkLocked restores a URL that was found and not fetched.
func (c *crawler) restoreLinkLocked(link *Link) {
	switch {
	case link.Reason == ReasonListed:
		c.asking = c.asking || link.OnlyEarlier() // they are queued when all else is done
		c.queueLocked(link.item())
	case link.Reason == ReasonNofollow:
		c.nofollowed.Add(link.ID)
	case link.Detail == DetailMaxDepth:
		c.pages.setDepth(link.ID, link.Depth)
	case link.isProvisional():
		c.provisional.Add(link.ID)
	}
}
