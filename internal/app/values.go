package app

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/mapatools/mapa/announce"
	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/publish"
	"github.com/mapatools/mapa/internal/report"
	"github.com/mapatools/mapa/lint"
	"github.com/mapatools/mapa/source"
)

// The functions below list the values that a setting can have, for the completion of
// command lines.

// CrawlValues returns the values of a setting of [CrawlSettings], or nil.
func CrawlValues(name string) []string {
	switch name {
	case "lastmod":
		return append(texts(allLastModSources()), "none")
	case "documents":
		return append(texts(crawl.DocumentKinds()), "none")
	case "outputs":
		return texts(publish.AllOutputs())
	case "lang":
		return texts(catalog.Languages())
	case "stylesheet":
		return texts(publish.AllStylesheets)
	case "apart":
		return apartNames()
	case "orphans":
		return orphanSettings
	case "priority":
		return texts([]publish.PriorityBy{publish.PriorityByDepth, publish.PriorityByLinks, publish.PriorityNone})
	case "changefreq":
		return texts([]publish.ChangeFreqBy{publish.ChangeFreqByHistory, publish.ChangeFreqNone})
	case "trap":
		var names []string
		for _, trap := range trapNames() {
			names = append(names, trap+"=")
		}
		return names
	case "fail-on":
		return texts(report.Checks)
	case "format":
		return []string{"text", "json"}
	}
	return nil
}

// BuildValues returns the values of a setting of [BuildSettings], or nil.
func BuildValues(name string) []string {
	if name == "column" {
		var names []string
		for _, field := range source.Fields() {
			names = append(names, field+"=")
		}
		return names
	}
	if slices.Contains([]string{"outputs", "apart", "changefreq", "format"}, name) {
		return CrawlValues(name)
	}
	return nil
}

// LintValues returns the values of a setting of [LintSettings], or nil.
func LintValues(name string) []string {
	switch name {
	case "engine":
		return engineNames()
	case "enable", "disable":
		return RuleIDs()
	case "fail-on":
		return []string{lint.SeverityError.String(), lint.SeverityWarning.String(), lint.SeverityInfo.String()}
	case "format":
		return lintFormats
	case "crawl":
		return CrawlFolders()
	}
	return nil
}

// ReportValues returns the values of a setting of [ReportSettings], or nil.
func ReportValues(name string) []string {
	switch name {
	case "format":
		return reportFormatNames(reportFormatsOf("", ""))
	case "lang":
		return texts(catalog.Languages())
	case "reason":
		return reasonNames()
	case "fail-on":
		return texts(report.Checks)
	}
	return nil
}

// RuleIDs returns the IDs of the rules of lint.
func RuleIDs() []string {
	var ids []string
	for _, rule := range lint.Rules() {
		ids = append(ids, rule.ID)
	}
	return ids
}

// CrawlFolders returns the folders in the current folder that hold a crawl.
func CrawlFolders() []string {
	files, err := filepath.Glob(filepath.Join("*", crawlName))
	if err != nil {
		return nil
	}
	var folders []string
	for _, file := range files {
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
			folders = append(folders, filepath.Dir(file))
		}
	}
	return folders
}

func texts[T ~string](names []T) []string {
	list := make([]string, 0, len(names))
	for _, name := range names {
		list = append(list, string(name))
	}
	return list
}

// DiffValues returns the values of a setting of [DiffSettings], or nil.
func DiffValues(name string) []string {
	if name == "format" {
		return []string{"text", "json", "jsonl", "html"}
	}
	return nil
}

// ListValues returns the values of a setting of [ListSettings], or nil.
func ListValues(name string) []string {
	if name == "format" {
		return []string{"text", "jsonl", "csv"}
	}
	return nil
}

// AnnounceValues returns the values of a setting of [AnnounceSettings], or nil.
func AnnounceValues(name string) []string {
	switch name {
	case "to":
		return texts(announce.Providers())
	case "force":
		return announceChecks
	case "format":
		return []string{"text", "json"}
	}
	return nil
}
