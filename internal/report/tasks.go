package report

import (
	"cmp"
	"strconv"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/insight"
	"github.com/mapatools/mapa/internal/view"
	"github.com/mapatools/mapa/lint"
)

// MaxTasks is the number of tasks that a result begins with.
const MaxTasks = 5

// TaskTexts returns tasks in the language of a catalog. The function href is that of [Overview.Texts], and link returns
// a link to a URL of the crawl.
func (o *Overview) TaskTexts(
	c *catalog.Catalog, tasks []insight.Task, href func(section, choice string) string,
	link func(id crawl.ID, url string) view.Link,
) (texts []view.Task) {
	for i := range tasks {
		texts = append(texts, o.taskText(c, &tasks[i], href, link))
	}
	return texts
}

func (o *Overview) taskText(
	c *catalog.Catalog, f *insight.Task, href func(section, choice string) string,
	link func(id crawl.ID, url string) view.Link,
) view.Task {
	section := "improve"
	if f.Severity == lint.SeverityError {
		section = "fix"
	}
	t := view.Task{
		Kind: SeverityTone(f.Severity), Title: NewRuleText(c, f.Rule.ID).Title, Href: href(section, f.Rule.ID),
	}
	answer := f.Why()
	if f.Link && answer != (insight.Why{}) {
		t.Answer = &view.Tag{Name: answer.In(c), Kind: t.Kind}
		if answer.Status > 0 {
			t.Answer.Name, t.Answer.Text = strconv.Itoa(answer.Status), t.Answer.Name
		}
	}
	switch {
	case t.Answer != nil && f.Other == 0: // only a sitemap or a list names it
		target := link(f.Page, f.URL)
		t.Target, t.Where = &target, c.Text("web.broken.unlinked")
		return t
	case f.Pages == 0 || f.Page == 0:
		t.Where = format.Plain(cmp.Or(f.File, f.Text(c)))
		return t
	case f.Link && f.HasOther():
		target := link(f.Other, f.OtherURL)
		t.Target = &target
	case f.Link:
		t.Title = format.Capitalize(format.Plain(f.Text(c)))
	}
	key := "task.pages"
	if f.Pages >= insight.TemplatePages(o.Pages) {
		key = "task.template"
	}
	t.Where = c.Plural(key, int64(f.Pages))
	page := link(f.Page, f.URL)
	if text := f.Place().Text; text != "" {
		page.Text = c.Text("web.broken.quote", format.Truncate(format.Plain(text), maxLinkText))
	}
	t.Page = &page
	return t
}
