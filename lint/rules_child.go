package lint

// childRules are about an index and the sitemaps that it lists.
var childRules = []*Rule{
	nestedIndex, indexCycle, selfReference, childOtherSite, childAboveDirectory, childDuplicate, childRedirects,
	childUnreachable, childNotSitemap, indexLastModOlder, indexLastModAllNow, indexLastModMissing, tooManyIndexes,
	manySitemaps, setEmpty, setShrank,
}

var (
	nestedIndex = &Rule{ID: "nested-index", Severity: SeverityWarning, Overlay: Overlay{Error: EngineGoogle},
		Source:        protocolText + "#index",
		SearchConsole: "Incorrect sitemap index format: Nested sitemap indexes"}
	indexCycle = &Rule{ID: "index-cycle", Severity: SeverityError, Source: protocolText + "#index",
		SearchConsole: "Incorrect sitemap index format: Nested sitemap indexes"}
	selfReference = &Rule{ID: "self-reference", Severity: SeverityWarning, Source: protocolText + "#index",
		SearchConsole: "Incorrect sitemap index format: Nested sitemap indexes"}
	childOtherSite = &Rule{ID: "child-other-site", Severity: SeverityError, Source: protocolText + "#index",
		SearchConsole: "URL not allowed", Yandex: "Incorrect URL (doesn't match the Sitemap file location)"}
	childAboveDirectory = &Rule{ID: "child-above-directory", Severity: SeverityWarning, Engines: EngineGoogle,
		Source: googleIndex, SearchConsole: "URL not allowed"}
	childDuplicate = &Rule{ID: "child-duplicate", Severity: SeverityWarning, Source: protocolText + "#index"}
	childRedirects = &Rule{ID: "child-redirects-to-parent", Severity: SeverityWarning,
		Source: protocolText + "#index"}
	childUnreachable = &Rule{ID: "child-unreachable", Severity: SeverityError, Source: googleReport,
		SearchConsole: "Couldn't fetch", Yandex: "HTTP error"}
	childNotSitemap = &Rule{ID: "child-not-sitemap", Severity: SeverityError, Source: protocolText + "#index",
		SearchConsole: "Unsupported format", Yandex: "Incorrect HTTP response"}
	indexLastModOlder = &Rule{ID: "index-lastmod-older-than-child", Severity: SeverityWarning,
		Source: protocolText + "#sitemapIndex_lastmod"}
	indexLastModAllNow  = &Rule{ID: "index-lastmod-all-now", Severity: SeverityWarning, Source: bingText}
	indexLastModMissing = &Rule{ID: "index-lastmod-missing", Severity: SeverityInfo,
		Source: protocolText + "#sitemapIndex_lastmod"}
	tooManyIndexes = &Rule{ID: "too-many-indexes", Severity: SeverityInfo, Engines: EngineGoogle,
		Source: googleIndex, SearchConsole: "Too many sitemaps"}
	manySitemaps = &Rule{ID: "over-1000-sitemaps", Severity: SeverityInfo, Engines: EngineGoogle,
		Source: googleReport}
	setEmpty = &Rule{ID: "set-empty", Severity: SeverityWarning, Source: protocolText + "#index",
		SearchConsole: "Empty sitemap"}
)
