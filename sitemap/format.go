package sitemap

// A Format is one of the file formats of the protocol
// (https://www.sitemaps.org/protocol.html, "Other Sitemap formats").
type Format uint8

// The formats. The zero value is the one that every consumer reads.
const (
	FormatURLSet Format = iota // XML, root element urlset
	FormatIndex                // XML, root element sitemapindex
	FormatText                 // one URL a line
	FormatRSS                  // RSS 2.0
	FormatAtom                 // Atom 1.0; a Reader reads Atom 0.3 as well
)

var formatNames = [...]string{"urlset", "sitemapindex", "text", "rss", "atom"}

// String returns the name of the root element, "text", or "unknown" for other
// values.
func (f Format) String() string {
	if int(f) < len(formatNames) {
		return formatNames[f]
	}
	return "unknown"
}
