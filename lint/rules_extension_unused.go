package lint

import (
	"bytes"
	"encoding/xml"
	"io"

	"github.com/mapatools/mapa/lint/internal/scan"
	"github.com/mapatools/mapa/sitemap"
)

// usedBy is the trait of the entries that use a namespace.
var usedBy = map[string]scan.Traits{
	"http://www.google.com/schemas/sitemap-image/1.1":   scan.HasImages,
	"http://www.google.com/schemas/sitemap-video/1.1":   scan.HasVideos,
	"http://www.google.com/schemas/sitemap-news/0.9":    scan.HasNews,
	"http://www.google.com/schemas/sitemap-pagemap/1.0": scan.HasPageMaps,
	"http://www.w3.org/1999/xhtml":                      scan.HasAlternates,
	mobileNamespace:                                     scan.HasOther,
}

var unusedExtension = &Rule{
	ID: "ext-ns-unused",
	// Off: generators declare all vocabularies in every file.
	Severity: SeverityInfo, Overlay: Overlay{Off: EngineAll | EngineSchema},
	Source: "https://developers.google.com/search/docs/crawling-indexing/sitemaps/combine-sitemap-extensions",
	checkFile: func(f *fileCheck) {
		if f.Format != sitemap.FormatURLSet || f.statistics.entries == 0 || f.summary.failed != nil {
			return
		}
		for _, namespace := range declaredIn(f.Reader().Inspect().Prolog()) {
			// An element that the vocabulary does not have, such as <image:imge>, uses it, too.
			if trait := usedBy[namespace]; trait != 0 && f.statistics.seen&(trait|scan.HasOther) == 0 {
				f.report(newText("rule.ext-ns-unused.found", printable(namespace)))
			}
		}
	},
}

// declaredIn returns the namespaces that have a prefix in the root element. The reader
// has converted the text to UTF-8, so the declared charset no longer applies.
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
