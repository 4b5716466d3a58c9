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

// languageOf returns the language of the answer to a request: the one that the person
// chose, or the one that the browser prefers.
func languageOf(r *http.Request) catalog.Language {
	if cookie, err := r.Cookie(languageCookie); err == nil {
		if chosen := catalog.Language(cookie.Value); slices.Contains(catalog.Languages(), chosen) {
			return chosen
		}
	}
	return catalog.Match(r.Header.Get("Accept-Language"))
}

// setLanguage keeps the language that a person chose, and shows the page again.
func (s *Server) setLanguage(w http.ResponseWriter, r *http.Request) error {
	if err := r.ParseForm(); err != nil {
		return bodyError(err)
	}
	chosen := catalog.Language(r.PostForm.Get("language"))
	if !slices.Contains(catalog.Languages(), chosen) {
		return badRequest("unknown language")
	}
	http.SetCookie(w, &http.Cookie{
		Name: languageCookie, Value: string(chosen), Path: "/", MaxAge: languageAge, HttpOnly: true,
		Secure: s.isSecure(), SameSite: http.SameSiteLaxMode,
	})
	http.Redirect(w, r, localPath(r.PostForm.Get("back")), http.StatusSeeOther)
	return nil
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
