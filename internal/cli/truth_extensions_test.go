package cli_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/mapatools/mapa/internal/testsite"
	"github.com/mapatools/mapa/sitemap"
)

// TestTruthExtensions compares the videos and languages of every listed page.
func TestTruthExtensions(t *testing.T) {
	t.Parallel()
	c := newTruthCrawl(t, testsite.TruthOptions{Seed: 31})
	c.crawl(t)
	pages := c.sitemap(t)
	for address, want := range c.truth() {
		if page := pages[address]; page != nil {
			c.compareVideos(address, page.Videos, &want)
			c.compareAlternates(address, page.Alternates, &want)
			if len(page.Images)+len(page.News) > 0 {
				c.find(want.Kind, address, "has images or news that nobody asked for")
			}
		}
	}
	c.report(t)
}

func (c *truthCrawl) compareVideos(address string, got []sitemap.Video, want *testsite.Expected) {
	if len(got) != len(want.Videos) {
		c.find(want.Kind, address, "%d videos, want %d", len(got), len(want.Videos))
		return
	}
	for i, video := range got {
		expected := want.Videos[i]
		for _, field := range []struct{ name, got, want string }{
			{"thumbnail", video.ThumbnailLoc, c.address(expected.Thumbnail)},
			{"title", video.Title, expected.Title},
			{"description", video.Description, expected.Description},
			{"content", video.ContentLoc, c.address(expected.Content)},
			{"player", video.Player.Loc, c.address(expected.Player)},
			{"duration", video.Duration, expected.Duration},
			{"publication date", video.PublicationDate, expected.Published},
		} {
			if field.got != field.want {
				c.find(want.Kind, address, "video %s %q, want %q", field.name, field.got, field.want)
			}
		}
	}
}

func (c *truthCrawl) compareAlternates(address string, got []sitemap.Alternate, want *testsite.Expected) {
	listed := map[string]string{}
	for _, alternate := range got {
		listed[alternate.Hreflang] = alternate.Href
		more, allowed := want.MoreAlternates[alternate.Hreflang]
		if want.Alternates[alternate.Hreflang] == "" && (!allowed || alternate.Href != c.address(more)) {
			c.find(want.Kind, address, "alternate %s %s is not in the truth", alternate.Hreflang, alternate.Href)
		}
	}
	if len(listed) != len(got) {
		c.find(want.Kind, address, "a language more than once: %v", got)
	}
	for language, target := range want.Alternates {
		if listed[language] != c.address(target) {
			c.find(want.Kind, address, "alternate %s is %q, want %q", language, listed[language], target)
		}
	}
}

// TestTruthImages compares the images of every listed page.
func TestTruthImages(t *testing.T) {
	t.Parallel()
	c := newTruthCrawl(t, testsite.TruthOptions{Seed: 41})
	c.settings = "images: true\n"
	c.crawl(t)
	pages := c.sitemap(t)
	for address, want := range c.truth() {
		page := pages[address]
		if page == nil {
			continue
		}
		listed, allowed := map[string]bool{}, map[string]bool{}
		for _, image := range slices.Concat(want.Images, want.MoreImages) {
			allowed[c.address(image)] = true
		}
		for _, image := range page.Images {
			if listed[image.Loc] {
				c.find(want.Kind, address, "image %s twice", image.Loc)
			}
			listed[image.Loc] = true
			if !allowed[image.Loc] {
				c.find(want.Kind, address, "image %s is not in the truth", image.Loc)
			}
		}
		for _, image := range want.Images {
			if !listed[c.address(image)] {
				c.find(want.Kind, address, "image %s is missing: %v", image, slices.Sorted(maps.Keys(listed)))
			}
		}
	}
	c.report(t)
}

// TestTruthNews compares the news of every listed page.
func TestTruthNews(t *testing.T) {
	t.Parallel()
	c := newTruthCrawl(t, testsite.TruthOptions{Seed: 51})
	c.settings = "news: The Truth\n"
	c.crawl(t)
	pages := c.sitemap(t)
	for address, want := range c.truth() {
		page := pages[address]
		switch {
		case page == nil:
		case want.News == nil && len(page.News) > 0:
			c.find(want.Kind, address, "is news: %+v", page.News)
		case want.News == nil:
		case len(page.News) != 1:
			c.find(want.Kind, address, "news %d times", len(page.News))
		default:
			got := page.News[0]
			if got.PublicationName != "The Truth" ||
				got.PublicationLanguage != want.News.Language || got.Title != want.News.Title ||
				got.PublicationDate != want.News.Published {
				c.find(want.Kind, address, "news %+v, want %+v", got, *want.News)
			}
		}
	}
	c.report(t)
}
