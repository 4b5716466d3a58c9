package lint

import (
	"errors"
	"io"
	"math"
	"sync"

	"github.com/mapatools/mapa/lint/internal/scan"
	"github.com/mapatools/mapa/sitemap"
)

var obsoleteValue = &Rule{
	ID:       "obsolete-value-invalid",
	Severity: SeverityInfo,
	Engines:  EngineSitemapsOrg,
	Overlay:  Overlay{Off: EngineGoogle | EngineBing | EngineYandex, Error: EngineSchema},
	Source:   "https://www.google.com/schemas/sitemap-news/0.9/sitemap-news.xsd",
	needs:    scan.HasVideos | scan.HasNews,
	checkEntry: func(e *entryCheck) {
		x := e.Parsed()
		for n := range x.Videos {
			for _, field := range refusedFields(obsoleteInVideo(&x.Videos[n])) {
				reportVideo(e, n, field.Field, field.Value, refusal(field))
			}
		}
		for n := range x.News {
			for _, field := range refusedFields(obsoleteInNews(&x.News[n])) {
				reportNews(e, n, field.Field, field.Value, refusal(field))
			}
		}
	},
}

func refusal(field *sitemap.FieldError) Text {
	return newText("rule.obsolete-value-invalid.found", field.Field, printable(field.Value), field.Err.Error())
}

// obsoleteInVideo returns a video for each obsolete tag, with the tag and everything
// else valid.
func obsoleteInVideo(v *sitemap.Video) (all []sitemap.Extensions) {
	add := func(set func(*sitemap.Video)) {
		valid := sitemap.Video{ThumbnailLoc: validLoc, Title: "t", Description: "d", ContentLoc: validLoc}
		set(&valid)
		all = append(all, sitemap.Extensions{Videos: []sitemap.Video{valid}})
	}
	if v.Category != "" {
		add(func(valid *sitemap.Video) { valid.Category = v.Category })
	}
	if v.Player.AllowEmbed != "" {
		add(func(valid *sitemap.Video) {
			valid.Player = sitemap.VideoPlayer{Loc: validLoc, AllowEmbed: v.Player.AllowEmbed}
		})
	}
	for _, price := range v.Prices {
		add(func(valid *sitemap.Video) { valid.Prices = []sitemap.Price{price} })
	}
	for _, id := range v.IDs {
		add(func(valid *sitemap.Video) { valid.IDs = []sitemap.VideoID{id} })
	}
	for _, segment := range v.ContentSegments {
		add(func(valid *sitemap.Video) {
			valid.ContentSegments = []sitemap.ContentSegment{{Loc: validLoc, Duration: segment.Duration}}
		})
	}
	if v.TVShow != nil {
		add(func(valid *sitemap.Video) { valid.TVShow = v.TVShow })
	}
	return all
}

// obsoleteInNews returns an article for each obsolete tag, with the tag and everything
// else valid.
func obsoleteInNews(n *sitemap.News) (all []sitemap.Extensions) {
	add := func(tag sitemap.News) {
		tag.PublicationName, tag.PublicationLanguage, tag.PublicationDate, tag.Title = "n", "en", "2024-01-08", "t"
		all = append(all, sitemap.Extensions{News: []sitemap.News{tag}})
	}
	if n.Access != "" {
		add(sitemap.News{Access: n.Access})
	}
	if n.Genres != "" {
		add(sitemap.News{Genres: n.Genres})
	}
	if n.StockTickers != "" {
		add(sitemap.News{StockTickers: n.StockTickers})
	}
	return all
}

// validLoc is an address that is valid in every tag.
const validLoc = "https://example.com/valid"

// schemaWriters are writers that nobody reads.
var schemaWriters = sync.Pool{New: func() any {
	options := sitemap.WriterOptions{Limits: sitemap.Limits{URLs: math.MaxInt, Bytes: math.MaxInt64}}
	return sitemap.NewWriter(io.Discard, &options)
}}

// refusedFields returns the fields that the writer of package sitemap, which keeps to
// the schemas, refuses to write.
func refusedFields(all []sitemap.Extensions) (fields []*sitemap.FieldError) {
	if len(all) == 0 {
		return nil
	}
	w := schemaWriters.Get().(*sitemap.Writer)
	defer schemaWriters.Put(w)
	for _, x := range all {
		var field *sitemap.FieldError
		if errors.As(w.Write(&sitemap.URL{Loc: "https://example.com/", Extensions: x}), &field) {
			fields = append(fields, field)
		}
	}
	return fields
}
