package report

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/bitset"
	"github.com/mapatools/mapa/internal/format"
)

// A Check finds one kind of problem with links. The names are stable.
type Check string

// The checks.
const (
	CheckBroken    Check = "broken"    // broken URLs, and links to them
	CheckAnchors   Check = "anchors"   // links to a missing anchor
	CheckRedirects Check = "redirects" // links to a URL that redirects
	CheckChains    Check = "chains"    // links to a URL that redirects twice or more
)

// Checks are all checks.
var Checks = []Check{CheckBroken, CheckAnchors, CheckRedirects, CheckChains}

// A Problem is a link that fails a [Check], or a broken URL without links.
type Problem struct {
	Target string // the URL that the link names, with the fragment if only the anchor is missing
	Final  string // where a redirect ends; empty without one
	Page   string // the page with the link; the target itself if no page links to it
	Result *format.Result
}

// Key identifies the problem across crawls, also when the site is served at another
// origin the next time. Equal links on one page have the same key.
func (p *Problem) Key(origin string) string {
	page, target := strings.TrimPrefix(p.Page, origin), strings.TrimPrefix(p.Target, origin)
	sum := sha256.Sum256([]byte(p.Result.Rule + "\x00" + page + "\x00" + target))
	return hex.EncodeToString(sum[:16])
}

// IDs of the rules for redirects.
const (
	ruleRedirect      = "link-redirect"
	ruleRedirectChain = "redirect-chain"
)

// problemRules are the rules of all checks.
var problemRules = append(slices.Clip(brokenLinkRules),
	format.Rule{
		ID: ruleRedirect, Title: "link to a redirect", Level: format.LevelWarning,
		URL: format.ProjectURL, Tags: []string{"links"},
		Why:  "The URL redirects. Every visitor and every crawler makes one more request.",
		Help: "Link to the final URL.",
	},
	format.Rule{
		ID: ruleRedirectChain, Title: "link to a redirect chain", Level: format.LevelWarning,
		URL: format.ProjectURL, Tags: []string{"links"},
		Why:  "The URL redirects to a URL that redirects again. Every step costs a request, and crawlers follow few.",
		Help: "Link to the final URL, and let every redirect lead there directly.",
	})

// FindProblems returns the problems that the checks find, in the order of the pages with
// the links. Broken URLs that no page links to come last. All have the level of an error.
func FindProblems(ctx context.Context, file crawl.Reader, checks []Check) iter.Seq2[Problem, error] {
	return func(yield func(Problem, error) bool) {
		f, err := newProblemFinder(ctx, file, checks)
		if err != nil {
			yield(Problem{}, err)
			return
		}
		for r, err := range file.Referrers(ctx, f.targets.Has) {
			var p Problem
			found := err != nil
			if err == nil {
				p, found, err = f.problem(&r)
			}
			if found && !yield(p, err) || err != nil {
				return
			}
		}
		f.unlinkedURLs(yield)
	}
}

// A problemFinder judges links.
type problemFinder struct {
	broken    *BrokenLinks
	redirects map[crawl.ID]redirect
	chosen    map[Check]bool
	targets   bitset.Set[crawl.ID]
	linked    map[crawl.ID]bool // broken URLs with a problem so far
}

// A redirect is a URL that redirects. It does not lead back to itself.
type redirect struct {
	target crawl.ID
	end    crawl.ID // the final URL, or 0
	steps  int
}

// maxSteps is how many redirects in a row are followed. Crawls follow fewer.
const maxSteps = 100

func newProblemFinder(ctx context.Context, file crawl.Reader, checks []Check) (*problemFinder, error) {
	f := &problemFinder{
		redirects: map[crawl.ID]redirect{}, chosen: map[Check]bool{}, linked: map[crawl.ID]bool{},
	}
	for _, check := range checks {
		f.chosen[check] = true
	}
	var err error
	if f.broken, err = FindBrokenLinks(ctx, file); err != nil {
		return nil, err
	}
	f.targets = f.broken.targets
	for r, err := range file.Pages(ctx, crawl.ReasonRedirect) {
		if err != nil {
			return nil, err
		}
		f.redirects[r.Link.ID] = redirect{target: r.Page.Target}
		f.targets.Add(r.Link.ID)
		f.broken.table.add(r.Link.ID, r.Link.URL)
	}
	for id := range f.redirects {
		f.follow(id)
	}
	return f, nil
}

// follow finds where a redirect ends.
func (f *problemFinder) follow(id crawl.ID) {
	r := f.redirects[id]
	at := r.target
	for r.steps = 1; at > 0 && r.steps <= maxSteps; r.steps++ {
		next, redirects := f.redirects[at]
		if !redirects {
			r.end = at
			break
		}
		at = next.target
	}
	f.redirects[id] = r
}

// problem returns the problem of a link, or false if the link is fine.
func (f *problemFinder) problem(r *crawl.Referrer) (p Problem, found bool, err error) {
	link, broken, err := f.broken.describe(r)
	if broken {
		f.linked[link.Target] = f.linked[link.Target] || !link.Anchor
		if link.Anchor && !f.chosen[CheckAnchors] || !link.Anchor && !f.chosen[CheckBroken] {
			return Problem{}, false, err
		}
		return brokenProblem(&link, format.LevelError), true, err
	}
	if from, redirects := f.redirects[r.Target]; redirects {
		return f.redirectProblem(r, from)
	}
	return Problem{}, false, nil
}

// redirectProblem returns the problem of a link to a redirect, or false if no check
// is about it.
func (f *problemFinder) redirectProblem(r *crawl.Referrer, from redirect) (p Problem, found bool, err error) {
	p.Page = r.URL
	if p.Target, err = f.broken.table.url(r.Target); err != nil {
		return p, true, err
	}
	final := "an unknown URL"
	if from.end > 0 {
		if p.Final, err = f.broken.table.url(from.end); err != nil {
			return p, true, err
		}
		final = p.Final
	}
	result := &format.Result{Level: format.LevelError, Location: r.URL, Evidence: r.Edge.Text}
	end, broken := f.broken.urls[from.end]
	f.linked[from.end] = f.linked[from.end] || broken
	switch {
	case broken && f.chosen[CheckBroken]:
		result.Rule = ruleBrokenLink
		result.Message = fmt.Sprintf("the link to %s is broken: it redirects to %s: %s", p.Target, final, end.why.text(english()))
	case from.steps > 1 && f.chosen[CheckChains]:
		result.Rule = ruleRedirectChain
		result.Message = fmt.Sprintf("the link to %s leads through %d redirects to %s", p.Target, from.steps, final)
	case f.chosen[CheckRedirects]:
		result.Rule = ruleRedirect
		result.Message = fmt.Sprintf("the link to %s redirects to %s", p.Target, final)
	default:
		return p, false, nil
	}
	p.Result = result
	result.Fingerprint = p.Key("")
	return p, true, nil
}

// unlinkedURLs yields the broken URLs that only a sitemap, a list or a log names.
func (f *problemFinder) unlinkedURLs(yield func(Problem, error) bool) {
	if !f.chosen[CheckBroken] {
		return
	}
	for _, id := range slices.Sorted(maps.Keys(f.broken.urls)) {
		if f.linked[id] {
			continue
		}
		url, err := f.broken.table.url(id)
		p := Problem{Target: url, Page: url, Result: &format.Result{
			Rule: ruleBrokenLink, Level: format.LevelError, Location: url,
			Message: fmt.Sprintf("%s is broken: %s; no page links to it", url, f.broken.urls[id].why.text(english())),
		}}
		p.Result.Fingerprint = p.Key("")
		if !yield(p, err) || err != nil {
			return
		}
	}
}

// brokenProblem returns the problem of a broken link.
func brokenProblem(link *BrokenLink, level format.Level) Problem {
	result := link.result()
	result.Level = max(result.Level, level)
	return Problem{Target: link.URL, Page: link.Page, Result: result}
}

// BrokenProblems returns the problems of broken links and missing anchors, at the levels
// of their rules.
func BrokenProblems(ctx context.Context, file crawl.Reader) iter.Seq2[Problem, error] {
	return func(yield func(Problem, error) bool) {
		broken, err := FindBrokenLinks(ctx, file)
		if err != nil {
			yield(Problem{}, err)
			return
		}
		for link, err := range broken.Links(ctx) {
			if err != nil {
				yield(Problem{}, err)
				return
			}
			if !yield(brokenProblem(&link, format.LevelOff), nil) {
				return
			}
		}
	}
}
