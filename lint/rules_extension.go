package lint

import (
	"strings"
	"time"

	"github.com/mapatools/mapa/internal/urlnorm"

	"github.com/mapatools/mapa/lint/internal/scan"
	"github.com/mapatools/mapa/sitemap"
)

// schemaOfGoogle is the rule sets of what Google's published schemas refuse: the
// protocol's own schema requires foreign elements to be valid by theirs (xsd:any with
// processContents="strict"). XHTML links belong to them, because Google's page
// requires rel and href. What Google's pages say beyond the schemas is a rule of
// Google alone.
const schemaOfGoogle = EngineSitemapsOrg | EngineGoogle

// notElsewhere turns such rules off under engines that have no extensions of their
// own and do not document Google's.
var notElsewhere = Overlay{Off: EngineBing | EngineYandex}

const (
	imagePage   = "https://developers.google.com/search/docs/crawling-indexing/sitemaps/image-sitemaps"
	videoPage   = "https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps"
	newsPage    = "https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap"
	deprecation = "https://developers.google.com/search/blog/2022/05/spring-cleaning-sitemap-extensions"
)

// extensionRules are about extensions of any namespace.
var extensionRules = []*Rule{
	// A note: the protocol allows own namespaces and shows how to declare one.
	{ID: "ext-ns-unknown", Severity: SeverityInfo, Overlay: onlySchema,
		Source: "https://www.sitemaps.org/protocol.html#extending", Yandex: "Unknown tag", needs: scan.HasOther,
		checkEntry: func(e *entryCheck) {
			for _, element := range e.Parsed().Other {
				name, namespace := nameOf(element)
				if namespace != "" && !isRetired(namespace) && namespace != sitemapNamespace && usedBy[namespace] == 0 {
					e.report(printable(name), 0, namespace, newText("rule.ext-ns-unknown.found", printable(name)))
					return
				}
			}
		}},
	unusedExtension,
	{ID: string(sitemap.FaultExtensionElement), Severity: SeverityWarning, Engines: schemaOfGoogle,
		Overlay: Overlay{Off: EngineBing | EngineYandex, Error: EngineSchema}, Source: imageSchema,
		SearchConsole: "Invalid XML: too many tags"},
	{ID: string(sitemap.FaultExtensionOrder), Severity: SeverityInfo, Engines: schemaOfGoogle,
		Overlay: Overlay{Off: EngineBing | EngineYandex, Error: EngineSchema}, Source: imageSchema},
	obsoleteValue,
}

const imageSchema = "https://www.google.com/schemas/sitemap-image/1.1/sitemap-image.xsd"

const sitemapNamespace = "http://www.sitemaps.org/schemas/sitemap/0.9"

// nameOf returns the name of an element, with its prefix, and its namespace, which
// may be empty.
func nameOf(element sitemap.Element) (name, namespace string) {
	tag, _, _ := strings.Cut(strings.TrimPrefix(element.XML, "<"), ">")
	name = tag
	if i := strings.IndexAny(tag, "/"+whitespace); i >= 0 {
		name = tag[:i]
	}
	prefix, _, found := strings.Cut(name, ":")
	declaration := "xmlns:" + prefix
	if !found {
		prefix, declaration = "", "xmlns"
	}
	for _, taken := range element.Namespaces {
		if taken.Prefix == prefix {
			return name, taken.URI
		}
	}
	return name, attribute(tag[len(name):], declaration)
}

const whitespace = " \t\r\n"

// attribute returns the value of an attribute in a start tag as it is written.
func attribute(tag, name string) string {
	for {
		var found bool
		if _, tag, found = strings.Cut(tag, name); !found {
			return ""
		}
		value, ok := strings.CutPrefix(strings.TrimLeft(tag, whitespace), "=")
		if value = strings.TrimLeft(value, whitespace); ok && value != "" {
			value, _, _ = strings.Cut(value[1:], value[:1])
			return value
		}
	}
}

// samePage compares addresses with that of a page in any spelling.
type samePage struct {
	loc    string
	normal []byte // made when it is first needed
	buffer []byte
}

func (s *samePage) is(address string) bool {
	if address == s.loc {
		return true
	}
	var none urlnorm.Base
	if s.normal == nil {
		s.normal, _ = none.AppendResolve([]byte{}, []byte(s.loc))
	}
	s.buffer, _ = none.AppendResolve(s.buffer[:0], []byte(address))
	return len(s.buffer) > 0 && string(s.buffer) == string(s.normal)
}

// earliest and latest return the bounds of the times that a date may mean; without a
// zone it may be in any.
func earliest(d sitemap.Date) time.Time {
	if d.Precision() <= sitemap.PrecisionDay {
		return d.Time().Add(-14 * time.Hour)
	}
	return d.Time()
}

func latest(d sitemap.Date) time.Time {
	switch d.Precision() {
	case sitemap.PrecisionYear:
		return d.Time().AddDate(1, 0, 0).Add(12 * time.Hour)
	case sitemap.PrecisionMonth:
		return d.Time().AddDate(0, 1, 0).Add(12 * time.Hour)
	case sitemap.PrecisionDay:
		return d.Time().AddDate(0, 0, 1).Add(12 * time.Hour)
	}
	return d.Time()
}

// lacksZone reports whether a date has a time but no zone, which Google's
// documentation does not allow.
func lacksZone(d sitemap.Date) bool { return d.Precision() > sitemap.PrecisionDay && !d.HasZone() }

// tag is a tag that may be present.
type tag struct {
	name    string
	present bool
}

// present returns the names of the tags that are present.
func present(tags ...tag) (names []string) {
	for _, t := range tags {
		if t.present {
			names = append(names, t.name)
		}
	}
	return names
}

// withoutEffect returns the message about tags that engines ignore.
func withoutEffect(tags []string) Text {
	return newText("finding.no-effect", strings.Join(tags, ", "))
}
