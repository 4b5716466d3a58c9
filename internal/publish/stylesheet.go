package publish

import (
	"fmt"

	"github.com/mapatools/mapa/sitemap"
)

// Stylesheet says how the XML sitemap looks in a browser.
type Stylesheet string

// The stylesheets.
const (
	StylesheetCSS  Stylesheet = "css"  // sitemap.css: a list
	StylesheetXSL  Stylesheet = "xsl"  // sitemap.xsl: a table with links; and sitemap.css for browsers without XSLT
	StylesheetNone Stylesheet = "none" // as the browser shows XML
)

// AllStylesheets are all stylesheets, the default first.
var AllStylesheets = []Stylesheet{StylesheetCSS, StylesheetXSL, StylesheetNone}

// files returns the files that a sitemap refers to. A browser uses the first one that it
// supports.
func (s Stylesheet) files() ([]sitemap.Stylesheet, error) {
	switch s {
	case "", StylesheetCSS:
		return []sitemap.Stylesheet{sitemap.CSS()}, nil
	case StylesheetXSL:
		return []sitemap.Stylesheet{sitemap.XSLT(), sitemap.CSS()}, nil
	case StylesheetNone:
		return nil, nil
	}
	return nil, fmt.Errorf("publish: unknown stylesheet %q", s)
}
