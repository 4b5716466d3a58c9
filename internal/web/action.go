package web

import (
	"maps"
	"net/url"
	"slices"

	"github.com/mapatools/mapa/internal/app/service"
	"github.com/mapatools/mapa/internal/insight"
)

// An actionView is the button of a verdict: a link, or a form with fields.
type actionView struct {
	Name   string
	Href   string
	Fields []choice // of the form that starts a crawl
}

// published reports whether the sitemap of a crawl was published by the server.
func published(c *service.Crawl) bool { return c.Publication != nil && !c.Publication.Time.IsZero() }

// addAction adds what the verdict says to do next. Of a sitemap that the server published, nothing is to
// be uploaded.
func (v *resultView) addAction() {
	verdict := v.Overview.Verdict
	if verdict == nil {
		return
	}
	action := string(verdict.Action)
	hasLosses := len(v.Overview.Losses) > 0
	if changes := v.Overview.Changes; action == "upload" && (hasLosses || changes != nil && changes.SameSitemap()) {
		v.Usable = true
		return
	}
	if action == "upload" && published(v.Crawl) {
		v.OverviewTexts.Advice, action = v.texts.Text("action.announce"), "announce"
		if v.Crawl.Publication.Announced == announcedAll {
			v.OverviewTexts.Advice, action = v.texts.Text("web.published.announced"), ""
		}
	}
	v.Partial = verdict.Kind == insight.Partial
	v.Upload, v.Usable = action == "upload", action == "upload" || action == "none"
	v.Action = v.newAction(action, verdict)
}

// lookActions are the actions whose buttons lead to a list.
var lookActions = []string{"index", "robots", "fix-pages", "publish"}

// newAction returns the button of an action, or nil without one.
func (v *resultView) newAction(action string, verdict *insight.Verdict) *actionView {
	c, address := v.texts, verdict.Address()
	again := []choice{{Name: "url", Value: v.Crawl.URL}, {Name: "like", Value: v.Crawl.ID}}
	switch {
	case !v.CanCrawl && !slices.Contains(lookActions, action):
		return nil
	case action == "continue" && !v.CanResume:
		return &actionView{Name: c.Text("web.site.again"), Fields: again}
	case action == "render" && slices.Contains(v.offered, "render"):
		return &actionView{Name: c.Text("web.action.render"), Fields: append(again, choice{Name: "render", Value: "auto"})}
	case action == "crawl-other":
		return &actionView{Name: c.Text("web.action.crawl", address), Fields: []choice{{Name: "url", Value: address}}}
	case action == "base-url" && !v.Public:
		fields := append(again, choice{Name: "base-url", Value: address})
		return &actionView{Name: c.Text("web.action.base-url", address), Fields: fields}
	case action == "use-sitemap" && !v.Public:
		return &actionView{Name: c.Text("web.action.sitemap"), Fields: append(again, choice{Name: "sitemap", Value: address})}
	case action == "log-in" || action == "raise-limit" || action == "fix-start":
		return &actionView{Name: c.Text("web.action.options"), Href: "/?" + url.Values{"url": {v.Crawl.URL}}.Encode()}
	case action == "index":
		return &actionView{Name: c.Text("web.action.reasons"), Href: v.listHref(url.Values{"decision": {"noindex"}})}
	case action == "robots":
		return &actionView{Name: c.Text("web.action.reasons"), Href: v.listHref(url.Values{"decision": {"robots"}})}
	case action == "announce" && v.ScheduleID != "":
		return &actionView{Name: c.Text("web.action.announce"), Href: "/schedules/" + v.ScheduleID + "#announce"}
	case action == "fix-pages" || action == "publish":
		return &actionView{Name: c.Text("web.action.reasons"), Href: v.listHref(nil)}
	}
	return nil
}

// withAction returns the options of an earlier crawl with those of the form: the button of a
// verdict, or what is tried after a failure.
func withAction(options map[string][]string, form url.Values) map[string][]string {
	changed := maps.Clone(options)
	if changed == nil {
		changed = map[string][]string{}
	}
	readOwnOptions(changed, form)
	for _, name := range []string{"sitemap", "render", "assets", "external"} {
		if value := form.Get(name); value != "" {
			changed[name] = []string{value}
		}
	}
	return changed
}

// uncheckedView says what a crawl did not check, with the fields of a button that begins a crawl that does.
type uncheckedView struct {
	Texts  []string
	Fields []choice // nil for those who may not crawl
}

// unchecked returns what a crawl did not check, of what the server offers, or nil.
func (v *resultFrame) unchecked() *uncheckedView {
	u := &uncheckedView{}
	for _, name := range []string{"assets", "external"} {
		if slices.Contains(v.offered, name) && !slices.Contains(v.Crawl.Options[name], "true") {
			u.Texts = append(u.Texts, v.texts.Text("web.unchecked."+name))
			u.Fields = append(u.Fields, choice{Name: name, Value: "true"})
		}
	}
	switch {
	case len(u.Texts) == 0:
		return nil
	case !v.CanCrawl:
		u.Fields = nil
	default:
		u.Fields = append(u.Fields, choice{Name: "url", Value: v.Crawl.URL}, choice{Name: "like", Value: v.Crawl.ID})
	}
	return u
}
