package announce

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/mapatools/mapa/announce"
	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/access"
	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/mapatools/mapa/internal/extract"
	"github.com/mapatools/mapa/internal/fetch"
	"github.com/mapatools/mapa/lint"
	"github.com/mapatools/mapa/robots"
)

// A Refusal is a reason not to announce, which the check setting of its name overrides.
type Refusal struct {
	Check string `json:"check"`
	URL   string `json:"url"`
	Why   string `json:"why"`
}

// Refusals are the reasons not to announce.
type Refusals struct {
	Count int            `json:"count"`
	By    map[string]int `json:"by,omitempty"` // numbers by check
	First []Refusal      `json:"first,omitempty"`
	// Checked is the number of pages that were requested, of Total.
	Checked int `json:"checked"`
	Total   int `json:"total"`
}

// maxRefusals is the number of refusals that are kept.
const maxRefusals = 10

func (r *Refusals) add(check, address, why string) {
	r.Count++
	if r.By == nil {
		r.By = map[string]int{}
	}
	r.By[check]++
	if len(r.First) < maxRefusals {
		r.First = append(r.First, Refusal{check, address, why})
	}
}

// sampleSize reads the number of pages of a sample; negative is all of them.
func sampleSize(text string) (int, error) {
	if text == access.SampleAll {
		return -1, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return 0, setting.Invalid("sample", "%s must be a number of pages or all, not %q", text)
	}
	return n, nil
}

// lintSitemap counts the findings of the sitemap by severity, and calls onError for those
// that are errors.
func lintSitemap(ctx context.Context, s *announceSource, onError func(*lint.Finding)) (LintCounts, error) {
	var counts LintCounts
	options := lint.Options{Source: s.options}
	if s.folder != "" {
		options.BaseURL = strings.TrimSuffix(s.sitemap, lastSegment(s.sitemap))
	}
	linter, err := lint.New(&options)
	if err != nil {
		return counts, err
	}
	for f, err := range linter.Check(ctx, s.location) {
		if err != nil {
			return counts, err
		}
		switch f.Severity {
		case lint.SeverityError:
			counts.Errors += f.Count()
			onError(&f)
		case lint.SeverityWarning:
			counts.Warnings += f.Count()
		}
	}
	return counts, nil
}

// LintCounts are the numbers of findings about a sitemap.
type LintCounts struct {
	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`
}

func lastSegment(address string) string { return address[strings.LastIndexByte(address, '/')+1:] }

// checkSitemap counts the pages of the sitemap, and refuses one with errors.
func (r *announceRun) checkSitemap(ctx context.Context) (err error) {
	r.result.Sitemap, r.result.DryRun = r.source.sitemap, r.settings.DryRun
	if r.version, r.result.Pages, err = listingVersion(ctx, r.source.listed); err != nil || r.forces(CheckLint) {
		return err
	}
	_, err = lintSitemap(ctx, r.source, func(f *lint.Finding) {
		where := f.File
		if f.Line > 0 {
			where += ":" + strconv.Itoa(f.Line)
		}
		r.result.Refusals.add(CheckLint, where, f.Message.String()+" ("+f.Rule.ID+")")
	})
	return err
}

func (r *announceRun) forces(check string) bool { return slices.Contains(r.settings.Force, check) }

// checkPages requests the pages to announce, or an even sample of many, and refuses those
// that engines should not be sent to.
func (r *announceRun) checkPages(ctx context.Context, pages iter.Seq2[announcedPage, error]) error {
	for p, err := range pages {
		if err != nil {
			return err
		}
		r.result.Changes.count(p.kind)
		r.checkHost(&p)
	}
	total := r.result.Changes.Total()
	r.result.Refusals.Total = total
	if r.forces(CheckStatus) && r.forces(CheckNoIndex) && r.forces(Check) {
		return nil
	}
	checker, err := r.newPageChecker(ctx)
	if err != nil {
		return err
	}
	if why := checker.blocked(r.source.sitemap); why != "" && !r.forces(Check) {
		r.result.Refusals.add(Check, r.source.sitemap, why)
	}
	sample, _ := sampleSize(r.settings.Sample) // it was validated
	if sample < 0 || sample > total {
		sample = total
	}
	return checker.checkAll(ctx, pages, sample, total)
}

func (r *announceRun) checkHost(p *announcedPage) {
	if !r.forces(CheckHost) && !isOnHost(p.url, r.source.page()) {
		r.result.Refusals.add(CheckHost, p.url, "is on another host than the sitemap")
	}
}

// isOnHost reports whether a URL is on the origin of a start page.
func isOnHost(address, page string) bool {
	return strings.HasPrefix(address, page) || address+"/" == page
}

// crawlers are the crawlers of providers, as robots.txt names them. What IndexNow gets
// is shared by several engines, the largest of them Bing.
var crawlers = map[announce.Provider]string{
	announce.ProviderGoogle: "Googlebot", announce.ProviderBing: "bingbot", announce.ProviderIndexNow: "bingbot",
	announce.ProviderYandex: "YandexBot", announce.ProviderBaidu: "Baiduspider",
}

// crawlersOf returns the crawlers of the chosen providers; without any, the one of no
// name.
func (r *announceRun) crawlersOf() (names []string) {
	for _, a := range r.chosen {
		if name := crawlers[a.Provider()]; name != "" {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		names = []string{"*"}
	}
	return names
}

// A pageChecker checks pages of one site.
type pageChecker struct {
	run    *announceRun
	site   *fetch.Site
	groups map[string]*robots.Group // of robots.txt, by crawler

	mutex sync.Mutex // guards the refusals of the result
}

func (r *announceRun) newPageChecker(ctx context.Context) (*pageChecker, error) {
	own, err := r.settings.Request.Access(r.app.UserAgent(), []string{r.source.page()}, nil)
	if err != nil {
		return nil, err
	}
	client, err := fetch.New(&fetch.Options{Access: own})
	if err != nil {
		return nil, err
	}
	site := fetch.NewSite(client, func(text string) { r.app.Emit(app.Notice{Text: text}) })
	c := &pageChecker{run: r, site: site, groups: map[string]*robots.Group{}}
	file := c.readRobots(ctx)
	for _, name := range r.crawlersOf() {
		c.groups[name] = file.Group(name)
	}
	return c, ctx.Err()
}

// readRobots requests robots.txt, with as many redirects as crawlers follow. A host that
// does not answer blocks nothing here: its pages are refused because of that.
func (c *pageChecker) readRobots(ctx context.Context) *robots.File {
	address := c.run.source.page() + "robots.txt"
	for range robots.MaxRedirects + 1 {
		answer, err := c.site.Get(ctx, address, robots.ReadLimit)
		switch {
		case err != nil || answer.Skipped != "" || answer.Forbidden != "":
			return &robots.File{}
		case answer.Location == "":
			return robots.FromResponse(answer.Status, bytes.NewReader(answer.Body))
		}
		address = answer.Location
	}
	return robots.AllowAll("too many redirects")
}

// checkAll checks a sample of the pages, spread evenly.
func (c *pageChecker) checkAll(ctx context.Context, pages iter.Seq2[announcedPage, error], sample, total int) error {
	const workers = 4
	queue := make(chan announcedPage)
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for p := range queue {
				c.check(ctx, &p)
			}
		})
	}
	err := c.enqueue(ctx, pages, sample, total, queue)
	close(queue)
	group.Wait()
	if err == nil {
		err = ctx.Err()
	}
	return err
}

func (c *pageChecker) enqueue(
	ctx context.Context, pages iter.Seq2[announcedPage, error], sample, total int, queue chan<- announcedPage,
) error {
	index := 0
	for p, err := range pages {
		if err != nil {
			return err
		}
		chosen := index*sample/total != (index-1)*sample/total || index == 0
		index++
		if !chosen {
			continue
		}
		c.run.result.Refusals.Checked++
		select {
		case queue <- p:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// check requests a page and refuses it where an engine would not want it.
func (c *pageChecker) check(ctx context.Context, p *announcedPage) {
	if !isOnHost(p.url, c.run.source.page()) {
		return // refused already, or forced: another site's robots.txt is not read
	}
	check, why := c.judge(ctx, p)
	if check == "" || c.run.forces(check) || ctx.Err() != nil {
		return
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.run.result.Refusals.add(check, p.url, why)
}

// blocked returns why robots.txt keeps a crawler of the providers from a URL, or "".
func (c *pageChecker) blocked(address string) string {
	for _, name := range slices.Sorted(maps.Keys(c.groups)) {
		if verdict := c.groups[name].Verdict(address); !verdict.Allowed {
			return "robots.txt blocks " + name + ": " + verdict.String()
		}
	}
	return ""
}

// judge returns the check that refuses a page and why, or "".
func (c *pageChecker) judge(ctx context.Context, p *announcedPage) (check, why string) {
	if why := c.blocked(p.url); why != "" {
		return Check, why
	}
	answer, err := c.site.Get(ctx, p.url, maxCheckedBody)
	switch {
	case err != nil:
		return CheckStatus, "does not answer: " + fetch.Why(err)
	case answer.Forbidden != "":
		return Check, "robots.txt: " + answer.Forbidden
	case answer.Skipped != "":
		return "", ""
	case p.kind == changeRemoved && isGone(answer.Status):
		return "", ""
	case p.kind == changeRemoved:
		return CheckStatus, fmt.Sprintf("left the sitemap and answers %d, not 404, 410 or a redirect", answer.Status)
	case answer.Status != http.StatusOK && answer.Status != http.StatusNonAuthoritativeInfo:
		return CheckStatus, strings.TrimSpace(fmt.Sprintf("answers %d %s", answer.Status, http.StatusText(answer.Status)))
	}
	if where := noIndexIn(answer); where != "" {
		return CheckNoIndex, "is noindex (" + where + ")"
	}
	return "", ""
}

// maxCheckedBody is the most of a page that is read for its robots meta element, in bytes.
const maxCheckedBody = 1 << 20

// noIndexIn returns where a page says noindex, or "".
func noIndexIn(answer *fetch.Answer) string {
	header := extract.ParseRobotsHeader(answer.Header.Values("X-Robots-Tag"))
	if saysNoIndex(&header) {
		return "X-Robots-Tag header"
	}
	var scanner extract.Scanner
	page := scanner.Scan(answer.Body, answer.Header.Get("Content-Type"), extract.Options{})
	if isHTML := strings.Contains(answer.Header.Get("Content-Type"), "html"); isHTML && saysNoIndex(&page.Robots) {
		return "meta robots"
	}
	return ""
}

// saysNoIndex reports whether every engine, or one of those that are announced to, may not
// index a page.
func saysNoIndex(r *extract.Robots) bool {
	return slices.ContainsFunc([]string{"", "googlebot", "bingbot", "yandex", "baiduspider"}, func(bot string) bool {
		return r.For(bot).NoIndex
	})
}
