package rules

import (
	"strings"

	"github.com/mapatools/mapa/lint/internal/rule"
	"github.com/mapatools/mapa/lint/internal/scan"
	"github.com/mapatools/mapa/sitemap"
)

// pageMapRules are about PageMap, the data of Google's Programmable Search
// (https://developers.google.com/custom-search/docs/structured_data).
var pageMapRules = []*rule.Rule{untypedObject, unnamedAttribute, attributeWithoutValue, emptyPageMap}

const (
	pageMapDoc  = "https://support.google.com/programmable-search/answer/1628213"
	pageMapHead = exampleHead + examplePage + `    <PageMap xmlns="http://www.google.com/schemas/sitemap-pagemap/1.0">` +
		"\n"
	pageMapTail = "\n    </PageMap>" + exampleTail
	pageMapGood = pageMapHead + `      <DataObject type="thumbnail">
        <Attribute name="src" value="https://example.com/steak.jpg"/>
      </DataObject>` + pageMapTail
)

// eachObject returns a check that calls check with the objects of an entry. N counts
// them from 0.
func eachObject(check func(e *rule.Entry, n int, object *sitemap.DataObject)) func(*rule.Entry) {
	return func(e *rule.Entry) {
		n := 0
		for _, pageMap := range e.Parsed().PageMaps {
			for i := range pageMap.Objects {
				check(e, n, &pageMap.Objects[i])
				n++
			}
		}
	}
}

var untypedObject = &rule.Rule{
	ID:            "pagemap-object-without-type",
	Title:         "PageMap object has no type",
	Why:           "Programmable Search finds objects by type, and the PageMap schema requires one.",
	Cure:          "Give the DataObject a type, such as thumbnail or publication.",
	Severity:      rule.SeverityError,
	Engines:       schemaOfGoogle,
	Overlay:       rule.Overlay{Off: rule.EngineBing | rule.EngineYandex, Warning: rule.EngineGoogle},
	Source:        pageMapDoc,
	SearchConsole: "Missing XML attribute",
	Since:         "0.1",
	Bad: pageMapHead + `      <DataObject>
        <Attribute name="src" value="https://example.com/steak.jpg"/>
      </DataObject>` + pageMapTail,
	Good:  pageMapGood,
	Needs: scan.HasPageMaps,
	CheckEntry: eachObject(func(e *rule.Entry, n int, object *sitemap.DataObject) {
		if object.Type == "" {
			e.Report("DataObject", n, object.ID, "the object has no type")
		}
	}),
}

var unnamedAttribute = &rule.Rule{
	ID:            "pagemap-attribute-without-name",
	Title:         "PageMap attribute has no name",
	Why:           "Programmable Search finds values by name, and the PageMap schema requires one.",
	Cure:          "Give the Attribute a name.",
	Severity:      rule.SeverityError,
	Engines:       schemaOfGoogle,
	Overlay:       rule.Overlay{Off: rule.EngineBing | rule.EngineYandex, Warning: rule.EngineGoogle},
	Source:        pageMapDoc,
	SearchConsole: "Missing XML attribute",
	Since:         "0.1",
	Bad: pageMapHead + `      <DataObject type="thumbnail">
        <Attribute value="https://example.com/steak.jpg"/>
      </DataObject>` + pageMapTail,
	Good:  pageMapGood,
	Needs: scan.HasPageMaps,
	CheckEntry: eachObject(func(e *rule.Entry, n int, object *sitemap.DataObject) {
		for _, a := range object.Attributes {
			if a.Name == "" {
				e.Report("DataObject", n, a.Value, "an attribute of the object has no name")
			}
		}
	}),
}

var attributeWithoutValue = &rule.Rule{
	ID:       "pagemap-attribute-without-value",
	Title:    "PageMap attribute has no value",
	Why:      "Programmable Search has nothing to show or to sort by.",
	Cure:     "Write the value into the value attribute or between the tags, or remove the Attribute.",
	Severity: rule.SeverityWarning,
	Engines:  rule.EngineGoogle,
	Source:   pageMapDoc,
	Since:    "0.1",
	Bad: pageMapHead + `      <DataObject type="thumbnail">
        <Attribute name="src"/>
      </DataObject>` + pageMapTail,
	Good:  pageMapGood,
	Needs: scan.HasPageMaps,
	CheckEntry: eachObject(func(e *rule.Entry, n int, object *sitemap.DataObject) {
		for _, a := range object.Attributes {
			if a.Name != "" && strings.TrimSpace(a.Value) == "" {
				e.Report("DataObject", n, a.Name, "an attribute of the object has no value")
			}
		}
	}),
}

var emptyPageMap = &rule.Rule{
	ID:       "pagemap-empty",
	Title:    "PageMap has no data",
	Why:      "A PageMap without objects, or an object without attributes, gives Programmable Search no data.",
	Cure:     "Add objects with attributes, or remove the PageMap.",
	Severity: rule.SeverityInfo,
	Engines:  rule.EngineGoogle,
	Source:   pageMapDoc,
	Since:    "0.1",
	Bad:      pageMapHead + `      <DataObject type="thumbnail"/>` + pageMapTail,
	Good:     pageMapGood,
	Needs:    scan.HasPageMaps,
	CheckEntry: func(e *rule.Entry) {
		object := 0
		for n, pageMap := range e.Parsed().PageMaps {
			if len(pageMap.Objects) == 0 && pageMap.Template == "" {
				e.Report("PageMap", n, "", "the PageMap has no objects")
			}
			for _, o := range pageMap.Objects {
				if len(o.Attributes) == 0 {
					e.Report("DataObject", object, o.Type, "the object has no attributes")
				}
				object++
			}
		}
	},
}
