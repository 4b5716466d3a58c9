package sitemap

import _ "embed" // the stylesheets

// A Stylesheet is a file that sitemaps refer to, to be readable in a browser.
type Stylesheet struct {
	Name    string // of the file, without a folder
	Content string // the whole file, in UTF-8
}

//go:embed sitemap.xsl
var xsl string

//go:embed sitemap.css
var css string

// Stylesheets returns two files that make url sets and indexes readable for a
// person who opens one in a browser: an XSLT that draws a table and, for browsers
// without XSLT, a CSS that draws a list. Write them into the folder of the sitemap
// and list them, in this order, in [WriterOptions].Stylesheets. [SetOptions] does
// both for a [Folder].
func Stylesheets() []Stylesheet {
	return []Stylesheet{{"sitemap.xsl", xsl}, {"sitemap.css", css}}
}
