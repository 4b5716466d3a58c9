package sitemap

import _ "embed" // the stylesheets

// A Stylesheet is a file that lies beside a sitemap.
type Stylesheet struct {
	Name    string
	Content []byte
}

//go:embed sitemap.xsl
var xsl []byte

//go:embed sitemap.css
var css []byte

// Stylesheets returns two files that make url sets and indexes readable to a
// person who opens one in a browser: an XSLT that draws a table, and for browsers
// without XSLT a CSS that draws a list. Write them beside the sitemap and name
// them, in this order, in [WriterOptions].Stylesheets.
func Stylesheets() []Stylesheet {
	return []Stylesheet{{"sitemap.xsl", xsl}, {"sitemap.css", css}}
}
