package lint

import (
	"github.com/mapatools/mapa/lint/internal/scan"
	"github.com/mapatools/mapa/sitemap"
)

// A vocabulary is an extension of Google that describes things of a page, each in an
// element of its own.
type vocabulary[T any] struct {
	element string
	page    string // the documentation
	trait   scan.Traits
	of      func(*sitemap.Extensions) []T
}

var (
	images = vocabulary[sitemap.Image]{"image:image", imagePage, scan.HasImages,
		func(x *sitemap.Extensions) []sitemap.Image { return x.Images }}
	videos = vocabulary[sitemap.Video]{"video:video", videoPage, scan.HasVideos,
		func(x *sitemap.Extensions) []sitemap.Video { return x.Videos }}
	articles = vocabulary[sitemap.News]{"news:news", newsPage, scan.HasNews,
		func(x *sitemap.Extensions) []sitemap.News { return x.News }}
	links = vocabulary[sitemap.Alternate]{"xhtml:link", hreflangLinks, scan.HasAlternates,
		func(x *sitemap.Extensions) []sitemap.Alternate { return x.Alternates }}
)

// each returns a check that calls check with the elements of an entry. N counts them from 0.
func (v *vocabulary[T]) each(check func(e *entryCheck, n int, one *T)) func(*entryCheck) {
	return func(e *entryCheck) {
		all := v.of(e.Parsed())
		for n := range all {
			check(e, n, &all[n])
		}
	}
}

// refused returns a rule about each element that Google's schema makes.
func (v *vocabulary[T]) refused(id, searchConsole string, check func(e *entryCheck, n int, one *T)) *Rule {
	return &Rule{ID: id, Severity: SeverityError, Engines: schemaOfGoogle, Overlay: notElsewhere, Source: v.page,
		SearchConsole: searchConsole, needs: v.trait, checkEntry: v.each(check)}
}

// ofGoogle returns a rule about each element that only Google's page makes.
func (v *vocabulary[T]) ofGoogle(
	id string, severity Severity, searchConsole string, check func(e *entryCheck, n int, one *T),
) *Rule {
	return &Rule{ID: id, Severity: severity, Engines: EngineGoogle, Source: v.page,
		SearchConsole: searchConsole, needs: v.trait, checkEntry: v.each(check)}
}

// field returns a rule of Google's schema about one field: it reports the element in which
// wrong returns true, at the field with a name and with the evidence that wrong returns. An
// empty name is the element itself.
func (v *vocabulary[T]) field(id, searchConsole, name string, wrong func(*T) (evidence string, is bool)) *Rule {
	message := newText("rule." + id + ".found")
	return v.refused(id, searchConsole, func(e *entryCheck, n int, one *T) {
		if evidence, is := wrong(one); is {
			e.reportIn(v.element, n, name, evidence, message)
		}
	})
}
