package extract

import "bytes"

// startElement reads the links and facts of an element.
func (s *Scanner) startElement(e *element) {
	switch e.id {
	case otherElement, unnamedElement:
		return
	case elementA:
		s.startAnchor()
	case elementArea:
		if s.has(attributeHref) {
			s.addLink(Link{URL: s.url(attributeHref), Text: s.areaText(), Kind: KindArea, Rel: s.rel()})
		}
	case elementBase:
		s.startBase()
	case elementLink:
		s.startLink()
	case elementMeta:
		s.startMeta()
	case elementIframe, elementFrame:
		s.addResource(attributeSrc, KindFrame, LoadActive)
	case elementScript:
		s.addResource(attributeSrc, KindScript, LoadActive)
	case elementImg, elementImage:
		s.page.HasContent = s.page.HasContent || s.anchor < 0 && s.region.counts()
		s.startImage(e)
	case elementInput:
		s.startInput(e)
	case elementButton:
		if !s.is(attributeType, "button") && !s.is(attributeType, "reset") {
			s.addFormTarget(attributeFormaction)
		}
	case elementForeignObject:
		if s.svg > 0 && !s.selfClosing {
			s.html++
		}
	case elementPicture:
		s.picture++
	case elementSource:
		s.startSource()
	case elementVideo:
		s.page.HasVideo = true
		s.page.HasContent = true
		s.addResource(attributeSrc, KindMedia, LoadPassive)
		s.addResource(attributePoster, KindImage, LoadPassive)
	case elementAudio:
		s.addResource(attributeSrc, KindMedia, LoadPassive)
	case elementTrack, elementEmbed:
		s.addResource(attributeSrc, KindMedia, LoadActive)
	case elementObject:
		s.addResource(attributeData, KindMedia, LoadActive)
	case elementForm:
		s.startForm()
	case elementHTML:
		if s.page.Lang == nil {
			s.page.Lang = trim(s.value(attributeLang))
		}
	case elementH1:
		s.h1.begin(maxTitle)
	case elementTime:
		s.startTime()
	}
}

// addLink adds a link and returns its index, or -1 when the page has too many.
func (s *Scanner) addLink(l Link) int {
	if l.Kind <= KindArea && s.isLate() {
		s.page.LateLinks = true
	}
	if len(s.page.Links) >= s.options.MaxLinks {
		s.page.LinksDropped++
		return -1
	}
	l.Head, l.Part = s.head, s.part()
	l.Line, l.Column = s.place.Move(s.tokenizer.page, s.tag)
	s.page.Links = append(s.page.Links, l)
	return len(s.page.Links) - 1
}

// part returns the part of the page of the position.
func (s *Scanner) part() Part {
	switch {
	case s.head || !s.region.counts() && !s.region.isVideo():
		return PartAside
	case s.digest.inMain:
		return PartMain
	}
	return PartContent
}

// addResource adds the URL of a part of the page. An empty one is ignored: browsers
// do not fetch it.
func (s *Scanner) addResource(a attribute, kind Kind, load Load) {
	if url := s.url(a); len(url) > 0 {
		s.addLink(Link{URL: url, Kind: kind, Load: load})
	}
}

// url returns the value of an attribute that is a URL.
func (s *Scanner) url(a attribute) []byte { return trim(s.value(a)) }

// rel returns the link types of the element.
func (s *Scanner) rel() Rel { return parseRel(s.names(attributeRel)) }

// textOf returns the value of an attribute that is a text.
func (s *Scanner) textOf(a attribute) []byte {
	if !s.has(a) {
		return nil
	}
	return s.folded(s.raw(a), s.options.MaxText)
}

// areaText returns the text of an area.
func (s *Scanner) areaText() []byte {
	return firstText(s.textOf(attributeAlt), s.textOf(attributeAriaLabel), s.textOf(attributeTitle))
}

// firstText returns the first text that is not empty.
func firstText(texts ...[]byte) []byte {
	for _, text := range texts {
		if len(text) > 0 {
			return text
		}
	}
	return nil
}

// linkName is what names an a element without text.
type linkName struct {
	alt          capture // of images
	label, title []byte  // as written
	picture      []byte  // the title of an SVG
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
		if !s.has(attributeName) && !s.has(attributeID) && opensPage(s.value(attributeOnclick)) {
			s.page.ScriptAnchors++
		}
		return
	}
	url := s.url(href)
	s.anchor = s.addLink(Link{URL: url, Kind: KindAnchor, Rel: s.rel()})
	s.anchorText.begin(s.options.MaxText)
	s.anchorName.alt.begin(s.options.MaxText)
	s.anchorName.label, s.anchorName.title = s.raw(attributeAriaLabel), s.raw(attributeTitle)
	s.anchorName.picture = nil
	s.digest.beginLink(len(url) > 0 && url[0] != '#')
}

// opensPage reports whether a script opens another page: it names one, or what opens it. Others
// open a menu or the like.
func opensPage(script []byte) bool {
	for _, sign := range [...]string{"location", "open(", "://", "'/", `"/`, "./", ".htm", ".php", ".asp", ".jsp"} {
		if bytes.Contains(script, []byte(sign)) {
			return true
		}
	}
	return false
}

func (s *Scanner) closeAnchor() {
	if s.anchor >= 0 {
		link, name := &s.page.Links[s.anchor], &s.anchorName
		if link.Text = s.keepText(&s.anchorText); len(link.Text) == 0 {
			limit := s.options.MaxText
			link.Text = firstText(
				s.keepText(&name.alt), s.folded(name.label, limit), s.folded(name.title, limit), name.picture,
			)
		}
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
	rel := s.rel()
	s.addSrcset(attributeImagesrcset)
	url := s.url(attributeHref)
	if len(url) == 0 {
		return
	}
	kind, report := linkElementKind(rel, s.has(attributeHreflang), s.has(attributeMedia), s.names(attributeType))
	if !report {
		return
	}
	s.addLink(Link{URL: url, Lang: trim(s.value(attributeHreflang)), Kind: kind, Rel: rel, Load: s.linkLoad(kind)})
	if rel&RelCanonical != 0 && s.head && s.page.Canonical == nil {
		s.page.Canonical, s.page.LateCanonical = url, s.isLate()
	}
}

// linkLoad says how browsers load the URL of a link element.
func (s *Scanner) linkLoad(kind Kind) Load {
	switch {
	case kind == KindAsset && (s.hasToken(attributeRel, "icon") || s.hasToken(attributeRel, "apple-touch-icon")):
		return LoadPassive
	case kind == KindStylesheet, kind == KindAsset:
		return LoadActive
	}
	return LoadNever
}

// startInput handles an input element.
func (s *Scanner) startInput(e *element) {
	switch {
	case s.is(attributeType, "image"):
		s.addFormTarget(attributeFormaction)
		s.startImage(e)
	case s.is(attributeType, "submit"):
		s.addFormTarget(attributeFormaction)
	case s.is(attributeType, "password"):
		s.page.HasPassword = true
	}
}

// startImage handles an img, an input that shows an image, or an image of SVG
// (which HTML reads as img).
func (s *Scanner) startImage(e *element) {
	from := attributeSrc
	if e.id == elementImage && !s.has(from) {
		if from = attributeHref; !s.has(from) {
			from = attributeXlinkHref
		}
	}
	alt := s.textOf(attributeAlt)
	url := s.url(from)
	if e.id != elementImage || s.foreign == 0 {
		s.countImage(e, url)
	}
	if len(url) > 0 {
		s.addLink(Link{URL: url, Text: alt, Kind: KindImage, Shown: e.id != elementInput, Load: LoadPassive})
	}
	if len(url) == 0 {
		s.addShownSrcset(attributeSrcset)
	} else {
		s.addSrcset(attributeSrcset)
	}
	if e.id != elementInput && (len(url) == 0 || hasPrefixFold(url, "data:")) {
		s.addLazySource()
	}
	if len(alt) == 0 {
		return
	}
	if s.anchor >= 0 {
		s.anchorName.alt.space = true
		s.anchorName.alt.word(alt)
	}
	if s.h1.open {
		s.h1.word(alt)
	}
}

// countImage counts an img, or an input that shows an image.
func (s *Scanner) countImage(e *element, url []byte) {
	if !s.has(attributeAlt) && !s.is(attributeRole, "presentation") && !s.is(attributeRole, "none") {
		s.page.ImagesWithoutAlt++
	}
	if e.id == elementInput {
		return
	}
	s.page.Images++
	if isEmpty := len(url) == 0 && s.has(attributeSrc); !isEmpty && (!s.has(attributeWidth) || !s.has(attributeHeight)) {
		if s.page.ImagesWithoutSize++; s.page.ImagesWithoutSize == 1 {
			s.page.UnsizedImage = url
		}
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
		s.addResource(attributeSrc, KindMedia, LoadPassive)
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
		s.addLink(Link{URL: url, Kind: KindImage, Load: LoadActive})
	}
}

// startForm handles a form. A missing or unknown method means GET.
func (s *Scanner) startForm() {
	s.page.HasForm = true
	if s.is(attributeMethod, "dialog") {
		return
	}
	s.addFormTarget(attributeAction)
	if s.options.Forms && !s.is(attributeMethod, "post") {
		s.addLink(Link{URL: s.url(attributeAction), Kind: KindForm, Rel: s.rel()})
	}
}

// maxFormTargets bounds the targets kept of a page.
const maxFormTargets = 1000

// addFormTarget adds the URL that a form is sent to. Without one it is sent to the page.
func (s *Scanner) addFormTarget(a attribute) {
	if url := s.url(a); len(url) > 0 && len(s.page.FormTargets) < maxFormTargets {
		s.page.FormTargets = append(s.page.FormTargets, url)
	}
}
