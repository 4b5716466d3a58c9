// Package app implements what the program does: crawl a site, check sitemaps, write
// repaired copies, list, compare, report and explain. An [App] runs each of them the
// same way for a command line, a server or a worker.
//
// It does not read flags, print to a terminal or choose exit codes. Settings come as
// structs such as [crawl.Settings], whose [setting.Setting] tables serve flags and mapa.yaml
// alike. What happens during a run is reported as an [Event], its outcome is
// returned, and [cause.Of] classifies an error.
package app

import (
	"cmp"
	"io"
	"sync"

	"github.com/mapatools/mapa/internal/catalog"
)

// An App runs the operations of the program. The zero value is ready to use.
type App struct {
	// Version is recorded in crawl files and reports and sent in the User-Agent
	// header.
	Version string
	// About is the URL in the User-Agent header, where owners of sites learn who sends
	// requests; empty is that of Mapa.
	About string
	// Stdin is read where a source is "-". Nil is empty.
	Stdin io.Reader
	// LookupEnv, when set, returns environment variables that hold settings.
	LookupEnv func(name string) (string, bool)
	// CacheFolder is the folder for what runs of the user share, and need not. It is made
	// when it is needed; empty shares nothing.
	CacheFolder string
	// Lang is the language that a setting names for what people read, and Locale that of the user's
	// system. Both may be empty.
	Lang, Locale catalog.Language
	// Verbose reports every response for a page as a [crawl.PageFetched], and what is stored as
	// [crawl.PagesFound] and [crawl.BrokenFound].
	Verbose bool
	// OnEvent, when set, is called with what happens during a run, by one goroutine
	// at a time.
	OnEvent func(Event)

	mutex sync.Mutex // serializes OnEvent
}

// UserAgent is the User-Agent header that is sent unless a setting replaces it.
func (a *App) UserAgent() string {
	version := a.Version
	if version == "" {
		version = "devel"
	}
	return "Mapa/" + version + " (+" + cmp.Or(a.About, "https://github.com/mapatools/mapa") + ")"
}

// Language returns the language of what people read: the one that a setting names, else that of the
// system, else English.
func (a *App) Language() catalog.Language { return cmp.Or(a.Lang, a.Locale, catalog.English) }

// Texts returns the texts in the language of what people read.
func (a *App) Texts() *catalog.Catalog { return catalog.For(a.Language()) }

// Environment returns an environment variable, or "".
func (a *App) Environment(name string) string {
	if a.LookupEnv == nil {
		return ""
	}
	text, _ := a.LookupEnv(name)
	return text
}

// Notify emits a [Notice] with a text in the language of what people read.
func (a *App) Notify(key string, arguments ...any) {
	a.Emit(Notice{Text: a.Texts().Message(key, arguments)})
}

// Emit calls OnEvent with what happened.
func (a *App) Emit(e Event) {
	if a.OnEvent == nil {
		return
	}
	a.mutex.Lock()
	defer a.mutex.Unlock()
	a.OnEvent(e)
}
