package access

import (
	"slices"
	"strings"

	"github.com/mapatools/mapa/internal/app/addresses"
	"github.com/mapatools/mapa/internal/app/setting"
)

// Credentials returns the names of the settings that hold credentials. Those belong to one
// origin. Other headers, such as a language, and the cookies of a file, which names their
// hosts, may be for several.
func (s *RequestSettings) Credentials() (names []string) {
	if s.User != "" {
		names = append(names, "user")
	}
	if s.Cookie != "" {
		names = append(names, "cookie")
	}
	if slices.ContainsFunc(s.Header, isCredential) {
		names = append(names, "header")
	}
	return names
}

// isCredential reports whether a line NAME: VALUE is a header for credentials
// (https://www.rfc-editor.org/rfc/rfc9110#section-11, RFC 6265).
func isCredential(line string) bool {
	name, _, _ := strings.Cut(line, ":")
	name = strings.TrimSpace(name)
	return strings.EqualFold(name, "Authorization") || strings.EqualFold(name, "Cookie")
}

// CheckOrigins refuses to send credentials to several origins: who adds a site to a list
// does not mean to give it the password of another. users are the ones that sites have of
// their own, by origin.
func (s *RequestSettings) CheckOrigins(sites []string, users map[string]string) error {
	for _, name := range s.Credentials() {
		var origins []string
		for _, site := range sites {
			if origin := addresses.NamedOrigin(site); name != "user" || users[origin] == "" {
				origins = append(origins, origin)
			}
		}
		if err := CheckOneOrigin(name, origins); err != nil {
			return err
		}
	}
	return nil
}

// CheckOneOrigin refuses a setting for several origins. An empty one is that of a file.
func CheckOneOrigin(name string, origins []string) error {
	first := ""
	for _, origin := range origins {
		switch {
		case origin == "", origin == first:
		case first == "":
			first = origin
		default:
			return setting.Invalid(name, "%s is for one site, not for both %s and %s: name one at a time", first, origin)
		}
	}
	return nil
}

// DropCredentials removes what may be a secret of one site, where the settings are for any.
func (s *RequestSettings) DropCredentials() {
	s.User, s.Cookie, s.CookieFile, s.Header = "", "", "", nil
}
