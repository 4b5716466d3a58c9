package crawl

import (
	"path"
	"slices"
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

// players are the hosts of video services, with the beginning of the path of their players.
// Subdomains count too.
var players = []string{
	"youtube.com/embed/", "youtube-nocookie.com/embed/", "player.vimeo.com/", "dailymotion.com/embed/",
	"player.twitch.tv/", "fast.wistia.net/embed/", "fast.wistia.com/embed/", "loom.com/embed/",
	"players.brightcove.net/", "cdn.jwplayer.com/players/", "play.vidyard.com/", "tiktok.com/embed/",
	"facebook.com/plugins/video", "rutube.ru/play/embed/", "player.bilibili.com/",
}

// hasPlayer reports whether a page shows the player of a video service.
func hasPlayer(html *extract.Page) bool {
	return slices.ContainsFunc(html.Links, func(link extract.Link) bool {
		return (link.Kind == extract.KindFrame || link.Kind == extract.KindMedia && link.Load != extract.LoadNever) &&
			isPlayer(string(link.URL))
	})
}

// isPlayer reports whether a link leads to the player of a video service.
func isPlayer(link string) bool {
	_, address, found := strings.Cut(link, "//")
	address = strings.ToLower(address)
	return found && slices.ContainsFunc(players, func(player string) bool {
		at := strings.Index(address, player)
		return at == 0 || at > 0 && address[at-1] == '.' && !strings.Contains(address[:at], "/")
	})
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
