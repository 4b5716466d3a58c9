package documents

import (
	"bytes"
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"
)

var (
	// sidebar is the name of settings in which Docusaurus finds pages that it makes, and slug the path of one
	// (https://docusaurus.io/docs/sidebar/items#generated-index-page).
	sidebar = regexp.MustCompile(`(^|/)(\w*sidebars?\.\w+|versioned_sidebars/[^/]+|_category_\.\w+)$`)
	slug    = regexp.MustCompile(`\bslug["']?\s*:\s*["']?([\w./-]+)`)
	// quotedName is a name that the settings of Docusaurus have, as of a page that is led elsewhere.
	quotedName = regexp.MustCompile(`["']([\w-]+)["']`)
)

// detectsFormat says that Docusaurus reads .md as Markdown, not as MDX
// (https://docusaurus.io/docs/api/docusaurus-config#markdown).
var detectsFormat = regexp.MustCompile(`\bformat:\s*["'](?:detect|md)\b`)

// versionPath is the path of a version of the documents (https://docusaurus.io/docs/versioning#configuring-versioning-behavior).
var versionPath = regexp.MustCompile(`["']?([\w.-]+)["']?\s*:\s*\{[^{}]*\bpath\s*:\s*["']([\w./-]+)["']`)

// addVersions adds the pages of versions with a path of their own.
func (x *index) addVersions() {
	if len(x.versions) == 0 {
		return
	}
	added := map[string]string{}
	for _, name := range x.pages {
		site, number, inside := "", "current", ""
		if p := version.FindStringSubmatch(name); p != nil {
			site, number, inside = p[1], p[2], p[3]
		} else if at := strings.Index("/"+name, "/docs/"); at >= 0 {
			site, inside = name[:at], name[at+len("docs/"):]
		}
		if at := x.versions[number]; at != "" && inside != "" {
			added[plainName(path.Join(site, "docs", at, inside))] = name
		}
	}
	for at, name := range added {
		x.pages[at] = cmp.Or(x.pages[at], name)
	}
}

var (
	// hugoSettings are those of Hugo, and mount is a file that these put in another place
	// (https://gohugo.io/configuration/module/#mounts).
	hugoSettings = regexp.MustCompile(`(^|/)((hugo|config)\.(toml|ya?ml)|config/[\w-]+/module\.(toml|ya?ml))$`)
	mount        = regexp.MustCompile(`\bsource\s*[:=]\s*["']?([^"'\s]+)["']?\s+target\s*[:=]\s*["']?([^"'\s]+)`)
)

// siteOf returns the folder of a site with settings of Hugo.
func siteOf(settings string) string {
	folder, _, isInner := strings.Cut("/"+settings, "/config/")
	if !isInner {
		folder = path.Dir("/" + settings)
	}
	return cmp.Or(strings.Trim(folder, "/"), ".")
}

// addMounts adds the pages of files that settings put in other places.
func (x *index) addMounts(mounts map[string]string) {
	for at, source := range mounts {
		if name, is := x.files[strings.ToLower(source)]; is && isPage(name) {
			x.pages[plainName(at)] = cmp.Or(x.pages[plainName(at)], name)
		}
	}
}

// addSlugs adds the names of pages that settings make.
func (x *index) addSlugs(in *regexp.Regexp, text []byte) {
	for _, found := range in.FindAllSubmatch(text, -1) {
		x.slugs[path.Base(strings.ToLower(string(found[1])))] = true
	}
}

// script is the name of a file that says how a site is made, and maxScripts is how many bytes of these are kept.
var script = regexp.MustCompile(`(^|/)([Mm]akefile|[Jj]ustfile|Rakefile|book\.toml|[^/]+\.sh|\.github/workflows/[^/]+)$`)

const maxScripts = 1 << 20

// router is the name of code that says which paths have pages.
var router = regexp.MustCompile(`(^|/)(routes?|router|urls)\.(rb|php|exs?|py|[jt]sx?|go|scala)$|(^|/)conf/routes$|(^|/)routes/\w+\.php$`)

// isRouted reports whether code has the path of a page at the end of a text, or as a text without its slash.
func (x *index) isRouted(name string) bool {
	name = strings.TrimRight(name, "/")
	for _, quote := range []string{"'", `"`} {
		if name != "" && bytes.Contains(x.routers, []byte(quote+name[1:]+quote)) {
			return true // https://laravel.com/docs/routing
		}
	}
	for text := x.routers; name != "" && isPagePath(name); {
		at := bytes.Index(text, []byte(name))
		if at < 0 {
			return false
		}
		if text = text[at+len(name):]; len(text) > 0 && bytes.IndexByte([]byte("\"'`\n \t/?"), text[0]) >= 0 {
			return true
		}
	}
	return false
}

// isScripted reports whether what makes the site names a file that is neither a page nor a picture.
func (x *index) isScripted(name string) bool {
	base, end := path.Base(name), strings.ToLower(path.Ext(name))
	return end != "" && len(x.names[strings.ToLower(base)]) == 0 && kindOf(base) == kindOther &&
		!slices.Contains(pictures, end) && bytes.Contains(x.scripts, []byte(base))
}

// frontPath is a path that front matter gives a page, or from which the page is redirected to.
var frontPath = regexp.MustCompile(
	`(?m)^(slug|permalink|url|path|id|aliases|alias|redirect_from|redirects?|old_?urls?|sidebar_path)["']?\s*[:=]\s*(.*(?:\n[ \t]*-[ \t].*|\n[ \t]+["'/].*)*)`)

// quotes are what may be around a path in front matter.
const quotes = " \t\r\"'`,[]"

// title is the placeholder for the name of a page in a path (https://jekyllrb.com/docs/permalinks/#placeholders).
var title = regexp.MustCompile(`:(title|slug|name|basename)\b`)

// withTitle returns a path with the name of a page.
func withTitle(at, page string) string {
	base := path.Base(page)
	return title.ReplaceAllLiteralString(at, plainPart(strings.TrimSuffix(base, path.Ext(base))))
}

// scope is a line of settings that names a folder, or the paths of the pages in it
// (https://jekyllrb.com/docs/configuration/front-matter-defaults/).
var scope = regexp.MustCompile(`(?m)^[\s-]*(path|permalink):[ \t]*["']?([^"'\s]*)|^[ \t]+(\w+):[ \t]*$`)

// addScopes adds the paths that settings give the pages of folders.
func (x *index) addScopes(folder string, text []byte) {
	in := ""
	for _, found := range scope.FindAllSubmatch(text, -1) {
		value := string(found[2])
		switch {
		case string(found[3]) == "values":
			continue // of a folder
		case len(found[3]) > 0: // a collection
			in = path.Join(folder, "_"+string(found[3])) + "/"
			continue
		case string(found[1]) == "path":
			in = path.Join(folder, value) + "/"
			continue
		}
		for _, name := range x.pages {
			inside, is := strings.CutPrefix(name, in)
			at := withTitle(strings.ReplaceAll(value, ":path", strings.TrimSuffix(inside, path.Ext(inside))), name)
			if is && in != "" && !strings.Contains(at, ":") {
				x.shown[plainName(at)] = name
			}
		}
	}
}

// dedent returns front matter without the indentation that all of its keys have.
func dedent(text []byte) []byte {
	_, keys, _ := bytes.Cut(text, []byte{'\n'})
	indent := keys[:len(keys)-len(bytes.TrimLeft(keys, " "))]
	if len(indent) == 0 {
		return text
	}
	return bytes.ReplaceAll(text, append([]byte{'\n'}, indent...), []byte{'\n'})
}

// addFrontMatter adds the paths that front matter gives a page.
func (x *index) addFrontMatter(name string, head []byte) {
	rest := blankFrontMatter(head)
	if len(rest) == 0 || bytes.Equal(rest, head) {
		return
	}
	end := 0
	for end < len(rest) && (rest[end] == ' ' || rest[end] == '\n' || rest[end] == '\r') {
		end++
	}
	for _, found := range frontPath.FindAllSubmatch(dedent(head[:end]), -1) {
		for value := range strings.FieldsFuncSeq(string(found[2]), func(r rune) bool { return r == ',' || r == '\n' }) {
			value = strings.Trim(strings.TrimPrefix(strings.Trim(value, quotes), "- "), quotes)
			switch plain := plainName(withTitle(value, name)); {
			case strings.Contains(value, "{{"):
				x.routes[path.Dir(name)] = true
			case value == "/" && string(found[1]) == "slug": // of the documents
				x.shownAs[name] = plain
			case plain == "" || strings.Contains(value, "://"):
			case strings.HasPrefix(value, "/"):
				x.shown[plain], x.shownAs[name] = name, plain
			case slices.Contains([]string{"path", "permalink", "url"}, string(found[1])): // from the root without a slash too
				x.shown[plain], x.shownAs[name] = name, plain
			default: // relative to the path of the page
				x.pages[plainName(path.Join(path.Dir(name), value))] = name
				if isIndex(strings.ToLower(strings.TrimSuffix(path.Base(name), path.Ext(name)))) {
					x.pages[plainName(path.Join(path.Dir(path.Dir(name)), value))] = name
				}
			}
		}
	}
}

// redirect is a path that a host or a program leads elsewhere, in settings.
var redirect = regexp.MustCompile(`(?m)^(?:[Rr]edirect\w*[ \t]+(?:\w+[ \t]+)?)?(/\S+)\s+\S|\b(?:source|from|fromPath)["']?\s*[:=]\s*\[?\s*["'](?:https?://[^/"'\n]+)?(/[^"'\n]+)["']|` +
	`["'](/[^"'\s]+)["']\s*[:=]\s*["'{]|\[\s*["'](/[^"'\s]+)["'],\s*["'](?:/|https?:)|^\s+["']?([\w./-]+\.md)["']?\s*:\s*["']?[\w./-]+\.md`)

// movedBy is a regular expression for paths that are led elsewhere, and maxMovedBy how many of these are read
// (https://httpd.apache.org/docs/current/mod/mod_rewrite.html#rewriterule).
var movedBy = regexp.MustCompile(`(?m)["'\s]\^/?([\w-][^\s"']{0,200})["']?[ \t]+["']?(?:/|https?:)`)

const maxMovedBy = 1000

// choice is a part of a path with one of some names: /docs/:name(a|b).
var choice = regexp.MustCompile(`:\w+\(([\w|-]+)\)$`)

// leading is a part for any language at the beginning of a path.
var leading = regexp.MustCompile(`^/:\w+(\([^)]*\))?/`)

// below is all that is below a path.
var below = regexp.MustCompile(`^([^:*()]+)/(?::\w+)?\*$`)

// redirects are the files with paths that are led elsewhere
// (https://docs.netlify.com/routing/redirects/, https://vercel.com/docs/redirects).
var redirects = []string{
	"_redirects", "netlify.toml", "vercel.json", "next.config.js", "next.config.mjs", "next.config.ts",
	"docusaurus.config.js", "docusaurus.config.ts", "astro.config.mjs", "astro.config.ts", "mkdocs.yml", "gatsby-node.js",
	"redirects.json", "redirects.js", ".htaccess", "docs.json", "mint.json", "book.toml", "firebase.json",
}

// redirectFile is the name of another file with such paths.
var redirectFile = regexp.MustCompile(`(?i)(redirects?|old-?_?urls?)[\w-]*\.\w+$`)

// maxSettings is how many bytes of settings are read.
const maxSettings = 1 << 20

// madeBase is a folder of pages that settings make a program write.
var madeBase = regexp.MustCompile(`\bbase["']?\s*:\s*["']/?([\w-]+/[\w/-]+)["']`)

// addRedirects adds the paths that settings lead elsewhere. Those with patterns are apart: they also match pages that
// are gone.
func (x *index) addRedirects(text []byte) {
	for _, found := range madeBase.FindAllSubmatch(text, -1) {
		x.movedIn = append(x.movedIn, plainName(string(found[1])))
	}
	for _, found := range movedBy.FindAllSubmatch(text, maxMovedBy) {
		pattern, err := regexp.Compile("^/" + strings.ReplaceAll(string(found[1]), `\\`, `\`)) // as JSON has it
		if err == nil && len(x.movedBy) < maxMovedBy {
			x.movedBy = append(x.movedBy, pattern)
		}
	}
	for _, found := range redirect.FindAllSubmatch(text, -1) {
		from := plainName(leading.ReplaceAllString(string(bytes.Join(found[1:], nil)), "/"))
		if names := choice.FindStringSubmatch(from); names != nil {
			for name := range strings.SplitSeq(names[1], "|") {
				x.moved[choice.ReplaceAllString(from, name)] = true
			}
		} else if !strings.ContainsAny(from, ":*(") {
			x.moved[from] = true
		} else if prefix := below.FindStringSubmatch(from); prefix != nil {
			x.movedIn = append(x.movedIn, prefix[1])
			x.moved[prefix[1]] = true
		}
	}
}

// isMoved reports whether settings lead a path elsewhere, or that in the folder of the content.
func (x *index) isMoved(name, inContent string) bool {
	return x.moved[plainName(name)] || x.moved[inContent] || strings.HasPrefix(name, "/") &&
		slices.ContainsFunc(x.movedBy, func(pattern *regexp.Regexp) bool { return pattern.MatchString(name) })
}

// aliasKey is a path that docsify replaces by another one (https://docsify.js.org/#/configuration?id=alias).
var aliasKey = regexp.MustCompile(`['"]([^'"\s]*/[^'"\s]+)['"]\s*:`)

// hasAlias reports whether docsify may show another file at a path.
func (x *index) hasAlias(plain string) bool {
	return slices.ContainsFunc(x.aliases, func(key string) bool { return strings.Contains(key, path.Base(plain)) })
}
