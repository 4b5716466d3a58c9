package web

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/mapatools/mapa/internal/catalog"
)

// languageCookie has the language that a person chose.
const languageCookie = "mapa-language"

const languageAge = 365 * 24 * 60 * 60 // seconds

// languageNames are the names of the languages in themselves.
var languageNames = map[catalog.Language]string{catalog.English: "English", catalog.Spanish: "Español"}

// languageField is the field of the buttons that choose a language.
const languageField = "language"

// languageOf returns the language of the answer to a request: the one that the person
// chooses with it or chose before, or the one that the browser prefers.
func languageOf(r *http.Request) catalog.Language {
	if chosen, is := chosenLanguage(r); is {
		return chosen
	}
	if cookie, err := r.Cookie(languageCookie); err == nil {
		if chosen := catalog.Language(cookie.Value); slices.Contains(catalog.Languages(), chosen) {
			return chosen
		}
	}
	return catalog.Match(r.Header.Get("Accept-Language"))
}

// chosenLanguage returns the language that the form of a request chooses.
func chosenLanguage(r *http.Request) (catalog.Language, bool) {
	chosen := catalog.Language(r.PostForm.Get(languageField))
	return chosen, slices.Contains(catalog.Languages(), chosen)
}

// setLanguage keeps the language that a person chose, and shows the page again.
func (s *Server) setLanguage(w http.ResponseWriter, r *http.Request) error {
	if err := r.ParseForm(); err != nil {
		return bodyError(err)
	}
	chosen, is := chosenLanguage(r)
	if !is {
		return badRequest("unknown language")
	}
	s.keepLanguage(w, chosen)
	return seeOther(w, r, localPath(r.PostForm.Get("back")), nil)
}

// keepLanguage makes the browser keep the language that a person chose.
func (s *Server) keepLanguage(w http.ResponseWriter, chosen catalog.Language) {
	http.SetCookie(w, &http.Cookie{
		Name: languageCookie, Value: string(chosen), Path: "/", MaxAge: languageAge, HttpOnly: true,
		Secure: s.isSecure(), SameSite: http.SameSiteLaxMode,
	})
}

// localPath returns the path and query of a page of this server, or "/" for anything
// else, such as "//example.com", which browsers take for another host.
func localPath(text string) string {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "" || u.Host != "" || u.User != nil || !strings.HasPrefix(u.Path, "/") ||
		strings.HasPrefix(u.Path, "//") || strings.ContainsAny(text, "\\\r\n\t") {
		return "/"
	}
	return (&url.URL{Path: u.Path, RawPath: u.RawPath, RawQuery: u.RawQuery}).String()
}
