package testsite

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

// NotFoundTitle is the title that the application gives to a missing route.
const NotFoundTitle = "Page not found"

// ScriptPages is the number of routes outside topics that a sitemap of a [ScriptSite] must list.
const ScriptPages = 4

const (
	topicArticles = 28 // with the pages of their topic, 31 routes
	topicPageSize = 10
	notFoundRoute = "/not-found"
)

// A Route is the correct result for one route of a [ScriptSite].
type Route struct {
	Path  string `json:"path"` // with its query
	Title string `json:"title"`
	// Canonical is the path that the canonical link names. Missing routes have none.
	Canonical string `json:"canonical,omitempty"`
	LastMod   string `json:"lastmod,omitempty"`
	// Reason is why a sitemap must not list the route, by the names of crawl.Reason;
	// empty when it must.
	Reason string `json:"reason,omitempty"`
	// Target is the route that replaces this one in the browser.
	Target string `json:"target,omitempty"`
}

// A scriptPage is what the API answers.
type scriptPage struct {
	Title      string       `json:"title"`
	Canonical  string       `json:"canonical"`
	Robots     string       `json:"robots,omitempty"`
	Modified   string       `json:"modified,omitempty"`
	Paragraphs []string     `json:"paragraphs"`
	Links      []scriptLink `json:"links"`
}

type scriptLink struct {
	Path string `json:"path"`
	Text string `json:"text"`
}

// A scriptBuilder builds the content of a site, and what a crawl of it finds.
type scriptBuilder struct {
	options ScriptOptions
	text    truthText
	pages   map[string]scriptPage
	truth   []Route
}

// scriptContent returns the pages by route. The application itself links to the home page,
// /about, /help and /start, which it replaces by /welcome.
func scriptContent(o ScriptOptions) (map[string]scriptPage, []Route) {
	b := &scriptBuilder{options: o, text: newText(rand.New(rand.NewPCG(1, 2))), pages: map[string]scriptPage{}}
	var topics []scriptLink
	for topic := range o.Topics {
		topics = append(topics, b.addTopic(topic+1))
	}
	b.addPage("/", "Notes about things", topics)
	if o.Trouble {
		b.change("/", func(p *scriptPage, _ *Route) { p.Paragraphs = []string{} })
	}
	b.addPage("/about", "About these notes", []scriptLink{{"/nowhere", "A route that the application does not have"}})
	b.addMissing("/nowhere")
	b.addPage("/help", "Help with these notes", nil)
	b.addPage("/welcome", "Welcome to these notes", nil)
	b.truth = append(b.truth, Route{Path: "/start", Title: "Welcome to these notes", Canonical: "/welcome",
		Reason: "redirect", Target: "/welcome"})
	if o.NotFoundRoute {
		b.truth = append(b.truth, Route{Path: notFoundRoute, Title: NotFoundTitle, Reason: "client-error"})
	}
	return b.pages, b.truth
}

// addPage adds a page that must be listed.
func (b *scriptBuilder) addPage(route, title string, links []scriptLink) {
	b.pages[route] = scriptPage{Title: title, Canonical: route, Paragraphs: b.text.paragraphs(), Links: links}
	b.truth = append(b.truth, Route{Path: route, Title: title, Canonical: route})
}

// addMissing adds a route that neither the application nor its API has.
func (b *scriptBuilder) addMissing(route string) {
	r := Route{Path: route, Title: NotFoundTitle, Reason: "soft-404"}
	if b.options.NotFoundRoute {
		r.Reason, r.Target = "redirect", notFoundRoute
	}
	b.truth = append(b.truth, r)
}

// addTopic adds a topic with its articles, which its pages link to, and returns a link to it.
func (b *scriptBuilder) addTopic(topic int) scriptLink {
	name := b.text.word()
	base := fmt.Sprintf("/topics/%s-%d", name, topic)
	pages := (topicArticles + topicPageSize - 1) / topicPageSize
	for page := 1; page <= pages; page++ {
		var links []scriptLink
		for article := (page-1)*topicPageSize + 1; article <= min(page*topicPageSize, topicArticles); article++ {
			links = append(links, b.addArticle(base, topic, article))
		}
		route, title := base, fmt.Sprintf("All about %s, topic %d", name, topic)
		if page > 1 {
			route, title = fmt.Sprintf("%s?page=%d", base, page), fmt.Sprintf("%s, page %d", title, page)
		}
		if page < pages {
			links = append(links, scriptLink{fmt.Sprintf("%s?page=%d", base, page+1), "Next page"})
		}
		b.addPage(route, title, links)
	}
	text := fmt.Sprintf("Topic %d: %s", topic, name)
	if b.options.Trouble {
		text = name
	}
	return scriptLink{base, text}
}

// addArticle adds an article. The first three of a topic link to a draft, to their version for
// printing and to a missing article.
func (b *scriptBuilder) addArticle(base string, topic, article int) scriptLink {
	words := b.text.title()
	slug := strings.ToLower(strings.NewReplacer(",", "", " and ", "-", " ", "-").Replace(words))
	route := fmt.Sprintf("/articles/%s-%d-%d", slug, topic, article)
	title := fmt.Sprintf("%s, note %d of topic %d", words, article, topic)
	links := []scriptLink{{base, "The topic of this article"}}
	switch article {
	case 1:
		draft := fmt.Sprintf("/drafts/%s-%d", slug, topic)
		b.addPage(draft, "Draft of "+title, nil)
		b.change(draft, func(p *scriptPage, r *Route) { p.Robots, r.Reason = "noindex", "noindex" })
		links = append(links, scriptLink{draft, "A draft"})
	case 2:
		printed := route + "/print"
		b.addPage(printed, title+", for printing", nil)
		b.change(printed, func(p *scriptPage, r *Route) { p.Canonical, r.Canonical, r.Reason = route, route, "canonical" })
		links = append(links, scriptLink{printed, "Print this article"})
	case 3:
		missing := route + "-withdrawn"
		b.addMissing(missing)
		links = append(links, scriptLink{missing, "An older version"})
	}
	b.addPage(route, title, links)
	date := time.Date(2025, 1, 1, 9, 30, 0, 0, time.UTC).AddDate(0, 0, topic*topicArticles+article).Format(time.RFC3339)
	b.change(route, func(p *scriptPage, r *Route) { p.Modified, r.LastMod = date, date })
	return scriptLink{route, title}
}

// change changes the page that was added last, and its result.
func (b *scriptBuilder) change(route string, change func(*scriptPage, *Route)) {
	page := b.pages[route]
	change(&page, &b.truth[len(b.truth)-1])
	b.pages[route] = page
}
