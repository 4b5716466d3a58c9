package publish

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/mapatools/mapa/internal/repair"
	"github.com/mapatools/mapa/sitemap"
)

// Apart selects the extensions with separate sitemaps. A page is repeated in
// sitemap-images-1.xml and so on with only this extension.
type Apart struct{ Images, News, Videos bool }

// Publication is the default publication of news articles. Articles without the name of
// a publication are left out.
type Publication struct {
	Name     string
	Language string // ISO 639 code for articles without a language
}

// The groups of the extensions. Their names are reserved.
const (
	imageGroup = "images"
	newsGroup  = "news"
	videoGroup = "videos"
)

// CheckSetName returns an error if name is not valid in Options.Sets.
func CheckSetName(name string) error {
	if slices.Contains([]string{imageGroup, newsGroup, videoGroup}, name) {
		return fmt.Errorf("the set name %s is reserved for sitemaps of extensions", name)
	}
	return sitemap.CheckGroupName(name)
}

// maxNews is the number of articles that a news sitemap may have
// (https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap).
const maxNews = 1000

// xmlOutput writes the sitemap.
type xmlOutput struct {
	folder               *sitemap.Folder
	sets                 Rules[*sitemap.Group]
	used                 []bool         // by a page, of sets
	images, news, videos *sitemap.Group // nil for extensions of the main entry
	publication          Publication
	validator            *sitemap.Writer // checks entries without writing them
	host                 string
	dropped              int
	entry                sitemap.URL // that is written, used again for the next one
}

func newXMLOutput(options *Options, host string) (*xmlOutput, error) {
	stylesheets, err := options.Stylesheet.files()
	if err != nil {
		return nil, err
	}
	folder, err := sitemap.NewFolder(options.Folder,
		&sitemap.SetOptions{BaseURL: host, Gzip: options.Gzip, Stylesheets: stylesheets})
	if err != nil {
		return nil, err
	}
	x := &xmlOutput{folder: folder, publication: options.News, host: host}
	x.validator = sitemap.NewWriter(io.Discard,
		&sitemap.WriterOptions{Limits: sitemap.Limits{URLs: math.MaxInt, Bytes: math.MaxInt64}})
	if err := x.addGroups(options); err != nil {
		return nil, errors.Join(err, folder.Abort())
	}
	return x, nil
}

func (x *xmlOutput) addGroups(options *Options) error {
	for _, set := range options.Sets {
		if err := CheckSetName(set.Value); err != nil {
			return fmt.Errorf("publish: %w", err)
		}
		group, err := x.folder.Group(set.Value, sitemap.Limits{})
		if err != nil {
			return err
		}
		x.sets = append(x.sets, Rule[*sitemap.Group]{set.Pattern, group})
	}
	x.used = make([]bool, len(x.sets))
	for _, apart := range []struct {
		wanted bool
		name   string
		group  **sitemap.Group
		limits sitemap.Limits
	}{
		{options.Apart.Images, imageGroup, &x.images, sitemap.Limits{}},
		{options.Apart.News, newsGroup, &x.news, sitemap.Limits{URLs: maxNews}},
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
	write := x.folder.Write
	if i := x.sets.index(p.Loc); i >= 0 {
		write = x.sets[i].Value.Write
		x.used[i] = true
	}
	if p.Extensions.IsZero() {
		return x.writeRepaired(write, &p.URL)
	}
	u := &x.entry
	*u = p.URL
	u.News = x.withPublication(u.News)
	type extraEntry struct {
		group *sitemap.Group
		with  sitemap.Extensions
	}
	var apart []extraEntry
	if x.images != nil && len(u.Images) > 0 {
		apart = append(apart, extraEntry{x.images, sitemap.Extensions{Images: u.Images}})
		u.Images = nil
	}
	if x.news != nil && len(u.News) > 0 {
		apart = append(apart, extraEntry{x.news, sitemap.Extensions{News: u.News}})
		u.News = nil
	}
	if x.videos != nil && len(u.Videos) > 0 {
		apart = append(apart, extraEntry{x.videos, sitemap.Extensions{Videos: u.Videos}})
		u.Videos = nil
	}
	if err := x.writeRepaired(write, u); err != nil {
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

// withPublication returns the articles that have the name of a publication.
func (x *xmlOutput) withPublication(articles []sitemap.News) (named []sitemap.News) {
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

// writeRepaired writes a page, if necessary without its invalid extensions.
func (x *xmlOutput) writeRepaired(write func(*sitemap.URL) error, u *sitemap.URL) error {
	err := write(u)
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[*sitemap.FieldError](err); !ok && !errors.Is(err, sitemap.ErrEntryTooLarge) {
		return err
	}
	repaired := *u
	x.repair(&repaired)
	return write(&repaired)
}

// repair removes invalid extensions one by one, and all of them if they are too many
// for one page.
func (x *xmlOutput) repair(u *sitemap.URL) {
	e := u.Extensions
	u.Extensions = sitemap.Extensions{}
	if !x.fits(u) {
		*u = sitemap.URL{Loc: u.Loc} // a date beyond the year 9999
	}
	u.Images = keepValid(x, e.Images,
		func(one []sitemap.Image) sitemap.Extensions { return sitemap.Extensions{Images: one} })
	u.Videos = keepValid(x, e.Videos,
		func(one []sitemap.Video) sitemap.Extensions { return sitemap.Extensions{Videos: one} })
	u.News = keepValid(x, e.News, func(one []sitemap.News) sitemap.Extensions { return sitemap.Extensions{News: one} })
	u.Alternates = keepValid(x, e.Alternates,
		func(one []sitemap.Alternate) sitemap.Extensions { return sitemap.Extensions{Alternates: one} })
	if !x.fits(u) {
		x.dropped += len(u.Images) + len(u.Videos) + len(u.News) + len(u.Alternates)
		u.Extensions = sitemap.Extensions{}
	}
}

// maxExtensions is the number of extensions of a kind that a page may have. It is
// Google's limit for images.
const maxExtensions = 1000

// keepValid returns the valid elements of a list, some of them without obsolete tags.
func keepValid[T any](x *xmlOutput, list []T, as func([]T) sitemap.Extensions) (kept []T) {
	for i := range list {
		one := sitemap.URL{Loc: x.host, Extensions: as(list[i : i+1])}
		err := x.check(&one)
		for repair.DropObsolete(&one.Extensions, err) != nil {
			err = x.check(&one)
		}
		if len(kept) < maxExtensions && err == nil {
			kept = append(kept, list[i])
		} else {
			x.dropped++
		}
	}
	return kept
}

// maxEntrySize limits the bytes of an entry.
const maxEntrySize = 4 << 20

// fits reports whether a page can be written as it is.
func (x *xmlOutput) fits(u *sitemap.URL) bool { return x.check(u) == nil }

// check returns why a page cannot be written as it is.
func (x *xmlOutput) check(u *sitemap.URL) error {
	before := x.validator.Size()
	if err := x.validator.Write(u); err != nil {
		return err
	}
	if x.validator.Size()-before >= maxEntrySize {
		return sitemap.ErrEntryTooLarge
	}
	return nil
}
