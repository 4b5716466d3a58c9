package sitemap

// Extensions are what Google's and other vocabularies add to a page. All values
// are text as it was written, so that an absent, a wrong and a zero value differ.
// The writer checks them. The zero value has no extensions.
type Extensions struct {
	Images     []Image     `json:"images,omitempty"`
	Videos     []Video     `json:"videos,omitempty"`
	News       []News      `json:"news,omitempty"` // a page has one; more are kept as read
	Alternates []Alternate `json:"alternates,omitempty"`
	PageMaps   []PageMap   `json:"pagemaps,omitempty"`
	Mobile     bool        `json:"mobile,omitempty"` // a page for the phones of 2005
	// Other holds every element of an unknown vocabulary, verbatim.
	Other []Element `json:"other,omitempty"`
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

// An Element is an XML element as it was written, with the namespaces that it uses
// and does not declare itself.
type Element struct {
	XML        string      `json:"xml,omitempty"`
	Namespaces []Namespace `json:"namespaces,omitempty"`
}

// A Namespace is a prefix, empty for the default namespace, and the URI it is bound
// to.
type Namespace struct {
	Prefix string `json:"prefix,omitempty"`
	URI    string `json:"uri,omitempty"`
}

// An Image is a picture on the page
// (https://developers.google.com/search/docs/crawling-indexing/sitemaps/image-sitemaps).
type Image struct {
	Loc string `json:"loc,omitempty"` // required; may be on another host
	// Without effect since 6 August 2022:
	Caption     string    `json:"caption,omitempty"`
	GeoLocation string    `json:"geo_location,omitempty"`
	Title       string    `json:"title,omitempty"`
	License     string    `json:"license,omitempty"`
	Other       []Element `json:"other,omitempty"`
}

// A Video is a video on the page
// (https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps).
type Video struct {
	ThumbnailLoc string      `json:"thumbnail_loc,omitempty"` // required
	Title        string      `json:"title,omitempty"`         // required, at most 100 characters
	Description  string      `json:"description,omitempty"`   // required, at most 2,048 characters
	ContentLoc   string      `json:"content_loc,omitempty"`   // the file; this or Player is required
	Player       VideoPlayer `json:"player,omitzero"`

	Duration             string      `json:"duration,omitempty"`        // seconds, 1 to 28,800
	ExpirationDate       string      `json:"expiration_date,omitempty"` // a date as of lastmod
	Rating               string      `json:"rating,omitempty"`          // 0.0 to 5.0
	ViewCount            string      `json:"view_count,omitempty"`
	PublicationDate      string      `json:"publication_date,omitempty"` // a date as of lastmod
	Tags                 []string    `json:"tags,omitempty"`             // at most 32
	FamilyFriendly       string      `json:"family_friendly,omitempty"`  // yes or no
	Restriction          Restriction `json:"restriction,omitzero"`
	RequiresSubscription string      `json:"requires_subscription,omitempty"` // yes or no
	Uploader             Uploader    `json:"uploader,omitzero"`
	Platform             Restriction `json:"platform,omitzero"` // web, mobile, tv
	Live                 string      `json:"live,omitempty"`    // yes or no

	// Without effect since 6 August 2022, or only ever in the schema:
	ContentSegments []ContentSegment `json:"content_segments,omitempty"`
	Category        string           `json:"category,omitempty"`
	Gallery         Gallery          `json:"gallery,omitzero"`
	Prices          []Price          `json:"prices,omitempty"`
	TVShow          *TVShow          `json:"tvshow,omitempty"`
	IDs             []VideoID        `json:"ids,omitempty"`
	Other           []Element        `json:"other,omitempty"`
}

// A VideoPlayer is the address of a player for the video; AllowEmbed and
// Autoplay are without effect since 2022.
type VideoPlayer struct {
	Loc        string `json:"loc,omitempty"`
	AllowEmbed string `json:"allow_embed,omitempty"`
	Autoplay   string `json:"autoplay,omitempty"`
}

// A Restriction lists countries (ISO 3166) or platforms, separated by spaces, with
// the relationship "allow" or "deny".
type Restriction struct {
	Relationship string `json:"relationship,omitempty"`
	List         string `json:"list,omitempty"`
}

// An Uploader is the person or organisation that published the video. Info is a
// page about them on the host of the entry.
type Uploader struct {
	Info string `json:"info,omitempty"`
	Name string `json:"name,omitempty"`
}

// A ContentSegment is a part of a video, with its duration in seconds.
type ContentSegment struct {
	Duration string `json:"duration,omitempty"`
	Loc      string `json:"loc,omitempty"`
}

// A Gallery is the page of the collection that a video belongs to.
type Gallery struct {
	Title string `json:"title,omitempty"`
	Loc   string `json:"loc,omitempty"`
}

// A Price is the price of the video: an ISO 4217 currency, "rent" or "purchase",
// "sd" or "hd".
type Price struct {
	Currency   string `json:"currency,omitempty"`
	Type       string `json:"type,omitempty"`
	Resolution string `json:"resolution,omitempty"`
	Amount     string `json:"amount,omitempty"`
}

// A TVShow describes an episode.
type TVShow struct {
	ShowTitle     string `json:"show_title,omitempty"`
	VideoType     string `json:"video_type,omitempty"`
	EpisodeTitle  string `json:"episode_title,omitempty"`
	SeasonNumber  string `json:"season_number,omitempty"`
	EpisodeNumber string `json:"episode_number,omitempty"`
	PremierDate   string `json:"premier_date,omitempty"`
}

// A VideoID is the video's name in a catalogue such as tms:series.
type VideoID struct {
	Type  string `json:"type,omitempty"`
	Value string `json:"value,omitempty"`
}

// A News is an article of the last two days
// (https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap).
type News struct {
	PublicationName     string `json:"publication_name,omitempty"`     // required
	PublicationLanguage string `json:"publication_language,omitempty"` // required; ISO 639, or zh-cn, zh-tw
	PublicationDate     string `json:"publication_date,omitempty"`     // required; a date as of lastmod
	Title               string `json:"title,omitempty"`                // required
	// Accepted and ignored today:
	Access       string    `json:"access,omitempty"`
	Genres       string    `json:"genres,omitempty"`
	Keywords     string    `json:"keywords,omitempty"`
	StockTickers string    `json:"stock_tickers,omitempty"`
	Other        []Element `json:"other,omitempty"`
}

// An Alternate is a version of the page: in another language or region
// (https://developers.google.com/search/docs/specialty/international/localized-versions),
// for a medium, or as AMP.
type Alternate struct {
	Rel      string `json:"rel,omitempty"` // "alternate" when empty
	Hreflang string `json:"hreflang,omitempty"`
	Media    string `json:"media,omitempty"`
	Type     string `json:"type,omitempty"`
	Href     string `json:"href,omitempty"` // required
}

// A PageMap holds data for Google's Programmable Search
// (https://developers.google.com/custom-search/docs/structured_data).
type PageMap struct {
	Template string       `json:"template,omitempty"` // its src
	Objects  []DataObject `json:"objects,omitempty"`
}

// A DataObject describes one object of a PageMap.
type DataObject struct {
	Type       string          `json:"type,omitempty"`
	ID         string          `json:"id,omitempty"`
	Attributes []DataAttribute `json:"attributes,omitempty"`
}

// A DataAttribute is a name and a value.
type DataAttribute struct {
	Name  string `json:"name,omitempty"`
	Value string `json:"value,omitempty"`
}
