package lint

import (
	"github.com/mapatools/mapa/sitemap"
)

// structureRules are about the protocol's elements and their places.
var structureRules = []*Rule{
	{ID: string(sitemap.FaultUnclosedEntry), Severity: SeverityError, Source: xmlText + "#sec-well-formed",
		SearchConsole: "Parsing error", Yandex: "Unknown tag"},
	{ID: string(sitemap.FaultUnclosedValue), Severity: SeverityError, Source: xmlText + "#sec-well-formed",
		SearchConsole: "Parsing error"},
	{ID: string(sitemap.FaultUnknownElement), Severity: SeverityError, Overlay: Overlay{Warning: search},
		Source: urlsetSchema, SearchConsole: "Invalid XML: too many tags", Yandex: "Unknown tag"},
	{ID: string(sitemap.FaultDuplicateChild), Severity: SeverityError, Source: urlsetSchema,
		SearchConsole: "Invalid XML: too many tags", Yandex: "Tag found more than once"},
	{ID: string(sitemap.FaultMissingLoc), Severity: SeverityError, Source: protocolText + "#locdef",
		SearchConsole: "Missing XML tag", Yandex: "Tag not found"},
	{ID: string(sitemap.FaultEmptyTag), Severity: SeverityError, Source: urlsetSchema,
		SearchConsole: "Invalid tag value", Yandex: "Tag cannot be empty"},
	{ID: string(sitemap.FaultNestedTag), Severity: SeverityError, Source: urlsetSchema,
		SearchConsole: "Invalid tag value", Yandex: "Tag cannot contain other tags"},
	{ID: string(sitemap.FaultStrayText), Severity: SeverityError, Overlay: Overlay{Warning: search},
		Source: urlsetSchema, SearchConsole: "Parsing error"},
	{ID: string(sitemap.FaultNestedRoot), Severity: SeverityError, Source: urlsetSchema,
		SearchConsole: "Invalid XML: too many tags", Yandex: "Unknown tag"},
	{ID: string(sitemap.FaultMixedEntries), Severity: SeverityError, Source: protocolText + "#index",
		SearchConsole: "Invalid XML: too many tags", Yandex: "Unknown tag"},
	{ID: string(sitemap.FaultEmptySet), Severity: SeverityError, Overlay: Overlay{Warning: search},
		Source: urlsetSchema, SearchConsole: "Empty sitemap"},
	{ID: string(sitemap.FaultTooManyEntries), Severity: SeverityError, Source: protocolText + "#index",
		SearchConsole: "Too many URLs", Yandex: "Data limit exceeded"},
	{ID: string(sitemap.FaultTooLarge), Severity: SeverityError, Source: protocolText + "#index",
		SearchConsole: "Sitemap file size error", Yandex: "Maximum file size exceeded"},
}
