package repair

import (
	"net/url"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// nameOf is the name of a copy.
func nameOf(location string) string {
	name := filepath.Base(location)
	if u, err := url.Parse(location); err == nil && (u.Scheme == "http" || u.Scheme == "https") {
		name = path.Base(u.Path)
	}
	if name == "-" || name == "." || strings.ContainsAny(name, `/\`) || !filepath.IsLocal(name) {
		return "sitemap.xml"
	}
	return name
}

func isGzip(name string) bool { return strings.EqualFold(path.Ext(name), ".gz") }

// partName is the name of the n-th part of a file: sitemap-2.xml.gz. One that is
// taken already gets a letter more.
func (r *repair) partName(name string, n int) string {
	stem, extension := splitName(name)
	for tail := "-" + strconv.Itoa(n); ; tail += "b" {
		if part := stem + tail + extension; !r.taken[part] {
			return part
		}
	}
}

// splitName cuts the extension off, which .gz is only a part of.
func splitName(name string) (stem, extension string) {
	if isGzip(name) {
		extension = path.Ext(name)
	}
	stem = strings.TrimSuffix(name, extension)
	own := path.Ext(stem)
	return strings.TrimSuffix(stem, own), own + extension
}

// indexName is the name of the index of a file's parts: that of the file, unless
// it is a list.
func indexName(name string) string {
	stem, extension := splitName(name)
	if strings.HasPrefix(strings.ToLower(extension), ".txt") {
		return stem + ".xml"
	}
	return name
}

// published is the address that a file will have, or empty where that is not
// known.
func (r *repair) published(name string) string {
	u, err := url.Parse(r.options.BaseURL)
	if err != nil || r.options.BaseURL == "" {
		return ""
	}
	return u.ResolveReference(&url.URL{Path: name}).String()
}
