package lint

import (
	"strings"

	"github.com/mapatools/mapa/lint/internal/scan"
	"github.com/mapatools/mapa/sitemap"
)

// pageMapRules are about PageMap, the data of Google's Programmable Search
// (https://developers.google.com/custom-search/docs/structured_data).
var pageMapRules = []*Rule{
	{ID: "pagemap-object-without-type", Severity: SeverityError, Engines: schemaOfGoogle,
		Overlay: Overlay{Off: EngineBing | EngineYandex, Warning: EngineGoogle}, Source: pageMapDoc,
		SearchConsole: "Missing XML attribute", needs: scan.HasPageMaps,
		checkEntry: eachObject(func(e *entryCheck, n int, object *sitemap.DataObject) {
			if object.Type == "" {
				e.report("DataObject", n, object.ID, newText("rule.pagemap-object-without-type.found"))
			}
		})},
	{ID: "pagemap-attribute-without-name", Severity: SeverityError, Engines: schemaOfGoogle,
		Overlay: Overlay{Off: EngineBing | EngineYandex, Warning: EngineGoogle}, Source: pageMapDoc,
		SearchConsole: "Missing XML attribute", needs: scan.HasPageMaps,
		checkEntry: eachObject(func(e *entryCheck, n int, object *sitemap.DataObject) {
			for _, a := range object.Attributes {
				if a.Name == "" {
					e.report("DataObject", n, a.Value, newText("rule.pagemap-attribute-without-name.found"))
				}
			}
		})},
	{ID: "pagemap-attribute-without-value", Severity: SeverityWarning, Engines: EngineGoogle, Source: pageMapDoc,
		needs: scan.HasPageMaps,
		checkEntry: eachObject(func(e *entryCheck, n int, object *sitemap.DataObject) {
			for _, a := range object.Attributes {
				if a.Name != "" && strings.TrimSpace(a.Value) == "" {
					e.report("DataObject", n, a.Name, newText("rule.pagemap-attribute-without-value.found"))
				}
			}
		})},
	{ID: "pagemap-empty", Severity: SeverityInfo, Engines: EngineGoogle, Source: pageMapDoc, needs: scan.HasPageMaps,
		checkEntry: func(e *entryCheck) {
			object := 0
			for n, pageMap := range e.Parsed().PageMaps {
				if len(pageMap.Objects) == 0 && pageMap.Template == "" {
					e.report("PageMap", n, "", newText("rule.pagemap-empty.objects"))
				}
				for _, o := range pageMap.Objects {
					if len(o.Attributes) == 0 {
						e.report("DataObject", object, o.Type, newText("rule.pagemap-empty.attributes"))
					}
					object++
				}
			}
		}},
}

const pageMapDoc = "https://support.google.com/programmable-search/answer/1628213"

// eachObject returns a check that calls check with the objects of an entry. N counts
// them from 0.
func eachObject(check func(e *entryCheck, n int, object *sitemap.DataObject)) func(*entryCheck) {
	return func(e *entryCheck) {
		n := 0
		for _, pageMap := range e.Parsed().PageMaps {
			for i := range pageMap.Objects {
				check(e, n, &pageMap.Objects[i])
				n++
			}
		}
	}
}
