package extract

// startElement reads the links and facts of an element.
func (s *Scanner) startElement(e *element) {
	switch e.id {
	case otherElement, unnamedElement:
		return
	case elementA:
		s.startAnchor()
	case elementArea:
		if s.has(attributeHref) {
			s.addLink(Link{URL: s.url(attributeHref), Text: s.alt(), Kind: KindArea, Rel: parseRel(s.raw(attributeRel))})
		}
	case elementBase:
		s.startBase()
	case elementLink:
		s.startLink()
	case elementMeta:
		s.startMeta()
	case elementIframe, elementFrame:
		s.addResource(attributeSrc, KindFrame)
	case elementScript:
		s.addResource(attributeSrc, KindScript)
	case elementImg, elementImage, elementInput:
		s.startImage(e)
	case elementPicture:
		s.picture++
	case elementSource:
		s.startSource()
	case elementVideo:
		s.addResource(attributeSrc, KindMedia)
		s.addResource(attributePoster, KindImage)
	case elementAudio, elementTrack, elementEmbed:
		s.addResource(attributeSrc, KindMedia)
	case elementObject:
		s.addResource(attributeData, KindMedia)
	case elementForm:
		s.startForm()
	case elementHTML:
		if s.page.Lang == nil {
			s.page.Lang = trim(s.value(attributeLang))
		}
	case elementH1:
		if !s.hasH1 && !s.h1.open {
			s.h1.begin(maxTitle)
		}
	case elementTime:
		s.startTime()
	}
}

// addLink adds a link and returns its index, or -1 when the page has too many.
func (s *Scanner) addLink(l Link) int {
	if len(s.page.Links) >= s.options.MaxLinks {
		s.page.LinksDropped++
		return -1
	}
	l.Head = s.head
	s.page.Links = append(s.page.Links, l)
	return len(s.page.Links) - 1
}

// addResource adds the URL of a part of the page. An empty one is ignored: browsers
// do not fetch it.
func (s *Scanner) addResource(a attribute, kind Kind) {
	if url := s.url(a); len(url) > 0 {
		s.addLink(Link{URL: url, Kind: kind})
	}
}

// url returns the value of an attribute that is a URL.
func (s *Scanner) url(a attribute) []byte { return trim(s.value(a)) }

// alt returns the alternative text of an image.
func (s *Scanner) alt() []byte {
	if !s.has(attributeAlt) {
		return nil
	}
	from := len(s.arena)
	s.arena = s.refs.decodeAttribute(s.arena, s.raw(attributeAlt))
	text := collapse(s.arena[from:], s.options.MaxText)
	s.arena = s.arena[:from+len(text)]
	return text[:len(text):len(text)]
}

// startAnchor handles an a element, which ends the one before it. In SVG it may use
// xlink:href.
func (s *Scanner) startAnchor() {
	s.closeAnchor()
	href := attributeHref
	if !s.has(href) {
		href = attributeXlinkHref
	}
	if !s.has(href) {
		return
	}
	url := s.url(href)
	s.anchor = s.addLink(Link{URL: url, Kind: KindAnchor, Rel: parseRel(s.raw(attributeRel))})
	s.anchorText.begin(s.options.MaxText)
	s.digest.link = len(url) > 0 && url[0] != '#'
}

func (s *Scanner) closeAnchor() {
	if s.anchor >= 0 {
		s.page.Links[s.anchor].Text = s.keep(s.anchorText.text)
		s.anchor = -1
	}
	s.digest.link = false
}

// startBase handles a base element; the first with an href counts (HTML standard,
// section 4.2.3).
func (s *Scanner) startBase() {
	if s.base || !s.has(attributeHref) {
		return
	}
	s.base = true
	if url := s.url(attributeHref); !hasPrefixFold(url, "data:") && !hasPrefixFold(url, "javascript:") {
		s.page.Base = url
	}
}

func (s *Scanner) startLink() {
	rel := parseRel(s.raw(attributeRel))
	s.addSrcset(attributeImagesrcset)
	url := s.url(attributeHref)
	if len(url) == 0 {
		return
	}
	kind, report := linkElementKind(rel, s.has(attributeHreflang), s.has(attributeMedia), s.raw(attributeType))
	if !report {
		return
	}
	s.addLink(Link{URL: url, Lang: trim(s.value(attributeHreflang)), Kind: kind, Rel: rel})
	if rel&RelCanonical != 0 && s.head && s.page.Canonical == nil {
		s.page.Canonical = url
	}
}

// startImage handles an img, an input that shows an image, or an image of SVG
// (which HTML reads as img).
func (s *Scanner) startImage(e *element) {
	if e.id == elementInput && !s.is(attributeType, "image") {
		return
	}
	from := attributeSrc
	if e.id == elementImage && !s.has(from) {
		if from = attributeHref; !s.has(from) {
			from = attributeXlinkHref
		}
	}
	alt := s.alt()
	if !s.has(attributeAlt) && (e.id == elementImg || e.id == elementImage && s.foreign == 0) {
		s.page.ImagesWithoutAlt++
	}
	url := s.url(from)
	if len(url) > 0 {
		s.addLink(Link{URL: url, Text: alt, Kind: KindImage, Shown: e.id != elementInput})
	}
	if len(url) == 0 {
		s.addShownSrcset(attributeSrcset)
	} else {
		s.addSrcset(attributeSrcset)
	}
	if e.id != elementInput && (len(url) == 0 || hasPrefixFold(url, "data:")) {
		s.addLazySource()
	}
	if s.anchor >= 0 && len(alt) > 0 {
		s.anchorText.word(alt)
	}
}

// lazySources are the attributes from which frequent scripts for lazy loading take
// the image of an img.
var lazySources = [...]attribute{attributeDataSrc, attributeDataLazySrc, attributeDataOriginal}

// addLazySource adds the image that a script will load when an img has no src, or a
// data: URL.
func (s *Scanner) addLazySource() {
	for _, a := range lazySources {
		if url := s.url(a); len(url) > 0 {
			s.addLink(Link{URL: url, Kind: KindImage, Shown: true})
			return
		}
	}
}

// startSource handles a source element, which has images in a picture and media
// elsewhere.
func (s *Scanner) startSource() {
	s.addSrcset(attributeSrcset)
	if s.picture == 0 {
		s.addResource(attributeSrc, KindMedia)
	}
}

// addShownSrcset adds the srcset of an img without src, whose first candidate is the
// default image.
func (s *Scanner) addShownSrcset(a attribute) {
	from := len(s.page.Links)
	if s.addSrcset(a); len(s.page.Links) > from {
		s.page.Links[from].Shown = true
	}
}

func (s *Scanner) addSrcset(a attribute) {
	if !s.has(a) {
		return
	}
	for url := range srcset(s.value(a)) {
		s.addLink(Link{URL: url, Kind: KindImage})
	}
}

// startForm handles a form. A missing or unknown method means GET.
func (s *Scanner) startForm() {
	if !s.options.Forms || s.is(attributeMethod, "post") || s.is(attributeMethod, "dialog") {
		return
	}
	s.addLink(Link{URL: s.url(attributeAction), Kind: KindForm, Rel: parseRel(s.raw(attributeRel))})
}
