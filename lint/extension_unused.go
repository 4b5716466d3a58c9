package lint

import (
	"bytes"
	"encoding/xml"
	"io"

	"github.com/mapatools/mapa/sitemap"
)

// usedBy tells by which traits of entries a vocabulary is in use.
var usedBy = map[string]traits{
	"http://www.google.com/schemas/sitemap-image/1.1":   needsImages,
	"http://www.google.com/schemas/sitemap-video/1.1":   needsVideos,
	"http://www.google.com/schemas/sitemap-news/0.9":    needsNews,
	"http://www.google.com/schemas/sitemap-pagemap/1.0": needsPageMaps,
	"http://www.w3.org/1999/xhtml":                      needsAlternates,
	mobileNamespace:                                     needsOther,
}

const needsExtensions = needsImages | needsVideos | needsNews | needsPageMaps | needsAlternates | needsOther

var unusedExtension = &Rule{
	ID:       "ext-ns-unused",
	Title:    "namespace is declared but not used",
	Why:      "An unused declaration does no harm, but the images, videos or language versions that you meant to list are often missing.",
	Cure:     "Check whether the sitemap generator dropped something. Otherwise, remove the xmlns attribute.",
	Severity: SeverityInfo,
	Source:   "https://developers.google.com/search/docs/crawling-indexing/sitemaps/combine-sitemap-extensions",
	Since:    "0.1",
	Bad:      exampleHead + ` xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"` + examplePage + exampleTail,
	Good:     imageHead + "    <image:image><image:loc>https://example.com/steak.jpg</image:loc></image:image>" + exampleTail,
	needs:    needsExtensions,
	check:    func(v *visit) { v.used |= v.traits },
	finish: func(e *fileEnd) {
		if e.file.Format != sitemap.FormatURLSet || e.entries == 0 {
			return
		}
		for _, namespace := range declaredIn(e.file.Reader().Inspect().Prolog()) {
			if trait := usedBy[namespace]; trait != 0 && e.used&trait == 0 {
				e.report("no element in the file uses the namespace " + namespace)
			}
		}
	},
}

// declaredIn returns the namespaces that the root element gives prefixes to. The
// reader has made UTF-8 of the text, whatever its declaration says.
func declaredIn(prolog []byte) (namespaces []string) {
	d := xml.NewDecoder(bytes.NewReader(prolog))
	d.Strict = false
	d.CharsetReader = func(_ string, input io.Reader) (io.Reader, error) { return input, nil }
	for {
		token, err := d.RawToken()
		if err != nil {
			return nil
		}
		root, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		for _, a := range root.Attr {
			if a.Name.Space == "xmlns" {
				namespaces = append(namespaces, a.Value)
			}
		}
		return namespaces
	}
}
