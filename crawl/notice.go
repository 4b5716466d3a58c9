package crawl

import (
	"fmt"
	"time"
)

// longDelay is the time before a request from which a crawl should say what it waits for.
const longDelay = 2 * time.Second

// longCrawl is the time from which a Crawl-delay is worth a notice.
const longCrawl = time.Hour

// notice reports something that the user should know during the crawl.
func (s *site) notice(text string) {
	if s.options.OnNotice != nil {
		s.options.OnNotice(text)
	}
}

// noticeDelay adds the Crawl-delay of the site to the progress. It reports, once, that the
// delay makes the crawl long: the delay times the URLs that wait and the further requests.
func (s *state) noticeDelay(delay time.Duration, further int) {
	s.mutex.Lock()
	s.delay, s.tally.Delay = delay, delay
	s.mutex.Unlock()
	s.checkDelay(further)
}

func (s *state) checkDelay(further int) {
	s.mutex.Lock()
	delay, urls := s.delay, s.waitingLocked()+further
	takes := delay * time.Duration(urls)
	if takes >= longCrawl {
		s.delay = 0
	}
	s.mutex.Unlock()
	if takes >= longCrawl {
		s.notice(fmt.Sprintf("robots.txt asks for %v between two requests (Crawl-delay): the %d URLs that wait take %v, "+
			"and more may be found; set --max-time or --max-pages to stop earlier", delay, urls, takes.Round(time.Minute)))
	}
}
