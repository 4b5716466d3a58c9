package app

import (
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/sitemap"
)

// cutExtensionUsers removes the user information from the URLs of extensions. Elements of
// other vocabularies stay as they are.
func cutExtensionUsers(x *sitemap.Extensions) {
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
