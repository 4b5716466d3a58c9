package report

import (
	"context"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/insight"
	"github.com/mapatools/mapa/internal/page"
	"github.com/mapatools/mapa/internal/store"
	"github.com/mapatools/mapa/internal/urlnorm"
)

// Why explains the decision of a crawl about one URL and how the crawl found it.
type Why struct {
	URL    string
	Found  bool // the crawl found the URL
	Orphan bool // the folder has the page, and the crawl did not reach it
	Path   []Step

	page    page.Page
	failure *insight.Why // of the target
	ended   bool         // the crawl ended before it came to the URL
	loss    *store.Loss  // nil unless it was in the sitemap until a time
}

// Step is one URL on the path from the start.
type Step struct {
	ID   crawl.ID `json:"-"`
	URL  string   `json:"url"`
	By   string   `json:"by,omitempty"`   // redirect, canonical, alternate …; empty for a link
	Text string   `json:"text,omitempty"` // link text
}

// AskWhy explains the decision of a crawl about the first of some URLs that it found, in the form of the crawl.
// Otherwise it is about the first URL with the same normalized key as one of them, for which it reads all URLs.
func AskWhy(ctx context.Context, file *store.File, urls []string, options urlnorm.KeyOptions) (*Why, error) {
	id, err := FindID(ctx, file, urls, options)
	if err != nil || id == 0 {
		return &Why{URL: urls[0]}, err
	}
	p, _, err := file.ReadPage(ctx, id)
	if err != nil {
		return nil, err
	}
	w := &Why{URL: p.Link.URL, Found: true, page: p, ended: p.Decision() == page.Waiting && file.Finished()}
	if w.loss, err = file.LossOf(w.URL); err != nil {
		return nil, err
	}
	if target := p.Page.Target; target > 0 {
		other, _, err := file.Page(target)
		if err != nil {
			return nil, err
		}
		if other.Page.Broken() {
			why := insight.WhyOf(&other)
			w.failure = &why
		}
	}
	w.Path, err = ReadPath(ctx, file, &p, int(file.Last()))
	return w, err
}

// FindID returns the ID of the first of some URLs that a crawl found, or else of a URL with the same normalized key as
// one of them, for which it reads all URLs, or 0.
func FindID(ctx context.Context, file *store.File, urls []string, options urlnorm.KeyOptions) (crawl.ID, error) {
	keys := map[string]bool{}
	for _, url := range urls {
		record, found, err := file.PageByURL(url)
		if err != nil || found {
			return record.Link.ID, err
		}
		keys[string(urlnorm.AppendKey(nil, []byte(url), options))] = true
	}
	var key []byte
	for record, err := range file.Pages(ctx) {
		if err != nil {
			return 0, err
		}
		if key = urlnorm.AppendKey(key[:0], []byte(record.Link.URL), options); keys[string(key)] {
			return record.Link.ID, nil
		}
	}
	return 0, nil
}

// ReadPath returns the shortest path from the start to a URL, or none where no links lead there. It has the last steps
// of a path with more than most.
func ReadPath(ctx context.Context, file *store.File, p *page.Page, most int) (path []Step, err error) {
	ids, err := file.PathTo(ctx, p, most)
	if err != nil {
		return nil, err
	}
	var before *crawl.Record
	for _, id := range ids {
		record, _, err := file.Page(id)
		if err != nil {
			return nil, err
		}
		path = append(path, stepFrom(before, &record))
		before = &record
	}
	return path, nil
}

// stepFrom returns the step from a page to the next record; page is nil at the start. It prefers links that visitors
// can follow.
func stepFrom(before, to *crawl.Record) Step {
	step := Step{ID: to.Link.ID, URL: to.Link.URL}
	if before == nil {
		return step
	}
	step.By = string(crawl.ReasonRedirect)
	if before.Page.Reason == crawl.ReasonCanonical {
		step.By = string(crawl.ReasonCanonical)
	}
	for i, best := 0, false; i < len(before.Page.Links) && !best; i++ {
		edge := &before.Page.Links[i]
		if edge.To != to.Link.ID {
			continue
		}
		if step.By = edge.Kind.String(); page.IsFollowable(edge.Kind) {
			step.By, step.Text = "", edge.Text
			best = edge.Text != ""
		}
	}
	return step
}

// MarshalJSON is MarshalIn in English.
func (w *Why) MarshalJSON() ([]byte, error) { return w.MarshalIn(english()) }

// MarshalIn returns the facts of the URL as JSON, what they mean in the language of a catalog, and the path to it.
func (w *Why) MarshalIn(c *catalog.Catalog) ([]byte, error) {
	about := struct {
		URL           string `json:"url,omitempty"` // one of the facts of a URL that the crawl found
		Found         bool   `json:"found"`
		Orphan        bool   `json:"orphan,omitempty"`
		Text          string `json:"explanation,omitempty"`
		TargetFailure string `json:"target_error,omitempty"` // why the target is broken
		Path          []Step `json:"path,omitempty"`         // empty for a page that no links lead to
		// Loss says until when the page was in the sitemap.
		Loss *store.Loss `json:"loss,omitempty"`
	}{Found: w.Found, Orphan: w.Orphan, Path: w.Path, Loss: w.loss}
	if !w.Found {
		about.URL = w.URL
		return format.AppendJSON(nil, about)
	}
	about.Text = page.Explain(c, w.page.Decision()).Singular
	if w.failure != nil {
		about.TargetFailure = w.failure.In(c)
	}
	return w.page.MarshalWith(about)
}
