package report

import (
	"context"
	"fmt"
	"strings"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/urlnorm"
)

// A Why is what a crawl decided about one address, and how it came there.
type Why struct {
	URL      string `json:"url"`
	Met      bool   `json:"met"` // the crawl knows the address
	Listed   bool   `json:"listed"`
	Decision string `json:"decision,omitempty"`
	Text     string `json:"explanation,omitempty"`
	Detail   string `json:"detail,omitempty"`      // what the decision points at
	Target   string `json:"target,omitempty"`      // where it leads, or what it is the same as
	Dead     string `json:"target_dead,omitempty"` // what is wrong with a target that leads nowhere
	Conflict string `json:"conflict,omitempty"`

	Status        int                 `json:"status,omitempty"`
	MediaType     string              `json:"media_type,omitempty"`
	Title         string              `json:"title,omitempty"`
	LastMod       string              `json:"lastmod,omitempty"`
	LastModSource crawl.LastModSource `json:"lastmod_source,omitempty"`

	Given []string `json:"given,omitempty"` // who named it apart from links
	Links int      `json:"links"`           // pages that link to it
	Way   []Step   `json:"way,omitempty"`   // from the start to it; empty where no links lead there
}

// A Step is one address on the way to another.
type Step struct {
	URL  string `json:"url"`
	By   string `json:"by,omitempty"`   // what leads here where it is no link: redirect, canonical, alternate
	Text string `json:"text,omitempty"` // of the link that leads here
}

// AskWhy finds out what a crawl decided about an address, spelled as the crawl
// spells it.
func AskWhy(ctx context.Context, file crawl.Reader, url string) (*Why, error) {
	record, met, err := file.PageByURL(url)
	if err != nil || !met {
		return &Why{URL: url}, err
	}
	return about(ctx, file, &record)
}

// AskWhyLike is AskWhy for addresses that the crawl may have met in another
// spelling: of the first page that has the key of one of them. It looks at every
// address of the crawl.
func AskWhyLike(ctx context.Context, file crawl.Reader, urls []string, options urlnorm.KeyOptions) (*Why, error) {
	keys := map[string]bool{}
	for _, url := range urls {
		keys[string(urlnorm.AppendKey(nil, []byte(url), options))] = true
	}
	var key []byte
	for record, err := range file.Pages(ctx) {
		if err != nil {
			return nil, err
		}
		if key = urlnorm.AppendKey(key[:0], []byte(record.Link.URL), options); keys[string(key)] {
			return about(ctx, file, &record)
		}
	}
	return &Why{URL: urls[0]}, nil
}

func about(ctx context.Context, file crawl.Reader, record *crawl.Record) (*Why, error) {
	w := &Why{URL: record.Link.URL, Met: true, Given: names(record.Link.SeededBy)}
	w.decide(record, file.Finished())
	if target := record.Page.Target; target > 0 {
		other, _, err := file.Page(target)
		if err != nil {
			return nil, err
		}
		w.Target = other.Link.URL
		if other.Page.Broken() {
			w.Dead = why(&other)
		}
	}
	return w, w.findWay(ctx, file, record.Link.ID)
}

func (w *Why) decide(record *crawl.Record, finished bool) {
	reason, detail := record.Reason(), record.Link.Detail
	if record.Fetched {
		page := &record.Page
		detail = page.Detail
		w.Status, w.MediaType, w.Title, w.Conflict = page.Status, page.MediaType, page.Title, page.Conflict
		w.LastMod, w.LastModSource = page.LastMod.String(), page.LastModSource
	}
	if !record.Fetched && reason == crawl.ReasonListed {
		reason = Waiting
		if finished {
			detail = "the crawl ended before"
		}
	}
	w.Listed = reason == crawl.ReasonListed || reason == crawl.ReasonAdded
	w.Decision, w.Text, w.Detail = decision(reason), Explain(reason).One, detail
}

// findWay follows the links back from the address to the start.
func (w *Why) findWay(ctx context.Context, file crawl.Reader, id crawl.ID) error {
	web, err := weave(ctx, file)
	if err != nil {
		return err
	}
	w.Links = int(web.linked[id])
	if web.depth[id] == crawl.Unreached {
		return nil
	}
	var page *crawl.Record // the one before
	for _, at := range web.way(id) {
		record, _, err := file.Page(at)
		if err != nil {
			return err
		}
		w.Way = append(w.Way, stepFrom(page, &record))
		page = &record
	}
	return nil
}

// stepFrom is the step to an address from the page before it, nil at the start. A
// link that people see goes before what only programs read.
func stepFrom(page, to *crawl.Record) Step {
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
		if step.By = edge.Kind.String(); forPeople(edge.Kind) {
			step.By, step.Text = "", edge.Text
			best = edge.Text != ""
		}
	}
	return step
}

// names are the words for who named an address.
func names(given crawl.SeedSource) (list []string) {
	for _, each := range []struct {
		given crawl.SeedSource
		name  string
	}{{crawl.SeedStart, "start"}, {crawl.SeedSitemap, "sitemap"}, {crawl.SeedList, "list"}, {crawl.SeedLog, "access log"}} {
		if given&each.given != 0 {
			list = append(list, each.name)
		}
	}
	return list
}

// String says it to people.
func (w *Why) String() string {
	var t strings.Builder
	fmt.Fprintln(&t, format.Plain(w.URL))
	if !w.Met {
		t.WriteString("  The crawl never met this address: no page that was read links to it, and no\n  sitemap, list or log that was read names it.\n")
		return t.String()
	}
	switch {
	case w.Listed:
		t.WriteString("  in the sitemap\n")
	case w.Decision == string(Waiting):
		t.WriteString("  not in the sitemap: not visited yet\n")
	default:
		fmt.Fprintf(&t, "  not in the sitemap: %s\n", w.Decision)
	}
	line := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&t, "  %-10s %s\n", name, format.Plain(value))
		}
	}
	line("meaning", w.Text)
	if w.Detail != w.Target {
		line("because", w.Detail)
	}
	if w.Dead == "" {
		line("leads to", w.Target)
	} else {
		line("leads to", w.Target+", which is dead: "+w.Dead)
	}
	line("conflict", w.Conflict)
	if w.Status > 0 {
		line("answer", strings.TrimSpace(fmt.Sprintf("%d %s", w.Status, w.MediaType)))
	}
	line("title", w.Title)
	if w.LastMod != "" {
		line("lastmod", fmt.Sprintf("%s (%s)", w.LastMod, w.LastModSource))
	} else if w.LastModSource == crawl.LastModResponseTime {
		line("lastmod", "none: its Last-Modified is the time of the answer")
	}
	line("named by", strings.Join(w.Given, ", "))
	line("linked by", format.Plural(w.Links, "page"))
	if len(w.Way) == 0 {
		t.WriteString("  No links lead there from the start.\n")
		return t.String()
	}
	t.WriteString("Way from the start:\n")
	for _, step := range w.Way {
		fmt.Fprintf(&t, "  %s", format.Plain(step.URL))
		if step.By != "" {
			fmt.Fprintf(&t, "  (%s)", format.Plain(step.By))
		}
		if step.Text != "" {
			fmt.Fprintf(&t, "  “%s”", format.Plain(step.Text))
		}
		t.WriteByte('\n')
	}
	return t.String()
}
