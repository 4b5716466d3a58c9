package sitemap

import _ "embed" // the stylesheet

// A Stylesheet is a file that sitemaps refer to, to be readable in a browser. Write it
// into the folder of the sitemap and name it in [WriterOptions].Stylesheets. A [Folder]
// does both for those in its [SetOptions].
type Stylesheet struct {
	Name    string // of the file, without a folder
	Content string // the whole file, in UTF-8
}

//go:embed sitemap.css
var css string

// CSS returns a style sheet that shows url sets and indexes as a list. Browsers cannot
// make links by style alone, so the URLs are text.
func CSS() Stylesheet { return Stylesheet{"sitemap.css", css} }
