package crawl

import (
	"bytes"
	"strings"

	"github.com/mapatools/mapa/crawl/render"
	"github.com/mapatools/mapa/internal/extract"
)

// maxRootWords bounds two texts: that of a page whose scripts fill a root element, and a message which
// says only that something failed. Both have fewer words.
const maxRootWords = 20

// rootIDs are the ids of elements that frameworks fill.
var rootIDs = map[string]bool{
	"root": true, "app": true, "__next": true, "__nuxt": true, "svelte": true, "q-app": true,
	"app-root": true, "ng-app": true,
}

// rootMarkup is how root elements of Angular begin.
var rootMarkup = [...]string{"<app-root", " ng-app"}

// renderSignal returns why a page seems to need scripts, or render.ReasonNoSignal. isCertain reports
// whether the page is rendered whatever the scripts of others did.
func (w *worker) renderSignal(x *extracted, body []byte) (reason render.Reason, isCertain bool) {
	html := x.html
	switch {
	case !html.HasScript && !html.AsksForScript:
		return render.ReasonNoSignal, false
	case !html.HasText:
		return render.ReasonNoText, true
	case html.Words < maxRootWords && html.HasScript && hasRoot(html, body):
		return render.ReasonRoot, true
	case html.AsksForScript && html.Words < maxScriptWords:
		return render.ReasonNoscript, true
	case x.page.Facts.NeedsScript:
		return render.ReasonScriptLinks, true
	case html.Words == 0:
		return render.ReasonNoWords, false
	case !w.leadsOn(x):
		return render.ReasonNoLinks, false
	}
	return render.ReasonNoSignal, false
}

// hasRoot reports whether a page has an element that a framework fills.
func hasRoot(html *extract.Page, body []byte) bool {
	for _, id := range html.Anchors {
		if rootIDs[string(id)] {
			return true
		}
	}
	for _, markup := range rootMarkup {
		if bytes.Contains(body, []byte(markup)) {
			return true
		}
	}
	return false
}

// pageState returns what an HTML page says about itself.
func (w *worker) pageState(x *extracted) PageState {
	state := PageState{
		Title: x.page.Title, Description: x.page.Facts.Description, H1: x.page.Facts.H1, Words: x.html.Words,
	}
	if len(x.html.Canonical) > 0 {
		state.Canonical = string(w.resolver.absolute(x.base, x.html.Canonical))
	}
	var directives []string
	if x.metaRobots.NoIndex {
		directives = append(directives, "noindex")
	}
	if x.metaRobots.NoFollow {
		directives = append(directives, "nofollow")
	}
	state.Robots = strings.Join(directives, ", ")
	for i := range x.html.Links {
		if x.html.Links[i].Kind <= extract.KindArea {
			state.Links++
		}
	}
	return state
}

// renderPattern returns the pattern of the pages that are made like the one at a URL: its host, the
// first folder, and how many folders follow.
func renderPattern(address string) string {
	host, path := splitURL([]byte(address))
	path, _, hasQuery := bytes.Cut(path, []byte{'?'})
	parts := strings.Split(string(path[1:]), "/")
	for i := range parts {
		if i > 0 || len(parts) == 1 {
			parts[i] = "*"
		}
	}
	pattern := string(host) + "/" + strings.Join(parts, "/")
	if hasQuery {
		pattern += "?"
	}
	return pattern
}
