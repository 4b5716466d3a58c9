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
		one := &x.Images[i]
		found = clearText(tag, map[string]*string{"image:caption": &one.Caption, "image:geo_location": &one.GeoLocation,
			"image:title": &one.Title, "image:license": &one.License}) || found
	}
	for i := range x.Videos {
		found = dropFromVideo(&x.Videos[i], tag) || found
	}
	for i := range x.News {
		one := &x.News[i]
		found = clearText(tag, map[string]*string{"news:access": &one.Access, "news:genres": &one.Genres,
			"news:keywords": &one.Keywords, "news:stock_tickers": &one.StockTickers}) || found
	}
	if !found {
		return nil
	}
	return field
}

// clearText empties the text of a tag. It reports whether the tag has one.
func clearText(tag string, texts map[string]*string) bool {
	text, is := texts[tag]
	if is {
		*text = ""
	}
	return is
}

func dropFromVideo(v *sitemap.Video, tag string) bool {
	switch tag {
	case "video:content_segment_loc":
		v.ContentSegments = nil
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
		return clearText(tag, map[string]*string{"allow_embed": &v.Player.AllowEmbed, "autoplay": &v.Player.Autoplay,
			"video:category": &v.Category})
	}
	return true
}
