package extract

import "bytes"

// metaNames are the names and properties of meta elements that Scan reads.
var metaNames = newNames([]string{
	metaDescription:   "description",
	metaRobots:        "robots",
	metaViewport:      "viewport",
	metaOGType:        "og:type",
	metaOGTitle:       "og:title",
	metaOGDescription: "og:description",
	metaOGURL:         "og:url",
	metaOGLocale:      "og:locale",
	metaOGSiteName:    "og:site_name",
	metaOGImage:       "og:image",
	metaOGImageURL:    "og:image:url",
	metaOGVideo:       "og:video",
	metaOGVideoURL:    "og:video:url",
	metaPublished:     "article:published_time",
	metaModified:      "article:modified_time",
	metaOGUpdated:     "og:updated_time",
})

const (
	otherMeta = iota
	metaDescription
	metaRobots
	metaViewport
	metaOGType
	metaOGTitle
	metaOGDescription
	metaOGURL
	metaOGLocale
	metaOGSiteName
	metaOGImage
	metaOGImageURL
	metaOGVideo
	metaOGVideoURL
	metaPublished
	metaModified
	metaOGUpdated
)

func (s *Scanner) startMeta() {
	if !s.has(attributeContent) {
		return
	}
	name, property := trim(s.names(attributeName)), trim(s.names(attributeProperty))
	s.namedMeta(name)
	if !bytes.EqualFold(property, name) {
		s.namedMeta(property)
	}
	switch {
	case s.is(attributeHTTPEquiv, "refresh"):
		s.refresh()
	case s.is(attributeHTTPEquiv, "content-security-policy"):
		s.page.UpgradesRequests = s.page.UpgradesRequests || UpgradesRequests(string(s.value(attributeContent)))
	}
	if date := s.itemDate(); date != nil {
		date.add(trim(s.value(attributeContent)))
	}
}

// namedMeta handles a meta element with a name or a property; pages use either
// attribute for both.
func (s *Scanner) namedMeta(name []byte) {
	og := &s.page.OpenGraph
	switch metaNames.find(name) {
	case metaDescription:
		s.description()
	case metaRobots:
		s.robots(&s.page.Robots.All)
	case metaViewport:
		s.page.HasViewport = true
	case metaOGType:
		s.setContent(&og.Type)
	case metaOGTitle:
		s.setContent(&og.Title)
	case metaOGDescription:
		s.setContent(&og.Description)
	case metaOGURL:
		s.setContent(&og.URL)
	case metaOGLocale:
		s.setContent(&og.Locale)
	case metaOGSiteName:
		s.setContent(&og.SiteName)
	case metaOGImage, metaOGImageURL:
		s.setContent(&og.Image)
		if url := s.url(attributeContent); len(url) > 0 {
			s.addLink(Link{URL: url, Kind: KindImage, Shown: true})
		}
	case metaOGVideo, metaOGVideoURL:
		s.setContent(&og.Video)
		s.addResource(attributeContent, KindMedia, LoadNever)
	case metaPublished:
		s.setContent(&s.page.Dates[DateMeta].Published)
	case metaModified:
		s.setContent(&s.page.Dates[DateMeta].Modified)
	case metaOGUpdated:
		s.setContent(&s.updated)
	default:
		if bot := botNames.find(name); bot != 0 {
			s.robots(s.page.Robots.bot(botNames.list[bot]))
		}
	}
}

// setContent sets a fact that the page has not stated before to the content of
// the meta element.
func (s *Scanner) setContent(fact *[]byte) {
	if *fact == nil {
		*fact = trim(s.value(attributeContent))
	}
}

// description handles a meta description; the first that is not empty counts.
func (s *Scanner) description() {
	text := s.folded(s.raw(attributeContent), maxDescription)
	s.page.Descriptions.add(text)
	if len(s.page.Description) == 0 {
		s.page.Description = text
	}
	if !s.head {
		s.page.DescriptionsInBody++
	}
}

// robots adds the directives of a robots meta element.
func (s *Scanner) robots(directives *Directives) {
	directives.Merge(parseDirectives(s.value(attributeContent)))
	if !s.head {
		s.page.RobotsInBody++
	}
}

// refresh handles a meta refresh; the first to another URL counts.
func (s *Scanner) refresh() {
	r, ok := parseRefresh(s.value(attributeContent))
	if !ok || len(r.URL) == 0 {
		return
	}
	s.addLink(Link{URL: r.URL, Kind: KindRedirect})
	if s.page.Refresh.URL == nil {
		s.page.Refresh = r
	}
}
