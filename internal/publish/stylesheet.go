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
	StylesheetNone Stylesheet = "none" // as the browser shows XML
)

// AllStylesheets are all stylesheets, the default first.
var AllStylesheets = []Stylesheet{StylesheetCSS, StylesheetNone}

// files returns the files that a sitemap refers to.
func (s Stylesheet) files() ([]sitemap.Stylesheet, error) {
	switch s {
	case "", StylesheetCSS:
		return []sitemap.Stylesheet{sitemap.CSS()}, nil
	case StylesheetNone:
		return nil, nil
	}
	return nil, fmt.Errorf("publish: unknown stylesheet %q", s)
}
