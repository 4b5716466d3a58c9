package sitemap

// The limits of sitemaps.org and of Google's extensions.
const (
	// MaxURLs is the number of entries that a file may list
	// (https://www.sitemaps.org/protocol.html#index).
	MaxURLs = 50_000
	// MaxBytes is the number of bytes that a file may have before compression,
	// 50 MiB (https://www.sitemaps.org/protocol.html#index).
	MaxBytes = 52_428_800
	// MaxSitemaps is the number of files that an index may list
	// (https://www.sitemaps.org/protocol.html#index).
	MaxSitemaps = 50_000

	// MaxLocLength is the number of characters of a location: "less than 2,048"
	// (https://www.sitemaps.org/protocol.html#locdef).
	MaxLocLength = 2_047
	// MinLocLength is the number of characters that the type tLoc demands of a
	// location (https://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd).
	MinLocLength = 12

	// MaxImages is the number of images of a page that Google reads
	// (https://developers.google.com/search/docs/crawling-indexing/sitemaps/image-sitemaps).
	MaxImages = 1_000

	// MaxVideoSeconds is the longest duration of a video, eight hours
	// (https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps).
	MaxVideoSeconds = 28_800
	// MaxVideoTitle is the number of characters of a video's title
	// (https://www.google.com/schemas/sitemap-video/1.1/sitemap-video.xsd).
	MaxVideoTitle = 100
	// MaxVideoDescription is the number of characters of a video's description
	// (https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps).
	MaxVideoDescription = 2_048
	// MaxVideoCategory is the number of characters of a video's category
	// (https://www.google.com/schemas/sitemap-video/1.1/sitemap-video.xsd).
	MaxVideoCategory = 256
	// MaxVideoUploader is the number of characters of an uploader's name
	// (https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps).
	MaxVideoUploader = 255
	// MaxVideoTags is the number of tags of a video
	// (https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps).
	MaxVideoTags = 32
)

// Limits say how much one file may hold. A [Reader] reports a file that exceeds
// them, and a [Writer] never does. A zero field is the limit of sitemaps.org.
type Limits struct {
	URLs     int   // entries of a file; 0 is MaxURLs
	Bytes    int64 // bytes of a file before compression; 0 is MaxBytes
	Sitemaps int   // entries of an index; 0 is MaxSitemaps
}

// Limits2007 returns the limits of the first edition of the protocol, which some
// consumers still apply: 10 MiB for a file and Google's 1,000 files for an index.
func Limits2007() Limits { return Limits{URLs: MaxURLs, Bytes: 10_485_760, Sitemaps: 1_000} }

func (l Limits) withDefaults() Limits {
	if l.URLs == 0 {
		l.URLs = MaxURLs
	}
	if l.Bytes == 0 {
		l.Bytes = MaxBytes
	}
	if l.Sitemaps == 0 {
		l.Sitemaps = MaxSitemaps
	}
	return l
}

// entries returns how many entries a file of format f may hold.
func (l Limits) entries(f Format) int {
	if f == FormatIndex {
		return l.Sitemaps
	}
	return l.URLs
}

// Ceilings protect the reader of a hostile file. They are far above the limits of
// the protocol. Exceeding one ends the reading with a [Fault] of kind
// [FaultCeilingReached]. A zero field is its default.
type Ceilings struct {
	Bytes int64 // bytes after inflating; 0 is 1 GiB
	Ratio int   // inflated bytes for each compressed one, checked after 16 MiB; 0 is 200
	Depth int   // elements inside each other; 0 is 64
	Entry int   // bytes of one entry or value, which are held in memory; 0 is 4 MiB
}

func (c Ceilings) withDefaults() Ceilings {
	if c.Bytes == 0 {
		c.Bytes = 1 << 30
	}
	if c.Ratio == 0 {
		c.Ratio = 200
	}
	if c.Depth == 0 {
		c.Depth = 64
	}
	if c.Entry == 0 {
		c.Entry = 4 << 20
	}
	return c
}
