package sitemap

// A Format is one of the file formats of the protocol
// (https://www.sitemaps.org/protocol.html, "Other Sitemap formats").
type Format uint8

// The zero value is the format that everybody reads.
const (
	FormatURLSet Format = iota // XML, root element urlset
	FormatIndex                // XML, root element sitemapindex
	FormatText                 // one URL a line
	FormatRSS                  // RSS 2.0
	FormatAtom                 // Atom 1.0; read as well: Atom 0.3
)

var formatNames = [...]string{"urlset", "sitemapindex", "text", "rss", "atom"}

// String returns the name of the root element, or "text".
func (f Format) String() string {
	if int(f) < len(formatNames) {
		return formatNames[f]
	}
	return "unknown"
}

// Limits are what one file may hold. They are findings when a file is read and
// hard bounds when one is written. A zero field stands for the present rule of
// sitemaps.org.
type Limits struct {
	URLs     int   // entries in a file; 0 is 50,000
	Bytes    int64 // bytes of a file before compression; 0 is 52,428,800
	Sitemaps int   // entries in an index; 0 is 50,000
}

// Limits2007 are the limits of the first edition of the protocol, which older
// consumers still enforce: 10 MiB a file and Google's 1,000 sitemaps an index.
var Limits2007 = Limits{URLs: 50_000, Bytes: 10_485_760, Sitemaps: 1_000}

func (l Limits) withDefaults() Limits {
	if l.URLs == 0 {
		l.URLs = 50_000
	}
	if l.Bytes == 0 {
		l.Bytes = 52_428_800
	}
	if l.Sitemaps == 0 {
		l.Sitemaps = 50_000
	}
	return l
}

// entries is how many entries a file of format f may hold.
func (l Limits) entries(f Format) int {
	if f == FormatIndex {
		return l.Sitemaps
	}
	return l.URLs
}

// Ceilings protect whoever reads a hostile file. They lie far above the
// protocol's limits; passing one ends the reading with a [Fault] of kind
// [CeilingReached]. A zero field stands for its default.
type Ceilings struct {
	Bytes int64 // bytes after inflating; 0 is 1 GiB
	Ratio int   // inflated bytes for each compressed one, looked at past 16 MiB; 0 is 200
	Depth int   // elements inside each other; 0 is 64
	Entry int   // bytes of one entry or of one value, held in memory; 0 is 4 MiB
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
