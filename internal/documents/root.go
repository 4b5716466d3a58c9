package documents

import (
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
)

// atRoot returns the file at a path from the root of a site.
func (w *rewriter) atRoot(name string) siteFile {
	x := w.set.indexOf()
	if own := versionOf(w.name); own != "" && w.programs&docusaurus != 0 {
		if file := w.find(path.Join(own, name)); file != "" {
			return siteFile{file: file}
		}
	}
	found := w.fromRoot(x, name)
	if found.file == "" {
		found = w.below(name)
	}
	first, rest, _ := strings.Cut(name, "/")
	if page, isNext := strings.CutPrefix(rest, "next/"); found.file == "" && isNext && page != "" {
		found = w.fromRoot(x, path.Join(first, page)) // https://docusaurus.io/docs/versioning
	}
	if found.file == "" {
		found.file = w.vendored(name)
	}
	isTranslated := w.programs&astro != 0 && isLanguage(strings.ToLower(first)) && rest != ""
	if isTranslated && (found.file == "" || w.isBare(found.file)) {
		found = w.fromRoot(x, rest) // https://starlight.astro.build/guides/i18n/#fallback-content
	}
	return found
}

// versionOf returns the folder with the version, or the translation, of a document of Docusaurus, or an empty string
// (https://docusaurus.io/docs/versioning, https://docusaurus.io/docs/i18n/introduction).
func versionOf(name string) string {
	for _, of := range []*regexp.Regexp{version, translation} {
		if own := of.FindStringSubmatch(name); own != nil {
			return strings.TrimSuffix(name, "/"+own[len(own)-1])
		}
	}
	return ""
}

// vendored returns the file at a path from the root of the site that a module of Hugo has, or an empty string.
func (w *rewriter) vendored(name string) string {
	roots := w.set.indexOf().rootsOf(name, plainName(name), w.language)
	for _, root := range slices.Sorted(maps.Keys(roots)) {
		if isVendored(root) && (path.Base(root) == "content" || path.Base(root) == "static") {
			return roots[root]
		}
	}
	return ""
}

// content returns the folder with the sources of the site that the document is in: the one below that of the settings.
func (w *rewriter) content() string {
	inside, isInside := strings.CutPrefix(w.name, strings.TrimPrefix(w.site+"/", "./"))
	first, _, isBelow := strings.Cut(inside, "/")
	switch {
	case !isInside:
		return "."
	case isBelow && first != "" && slices.Contains(innerFolders, first):
		return path.Join(w.site, first)
	}
	return w.site
}

// alias is how a path begins that is relative to the folder of a site.
var alias = regexp.MustCompile(`^(@site|@|~|\{base\}|@docs|@src)/|^~?@([\w-]+/)`)

// slashes are several in place of one.
var slashes = regexp.MustCompile(`/{2,}`)

// innerFolders are folders that no path has.
var innerFolders = []string{
	"", "content", "docs", "public", "static", "src", "pages", "assets", "source", "src/pages", "src/content",
	"src/content/docs", ".vuepress/public", "docs/public", "docs/.vuepress/public", "app", "src/app", "site", "website",
	"main/resources/static", "resources", "www", "_site", "input", "site/content", "files", "images",
}

// publicFolders are the folders in that of a site whose files no program changes, or which hold its pages.
var publicFolders = []string{"", "static", "public", "docs", "docs/public", "src/pages", "pages", "content"}

// fromRoot returns the file at a path from the root of a site. The root may be each of the folders that the document is
// in, and one in these.
func (w *rewriter) fromRoot(x *index, name string) siteFile {
	plain := plainName(name)
	if plain == "" || isIndex(plain) && len(x.names[strings.ToLower(name)]) == 0 {
		return siteFile{file: w.site}
	}
	_, rest, _ := strings.Cut(plain, "/")
	for _, shown := range []string{plain, rest} {
		if file := x.shown[shown]; file != "" {
			return siteFile{file: file, isGuess: shown != plain}
		}
	}
	language := w.language
	if kindOf(name) == kindMarkdown && w.programs&hugo == 0 {
		language = "" // the file is named, not the page in some language
	}
	roots, isAsset := x.rootsOf(name, plain, language), !isPagePath(name)
	if dated := pathDate.ReplaceAllString(plain, "$1"); dated != plain {
		if file := x.posts[path.Base(plain)]; file != "" {
			folder := strings.Trim(plain[:pathDate.FindStringIndex(plain)[0]], "/")
			if folder == "" || w.fromRoot(x, folder).file != "" {
				return siteFile{file: file}
			}
		}
		maps.Copy(roots, x.rootsOf(dated, dated, w.language))
	}
	if w.isInNoVersion(name) {
		maps.DeleteFunc(roots, func(root, _ string) bool { return versionFolder.MatchString(root) })
	}
	if len(roots) == 0 {
		return siteFile{file: w.translatedRoot(name)}
	}
	roots = w.withoutBare(roots)
	if w.programs&^(ofCode|frontMatter) != 0 && !slices.ContainsFunc(strings.Split(path.Dir(w.name), "/"), isLanguage) {
		if file := roots[w.content()]; file != "" {
			return siteFile{file: file}
		}
		for _, inner := range innerFolders {
			if file := roots[path.Join(w.site, inner)]; file != "" {
				return siteFile{file: file}
			}
		}
	}
	for folder := path.Dir(w.name); ; folder = path.Dir(folder) {
		found := inFolder(roots, folder)
		if found.file != "" && isLanguage(path.Base(folder)) {
			// The site may also show the page that is in no language.
			found.isGuess = found.isGuess || inFolder(roots, path.Dir(folder)).file != ""
		}
		if found.file == "" && (folder == "." || isAsset && x.hasPublic(folder)) {
			found.file = w.translatedRoot(name)
			return found
		}
		if atFolder(roots, folder) == "" && found.file != "" {
			if file := w.atFolderAbove(roots, folder); file != "" {
				return siteFile{file: file, isGuess: true, other: found.file}
			}
		}
		if found.file != "" {
			return found
		}
	}
}

// withoutBare returns the roots in which a path is not that of a folder without any page, if there are some, unless
// only such a folder is in the site of the document.
func (w *rewriter) withoutBare(roots map[string]string) map[string]string {
	isOwn := func(root string) bool {
		return slices.ContainsFunc(innerFolders, func(inner string) bool { return root == path.Join(w.site, inner) })
	}
	hasOwn := func(roots map[string]string) bool {
		return slices.ContainsFunc(slices.Collect(maps.Keys(roots)), isOwn)
	}
	shown := maps.Clone(roots)
	maps.DeleteFunc(shown, func(_, file string) bool { return w.isBare(file) })
	if len(shown) == 0 || hasOwn(roots) && !hasOwn(shown) {
		return roots
	}
	return shown
}

// versionFolder is a folder with a version of documents.
var versionFolder = regexp.MustCompile(`(^|/)(v\d[\w.]*|\d+\.[\dx.]+)(/|$)`)

// isInNoVersion reports whether a path is that of no page of a version: the document is not, and the folder of the path
// is there without any.
func (w *rewriter) isInNoVersion(name string) bool {
	folder := strings.Trim(path.Dir(name), "./")
	if folder == "" || versionFolder.MatchString(w.name) || versionFolder.MatchString(name) {
		return false
	}
	for root := range w.set.indexOf().rootsOf(folder, plainName(folder), w.language) {
		if !versionFolder.MatchString(root) {
			return true
		}
	}
	return false
}

// atFolder returns the file in a folder that may be the root of a site, or an empty string.
func atFolder(roots map[string]string, folder string) string {
	for _, inner := range innerFolders {
		if file := roots[path.Join(folder, inner)]; file != "" {
			return file
		}
	}
	return ""
}

// atFolderAbove is atFolder for the folders above one, in that of the site.
func (w *rewriter) atFolderAbove(roots map[string]string, folder string) string {
	for folder != w.site && folder != "." {
		folder = path.Dir(folder)
		if file := atFolder(roots, folder); file != "" {
			return file
		}
	}
	return ""
}

// inFolder returns the file in one of the folders that may be the root of a site, if that is in a folder.
func inFolder(roots map[string]string, folder string) (found siteFile) {
	if file := atFolder(roots, folder); file != "" {
		return siteFile{file: file}
	}
	for _, root := range slices.Sorted(maps.Keys(roots)) {
		below, is := strings.CutPrefix(root, strings.TrimPrefix(folder+"/", "./"))
		inner, rest, _ := strings.Cut(below, "/")
		switch {
		case !is || isLanguage(inner):
		case slices.Contains(publicFolders, rest):
			return siteFile{file: roots[root]}
		case found.file == "" && path.Dir(below) == "src/content": // https://docs.astro.build/en/guides/content-collections/
			found = siteFile{file: roots[root], isGuess: true}
		case found.file == "" && !strings.Contains(rest, "/") && !isLanguage(rest):
			found = siteFile{file: roots[root], isGuess: true}
		}
	}
	return found
}

// below returns the file at a path without its first folders, in a folder that the document is in, without front matter
// below that of the project: programs add a folder, a version or a language to the paths of all pages.
func (w *rewriter) below(name string) siteFile {
	x, added := w.set.indexOf(), ""
	for range maxAdded {
		first, rest, isLonger := strings.Cut(name, "/")
		added = path.Join(added, first)
		if name = rest; !isLonger || name == "" || x.counts[w.fromRoot(x, added).file] > 0 {
			break // or the folder is there, with other pages
		}
		if !x.hasEnd(name, w.language) {
			continue
		}
		if found := w.inSite(name); found != "" {
			return siteFile{file: found, isGuess: true}
		}
		for folder := path.Dir(w.name); folder != "." || w.source.generated; folder = path.Dir(folder) {
			if found := w.find(path.Join(folder, name)); found != "" {
				if isTypo(path.Base(first), path.Base(strings.TrimSuffix(plainName(found), "/"+plainName(name)))) {
					return siteFile{} // of the folder that it is in
				}
				return siteFile{file: found, isGuess: true}
			}
			if folder == "." {
				break
			}
		}
	}
	return siteFile{}
}

// maxAdded is how many folders programs add to the paths of pages.
const maxAdded = 2
