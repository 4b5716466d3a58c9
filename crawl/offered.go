package crawl

import "context"

// addOffered adds URLs that other sites of the crawl link to, once nothing else is
// left. It reports whether there were any.
func (c *crawler) addOffered(ctx context.Context) bool {
	if c.options.Offered == nil || c.isStopped() {
		return false
	}
	urls, err := c.options.Offered(ctx)
	if err != nil {
		if ctx.Err() == nil {
			c.fail(err)
		}
		return false
	}
	s := &seeder{crawler: c, w: newWorker(c.state)}
	for _, url := range urls {
		s.add(url, SeedList)
	}
	s.settle()
	c.mutex.Lock()
	c.seedSources = nil
	c.mutex.Unlock()
	return len(urls) > 0
}

func (c *crawler) isStopped() bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.stopped
}
