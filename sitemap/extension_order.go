package sitemap

import (
	"github.com/mapatools/mapa/sitemap/internal/xmlscan"
)

// A sequence gives the children of an element the places that a schema gives
// them, from 1.
type sequence map[string]int

func sequenceOf(names ...string) sequence {
	o := sequence{}
	for i, name := range names {
		o[name] = i + 1
	}
	return o
}

// The sequences of Google's schemas.
var (
	imageOrder = sequenceOf("loc", "caption", "geo_location", "title", "license")
	videoOrder = sequenceOf("thumbnail_loc", "title", "description", "content_loc", "player_loc", "duration",
		"expiration_date", "rating", "content_segment_loc", "view_count", "publication_date", "tag", "category",
		"family_friendly", "restriction", "gallery_loc", "price", "requires_subscription", "uploader", "tvshow",
		"platform", "live", "id")
	newsOrder = sequenceOf("publication", "access", "genres", "publication_date", "title", "keywords",
		"stock_tickers")
	publicationOrder = sequenceOf("name", "language")
	showOrder        = sequenceOf("show_title", "video_type", "episode_title", "season_number", "episode_number",
		"premier_date")
	pageMapOrder = sequenceOf("Template", "DataObject")
	objectOrder  = sequenceOf("Attribute")
)

// placeReported is the last place of an element that was reported.
const placeReported = -1

// place reports a child that the schema does not have, or that follows one with a
// later place, and returns the last place from now on.
func (p *extensionParser) place(o sequence, last int, local []byte, t xmlscan.Token) int {
	place := o[string(local)]
	switch {
	case place == 0:
		p.report(FaultExtensionElement, t.NameAt, excerpt(t.Name(p.b)))
		return last
	case last == placeReported:
		return last
	case place < last:
		p.report(FaultExtensionOrder, t.NameAt, excerpt(t.Name(p.b)))
		return placeReported
	}
	return max(place, last)
}
