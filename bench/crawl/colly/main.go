// Command colly crawls a site with github.com/gocolly/colly the way its manual
// shows, 64 pages at once, and prints how many pages and dead links it met.
package main

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"sync/atomic"

	"github.com/gocolly/colly/v2"
)

func main() {
	if err := crawl(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "colly:", err)
		os.Exit(1)
	}
}

func crawl(start string) error {
	home, err := url.Parse(start)
	if err != nil {
		return err
	}
	c := colly.NewCollector(colly.AllowedDomains(home.Hostname()), colly.Async(true))
	c.IgnoreRobotsTxt = false
	c.WithTransport(&http.Transport{MaxIdleConnsPerHost: 64})
	if err := c.Limit(&colly.LimitRule{DomainGlob: "*", Parallelism: 64}); err != nil {
		return err
	}
	var pages, dead atomic.Int64
	c.OnResponse(func(*colly.Response) { pages.Add(1) })
	c.OnError(func(r *colly.Response, _ error) {
		if r.StatusCode == http.StatusNotFound {
			dead.Add(1)
		}
	})
	c.OnHTML("a[href]", func(e *colly.HTMLElement) {
		// Addresses that were visited or are forbidden are errors to colly.
		_ = e.Request.Visit(e.Attr("href"))
	})
	if err := c.Visit(start); err != nil {
		return err
	}
	c.Wait()
	fmt.Println(pages.Load(), "pages,", dead.Load(), "dead")
	return nil
}
