package sitemap

import _ "embed" // the stylesheets

// A Stylesheet is a file that sitemaps refer to, to be readable in a browser. Write it
// into the folder of the sitemap and name it in [WriterOptions].Stylesheets. A [Folder]
// does both for those in its [SetOptions].
type Stylesheet struct {
	Name    string // of the file, without a folder
	Content string // the whole file, in UTF-8
}

//go:embed sitemap.xsl
var xsl string

//go:embed sitemap.css
var css string

// CSS returns a style sheet that shows url sets and indexes as a list. Browsers cannot
// make links by style alone, so the URLs are text.
func CSS() Stylesheet { return Stylesheet{"sitemap.css", css} }

// XSLT returns a transformation that shows url sets and indexes as a table with links.
// Browsers are removing XSLT, and none applies it to a file on the disk: list [CSS]
// after it, for those that do not.
func XSLT() Stylesheet { return Stylesheet{"sitemap.xsl", xsl} }
