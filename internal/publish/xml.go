package publish

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/mapatools/mapa/sitemap"
)

// Apart says which extensions get sitemaps of their own: the page stands again in
// sitemap-images-1.xml and so on, with this extension alone.
type Apart struct{ Images, News, Videos bool }

// A Publication is what the news of a site appear in. Without a name, of its own
// or by an article, no article is written.
type Publication struct {
	Name     string
	Language string // of articles that have none; ISO 639
}

// The groups of the extensions, whose names no set can have.
const (
	imageGroup = "images"
	newsGroup  = "news"
	videoGroup = "videos"
)

// CheckSetName returns why none of Options.Sets can have the name, or nil if one can.
func CheckSetName(name string) error {
	if slices.Contains([]string{imageGroup, newsGroup, videoGroup}, name) {
		return fmt.Errorf("no set can be called %s: that is the name of a sitemap of extensions", name)
	}
	return sitemap.CheckGroupName(name)
}

// mostNews is how many articles a news sitemap may have
// (https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap).
const mostNews = 1000

// An xmlOutput writes the sitemap.
type xmlOutput struct {
	folder               *sitemap.Folder
	sets                 Rules[*sitemap.Group]
	images, news, videos *sitemap.Group // nil for what stays in the main entry
	publication          Publication
	judge                *sitemap.Writer // only finds out what may be written
	host                 string
	dropped              int
}

func newXMLOutput(options *Options, host string) (*xmlOutput, error) {
	folder, err := sitemap.NewFolder(options.Folder, &sitemap.SetOptions{BaseURL: host, Gzip: options.Gzip, Stylesheet: true})
	if err != nil {
		return nil, err
	}
	x := &xmlOutput{folder: folder, publication: options.News, host: host}
	x.judge, err = sitemap.NewWriter(io.Discard, &sitemap.WriterOptions{Limits: sitemap.Limits{URLs: math.MaxInt, Bytes: math.MaxInt64}})
	if err == nil {
		err = x.addGroups(options)
	}
	if err != nil {
		return nil, errors.Join(err, folder.Abort())
	}
	return x, nil
}

func (x *xmlOutput) addGroups(options *Options) error {
	for _, set := range options.Sets {
		if err := CheckSetName(set.Value); err != nil {
			return fmt.Errorf("publishing: %w", err)
		}
		group, err := x.folder.Group(set.Value, sitemap.Limits{})
		if err != nil {
			return err
		}
		x.sets = append(x.sets, Rule[*sitemap.Group]{set.Pattern, group})
	}
	for _, apart := range []struct {
		wanted bool
		name   string
		group  **sitemap.Group
		limits sitemap.Limits
	}{
		{options.Apart.Images, imageGroup, &x.images, sitemap.Limits{}},
		{options.Apart.News, newsGroup, &x.news, sitemap.Limits{URLs: mostNews}},
		{options.Apart.Videos, videoGroup, &x.videos, sitemap.Limits{}},
	} {
		if !apart.wanted {
			continue
		}
		var err error
		if *apart.group, err = x.folder.Group(apart.name, apart.limits); err != nil {
			return err
		}
	}
	return nil
}

func (x *xmlOutput) prepare() error { return x.folder.Prepare() }

func (x *xmlOutput) write(p *Page) error {
	u := p.URL
	u.News = x.named(u.News)
	type again struct {
		group *sitemap.Group
		with  sitemap.Extensions
	}
	var apart []again
	if x.images != nil && len(u.Images) > 0 {
		apart = append(apart, again{x.images, sitemap.Extensions{Images: u.Images}})
		u.Images = nil
	}
	if x.news != nil && len(u.News) > 0 {
		apart = append(apart, again{x.news, sitemap.Extensions{News: u.News}})
		u.News = nil
	}
	if x.videos != nil && len(u.Videos) > 0 {
		apart = append(apart, again{x.videos, sitemap.Extensions{Videos: u.Videos}})
		u.Videos = nil
	}
	write := x.folder.Write
	if group, found := x.sets.find(u.Loc); found {
		write = group.Write
	}
	if err := x.put(write, &u); err != nil {
		return err
	}
	for _, a := range apart {
		extra := sitemap.URL{Loc: u.Loc, LastMod: u.LastMod, Extensions: a.with}
		if !x.fits(&extra) {
			x.repair(&extra)
		}
		if extra.Extensions.IsZero() {
			continue
		}
		if err := a.group.Write(&extra); err != nil {
			return err
		}
	}
	return nil
}

// named returns the articles with the name of the publication.
func (x *xmlOutput) named(articles []sitemap.News) (named []sitemap.News) {
	for _, article := range articles {
		if article.PublicationName == "" {
			article.PublicationName = x.publication.Name
		}
		if article.PublicationLanguage == "" {
			article.PublicationLanguage = x.publication.Language
		}
		if article.PublicationName != "" {
			named = append(named, article)
		}
	}
	return named
}

// put writes a page, if need be without what may not be written: a page counts
// for more than what it says of its pictures.
func (x *xmlOutput) put(write func(*sitemap.URL) error, u *sitemap.URL) error {
	err := write(u)
	var field *sitemap.FieldError
	if !errors.As(err, &field) && !errors.Is(err, sitemap.ErrEntryTooLarge) {
		return err
	}
	x.repair(u)
	return write(u)
}

// repair leaves out what may not be written: each single thing, and all of them
// where there are too many for one page.
func (x *xmlOutput) repair(u *sitemap.URL) {
	e := u.Extensions
	u.Extensions = sitemap.Extensions{}
	if !x.fits(u) {
		*u = sitemap.URL{Loc: u.Loc} // a date beyond the year 9999
	}
	u.Images = keep(x, e.Images, func(one []sitemap.Image) sitemap.Extensions { return sitemap.Extensions{Images: one} })
	u.Videos = keep(x, e.Videos, func(one []sitemap.Video) sitemap.Extensions { return sitemap.Extensions{Videos: one} })
	u.News = keep(x, e.News, func(one []sitemap.News) sitemap.Extensions { return sitemap.Extensions{News: one} })
	u.Alternates = keep(x, e.Alternates, func(one []sitemap.Alternate) sitemap.Extensions { return sitemap.Extensions{Alternates: one} })
	if !x.fits(u) {
		x.dropped += len(u.Images) + len(u.Videos) + len(u.News) + len(u.Alternates)
		u.Extensions = sitemap.Extensions{}
	}
}

// mostKept is how many things of a kind a page may have, which is Google's rule
// for images.
const mostKept = 1000

// keep returns what may be written of a list.
func keep[T any](x *xmlOutput, list []T, as func([]T) sitemap.Extensions) (kept []T) {
	for i := range list {
		if len(kept) < mostKept && x.fits(&sitemap.URL{Loc: x.host, Extensions: as(list[i : i+1])}) {
			kept = append(kept, list[i])
		} else {
			x.dropped++
		}
	}
	return kept
}

// mostEntry bounds what an entry may take of a file, in bytes.
const mostEntry = 4 << 20

// fits reports whether a page may be written as it is.
func (x *xmlOutput) fits(u *sitemap.URL) bool {
	before := x.judge.Size()
	return x.judge.Write(u) == nil && x.judge.Size()-before < mostEntry
}
