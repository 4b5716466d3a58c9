package lint

import (
	"github.com/mapatools/mapa/sitemap"
)

// structureRules are about the protocol's elements and their places.
var structureRules = []*Rule{
	unclosedEntry, unclosedValue, unknownElement, duplicateChild, missingLoc, emptyTag, nestedTag, strayText, nestedRoot,
	mixedEntries, emptySet, tooManyEntries, tooLarge,
}

var unclosedEntry = &Rule{
	ID:            string(sitemap.FaultUnclosedEntry),
	Severity:      SeverityError,
	Source:        xmlText + "#sec-well-formed",
	SearchConsole: "Parsing error", Yandex: "Unknown tag",
}

var unclosedValue = &Rule{
	ID:            string(sitemap.FaultUnclosedValue),
	Severity:      SeverityError,
	Source:        xmlText + "#sec-well-formed",
	SearchConsole: "Parsing error",
}

var unknownElement = &Rule{
	ID:       string(sitemap.FaultUnknownElement),
	Severity: SeverityError, Overlay: Overlay{Warning: search},
	Source:        urlsetSchema,
	SearchConsole: "Invalid XML: too many tags", Yandex: "Unknown tag",
}

var duplicateChild = &Rule{
	ID:            string(sitemap.FaultDuplicateChild),
	Severity:      SeverityError,
	Source:        urlsetSchema,
	SearchConsole: "Invalid XML: too many tags", Yandex: "Tag found more than once",
}

var missingLoc = &Rule{
	ID:            string(sitemap.FaultMissingLoc),
	Severity:      SeverityError,
	Source:        protocolText + "#locdef",
	SearchConsole: "Missing XML tag", Yandex: "Tag not found",
}

var emptyTag = &Rule{
	ID:            string(sitemap.FaultEmptyTag),
	Severity:      SeverityError,
	Source:        urlsetSchema,
	SearchConsole: "Invalid tag value", Yandex: "Tag cannot be empty",
}

var nestedTag = &Rule{
	ID:            string(sitemap.FaultNestedTag),
	Severity:      SeverityError,
	Source:        urlsetSchema,
	SearchConsole: "Invalid tag value", Yandex: "Tag cannot contain other tags",
}

var strayText = &Rule{
	ID:       string(sitemap.FaultStrayText),
	Severity: SeverityError, Overlay: Overlay{Warning: search},
	Source:        urlsetSchema,
	SearchConsole: "Parsing error",
}

var nestedRoot = &Rule{
	ID:            string(sitemap.FaultNestedRoot),
	Severity:      SeverityError,
	Source:        urlsetSchema,
	SearchConsole: "Invalid XML: too many tags", Yandex: "Unknown tag",
}

var mixedEntries = &Rule{
	ID:            string(sitemap.FaultMixedEntries),
	Severity:      SeverityError,
	Source:        protocolText + "#index",
	SearchConsole: "Invalid XML: too many tags", Yandex: "Unknown tag",
}

var emptySet = &Rule{
	ID:       string(sitemap.FaultEmptySet),
	Severity: SeverityError, Overlay: Overlay{Warning: search},
	Source:        urlsetSchema,
	SearchConsole: "Empty sitemap",
}

var tooManyEntries = &Rule{
	ID:            string(sitemap.FaultTooManyEntries),
	Severity:      SeverityError,
	Source:        protocolText + "#index",
	SearchConsole: "Too many URLs", Yandex: "Data limit exceeded",
}

var tooLarge = &Rule{
	ID:            string(sitemap.FaultTooLarge),
	Severity:      SeverityError,
	Source:        protocolText + "#index",
	SearchConsole: "Sitemap file size error", Yandex: "Maximum file size exceeded",
}
