package web

import (
	"errors"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/mapatools/mapa/internal/app/cause"
	"github.com/mapatools/mapa/internal/app/service"
	"github.com/mapatools/mapa/internal/catalog"
)

// formOptions are the options of a crawl as the form shows them.
type formOptions struct {
	Pages, Depth       string
	Include, Exclude   string // one text on a line
	Subdomains, Images bool
	Gzip               bool
	Languages          bool // language versions in a sitemap of their own
	Assets, External   bool
	Outputs, Rates     []choice
	Renders            []choice
	RenderError        *renderError    // nil unless pages cannot be rendered
	Offered            map[string]bool // names of the flags that the server offers
}

// A renderError says why pages cannot be rendered.
type renderError struct {
	Text   string // with what to do
	Detail string // the error, in English
}

// A choice is an entry of a list to choose from.
type choice struct {
	Value, Name, Hint string
	Checked           bool
}

// The flags of the form.
var (
	valueNames   = []string{"max-pages", "max-depth", "rate", "render"}
	patternNames = []string{"include", "exclude"}
	switchNames  = []string{"subdomains", "gzip", "images", "assets", "external"}
	listNames    = []string{"outputs", "apart"}
)

// optionsOf returns the options of a crawl that a form has, by the names of the flags.
func optionsOf(form url.Values) map[string][]string {
	options := map[string][]string{}
	for _, name := range valueNames {
		if value := strings.TrimSpace(form.Get(name)); value != "" {
			options[name] = []string{value}
		}
	}
	for _, name := range patternNames {
		for line := range strings.Lines(form.Get(name)) {
			if text := strings.TrimSpace(line); text != "" {
				options[name] = append(options[name], patternOf(text))
			}
		}
	}
	for _, name := range switchNames {
		if form.Get(name) == "true" {
			options[name] = []string{"true"}
		}
	}
	for _, name := range listNames {
		if len(form[name]) > 0 {
			options[name] = slices.Clone(form[name])
		}
	}
	return options
}

// withHidden returns the options of a form with those of before that it does not show.
func withHidden(options, before map[string][]string) map[string][]string {
	shown := slices.Concat(valueNames, patternNames, switchNames, listNames)
	for name, values := range before {
		if !slices.Contains(shown, name) {
			options[name] = values
		}
	}
	return options
}

// explain returns why the request of the form failed, or "" if the field for rendering shows it.
func (f *formOptions) explain(c *catalog.Catalog, failed error) string {
	text, _ := explainInput(c, failed)
	option, is := errors.AsType[*service.OptionError](failed)
	if !is || !cause.IsBrowser(failed) {
		return text
	}
	f.RenderError = &renderError{text, service.FailureOf(option.Err).Text}
	return ""
}

// patternOf returns the regular expression for a text of the form, in which * matches
// anything.
func patternOf(text string) string {
	return strings.ReplaceAll(regexp.QuoteMeta(text), `\*`, ".*")
}

var escaped = regexp.MustCompile(`\\([^\w\s])`)

// textOf returns the text of the form for a pattern.
func textOf(pattern string) string {
	return escaped.ReplaceAllString(strings.ReplaceAll(pattern, ".*", "*"), "$1")
}

// formOptions returns the form for options; nil are those of a new crawl.
func (s *Server) formOptions(c *catalog.Catalog, options map[string][]string) formOptions {
	first := func(name string) string {
		if len(options[name]) == 0 {
			return ""
		}
		return options[name][0]
	}
	lines := func(name string) string {
		var texts []string
		for _, pattern := range options[name] {
			texts = append(texts, textOf(pattern))
		}
		return strings.Join(texts, "\n")
	}
	f := formOptions{
		Pages: first("max-pages"), Depth: first("max-depth"), Include: lines("include"), Exclude: lines("exclude"),
		Subdomains: first("subdomains") == "true", Images: first("images") == "true", Gzip: first("gzip") == "true",
		Assets: first("assets") == "true", External: first("external") == "true",
		Languages: slices.Contains(options["apart"], "hreflang"), Rates: rateChoices(c, first("rate")),
		Renders: renderChoices(c, first("render")),
		Offered: map[string]bool{},
	}
	for _, name := range s.options.Service.OptionNames() {
		f.Offered[name] = true
	}
	for _, o := range []choice{
		{Value: "xml", Name: c.Text("web.options.xml"), Hint: c.Text("web.options.xml.hint")},
		{Value: "txt", Name: c.Text("web.options.txt"), Hint: c.Text("web.options.txt.hint")},
		{Value: "html", Name: c.Text("web.options.html"), Hint: c.Text("web.options.html.hint")},
		{Value: "rss", Name: c.Text("web.options.rss"), Hint: c.Text("web.options.rss.hint")},
	} {
		o.Checked = options == nil || slices.Contains(options["outputs"], o.Value)
		f.Outputs = append(f.Outputs, o)
	}
	return f
}

// renderChoices returns which pages are rendered. A pattern, from the API, is added.
func renderChoices(c *catalog.Catalog, render string) []choice {
	choices := []choice{
		{Name: c.Text("web.options.render.never")}, {Value: "auto", Name: c.Text("web.options.render.auto")},
		{Value: "always", Name: c.Text("web.options.render.always")},
	}
	if render == "never" {
		render = ""
	}
	for i := range choices {
		choices[i].Checked = choices[i].Value == render
	}
	if !slices.ContainsFunc(choices, func(one choice) bool { return one.Checked }) {
		choices = append(choices, choice{Value: render, Name: render, Checked: true})
	}
	return choices
}

// rateChoices returns the rates of the form. One that is not there, from the API, is
// added.
func rateChoices(c *catalog.Catalog, rate string) []choice {
	choices := []choice{
		{Value: "", Name: c.Text("web.options.rate.default")},
		{Value: "1", Name: c.Text("web.options.rate.slow")},
		{Value: "5", Name: "5"}, {Value: "20", Name: "20"},
		{Value: "auto", Name: c.Text("web.options.rate.auto")},
	}
	i := slices.IndexFunc(choices, func(o choice) bool { return o.Value == rate })
	if i < 0 {
		choices = append(choices, choice{Value: rate, Name: rate})
		i = len(choices) - 1
	}
	choices[i].Checked = true
	return choices
}
