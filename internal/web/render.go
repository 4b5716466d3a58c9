package web

import (
	"bytes"
	"embed"
	"html/template"
	"net/http"
	"sync"
	"time"

	"github.com/mapatools/mapa/internal/app/service"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/view"
)

//go:embed templates
var templateFiles embed.FS

// templates has the templates of all pages by language, each parsed when it is first needed.
var templates = func() map[catalog.Language]func() *template.Template {
	all := map[catalog.Language]func() *template.Template{}
	for _, l := range catalog.Languages() {
		all[l] = sync.OnceValue(func() *template.Template { return parseTemplates(l) })
	}
	return all
}()

func parseTemplates(l catalog.Language) *template.Template {
	c := localCatalog(l)
	return template.Must(view.Blocks(c).Funcs(template.FuncMap{
		"asset":  allAssets().path,
		"state":  func(s service.State) tag { return stateTag(c, s) },
		"moment": func(t time.Time) template.HTML { return moment(c, t) },
		"span":   func(d time.Duration) string { return spanText(c, d) },
		"ago":    func(t time.Time) template.HTML { return ago(c, t, time.Now()) },
		"markup": func(key string, arguments ...any) template.HTML { return markup(c, key, arguments...) },
	}).ParseFS(templateFiles, "templates/*.html"))
}

// A frame is what a page shows around its content. Views of pages embed it.
type frame struct {
	Title     string
	Menu      string // the entry of the main menu; empty shows no menu
	Path      string // of the page, for forms that come back to it
	Public    bool   // the reader is a visitor
	Scheduled bool   // the server has schedules
	IsOwner   bool   // the reader may do everything
	CanCrawl  bool   // the reader may start crawls
	SignedIn  bool
	Live      bool // the page follows a crawl
	Refresh   int  // seconds after which the page loads itself again; 0 is never
	Languages []languageChoice
	Typed     string // the ID of the form that the choice of a language sends, or empty
	Version   string

	texts  *catalog.Catalog
	caller caller
}

// A languageChoice is another language of a page.
type languageChoice struct {
	Code catalog.Language
	Name string
}

// newFrame returns the frame of a page.
func (s *Server) newFrame(r *http.Request, menu string) frame {
	c := callerOf(r)
	f := frame{
		Menu: menu, Path: r.URL.RequestURI(), Public: c.role < roleReader,
		IsOwner: c.role == roleOwner, CanCrawl: c.role == roleOwner || c.role == roleVisitor,
		Scheduled: !s.options.Public, texts: catalogOf(r),
		SignedIn: s.sessionRole(r) > roleNone, Version: s.options.App.Version, caller: c,
	}
	if c.role == roleNone { // nothing of the menu is for them
		f.Menu = ""
	}
	if r.Method != http.MethodGet {
		f.Path = "/"
	}
	for _, l := range catalog.Languages() {
		if l != f.texts.Language() {
			f.Languages = append(f.Languages, languageChoice{l, languageNames[l]})
		}
	}
	return f
}

// render answers with a page. The page is complete before anything is sent.
func (s *Server) render(w http.ResponseWriter, status int, name string, f *frame, data any) error {
	var page bytes.Buffer
	if err := templates[f.texts.Language()]().ExecuteTemplate(&page, name, data); err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Language", string(f.texts.Language()))
	h.Add("Vary", "Accept-Language, Cookie")
	w.WriteHeader(status)
	_, _ = w.Write(page.Bytes()) // the client may be gone
	return nil
}

func stateTag(c *catalog.Catalog, state service.State) tag {
	switch state {
	case service.StateQueued:
		return tag{Name: c.Text("web.state.queued")}
	case service.StateRunning:
		return tag{Name: c.Text("web.state.running"), Kind: "good"}
	case service.StatePaused:
		return tag{Name: c.Text("web.state.paused"), Kind: "warn"}
	case service.StateDone:
		return tag{Name: c.Text("web.state.done"), Kind: "good"}
	case service.StateStopped:
		return tag{Name: c.Text("web.state.stopped"), Kind: "warn"}
	}
	return tag{Name: c.Text("web.state.failed"), Kind: "bad"}
}

// seeOther goes on to another page of this server after a form, unless err says that it was not done.
func seeOther(w http.ResponseWriter, r *http.Request, to string, err error) error {
	if err == nil {
		http.Redirect(w, r, to, http.StatusSeeOther)
	}
	return err
}
