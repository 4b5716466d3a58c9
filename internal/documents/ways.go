package documents

import (
	"cmp"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A target is the file that a link leads to.
type target struct {
	siteFile
	// moved says that a host, or the settings of a program, lead elsewhere.
	moved bool
	// bySite says that only a program that makes a site of the files finds it.
	bySite bool
}

// A siteFile is what a program that makes a site may find.
type siteFile struct {
	file    string // or folder; empty without one
	isGuess bool   // it is in one of several folders that may be meant
	other   string // that may be meant too, or empty
	// isRouted says that code names the path.
	isRouted bool
}

// locate returns the name of the file or folder that a path leads to, or an empty string.
func (s *Set) locate(name string, ends ...string) string {
	for _, folder := range append([]string{".", s.working}, s.folders...) {
		at := path.Join(folder, name)
		for _, at := range append([]string{at}, withEnds(at, ends)...) {
			if s.exists(at) {
				return at
			}
		}
	}
	return ""
}

// compiledFrom are the ends of the files that compilers make scripts and style sheets of.
var compiledFrom = map[string][]string{
	".js": {".ts", ".tsx", ".jsx", ".coffee", ".re", ".res"}, ".jsx": {".tsx"}, ".mjs": {".mts", ".ts"},
	".css": {".scss", ".sass", ".less", ".styl"},
}

// compiled returns the source of a script or a style sheet that is not there, or an empty string.
func (s *Set) compiled(name string) string {
	end := path.Ext(name)
	for _, from := range compiledFrom[end] {
		if at := strings.TrimSuffix(name, end) + from; s.exists(at) {
			return at
		}
	}
	return ""
}

// withEnds returns a name without an end with each of the ends, as web servers find files.
func withEnds(name string, ends []string) (names []string) {
	if path.Ext(name) != "" {
		return nil
	}
	for _, end := range ends {
		names = append(names, name+end)
	}
	return names
}

// exists reports whether there is a file or a folder.
func (s *Set) exists(name string) bool {
	info, err := s.root.Stat(filepath.FromSlash(name))
	return err == nil && (info.IsDir() || info.Mode().IsRegular())
}

// resolve returns where a path in a document leads to: as code hosts show the document, or on the site that a
// program makes of it.
func (w *rewriter) resolve(written string) target {
	name := unescape(written)
	if w.programs&docsify != 0 {
		name = strings.ReplaceAll(name, `\`, "/") // as browsers do
	}
	if w.source.generated {
		name = slashes.ReplaceAllString(name, "/")
	}
	from := path.Dir(w.name)
	if isRoot := strings.HasPrefix(name, "/"); isRoot {
		if at := w.set.locate(strings.TrimLeft(name, "/")); at != "" {
			own := w.inSite(name)
			return target{siteFile: siteFile{file: cmp.Or(own, at)}, bySite: own != ""}
		}
	} else if at := path.Join(from, name); w.set.exists(at) && !w.isBare(at) {
		found := siteFile{file: at}
		own := strings.TrimSuffix(w.name, path.Ext(w.name))
		if page := w.pageOf(at); page != "" && w.source.generated && !w.isOfFolder(own) {
			below := path.Join(own, name) // from the page of the document
			found.other = cmp.Or(w.pageOf(below), w.find(below))
			found.isGuess = found.other != "" && found.other != page
		}
		return target{siteFile: found}
	}
	if strings.Contains(name, "\x00") || len(name) > maxAddress {
		return target{}
	}
	if at := path.Join(from, name); branch.MatchString(at) {
		if at = branch.ReplaceAllString(at, ""); w.set.exists(at) {
			return target{siteFile: siteFile{file: at}}
		}
	}
	if x := w.set.indexOf(); x.isMoved(name, w.inContent(name), w.inPages(name)) ||
		w.programs&docsify != 0 && x.hasAlias(plainName(name)) {
		return target{moved: true}
	}
	key := siteKey{w.name, name, w.source.generated}
	if strings.HasPrefix(name, "/") || alias.MatchString(name) {
		key.from = from + w.language // all documents of the folder
	}
	w.set.mutex.Lock()
	found, known := w.set.found[key]
	w.set.mutex.Unlock()
	if !known {
		if found.isRouted = strings.HasPrefix(name, "/") && w.set.indexOf().isRouted(name); !found.isRouted {
			found = w.search(name)
		}
		w.set.mutex.Lock()
		if len(w.set.found) >= maxFound {
			clear(w.set.found)
		}
		w.set.found[key] = found
		w.set.mutex.Unlock()
	}
	return target{siteFile: found, moved: found.isRouted, bySite: true}
}

// inSite returns the file at a path from the root of the site that a program makes of the folder that the document is
// in, not of the project, or an empty string.
func (w *rewriter) inSite(name string) string {
	if !w.source.generated || w.site == "." {
		return ""
	}
	for _, inner := range innerFolders {
		if file := w.find(path.Join(w.site, inner, name)); file != "" && !w.isBare(file) {
			return cmp.Or(w.pageOf(file), file)
		}
	}
	return ""
}

// branch begins a path to a file at code hosts, from a document in the folder of the project.
var branch = regexp.MustCompile(`^\.\./(?:master|main|HEAD)/`)

// inContent returns the plain name of a path from the root of the site.
func (w *rewriter) inContent(name string) string {
	if strings.HasPrefix(name, "/") {
		return plainName(name)
	}
	return plainName(strings.TrimPrefix(path.Join(path.Dir(w.name), name), w.content()+"/"))
}

// inPages returns the plain name of a path from the folder of the pages in that of the sources, or an empty string.
func (w *rewriter) inPages(name string) string {
	if _, inside, is := strings.Cut(path.Join(path.Dir(w.name), name), "/pages/"); is && !strings.HasPrefix(name, "/") {
		return plainName(inside)
	}
	return ""
}

// isBare reports whether a path leads to a folder of the site without any page, which a site does not show. Some
// programs show no folder without a page of its own.
func (w *rewriter) isBare(at string) bool {
	content := w.content()
	if content == "." || !w.source.generated || !strings.HasPrefix(at, content+"/") || w.set.isRegular(at) {
		return false
	}
	x := w.set.indexOf()
	hasPages := x.counts[at] > 0 || len(x.folders[at]) > 0
	isInner := w.programs&hugo != 0 && !isSection(strings.TrimPrefix(at, content+"/"))
	return w.pageOf(at) == "" && (!hasPages || isInner || w.programs&(exact|mkdocs|astro) != 0)
}

// isSection reports whether Hugo gives a folder of the content a page of its own, perhaps in that of a language
// (https://gohugo.io/content-management/sections/).
func isSection(inside string) bool {
	if first, rest, _ := strings.Cut(inside, "/"); isLanguage(first) || first == "en" {
		inside = rest
	}
	return !strings.Contains(inside, "/")
}

// A siteKey is a path in a document, or in all documents of a folder.
type siteKey struct {
	from, name  string
	isGenerated bool // the document
}

// maxFound is how many paths are kept with their files.
const maxFound = 20_000

// ways are how programs find the file that a path means, the most usual first.
var ways = []func(w *rewriter, name string) siteFile{
	(*rewriter).onSite, (*rewriter).bySuffixOnly, (*rewriter).ofCopy, (*rewriter).inModule, (*rewriter).ofSource,
	(*rewriter).ofLinkedDocument, (*rewriter).inWiki, (*rewriter).inPublicFolder, (*rewriter).ofOriginal,
	(*rewriter).byTitle, (*rewriter).ofLatest,
}

// search returns the file that a program may find for a path.
func (w *rewriter) search(name string) (found siteFile) {
	for i := 0; i < len(ways) && (found.file == "" || w.isBare(found.file)); i++ {
		found = cmp.Or(ways[i](w, name), found)
	}
	if at := w.literalPath(name); !w.source.generated && found.file != at && strings.EqualFold(found.file, at) {
		return siteFile{} // code hosts distinguish upper and lower case
	}
	found.file = cmp.Or(w.pageOf(found.file), found.file)
	if found.file != "" && w.isBare(found.file) {
		original := w.translated(found.file) // of the page of the folder, which is not translated
		found = siteFile{file: cmp.Or(w.pageOf(original), original)}
		if found.file != "" && w.isBare(found.file) {
			return siteFile{}
		}
	}
	return found
}

// bySuffixOnly is bySuffix for paths that a program may show in another folder: those of pages with a name only, or
// from the root, and of HTML in Markdown, which is written for the page that it becomes a part of.
func (w *rewriter) bySuffixOnly(name string) siteFile {
	isPart := kindOf(name) == kindHTML && kindOf(w.name) == kindMarkdown
	isBare := formOf(name) == "bare" && !strings.Contains(strings.TrimPrefix(name, "./"), "/")
	isRoot := strings.HasPrefix(name, "/") &&
		(strings.Contains(strings.Trim(name, "/"), "/") || w.programs&knownPrograms == 0 && len(strings.Trim(name, "/")) > 0)
	if isPart || (isBare || isRoot) && isPagePath(name) && w.isGenerated() {
		return w.bySuffix(name)
	}
	return siteFile{}
}

// ofCopy is bySuffix for a document that another program may copy to a site.
func (w *rewriter) ofCopy(name string) siteFile {
	at := w.literalPath(name)
	if w.programs&knownPrograms == 0 && strings.Contains(at, "/") && (isPagePath(name) || kindOf(name) == kindMarkdown) {
		return w.bySuffix("/" + at)
	}
	return siteFile{}
}

// inModule returns a page with a name, in any folder: the documentation of Elixir has all pages in one.
func (w *rewriter) inModule(name string) siteFile {
	if w.programs&elixir == 0 || strings.Contains(name, "/") || kindOf(name) == kindOther {
		return siteFile{}
	}
	x := w.set.indexOf()
	for _, known := range x.bases[plainName(name)] {
		if file := x.pages[known]; kindOf(file) == kindMarkdown || kindOf(file) == kindOther {
			return siteFile{file: file}
		}
	}
	return siteFile{}
}

// ofSource returns the source of a script or a style sheet.
func (w *rewriter) ofSource(name string) siteFile {
	return siteFile{file: w.set.compiled(w.literalPath(name))}
}

// ofLinkedDocument returns a file next to a link of the file system that leads to the document.
func (w *rewriter) ofLinkedDocument(name string) siteFile {
	for _, folder := range w.set.indexOf().linkedIn[w.name] {
		if at := path.Join(folder, name); !strings.HasPrefix(name, "/") && w.set.exists(at) {
			return siteFile{file: at}
		}
	}
	return siteFile{}
}

// inWiki returns a file in any folder of a wiki (https://help.obsidian.md/links).
func (w *rewriter) inWiki(name string) siteFile {
	x := w.set.indexOf()
	if x.wikis[firstOf(w.set.below(w.name))] < minOthers || strings.Contains(name, "/") {
		return siteFile{}
	}
	return siteFile{file: x.ending("/" + name)}
}

// inPublicFolder returns the file at a path from the root of the site, perhaps without the first folder, which that of
// the site may have. Documents may be outside of the folder with the settings.
func (w *rewriter) inPublicFolder(name string) (found siteFile) {
	if !strings.HasPrefix(name, "/") || isPagePath(name) || !w.source.generated {
		return siteFile{}
	}
	_, rest, _ := strings.Cut(name[1:], "/")
	for _, folder := range []string{"static", "public"} {
		found.file = cmp.Or(found.file, w.find(folder+name), w.set.indexOf().ending("/"+folder+name))
		if rest != "" {
			found.file = cmp.Or(found.file, w.find(path.Join(w.site, folder, rest)))
		}
	}
	return found
}

// byTitle returns a page with the title that a path ends with, in the same folder of the site.
func (w *rewriter) byTitle(name string) siteFile {
	at := path.Join("/", name)
	if !strings.HasPrefix(name, "/") {
		at = path.Join("/", strings.TrimSuffix(w.name, path.Ext(w.name)), name)
	}
	file := w.set.indexOf().titles[path.Base(path.Dir(at))+"/"+letters(path.Base(at))]
	if !isPagePath(name) || file == "" {
		return siteFile{}
	}
	return siteFile{file: file, isGuess: true}
}

// ofLatest returns a page of a version at a path of the latest one.
func (w *rewriter) ofLatest(name string) siteFile {
	_, rest, is := strings.Cut("/"+name, "/latest/")
	if !is || rest == "" || !w.source.generated {
		return siteFile{}
	}
	roots := w.set.indexOf().rootsOf(rest, plainName(rest), w.language)
	for _, root := range slices.Backward(slices.Sorted(maps.Keys(roots))) {
		if versionFolder.MatchString(root) {
			return siteFile{file: roots[root], isGuess: true}
		}
	}
	return siteFile{}
}

// isGenerated reports whether a program makes a page of the document. Next to its settings are others.
func (w *rewriter) isGenerated() bool {
	return w.source.generated || w.programs&^(ofCode|frontMatter) != 0 && path.Dir(w.name) != w.site
}

// pageOf returns the file with the page of a folder, in it or next to it, or an empty string.
func (w *rewriter) pageOf(folder string) string {
	x := w.set.indexOf()
	file := x.pages[plainName(folder)]
	if _, isFolder := x.plain[folder]; isFolder && (path.Dir(file) == folder || path.Dir(file) == path.Dir(folder)) {
		return file
	}
	return ""
}

// bySuffix returns a page of the site whose path ends with a path, or none: programs give pages a path without the
// folders that they are in, or without that of a version. It is no translation into a language that the document is
// not in, and no page of another version. A path that leads out of the site may lead to another one.
func (w *rewriter) bySuffix(name string) (shortest siteFile) {
	plain := plainName(strings.TrimLeft(name, "./"))
	x := w.set.indexOf()
	from := path.Dir(w.name)
	isOut := w.content() != "." && !strings.HasPrefix(path.Join(from, name)+"/", w.content()+"/")
	isInNone := w.isInNoVersion(name)
	isName := !strings.HasPrefix(name, "/") && kindOf(name) != kindHTML // without folders, which may be those of versions
	for _, known := range x.bases[path.Base(plain)] {
		file := x.pages[known]
		in := path.Dir(file)
		if !strings.HasSuffix("/"+known, "/"+plain) || kindOf(file) != kindMarkdown ||
			isInNone && versionFolder.MatchString(file) || w.isForeign(in, strings.HasPrefix(name, "/")) {
			continue
		}
		by, site := w.set.programs(file)
		isCopied := w.programs&knownPrograms == 0 && by&knownPrograms != 0 || isVendored(file) || isVendored(w.name)
		if site != w.site && !isOut && !isCopied || isName && w.programs&knownPrograms != 0 &&
			(path.Dir(in) != path.Dir(from) || hasDigit.MatchString(path.Base(from))) {
			continue
		}
		isShorter := len(file) < len(shortest.file) || len(file) == len(shortest.file) && file < shortest.file
		shortest.isGuess = isOut || shortest.file != ""
		if shortest.file == "" || isShorter {
			shortest.file = file
		}
	}
	return shortest
}

// isVendored reports whether a file is of a module of Hugo: its pages are those of one site with all others
// (https://gohugo.io/hugo-modules/use-modules/#vendor-your-modules).
func isVendored(name string) bool { return strings.Contains("/"+name, "/_vendor/") }

// hasDigit finds the names of folders that may be those of versions.
var hasDigit = regexp.MustCompile(`\d`)

// find returns the file at a path of a site, or an empty string.
func (w *rewriter) find(name string) string {
	return w.set.indexOf().find(name, w.language)
}

// onSite returns the file that a program may find for a path.
func (w *rewriter) onSite(name string) siteFile {
	if strings.HasPrefix(name, "/") || alias.MatchString(name) {
		return w.atRoot(strings.TrimLeft(alias.ReplaceAllString(name, "$2"), "/"))
	}
	from, own := path.Dir(w.name), strings.TrimSuffix(w.name, path.Ext(w.name))
	bases := []string{from, own}
	if w.isOfFolder(own) {
		bases = []string{from, path.Dir(from)}
	}
	if kindOf(name) == kindMarkdown || !w.source.generated && !isPagePath(name) { // of a file, not of a page
		bases = bases[:1]
	}
	if strings.HasSuffix(name, "/") { // the path of a page
		slices.Reverse(bases)
	}
	if w.programs&docsify != 0 {
		bases = append(bases, w.site) // https://docsify.js.org/#/configuration?id=relativepath
	}
	var found siteFile
	isOther := false // of another language
	for _, base := range bases {
		at := path.Join(base, name)
		file := w.findNamed(at)
		inside, is := strings.CutPrefix(at, w.content()+"/")
		isForeign := file != "" && w.isForeign(path.Dir(file), false)
		file = cmp.Or(file, w.translated(at))
		switch {
		case file != "" && (found.file == "" || isOther && !isForeign):
			found.file, isOther = file, isForeign
		case file != "" && file != found.file && !isForeign:
			found.isGuess, found.other = true, file
		case file == "" && found.file == "" && is && path.Ext(name) != "" && kindOf(name) != kindMarkdown:
			for _, public := range publicFolders {
				found.file = cmp.Or(found.file, w.find(path.Join(w.site, public, strings.TrimPrefix(inside, "content/"))))
			}
			for _, file := range w.themeFiles(inside) {
				found.file = cmp.Or(found.file, w.find(file))
			}
		}
	}
	if isOther && strings.HasSuffix(name, "/") && found.file != "" {
		return siteFile{} // no page has such a path
	}
	x := w.set.indexOf()
	if found.file == "" {
		found.file = w.byFrontMatter(x, own, name)
	}
	if file := x.shown[plainName(name)]; found.file == "" && isPagePath(name) && w.programs&knownPrograms == 0 {
		found.file = file // all pages may be in the root, or in that of the content
		if inside := w.inContent(name); file == "" && w.source.generated && x.hasEnd(inside, w.language) {
			found = w.fromRoot(x, inside)
		}
	}
	if found.file == "" && isPagePath(name) && from == w.site && w.source.generated {
		found = w.fromRoot(x, path.Join(own, name)) // the page is in the root of the site
	}
	if found.file != "" || strings.HasPrefix(name, ".") ||
		w.programs&^(unnamed|byFile|hugo|docusaurus|astro|exact|ofCode|frontMatter) != 0 ||
		!w.source.generated && !isPagePath(name) || ownName.MatchString(path.Base(name)) { // as code hosts
		return found
	}
	if !x.hasEnd(name, w.language) {
		return found
	}
	if kindOf(name) == kindMarkdown {
		return siteFile{file: w.ofSources(name)}
	}
	for folder := from; ; folder = path.Dir(folder) {
		if file := w.find(path.Join(folder, name)); file != "" || folder == "." {
			return siteFile{file: file, isGuess: folder != from}
		}
	}
}

// ofSources returns the file at a path from the folder of the sources of the site, or of a part of it such as a version
// or a language (https://docusaurus.io/docs/markdown-features/links), or an empty string.
func (w *rewriter) ofSources(name string) (file string) {
	folders := []string{w.content(), w.site, path.Join(w.site, "src")}
	if w.programs&(docusaurus|hugo) != 0 {
		folders = append(folders, versionOf(w.name))
		inside := strings.Split(strings.TrimPrefix(w.name, strings.TrimPrefix(w.site+"/", "./")), "/")
		for depth := 1; depth <= maxAdded && depth < len(inside); depth++ {
			folders = append(folders, path.Join(w.site, path.Join(inside[:depth]...)))
		}
	}
	for _, folder := range folders {
		if folder != "" {
			file = cmp.Or(file, w.findNamed(path.Join(folder, name)))
		}
	}
	return file
}

// findNamed is find for a path that may have the name of a file: a.md is not a/index.md.
func (w *rewriter) findNamed(name string) string {
	file := w.find(name)
	if kindOf(name) == kindMarkdown && w.programs&(docsify|hugo) == 0 &&
		isIndexOf(stemOf(file)) && !isIndexOf(stemOf(name)) {
		return ""
	}
	return file
}

// themeFiles returns the names that a file of the site may have in the folders of its themes. The documents may be in a
// folder of the site.
func (w *rewriter) themeFiles(inside string) (names []string) {
	if kindOf(inside) == kindHTML || w.programs&mkdocs == 0 {
		return nil
	}
	_, below, _ := strings.Cut(inside, "/")
	for _, folder := range w.set.indexOf().themes[w.site] {
		names = append(names, path.Join(folder, inside), path.Join(folder, below))
	}
	return names
}

// isOfFolder reports whether a document, named without its end, is the page of its folder
// (https://docusaurus.io/docs/sidebar/autogenerated#category-index-convention).
func (w *rewriter) isOfFolder(own string) bool {
	base := strings.ToLower(path.Base(own))
	return isIndexOf(base) || w.programs&docusaurus != 0 && base == strings.ToLower(path.Base(path.Dir(own)))
}

// byFrontMatter returns the page that front matter shows at a path, or the file next to the source of such a page, or
// an empty string. The other name is that of the document without its end.
func (w *rewriter) byFrontMatter(x *index, own, name string) string {
	shownAs, isShown := x.shownAs[w.name]
	if !isPagePath(name) {
		at := path.Join(shownAs, name)
		if page := x.shown[path.Dir(at)]; isShown && page != "" {
			return w.find(path.Join(path.Dir(page), path.Base(at)))
		}
		return ""
	}
	inPage := strings.TrimPrefix(path.Join(own, name), w.content()+"/")
	found := cmp.Or(x.shown[w.inContent(name)], x.shown[plainName(inPage)])
	if found == "" && isShown {
		found = x.shown[plainName(path.Join(path.Dir(shownAs), name))]
	}
	at := w.inContent(name) // in a folder of the site that all of its paths have
	if w.programs&hugo != 0 {
		at = plainName(inPage) // in that of the language that no path has
	}
	first, rest, _ := strings.Cut(at, "/")
	shown := x.shown[rest]
	isInFirst := strings.HasPrefix(shown, path.Join(w.content(), first)+"/")
	if found == "" && isInFirst && (w.programs&docusaurus != 0 || w.programs&hugo != 0 && first == "en") {
		found = shown
	}
	if found == "" && isShown && w.programs&docusaurus != 0 { // the slug is a path below the documents
		found = w.find(path.Join(cmp.Or(versionOf(w.name), w.content()), path.Dir(shownAs), name))
	}
	return found
}
