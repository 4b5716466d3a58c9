package extract

// An elementID identifies an element that the Scanner handles. Zero is every other
// element.
type elementID uint8

const (
	otherElement elementID = iota
	elementA
	elementArea
	elementArticle
	elementAudio
	elementBase
	elementBody
	elementBr
	elementButton
	elementEmbed
	elementForeignObject
	elementForm
	elementFrame
	elementH1
	elementHead
	elementHeader
	elementHTML
	elementIframe
	elementImage
	elementImg
	elementInput
	elementLink
	elementMain
	elementMath
	elementMeta
	elementNoscript
	elementObject
	elementPicture
	elementPlaintext
	elementScript
	elementSource
	elementSVG
	elementTemplate
	elementTime
	elementTitle
	elementTrack
	elementVideo
	unnamedElement // has traits only
)

// traits are the general properties of an element.
type traits uint16

const (
	rawText   traits = 1 << iota // its content is not markup
	inHead                       // is allowed in the head
	block                        // begins and ends a block of text
	container                    // may be marked as hidden, navigation or the like
	aside                        // never main content
	heading                      // h1 to h6
	foreign                      // begins foreign content
	breaksOut                    // ends foreign content that it begins in
)

type element struct {
	name   string
	id     elementID
	traits traits
}

// elements lists the elements with an ID or a trait. Raw text and
// head elements are those of the HTML standard (13.2.6.4.4, 13.2.6.4.7) with
// scripting on; blocks are those that its style sheet (15.3) displays as blocks. Of
// the elements that end foreign content (13.2.6.5), those for text within a line are
// missing: one of the others follows soon.
var elements = []element{
	{},
	{"a", elementA, 0},
	{"address", unnamedElement, block},
	{"area", elementArea, 0},
	{"article", elementArticle, block},
	{"aside", unnamedElement, block | container | aside},
	{"audio", elementAudio, 0},
	{"base", elementBase, inHead},
	{"basefont", unnamedElement, inHead},
	{"bgsound", unnamedElement, inHead},
	{"blockquote", unnamedElement, block | breaksOut},
	{"body", elementBody, block | breaksOut},
	{"br", elementBr, block | breaksOut},
	{"button", elementButton, aside},
	{"caption", unnamedElement, block},
	{"center", unnamedElement, block | breaksOut},
	{"datalist", unnamedElement, aside},
	{"dd", unnamedElement, block | breaksOut},
	{"details", unnamedElement, block | container},
	{"dialog", unnamedElement, block | container | aside},
	{"dir", unnamedElement, block | container},
	{"div", unnamedElement, block | container | breaksOut},
	{"dl", unnamedElement, block | container | breaksOut},
	{"dt", unnamedElement, block | breaksOut},
	{"embed", elementEmbed, breaksOut},
	{"fieldset", unnamedElement, block | container},
	{"figcaption", unnamedElement, block},
	{"figure", unnamedElement, block | container},
	{"footer", unnamedElement, block | container | aside},
	{"foreignobject", elementForeignObject, 0},
	{"form", elementForm, block | container},
	{"frame", elementFrame, 0},
	{"h1", elementH1, block | heading | breaksOut},
	{"h2", unnamedElement, block | heading | breaksOut},
	{"h3", unnamedElement, block | heading | breaksOut},
	{"h4", unnamedElement, block | heading | breaksOut},
	{"h5", unnamedElement, block | heading | breaksOut},
	{"h6", unnamedElement, block | heading | breaksOut},
	{"head", elementHead, inHead | breaksOut},
	{"header", elementHeader, block | container},
	{"hgroup", unnamedElement, block},
	{"hr", unnamedElement, block | breaksOut},
	{"html", elementHTML, inHead},
	{"iframe", elementIframe, rawText},
	{"image", elementImage, 0},
	{"img", elementImg, breaksOut},
	{"input", elementInput, 0},
	{"li", unnamedElement, block | breaksOut},
	{"link", elementLink, inHead},
	{"main", elementMain, block},
	{"math", elementMath, foreign},
	{"menu", unnamedElement, block | container | aside | breaksOut},
	{"meta", elementMeta, inHead | breaksOut},
	{"nav", unnamedElement, block | container | aside},
	{"noembed", unnamedElement, rawText},
	{"noframes", unnamedElement, rawText | inHead},
	{"noscript", elementNoscript, rawText | inHead},
	{"object", elementObject, 0},
	{"ol", unnamedElement, block | container | breaksOut},
	{"option", unnamedElement, block},
	{"p", unnamedElement, block | breaksOut},
	{"picture", elementPicture, 0},
	{"plaintext", elementPlaintext, block},
	{"pre", unnamedElement, block | breaksOut},
	{"script", elementScript, rawText | inHead},
	{"search", unnamedElement, block | container | aside},
	{"section", unnamedElement, block | container},
	{"select", unnamedElement, aside},
	{"source", elementSource, 0},
	{"style", unnamedElement, rawText | inHead},
	{"summary", unnamedElement, block},
	{"svg", elementSVG, foreign | aside},
	{"table", unnamedElement, block | container | breaksOut},
	{"tbody", unnamedElement, block},
	{"td", unnamedElement, block},
	{"template", elementTemplate, inHead | aside},
	{"textarea", unnamedElement, rawText},
	{"tfoot", unnamedElement, block},
	{"th", unnamedElement, block},
	{"thead", unnamedElement, block},
	{"time", elementTime, aside},
	{"title", elementTitle, rawText | inHead},
	{"tr", unnamedElement, block},
	{"track", elementTrack, 0},
	{"ul", unnamedElement, block | container | breaksOut},
	{"video", elementVideo, aside},
	{"xmp", unnamedElement, rawText | block},
}

var elementNames = func() *names {
	list := make([]string, len(elements))
	for i, e := range elements {
		list[i] = e.name
	}
	return newNames(list)
}()

// An attribute identifies an attribute that the Scanner reads. Zero is every other
// one.
type attribute uint8

const (
	otherAttribute attribute = iota
	attributeAction
	attributeAlt
	attributeAriaHidden
	attributeAriaLabel
	attributeCharset
	attributeClass
	attributeContent
	attributeData
	attributeDataLazySrc
	attributeDataOriginal
	attributeDataSrc
	attributeDatetime
	attributeFormaction
	attributeHeight
	attributeHidden
	attributeHref
	attributeHreflang
	attributeHTTPEquiv
	attributeID
	attributeImagesrcset
	attributeItemprop
	attributeLang
	attributeMedia
	attributeMethod
	attributeName
	attributeOnclick
	attributePoster
	attributeProperty
	attributePubdate
	attributeRel
	attributeRole
	attributeShadowrootmode
	attributeSrc
	attributeSrcset
	attributeTitle
	attributeType
	attributeWidth
	attributeXlinkHref
	attributeCount
)

var attributeNames = newNames([]string{
	attributeAction: "action", attributeAlt: "alt", attributeAriaHidden: "aria-hidden",
	attributeAriaLabel: "aria-label", attributeCharset: "charset", attributeClass: "class",
	attributeContent: "content", attributeData: "data", attributeDataLazySrc: "data-lazy-src",
	attributeDataOriginal: "data-original", attributeDataSrc: "data-src", attributeDatetime: "datetime",
	attributeFormaction: "formaction", attributeHeight: "height", attributeHidden: "hidden",
	attributeHref: "href", attributeHreflang: "hreflang", attributeHTTPEquiv: "http-equiv",
	attributeID: "id", attributeImagesrcset: "imagesrcset", attributeItemprop: "itemprop",
	attributeLang: "lang", attributeMedia: "media", attributeMethod: "method",
	attributeName: "name", attributeOnclick: "onclick", attributePoster: "poster",
	attributeProperty: "property", attributePubdate: "pubdate", attributeRel: "rel",
	attributeRole: "role", attributeShadowrootmode: "shadowrootmode", attributeSrc: "src",
	attributeSrcset: "srcset", attributeTitle: "title", attributeType: "type",
	attributeWidth: "width", attributeXlinkHref: "xlink:href",
})
