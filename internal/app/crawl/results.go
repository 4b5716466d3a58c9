package crawl

import (
	"context"
	"errors"
	"io"
	"maps"
	"path/filepath"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/crawl/render"
	"github.com/mapatools/mapa/internal/app/checks"
	"github.com/mapatools/mapa/internal/app/crawlfile"
	"github.com/mapatools/mapa/internal/app/figures"
	"github.com/mapatools/mapa/internal/app/outputs"
	"github.com/mapatools/mapa/internal/atomicfile"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/compare"
	"github.com/mapatools/mapa/internal/insight"
	"github.com/mapatools/mapa/internal/publish"
	"github.com/mapatools/mapa/internal/report"
	"github.com/mapatools/mapa/internal/store"
)

// A Result is the outcome of a crawl. Its JSON is for programs.
type Result struct {
	// The numbers are those of [crawl.Summary], which the report shows too. Broken is that of the verdict
	// where there is one.
	Pages     int64                        `json:"pages"`
	Listed    int                          `json:"listed"`
	Broken    int64                        `json:"broken"` // URLs
	Redirects int64                        `json:"redirects"`
	Blocked   int64                        `json:"blocked"`
	Requests  int                          `json:"requests"`
	Bytes     int64                        `json:"bytes"`
	Seconds   float64                      `json:"seconds"`
	Reasons   map[crawl.Reason]int64       `json:"reasons"`             // why URLs are not listed
	Traps     map[string]int64             `json:"traps,omitempty"`     // by what they are, in English
	Documents map[crawl.DocumentKind]int64 `json:"documents,omitempty"` // in the sitemap
	Anchors   int                          `json:"broken_anchors"`      // missing anchors that pages link to
	Orphans   int                          `json:"orphans,omitempty"`   // pages of a folder that are not reached
	Limit     string                       `json:"limit,omitempty"`

	// Rendered is the number of pages whose scripts were run, RenderReasons counts them by why,
	// NotRendered those that needed it and are as the site sent them.
	Rendered      int64                   `json:"rendered,omitempty"`
	RenderSeconds float64                 `json:"render_seconds,omitempty"`
	RenderReasons map[render.Reason]int64 `json:"render_reasons,omitempty"`
	NotRendered   int64                   `json:"not_rendered,omitempty"`
	RenderEnded   string                  `json:"render_ended,omitempty"` // why pages wait to be rendered

	// Returning counts the listed pages whose canonical URL redirects back to them.
	Returning int64 `json:"returning_canonicals,omitempty"`

	// Before is the number of pages of the sitemap that was in the folder; 0 without one.
	Before int `json:"listed_before,omitempty"`
	// Losses are the numbers of pages that were in the sitemap and are not any more, although they exist.
	Losses []store.LossCount `json:"losses,omitempty"`
	// Changes since the previous crawl; nil unless it is compared with one.
	insight.Comparison
	Changes *compare.Counts `json:"changes,omitempty"`

	// Figures are what search engines and joined tables say about the pages; nil without them.
	Figures *figures.Result `json:"figures,omitempty"`

	Failing  int `json:"failing,omitempty"`  // problems that --fail-on names
	Accepted int `json:"accepted,omitempty"` // those that the baseline lists

	Ignored int `json:"ignored,omitempty"` // findings and losses that are in no other number

	Unanswered int      `json:"unanswered,omitempty"`
	Sitemap    string   `json:"sitemap"` // path of the file to submit
	Files      []string `json:"files"`
	Report     string   `json:"report,omitempty"`  // path of report.html
	Refused    string   `json:"refused,omitempty"` // why nothing was published

	// BrokenLinks are the broken URLs that pages link to, up to 1,000, and BrokenFile is
	// the path of broken.csv, which has every link to one or to a missing anchor.
	BrokenLinks []BrokenLink `json:"broken_links,omitempty"`
	BrokenFile  string       `json:"broken_file,omitempty"`

	// Verdict says what the crawl means; nil where there was no time to find it.
	Verdict *insight.Verdict `json:"-"`

	Details Details `json:"-"`
}

// Details are the parts of a result that are not in its JSON.
type Details struct {
	Folder       string
	FolderURL    string    // of the folder in which the sitemap is published
	SitemapURL   string    // of the sitemap there
	BaseURL      string    // of a folder that was crawled
	OnlySeeds    bool      // the given pages alone were crawled
	Cut          *CutError // nil unless the crawl was cut off
	Late         bool      // there was no time left for the reports
	Refused      error     // the Result's Refused
	LinkedBroken int       // broken URLs that pages link to
	Orphans      []string  // the first of them
	Check        checks.Result
	Previous     time.Time // when the previous crawl began
	FirstChanged []string  // the first URLs of the worst kind of change, or the patterns of their URLs
	Waiting      int64     // URLs found and not fetched
	Dropped      int       // images, videos, news and languages that no sitemap may hold
	Parts        []string  // names of the files that the sitemap lists if it is an index

	// Language is that of the summary and the report.
	Language catalog.Language
	// Traps is Result.Traps by details, without SessionLinks.
	Traps map[crawl.Detail]int64
	// SessionLinks are links with a session ID, counted as one page each.
	SessionLinks int64

	found     int64            // URLs
	firstKind compare.Kind     // of FirstChanged
	changes   *compare.Changes // since the crawl before; nil without one
	unused    []string         // sets without a page
}

// A BrokenLink is a broken URL that pages link to.
type BrokenLink struct {
	URL   string          `json:"url"`
	Why   string          `json:"why"`
	Count int             `json:"count"` // pages with a link to it
	Pages []insight.Place `json:"pages"` // the first of them

	// Cause is Why before it is worded.
	Cause insight.Why `json:"-"`
}

// newCrawlResult returns a result whose URLs are not counted yet.
func newCrawlResult(folder string, p *crawl.Progress, cut *CutError) *Result {
	r := &Result{
		Requests: p.Requests, Bytes: p.Bytes, Seconds: float64(p.Elapsed.Milliseconds()) / 1000, Limit: p.Limit,
		Unanswered: p.Unanswered, Details: Details{Folder: folder, Cut: cut},
	}
	if cut != nil && cut.Unrendered != nil {
		r.RenderEnded = cut.Unrendered.Detail.String()
	}
	return r
}

// count takes over the totals of a crawl.
func (r *Result) count(summary *crawl.Summary) {
	r.Pages, r.Broken, r.Documents = summary.Pages, summary.Broken(), summary.Documents
	r.Redirects, r.Blocked = summary.Reasons[crawl.ReasonRedirect], summary.Reasons[crawl.ReasonRobots]
	r.Returning = summary.Returning
	r.Rendered, r.RenderSeconds = summary.Rendered, float64(summary.RenderTime.Milliseconds())/1000
	r.RenderReasons, r.NotRendered = summary.RenderReasons, summary.NotRendered
	r.Reasons, r.Traps = maps.Clone(summary.Reasons), map[string]int64{}
	for trap, n := range summary.Traps {
		r.Traps[trap.String()] += n
	}
	if summary.SessionLinks > 0 {
		r.Traps[catalog.For(catalog.English).Text("summary.session-links")] = summary.SessionLinks
	}
	r.Details.Traps, r.Details.SessionLinks = summary.Traps, summary.SessionLinks
	if r.Limit == crawl.LimitNone && summary.Reasons[crawl.ReasonLimit] > 0 {
		r.Limit = crawl.LimitDepth
	}
	r.Details.Waiting, r.Details.found = summary.Waiting, summary.Waiting
	for _, urls := range summary.Reasons {
		r.Details.found += urls
	}
	delete(r.Reasons, crawl.ReasonListed)
}

// WhyNotAnnounce returns why the result must not be announced, or "": nothing was
// published, or only a part of the site.
func (r *Result) WhyNotAnnounce(c *catalog.Catalog) string {
	switch {
	case r.Details.Cut != nil:
		return c.Text("unannounced.unfinished")
	case r.Details.Refused != nil:
		return c.Text("unannounced.refused")
	case r.Limit != "":
		return c.Text("unannounced.limit", LimitName(r.Limit))
	case r.Sitemap == "":
		return c.Text("unannounced.no-sitemap")
	case r.Details.OnlySeeds:
		return c.Text("unannounced.given-pages", r.Details.Folder)
	}
	return ""
}

// publish writes the sitemap and the other outputs. A refusal is part of the result.
func (r *Result) publish(ctx context.Context, file *store.File, options publish.Options) error {
	published, err := crawlfile.Publish(ctx, file, options)
	if outputs.IsRefusal(err) {
		r.Details.Refused, r.Refused, err = err, err.Error(), nil
	}
	r.Listed, r.Details.Dropped, r.Details.unused = published.Pages, published.Dropped, published.Unused
	r.Details.Parts = published.Parts
	r.Files, r.Sitemap = outputs.PublishedFiles(options.Folder, &published)
	r.Before = published.Before
	return err
}

// report writes the reports. What is not done when ctx reaches its
// deadline is left out, without an error.
func (r *Result) report(ctx context.Context, file *crawlFile, checker *checks.Checker) error {
	err := r.writeChanges(ctx, file, time.Now())
	if err == nil {
		err = r.ignore(ctx, file.File, checker)
	}
	if err == nil {
		err = r.writeReports(ctx, file.File)
	}
	if !isDeadline(ctx) {
		return err
	}
	r.Report, r.Changes, r.Details.Late = "", nil, true
	if r.Compared {
		r.Comparison = insight.Comparison{NotCompared: insight.NotComparedLate}
	}
	r.BrokenLinks, r.BrokenFile = nil, ""
	var removed error
	for _, name := range []string{crawlfile.BrokenName, crawlfile.ReportName, crawlfile.ChangesName} {
		removed = errors.Join(removed, crawlfile.RemoveFile(filepath.Join(r.Details.Folder, name)))
	}
	return removed
}

// ignore leaves what the baseline ignores out of the numbers.
func (r *Result) ignore(ctx context.Context, file *store.File, checker *checks.Checker) error {
	verdict, err := checker.Ignore(ctx, file)
	if err != nil || verdict == nil {
		return err
	}
	r.Verdict, r.Broken = verdict, int64(verdict.Broken())
	if r.Losses, err = file.CountLosses(ctx); err != nil {
		return err
	}
	r.Ignored, err = insight.CountIgnored(ctx, file, verdict)
	return err
}

// maxReported is the number of URLs up to which report.html is complete: the whole
// report of a large crawl takes a sixth of its time and half of its memory.
const maxReported = 20_000

// writeReports writes broken.csv and report.html, or removes those of an earlier crawl
// where there is nothing to write.
func (r *Result) writeReports(ctx context.Context, file *store.File) error {
	if err := r.writeBroken(ctx, file); err != nil {
		return err
	}
	name := filepath.Join(r.Details.Folder, crawlfile.ReportName)
	r.Report = name
	options := &report.HTMLOptions{
		Language: r.Details.Language, Changes: r.Changes, Previous: r.Details.Previous, Brief: r.Details.found > maxReported,
	}
	if r.Sitemap != "" {
		options.Sitemap = filepath.Base(r.Sitemap)
	}
	return atomicfile.Replace(name, func(out io.Writer) error { return report.WriteHTML(ctx, file, out, options) })
}

// maxBroken is the number of broken links in a [Result].
const maxBroken = 1000

// writeBroken lists every link to a broken URL or a missing anchor.
func (r *Result) writeBroken(ctx context.Context, file *store.File) error {
	links, anchors := report.BrokenRules[:1], report.BrokenRules[1]
	for found, err := range file.CountFindings(ctx) {
		switch {
		case err != nil:
			return err
		case found.Rule == anchors && !found.Ignored:
			r.Anchors += found.Groups
		}
	}
	english := catalog.For(catalog.English)
	for f, err := range insight.ReadGroups(ctx, file, insight.Filter{Rules: links}, insight.Part{}) {
		switch {
		case err != nil:
			return err
		case f.Other > 0:
			if r.Details.LinkedBroken++; len(r.BrokenLinks) < maxBroken {
				why := f.Why()
				r.BrokenLinks = append(r.BrokenLinks, BrokenLink{f.OtherURL, why.In(english), f.Places, f.First, why})
			}
		}
	}
	name := filepath.Join(r.Details.Folder, crawlfile.BrokenName)
	if r.Anchors+r.Details.LinkedBroken == 0 {
		return crawlfile.RemoveFile(name)
	}
	r.BrokenFile = name
	return atomicfile.Replace(name, func(out io.Writer) error {
		return report.WriteBrokenLinks(ctx, file, out, BrokenLimit(r.Bytes, r.Listed))
	})
}

// BrokenLimit returns how many bytes of broken.csv are written after a crawl that received some bytes and listed some
// pages: so many that only a site whose links are made to fill a disk needs more.
func BrokenLimit(received int64, listed int) int64 { return received + int64(listed)<<10 + 8<<20 }

// LimitName returns the flag of a limit, or the setting that has no flag.
func LimitName(limit string) string {
	if limit == crawl.LimitBytes {
		return string(limit)
	}
	return "--" + string(limit)
}
