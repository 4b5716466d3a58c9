package sitemap

// Extensions are what Google's and other vocabularies add to a page. All values
// are text as it was written, since an absent value, a wrong one and a zero are
// three things; the writer checks them.
type Extensions struct {
	Images     []Image
	Videos     []Video
	News       []News // a page has one; more are kept as read
	Alternates []Alternate
	PageMaps   []PageMap
	Mobile     bool // a page for the phones of 2005
	// Other holds every element of no known vocabulary, verbatim.
	Other []Element
}

// IsZero reports whether there are no extensions.
func (e *Extensions) IsZero() bool {
	return len(e.Images) == 0 && len(e.Videos) == 0 && len(e.News) == 0 && len(e.Alternates) == 0 &&
		len(e.PageMaps) == 0 && !e.Mobile && len(e.Other) == 0
}

// reset empties e and keeps its memory.
func (e *Extensions) reset() {
	*e = Extensions{
		Images:     e.Images[:0],
		Videos:     e.Videos[:0],
		News:       e.News[:0],
		Alternates: e.Alternates[:0],
		PageMaps:   e.PageMaps[:0],
		Other:      e.Other[:0],
	}
}

// An Element is an XML element as it was written, with the namespaces that it
// takes from around it.
type Element struct {
	XML        string
	Namespaces []Namespace
}

// A Namespace is a prefix, empty for the default, and what it stands for.
type Namespace struct{ Prefix, URI string }

// An Image is a picture on the page
// (https://developers.google.com/search/docs/crawling-indexing/sitemaps/image-sitemaps).
type Image struct {
	Loc string // required; may lie on another host
	// Without effect since 6 August 2022:
	Caption, GeoLocation, Title, License string
	Other                                []Element
}

// A Video is a video on the page
// (https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps).
type Video struct {
	ThumbnailLoc string // required
	Title        string // required, at most 100 characters
	Description  string // required, at most 2,048 characters
	ContentLoc   string // the file; this or Player is required
	Player       VideoPlayer

	Duration             string // seconds, 1 to 28,800
	ExpirationDate       string // a date as of lastmod
	Rating               string // 0.0 to 5.0
	ViewCount            string
	PublicationDate      string   // a date as of lastmod
	Tags                 []string // at most 32
	FamilyFriendly       string   // yes or no
	Restriction          Restriction
	RequiresSubscription string // yes or no
	Uploader             Uploader
	Platform             Restriction // web, mobile, tv
	Live                 string      // yes or no

	// Without effect since 6 August 2022, or never beyond the schema:
	ContentSegments []ContentSegment
	Category        string
	Gallery         Gallery
	Prices          []Price
	TVShow          *TVShow
	IDs             []VideoID
	Other           []Element
}

// A VideoPlayer is the address of a player for the video; AllowEmbed and
// Autoplay are without effect since 2022.
type VideoPlayer struct{ Loc, AllowEmbed, Autoplay string }

// A Restriction names countries (ISO 3166) or platforms, parted by spaces, with
// the relationship "allow" or "deny".
type Restriction struct{ Relationship, List string }

// An Uploader is who published the video; Info is a page about them on the
// host of the entry.
type Uploader struct{ Info, Name string }

// A ContentSegment is a part of a video cut in pieces, with its seconds.
type ContentSegment struct{ Duration, Loc string }

// A Gallery is the page of the collection that a video belongs to.
type Gallery struct{ Title, Loc string }

// A Price is what the video costs: an ISO 4217 currency, "rent" or "purchase",
// "sd" or "hd".
type Price struct{ Currency, Type, Resolution, Amount string }

// A TVShow describes an episode.
type TVShow struct {
	ShowTitle, VideoType, EpisodeTitle, SeasonNumber, EpisodeNumber, PremierDate string
}

// A VideoID is the video's name in a catalogue such as tms:series.
type VideoID struct{ Type, Value string }

// A News is an article of the last two days
// (https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap).
type News struct {
	PublicationName     string // required
	PublicationLanguage string // required; ISO 639, or zh-cn, zh-tw
	PublicationDate     string // required; a date as of lastmod
	Title               string // required
	// Accepted and ignored today:
	Access, Genres, Keywords, StockTickers string
	Other                                  []Element
}

// An Alternate is a version of the page: in another language or region
// (https://developers.google.com/search/docs/specialty/international/localized-versions),
// for a medium, or as AMP.
type Alternate struct {
	Rel      string // "alternate" when empty
	Hreflang string
	Media    string
	Type     string
	Href     string // required
}

// A PageMap holds data for Google's Programmable Search
// (https://developers.google.com/custom-search/docs/structured_data).
type PageMap struct {
	Template string // its src
	Objects  []DataObject
}

// A DataObject is a thing with attributes.
type DataObject struct {
	Type, ID   string
	Attributes []DataAttribute
}

// A DataAttribute is a name and a value.
type DataAttribute struct{ Name, Value string }
