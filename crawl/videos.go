package crawl

import (
	"path"
	"strconv"
	"strings"

	"github.com/mapatools/mapa/internal/extract"
	"github.com/mapatools/mapa/sitemap"
)

// videos returns the videos that have everything a video sitemap requires: a
// thumbnail, a title, a description, and the file or a player.
func videos(page *Page, html *extract.Page, resolve func([]byte) string) (found []sitemap.Video) {
	add := func(v sitemap.Video) {
		v.Title = cut(v.Title, sitemap.MaxVideoTitle)
		v.Description = cut(v.Description, maxText)
		if v.ThumbnailLoc == "" || v.Title == "" || v.Description == "" || v.ContentLoc == "" && v.Player.Loc == "" {
			return
		}
		found = append(found, v)
	}
	for i := range html.Videos {
		v := &html.Videos[i]
		add(sitemap.Video{
			ThumbnailLoc:    resolve(v.Thumbnail),
			Title:           firstText(v.Name, html.Title),
			Description:     firstText(v.Description, html.Description, v.Name),
			ContentLoc:      resolve(v.Content),
			Player:          sitemap.VideoPlayer{Loc: resolve(v.Embed)},
			PublicationDate: sitemapDate(v.Uploaded, page.Time),
			Duration:        seconds(string(v.Duration)),
		})
	}
	if og := &html.OpenGraph; len(found) == 0 && len(og.Video) > 0 {
		v := sitemap.Video{
			ThumbnailLoc: resolve(og.Image),
			Title:        firstText(og.Title, html.Title),
			Description:  firstText(og.Description, html.Description, og.Title),
		}
		if address := resolve(og.Video); isVideoFile(address) {
			v.ContentLoc = address
		} else {
			v.Player.Loc = address
		}
		add(v)
	}
	return found
}

func isVideoFile(address string) bool {
	file, _, _ := strings.Cut(address, "?")
	switch strings.ToLower(path.Ext(file)) {
	case ".mp4", ".m4v", ".webm", ".ogv", ".mov", ".mpg", ".mpeg", ".avi", ".wmv", ".flv", ".m3u8", ".mpd":
		return true
	}
	return false
}

// seconds converts an ISO 8601 duration of days, hours, minutes and seconds to whole
// seconds, or returns "" if a video sitemap does not allow it.
func seconds(duration string) string {
	rest, found := strings.CutPrefix(duration, "P")
	if !found {
		return ""
	}
	total, inTime := 0.0, false
	for rest != "" {
		if !inTime && rest[0] == 'T' {
			inTime, rest = true, rest[1:]
			continue
		}
		end := strings.IndexFunc(rest, func(r rune) bool { return (r < '0' || r > '9') && r != '.' && r != ',' })
		if end <= 0 {
			return ""
		}
		value, err := strconv.ParseFloat(strings.Replace(rest[:end], ",", ".", 1), 64)
		if err != nil {
			return ""
		}
		switch unit := rest[end]; {
		case !inTime && unit == 'D':
			total += value * 86_400
		case inTime && unit == 'H':
			total += value * 3600
		case inTime && unit == 'M':
			total += value * 60
		case inTime && unit == 'S':
			total += value
		default:
			return ""
		}
		rest = rest[end+1:]
	}
	if total < 1 || total > sitemap.MaxVideoSeconds {
		return ""
	}
	return strconv.Itoa(int(total))
}
