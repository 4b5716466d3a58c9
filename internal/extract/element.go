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
	elementEmbed
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
	elementMeta
	elementObject
	elementPicture
	elementPlaintext
	elementScript
	elementSource
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
)

type element struct {
	name   string
	id     elementID
	traits traits
}

// elements lists the elements with an ID or a trait. Raw text and
// head elements are those of the HTML standard (13.2.6.4.4, 13.2.6.4.7) with
// scripting on; blocks are those that its style sheet (15.3) displays as blocks.
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
	{"blockquote", unnamedElement, block},
	{"body", unnamedElement, block},
	{"br", unnamedElement, block},
	{"button", unnamedElement, aside},
	{"caption", unnamedElement, block},
	{"center", unnamedElement, block},
	{"datalist", unnamedElement, aside},
	{"dd", unnamedElement, block},
	{"details", unnamedElement, block | container},
	{"dialog", unnamedElement, block | container | aside},
	{"dir", unnamedElement, block | container},
	{"div", unnamedElement, block | container},
	{"dl", unnamedElement, block | container},
	{"dt", unnamedElement, block},
	{"embed", elementEmbed, 0},
	{"fieldset", unnamedElement, block | container},
	{"figcaption", unnamedElement, block},
	{"figure", unnamedElement, block | container},
	{"footer", unnamedElement, block | container | aside},
	{"form", elementForm, block | container},
	{"frame", elementFrame, 0},
	{"h1", elementH1, block | heading},
	{"h2", unnamedElement, block | heading},
	{"h3", unnamedElement, block | heading},
	{"h4", unnamedElement, block | heading},
	{"h5", unnamedElement, block | heading},
	{"h6", unnamedElement, block | heading},
	{"head", elementHead, inHead},
	{"header", elementHeader, block | container},
	{"hgroup", unnamedElement, block},
	{"hr", unnamedElement, block},
	{"html", elementHTML, inHead},
	{"iframe", elementIframe, rawText},
	{"image", elementImage, 0},
	{"img", elementImg, 0},
	{"input", elementInput, 0},
	{"li", unnamedElement, block},
	{"link", elementLink, inHead},
	{"main", elementMain, block},
	{"math", unnamedElement, foreign},
	{"menu", unnamedElement, block | container | aside},
	{"meta", elementMeta, inHead},
	{"nav", unnamedElement, block | container | aside},
	{"noembed", unnamedElement, rawText},
	{"noframes", unnamedElement, rawText | inHead},
	{"noscript", unnamedElement, rawText | inHead},
	{"object", elementObject, 0},
	{"ol", unnamedElement, block | container},
	{"option", unnamedElement, block},
	{"p", unnamedElement, block},
	{"picture", elementPicture, 0},
	{"plaintext", elementPlaintext, block},
	{"pre", unnamedElement, block},
	{"script", elementScript, rawText | inHead},
	{"search", unnamedElement, block | container | aside},
	{"section", unnamedElement, block | container},
	{"select", unnamedElement, aside},
	{"source", elementSource, 0},
	{"style", unnamedElement, rawText | inHead},
	{"summary", unnamedElement, block},
	{"svg", unnamedElement, foreign | aside},
	{"table", unnamedElement, block | container},
	{"tbody", unnamedElement, block},
	{"td", unnamedElement, block},
	{"template", unnamedElement, inHead | aside},
	{"textarea", unnamedElement, rawText},
	{"tfoot", unnamedElement, block},
	{"th", unnamedElement, block},
	{"thead", unnamedElement, block},
	{"time", elementTime, aside},
	{"title", elementTitle, rawText | inHead},
	{"tr", unnamedElement, block},
	{"track", elementTrack, 0},
	{"ul", unnamedElement, block | container},
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
	attributeCharset
	attributeClass
	attributeContent
	attributeData
	attributeDataLazySrc
	attributeDataOriginal
	attributeDataSrc
	attributeDatetime
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
	attributePoster
	attributeProperty
	attributePubdate
	attributeRel
	attributeRole
	attributeSrc
	attributeSrcset
	attributeType
	attributeXlinkHref
	attributeCount
)

var attributeNames = newNames([]string{
	attributeAction: "action", attributeAlt: "alt", attributeAriaHidden: "aria-hidden",
	attributeCharset: "charset", attributeClass: "class", attributeContent: "content",
	attributeData: "data", attributeDataLazySrc: "data-lazy-src", attributeDataOriginal: "data-original",
	attributeDataSrc: "data-src", attributeDatetime: "datetime", attributeHidden: "hidden",
	attributeHref: "href", attributeHreflang: "hreflang", attributeHTTPEquiv: "http-equiv",
	attributeID: "id", attributeImagesrcset: "imagesrcset", attributeItemprop: "itemprop",
	attributeLang: "lang", attributeMedia: "media", attributeMethod: "method",
	attributeName: "name", attributePoster: "poster", attributeProperty: "property",
	attributePubdate: "pubdate",
	attributeRel:     "rel", attributeRole: "role", attributeSrc: "src", attributeSrcset: "srcset",
	attributeType: "type", attributeXlinkHref: "xlink:href",
})
