package access

import (
	"strings"

	"github.com/mapatools/mapa/access"
	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/addresses"
	"github.com/mapatools/mapa/internal/fetch"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/sitemap"
	"github.com/mapatools/mapa/source"
)

// Sources returns the sources that a user names, without user information, and the
// options to open them. Credentials are sent to the origins that the sources name, and
// appear nowhere else.
func Sources(a *app.App, s *RequestSettings, locations ...string) ([]string, source.Options, error) {
	options := source.Options{Stdin: a.Stdin}
	var err error
	if s.PublicOnly {
		if locations, err = addresses.WebAddresses(locations); err != nil {
			return nil, options, err
		}
	}
	clean, users := CutUsers(locations)
	if options.Access, err = s.Access(a.UserAgent(), clean, users); err != nil || !s.PublicOnly {
		return clean, options, err
	}
	options.Access.Admit = LimitRequests()
	stream, err := fetch.NewStream(&options.Access)
	options.Access = access.Access{Transport: &LimitedBytes{Stream: stream}}
	return clean, options, err
}

// CutUsers removes the user information from locations, and returns it by their origins.
func CutUsers(locations []string) (clean []string, users map[string]string) {
	for _, location := range locations {
		address, user := location, ""
		if strings.Contains(location, "://") {
			address, user = format.CutUser(location)
		} else if strings.Contains(location, "@") && !addresses.Exists(location) {
			address, user = format.CutUser("https://" + location)
		}
		if origin := fetch.Origin(address); user != "" && origin != "" {
			if users == nil {
				users = map[string]string{}
			}
			users[origin] = addresses.DecodeUser(user)
		}
		clean = append(clean, address)
	}
	return clean, users
}

// CutExtensionUsers removes the user information from the URLs of extensions. Elements of
// other vocabularies stay as they are.
func CutExtensionUsers(x *sitemap.Extensions) {
	for i := range x.Images {
		cutUser(&x.Images[i].Loc, &x.Images[i].License)
	}
	for i := range x.Alternates {
		cutUser(&x.Alternates[i].Href)
	}
	for i := range x.Videos {
		v := &x.Videos[i]
		cutUser(&v.ThumbnailLoc, &v.ContentLoc, &v.Player.Loc, &v.Uploader.Info, &v.Gallery.Loc)
		for j := range v.ContentSegments {
			cutUser(&v.ContentSegments[j].Loc)
		}
	}
}

func cutUser(urls ...*string) {
	for _, url := range urls {
		*url, _ = format.CutUser(*url)
	}
}
