package web

import (
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/mapatools/mapa/internal/app/service"
	"github.com/mapatools/mapa/internal/catalog"
)

// resultFiles are the downloads of a result.
type resultFiles struct {
	Main         *fileLink // the sitemap, or the archive where it has parts; nil without one
	SitemapParts int       // files of the sitemap besides sitemap.xml
	Downloads    []fileLink
}

// A fileLink leads to a file of a result. A size of 0 is unknown.
type fileLink struct {
	Href, Name, Text string
	Size             int64
}

// fileTexts say what a file of a result is, by its name or else its extension.
var fileTexts = map[string]string{
	"report.html": "web.file.report", "broken.csv": "web.file.broken", "orphans.txt": "web.file.orphans",
	"rss.xml": "web.file.feed", "atom.xml": "web.file.feed",
	".xml": "web.file.xml", ".gz": "web.file.gz", ".html": "web.file.html", ".txt": "web.file.txt", ".csv": "web.file.csv",
}

// hiddenFiles are only of use together with others, in the archive.
var hiddenFiles = []string{".css", ".jsonl"}

// maxDownloads is the number of files with a link of their own. The archive has all.
const maxDownloads = 12

// newResultFiles returns the downloads of a result: the sitemap first, and all in one
// archive, and a compressed copy. A sitemap is of no use without its parts, so the archive takes its place.
func newResultFiles(c *catalog.Catalog, of *service.Crawl) (files resultFiles) {
	base := "/crawls/" + of.ID + "/"
	var sitemap *fileLink
	for _, f := range of.Files {
		if slices.Contains(hiddenFiles, path.Ext(f.Name)) {
			continue
		}
		link := fileLink{base + "files/" + url.PathEscape(f.Name), f.Name, fileText(c, f.Name), f.Size}
		switch {
		case f.Name == "sitemap.xml" || f.Name == "sitemap.xml.gz":
			sitemap = &link
			continue
		case isSitemapPart(f.Name):
			files.SitemapParts++
		}
		if len(files.Downloads) < maxDownloads {
			files.Downloads = append(files.Downloads, link)
		}
	}
	archive := fileLink{base + "files.zip", c.Text("web.file.zip"), "zip", 0}
	switch {
	case sitemap == nil && len(files.Downloads) == 0:
		return resultFiles{}
	case sitemap != nil && files.SitemapParts > 0:
		archive.Name = c.Text("web.file.all") // after "Download"
		files.Main, files.Downloads = &archive, slices.Insert(files.Downloads, 0, *sitemap)
	default:
		if sitemap != nil && path.Ext(sitemap.Name) == ".xml" {
			const name = "sitemap.xml" + compressedSuffix
			compressed := fileLink{base + "files/" + name, name, c.Text("web.file.gz"), 0}
			files.Downloads = slices.Insert(files.Downloads, 0, compressed)
		}
		files.Main, files.Downloads = sitemap, append(files.Downloads, archive)
	}
	return files
}

// fileText says what a file is.
func fileText(c *catalog.Catalog, name string) string {
	for _, key := range []string{fileTexts[name], fileTexts[path.Ext(name)]} {
		if key != "" {
			return c.Text(key)
		}
	}
	return c.Text("web.file.other")
}

// isSitemapPart reports whether a file is one of those that the index sitemap.xml lists.
func isSitemapPart(name string) bool {
	return strings.HasPrefix(name, "sitemap-") &&
		(strings.HasSuffix(name, ".xml") || strings.HasSuffix(name, ".xml.gz"))
}
