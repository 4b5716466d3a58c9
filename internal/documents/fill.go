package documents

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
)

// filledTarget is the target of a link with values that a program fills in before the text is Markdown.
var filledTarget = regexp.MustCompile(`(\]\(|\]:[ \t]*|\b(?:href|src)=["'])[ \t]*((?:\{\{[^{}\n]+\}\}|\{%[^{}\n]+%\})+)(/?)`)

var (
	// siteRoot is the URL of a site, or what its paths begin with (https://jekyllrb.com/docs/variables/#site-variables).
	siteRoot = regexp.MustCompile(`^(?:\{\{-?\s*site\.(?:url|baseurl|base_url)\s*-?\}\})+`)
	// namedPage is a function of Hugo that finds a page by its path, or by its name alone
	// (https://gohugo.io/shortcodes/relref/).
	namedPage = regexp.MustCompile("^\\{\\{[<%]\\s*(?:rel)?ref\\s+[\"'`]?([^\\s\"'`]+?)[\"'`]?\\s*[%>]\\}\\}$")
	// rootPath is a path from the root of a site in a function of Jekyll or Eleventy
	// (https://jekyllrb.com/docs/liquid/tags/#links, https://www.11ty.dev/docs/filters/url/).
	rootPath = regexp.MustCompile(`^\{%-?\s*link\s+([^\s"']+)\s*-?%\}$|^\{\{-?\s*["']([^"'{}]+)["']\s*\|\s*(relative_url|absolute_url|url|prepend:\s*site\.baseurl)\s*-?\}\}$`)
	// namedPost is a function of Jekyll that finds a post by its name.
	namedPost = regexp.MustCompile(`^\{%-?\s*post_url\s+([^\s"']+)\s*-?%\}$`)
)

// refScheme begins the target of a link that names a page by its path, or by its name alone.
const refScheme = "mapa.ref:"

// fillTargets replaces functions in targets by the paths that they return, and keeps the length of the text. In other
// values it replaces spaces, quotes and brackets, because the parser would not take them for a part of a target.
func fillTargets(source []byte) []byte {
	if !bytes.Contains(source, []byte("{{")) && !bytes.Contains(source, []byte("{%")) {
		return source
	}
	filled := make([]byte, 0, len(source))
	for line := range bytes.Lines(source) {
		if bytes.Contains(line, []byte("{{")) || bytes.Contains(line, []byte("{%")) { // the regular expression is slow
			line = filledTarget.ReplaceAllFunc(line, fillTarget)
		}
		filled = append(filled, line...)
	}
	return filled
}

// fillTarget fills in one target.
func fillTarget(target []byte) []byte {
	parts := filledTarget.FindSubmatch(target)
	before, value, slash := parts[1], parts[2], parts[3]
	plain := value[len(siteRoot.Find(value)):]
	filled := ""
	if found := namedPage.FindSubmatch(plain); found != nil {
		filled = refScheme + string(found[1])
	} else if found := namedPost.FindSubmatch(plain); found != nil {
		filled = refScheme + string(found[1]) + ".md"
	} else if found := rootPath.FindSubmatch(plain); found != nil && string(found[3]) == "url" {
		filled = string(found[2]) // relative to the page, or from the root
	} else if found != nil {
		filled = fromRoot(string(found[1]) + string(found[2]))
	} else if len(plain) > 0 || len(slash) == 0 {
		at := len(target) - len(value) - len(slash)
		return slices.Concat(target[:at], withoutSpaces(value), slash)
	}
	space := bytes.Repeat([]byte{' '}, len(target)-len(before)-len(slash)-len(filled))
	return slices.Concat(before, space, []byte(filled), slash)
}

// fromRoot returns a path with a slash before it, unless it is a URL or an anchor.
func fromRoot(name string) string {
	if hasScheme.MatchString(name) || strings.HasPrefix(name, "#") {
		return name
	}
	return "/" + strings.TrimPrefix(name, "/")
}

// withoutSpaces replaces the spaces, quotes and brackets of a value.
func withoutSpaces(value []byte) []byte {
	value = bytes.Clone(value)
	for i, c := range value { // bytes, so that invalid UTF-8 keeps its length
		if strings.IndexByte(" ()\"'", c) >= 0 {
			value[i] = '_'
		}
	}
	return value
}
