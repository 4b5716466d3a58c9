package repair

import (
	"errors"
	"strings"

	"github.com/mapatools/mapa/sitemap"
)

// DropObsolete removes the tags without effect that err is about from the images, videos
// and articles of x: the vocabularies keep them, and search engines do not read them. err
// is an error of writing x. DropObsolete returns the error of the tag, or nil if err is
// about anything else.
func DropObsolete(x *sitemap.Extensions, err error) *sitemap.FieldError {
	field, ok := errors.AsType[*sitemap.FieldError](err)
	if !ok {
		return nil
	}
	tag, attribute, _ := strings.Cut(field.Field, " ")
	if tag == "video:player_loc" {
		tag = attribute
	}
	found := false
	for i := range x.Images {
		found = dropFromImage(&x.Images[i], tag) || found
	}
	for i := range x.Videos {
		found = dropFromVideo(&x.Videos[i], tag) || found
	}
	for i := range x.News {
		found = dropFromNews(&x.News[i], tag) || found
	}
	if !found {
		return nil
	}
	return field
}

func dropFromImage(i *sitemap.Image, tag string) bool {
	switch tag {
	case "image:caption":
		i.Caption = ""
	case "image:geo_location":
		i.GeoLocation = ""
	case "image:title":
		i.Title = ""
	case "image:license":
		i.License = ""
	default:
		return false
	}
	return true
}

func dropFromVideo(v *sitemap.Video, tag string) bool {
	switch tag {
	case "allow_embed":
		v.Player.AllowEmbed = ""
	case "autoplay":
		v.Player.Autoplay = ""
	case "video:content_segment_loc":
		v.ContentSegments = nil
	case "video:category":
		v.Category = ""
	case "video:gallery_loc":
		v.Gallery = sitemap.Gallery{}
	case "video:price":
		v.Prices = nil
	case "video:id":
		v.IDs = nil
	case "video:show_title", "video:video_type", "video:episode_title", "video:season_number", "video:episode_number",
		"video:premier_date":
		v.TVShow = nil
	default:
		return false
	}
	return true
}

func dropFromNews(n *sitemap.News, tag string) bool {
	switch tag {
	case "news:access":
		n.Access = ""
	case "news:genres":
		n.Genres = ""
	case "news:keywords":
		n.Keywords = ""
	case "news:stock_tickers":
		n.StockTickers = ""
	default:
		return false
	}
	return true
}
