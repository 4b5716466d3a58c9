package repair

import (
	"net/url"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// copyName returns the file name of the copy.
func copyName(location string) string {
	name := filepath.Base(location)
	if u, err := url.Parse(location); err == nil && (u.Scheme == "http" || u.Scheme == "https") {
		name = path.Base(u.Path)
	}
	if name == "-" || name == "." || strings.ContainsAny(name, `/\`) || !filepath.IsLocal(name) {
		return "sitemap.xml"
	}
	return name
}

// isXML reports whether a file is called .xml or .xml.gz.
func isXML(name string) bool {
	_, extension := splitName(name)
	return strings.HasPrefix(strings.ToLower(extension), ".xml")
}

func isGzip(name string) bool { return strings.EqualFold(path.Ext(name), ".gz") }

// take reserves a name in the folder and reports whether it was free. Case does not
// count, because it does not on every disk.
func (r *repair) take(name string) bool {
	folded := strings.ToLower(name)
	if r.taken[folded] {
		return false
	}
	r.taken[folded] = true
	return true
}

// takePart reserves the name of the n-th part of a file, such as sitemap-2.xml.gz. It
// appends letters until the name is free.
func (r *repair) takePart(name string, n int) string {
	stem, extension := splitName(name)
	return r.takeFree(stem+"-"+strconv.Itoa(n), extension)
}

// takeIndex reserves the name of the index for a file's parts: the name of the file,
// with .xml for a text sitemap. It appends letters until the name is free.
func (r *repair) takeIndex(name string) string {
	stem, extension := splitName(name)
	if !strings.HasPrefix(strings.ToLower(extension), ".txt") {
		return name // reserved for the copy
	}
	return r.takeFree(stem, ".xml")
}

func (r *repair) takeFree(stem, extension string) string {
	for !r.take(stem + extension) {
		stem += "b"
	}
	return stem + extension
}

// splitName splits off the extension, such as .xml or .xml.gz.
func splitName(name string) (stem, extension string) {
	if isGzip(name) {
		extension = path.Ext(name)
	}
	stem = strings.TrimSuffix(name, extension)
	own := path.Ext(stem)
	return strings.TrimSuffix(stem, own), own + extension
}

// publicURL returns the future URL of a file, or an empty string without a base URL.
func (r *repair) publicURL(name string) string {
	u, err := url.Parse(r.options.BaseURL)
	if err != nil || r.options.BaseURL == "" {
		return ""
	}
	return u.ResolveReference(&url.URL{Path: name}).String()
}
