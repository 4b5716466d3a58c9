package report

import (
	"context"
	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/insight"
	"github.com/mapatools/mapa/internal/urlnorm"
)

// Why explains the decision of a crawl about one URL and how the crawl found it.
type Why struct {
	URL           string `json:"url"`
	Found         bool   `json:"found"`            // the crawl found the URL
	Orphan        bool   `json:"orphan,omitempty"` // the folder has the page, and the crawl did not reach it
	Listed        bool   `json:"listed"`
	Decision      string `json:"decision,omitempty"`
	Text          string `json:"explanation,omitempty"`
	Detail        string `json:"detail,omitempty"`       // evidence for the decision
	Target        string `json:"target,omitempty"`       // of a redirect, canonical or duplicate
	TargetFailure string `json:"target_error,omitempty"` // why the target is broken
	Conflict      string `json:"conflict,omitempty"`

	Status        int                 `json:"status,omitempty"`
	MediaType     string              `json:"media_type,omitempty"`
	Rendered      *bool               `json:"rendered,omitempty"` // absent unless the crawl decided
	RenderReason  crawl.RenderReason  `json:"render_reason,omitempty"`
	RenderFailure string              `json:"render_failure,omitempty"` // why it is as the site sent it
	Title         string              `json:"title,omitempty"`
	LastMod       string              `json:"lastmod,omitempty"`
	LastModSource crawl.LastModSource `json:"lastmod_source,omitempty"`

	Sources []string `json:"seed_sources,omitempty"` // sources other than links
	Links   int      `json:"links"`                  // number of pages that link to it
	Path    []Step   `json:"path,omitempty"`         // shortest path from the start; empty for an orphan page

	// In gives these in the language of a catalog. The fields above have them in English.
	rendered         *crawl.Rendered
	reason           crawl.Reason
	detail, conflict crawl.Detail
	ended            bool // the crawl ended before it came to the URL
	failure          *insight.Why
}

// Step is one URL on the path from the start.
type Step struct {
	URL  string `json:"url"`
	By   string `json:"by,omitempty"`   // redirect, canonical, alternate …; empty for a link
	Text string `json:"text,omitempty"` // link text
}

// AskWhy explains the decision of a crawl about a URL in the form of the crawl.
func AskWhy(ctx context.Context, file crawl.Reader, url string) (*Why, error) {
	record, found, err := file.PageByURL(url)
	if err != nil || !found {
		return &Why{URL: url}, err
	}
	return explain(ctx, file, &record)
}

// AskWhyLike explains the decision about the URL that FindLike finds.
func AskWhyLike(ctx context.Context, file crawl.Reader, urls []string, options urlnorm.KeyOptions) (*Why, error) {
	record, found, err := FindLike(ctx, file, urls, options)
	if err != nil || !found {
		return &Why{URL: urls[0]}, err
	}
	return explain(ctx, file, &record)
}

// FindLike returns the first URL of the crawl with the same normalized key as one of urls. It
// reads all URLs of the crawl.
func FindLike(
	ctx context.Context, file crawl.Reader, urls []string, options urlnorm.KeyOptions,
) (found crawl.Record, known bool, err error) {
	keys := map[string]bool{}
	for _, url := range urls {
		keys[string(urlnorm.AppendKey(nil, []byte(url), options))] = true
	}
	var key []byte
	for record, err := range file.Pages(ctx) {
		if err != nil {
			return found, false, err
		}
		if key = urlnorm.AppendKey(key[:0], []byte(record.Link.URL), options); keys[string(key)] {
			return record, true, nil
		}
	}
	return found, false, nil
}

func explain(ctx context.Context, file crawl.Reader, record *crawl.Record) (*Why, error) {
	w := &Why{URL: record.Link.URL, Found: true, Sources: SeedNames(record.Link.SeededBy)}
	w.decide(record, file.Finished())
	if target := record.Page.Target; target > 0 {
		other, _, err := file.Page(target)
		if err != nil {
			return nil, err
		}
		w.Target = other.Link.URL
		if other.Page.Broken() {
			why := insight.WhyOf(&other)
			w.failure, w.TargetFailure = &why, why.In(english())
		}
	}
	return w, w.findPath(ctx, file, record.Link.ID)
}

func (w *Why) decide(record *crawl.Record, finished bool) {
	w.reason, w.detail = record.Reason(), record.Link.Detail
	if record.Fetched {
		page := &record.Page
		w.detail, w.conflict = page.Detail, page.Conflict
		w.Status, w.MediaType, w.Title, w.Conflict = page.Status, page.MediaType, page.Title, page.Conflict.String()
		w.Rendered, w.RenderReason, w.RenderFailure = RenderedFields(page)
		w.rendered = page.Rendered
		w.LastMod, w.LastModSource = page.LastMod.String(), page.LastModSource
	}
	w.Detail = w.detail.String()
	if !record.Fetched && w.reason == crawl.ReasonListed {
		w.reason = Waiting
		if w.ended = finished; w.ended {
			w.Detail = english().Text("why.ended")
		}
	}
	w.Listed = w.reason == crawl.ReasonListed || w.reason == crawl.ReasonAdded
	w.Decision, w.Text = DecisionName(w.reason), Explain(w.reason).Singular
}

// findPath finds the shortest path from the start.
func (w *Why) findPath(ctx context.Context, file crawl.Reader, id crawl.ID) error {
	graph, err := readLinkGraph(ctx, file)
	if err != nil {
		return err
	}
	w.Links = int(graph.linked[id])
	if graph.depth[id] == crawl.Unreached {
		return nil
	}
	var page *crawl.Record // previous page
	for _, at := range graph.path(id) {
		record, _, err := file.Page(at)
		if err != nil {
			return err
		}
		w.Path = append(w.Path, StepFrom(page, &record))
		page = &record
	}
	return nil
}

// StepFrom returns the step from a page to the next record; page is nil at the start.
// It prefers links that visitors can follow.
func StepFrom(page, to *crawl.Record) Step {
	step := Step{URL: to.Link.URL}
	if page == nil {
		return step
	}
	step.By = string(crawl.ReasonRedirect)
	if page.Page.Reason == crawl.ReasonCanonical {
		step.By = string(crawl.ReasonCanonical)
	}
	for i, best := 0, false; i < len(page.Page.Links) && !best; i++ {
		edge := &page.Page.Links[i]
		if edge.To != to.Link.ID {
			continue
		}
		if step.By = edge.Kind.String(); insight.IsFollowable(edge.Kind) {
			step.By, step.Text = "", edge.Text
			best = edge.Text != ""
		}
	}
	return step
}

// SeedNames returns the names of seed sources.
func SeedNames(given crawl.SeedSource) (list []string) {
	for _, each := range []struct {
		given crawl.SeedSource
		name  string
	}{{crawl.SeedStart, "start"}, {crawl.SeedSitemap, "sitemap"}, {crawl.SeedList, "list"},
		{crawl.SeedLog, "log"}} {
		if given&each.given != 0 {
			list = append(list, each.name)
		}
	}
	return list
}
