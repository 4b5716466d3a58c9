package documents

import (
	"cmp"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A target is the file that a link leads to.
type target struct {
	file string // or folder; empty without one
	// moved says that a host, or the settings of a program, lead elsewhere.
	moved bool
	// bySite says that only a program that makes a site of the files finds it.
	bySite bool
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
	w.isGuess = false
	name := unescape(written)
	from := path.Dir(w.name)
	if isRoot := strings.HasPrefix(name, "/"); isRoot {
		if at := w.set.locate(strings.TrimLeft(name, "/")); at != "" {
			return target{file: at}
		}
	} else if at := path.Join(from, name); w.set.exists(at) {
		return target{file: at}
	}
	if strings.Contains(name, "\x00") || len(name) > maxAddress {
		return target{}
	}
	if x := w.set.indexOf(); x.moved[plainName(name)] || w.programs&docsify != 0 && x.hasAlias(plainName(name)) {
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
		found = w.search(name)
		w.set.mutex.Lock()
		if len(w.set.found) >= maxFound {
			clear(w.set.found)
		}
		w.set.found[key] = found
		w.set.mutex.Unlock()
	}
	w.isGuess = found.isGuess
	return target{file: found.file, bySite: true}
}

// A siteKey is a path in a document, or in all documents of a folder.
type siteKey struct {
	from, name  string
	isGenerated bool // the document
}

// A siteFile is what search found.
type siteFile struct {
	file    string
	isGuess bool
}

// maxFound is how many paths are kept with their files.
const maxFound = 20_000

// search returns the file that a program may find for a path.
func (w *rewriter) search(name string) siteFile {
	found := w.onSite(name)
	isPart := kindOf(name) == kindHTML && kindOf(w.name) == kindMarkdown // written for the page that it becomes a part of
	isBare := formOf(name) == "bare" && !strings.Contains(strings.TrimPrefix(name, "./"), "/")
	isRoot := strings.HasPrefix(name, "/") && strings.Contains(strings.Trim(name, "/"), "/")
	if found == "" && (isPart || (isBare || isRoot) && isPagePath(name) && w.isGenerated()) {
		found = w.bySuffix(name)
	}
	return siteFile{cmp.Or(w.pageOf(found), found), w.isGuess}
}

// isGenerated reports whether a program makes a page of the document. Next to its settings are others.
func (w *rewriter) isGenerated() bool {
	return w.source.generated || w.programs&^(rust|frontMatter) != 0 && path.Dir(w.name) != w.site
}

// pageOf returns the file with the page of a folder, or an empty string.
func (w *rewriter) pageOf(folder string) string {
	x := w.set.indexOf()
	file := x.pages[plainName(folder)]
	if file != "" && x.files[strings.ToLower(folder)] == folder && path.Dir(file) == folder {
		return file
	}
	return ""
}

// bySuffix returns a page of the site whose path ends with a path, or an empty string: programs give pages a path
// without the folders that they are in, or without that of a version. It is no translation into a language that the
// document is not in.
func (w *rewriter) bySuffix(name string) (shortest string) {
	plain := plainName(strings.TrimLeft(name, "./"))
	site := strings.TrimPrefix(w.site+"/", "./")
	w.isGuess = true
	x := w.set.indexOf()
	above := path.Dir(path.Dir(w.name))
	isName := !strings.HasPrefix(name, "/") && kindOf(name) != kindHTML // without folders, which may be those of versions
	for _, known := range x.bases[path.Base(plain)] {
		file := x.pages[known]
		isEnd := strings.HasSuffix("/"+known, "/"+plain) && (!isName || path.Dir(path.Dir(file)) == above)
		isShorter := shortest == "" || len(file) < len(shortest) || len(file) == len(shortest) && file < shortest
		if isEnd && isShorter && kindOf(file) == kindMarkdown && strings.HasPrefix(file, site) &&
			!w.isForeign(path.Dir(file), strings.HasPrefix(name, "/")) {
			shortest = file
		}
	}
	return shortest
}

// isForeign reports whether a page has a part for a language that the document is not in, or lacks that of the
// document without being named from the root.
func (w *rewriter) isForeign(page string, isRoot bool) bool {
	own, other := strings.Split(path.Dir(w.name), "/"), strings.Split(page, "/")
	lacks := func(parts []string) func(string) bool {
		return func(part string) bool { return isLanguage(part) && !slices.Contains(parts, part) }
	}
	return slices.ContainsFunc(other, lacks(own)) || !isRoot && slices.ContainsFunc(own, lacks(other))
}

// find returns the file at a path of a site, or an empty string.
func (w *rewriter) find(name string) string {
	return w.set.indexOf().find(name, w.language)
}

// onSite returns the file that a program may find for a path, or an empty string.
func (w *rewriter) onSite(name string) string {
	x := w.set.indexOf()
	isRoot, isAlias := strings.HasPrefix(name, "/"), alias.MatchString(name)
	if isRoot || isAlias {
		name = strings.TrimLeft(alias.ReplaceAllString(name, ""), "/")
		found := cmp.Or(w.fromRoot(x, name), w.below(name))
		first, rest, _ := strings.Cut(name, "/")
		if found == "" && w.programs&astro != 0 && isLanguage(strings.ToLower(first)) && rest != "" {
			found = w.fromRoot(x, rest) // https://starlight.astro.build/guides/i18n/#fallback-content
		}
		return found
	}
	from, own := path.Dir(w.name), strings.TrimSuffix(w.name, path.Ext(w.name))
	bases := []string{from, own}
	if isIndex(strings.ToLower(path.Base(own))) {
		bases = []string{from, path.Dir(from)}
	}
	if kindOf(name) == kindMarkdown { // the path of a file, not of a page
		bases = bases[:1]
	}
	if strings.HasSuffix(name, "/") { // the path of a page
		slices.Reverse(bases)
	}
	for i, base := range bases {
		if found := cmp.Or(w.find(path.Join(base, name)), w.translated(path.Join(base, name))); found != "" {
			other := w.find(path.Join(bases[len(bases)-1-i], name)) // another file from the page, or from the source
			w.isGuess = other != "" && other != found
			return found
		}
		if inside, is := strings.CutPrefix(path.Join(base, name), w.content()+"/"); is && path.Ext(name) != "" {
			for _, public := range publicFolders {
				if found := w.find(path.Join(w.site, public, inside)); found != "" {
					return found
				}
			}
		}
	}
	if w.programs&^(unnamed|docusaurus|astro|vue|rust|frontMatter) != 0 || strings.HasPrefix(name, ".") {
		return ""
	}
	for folder := from; ; folder = path.Dir(folder) {
		if found := w.find(path.Join(folder, name)); found != "" || folder == "." {
			return found
		}
	}
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
var alias = regexp.MustCompile(`^(@site|@|~|\{base\}|@docs|@src)/`)

// innerFolders are folders that no path has.
var innerFolders = []string{
	"", "content", "docs", "public", "static", "src", "pages", "assets", "source", "src/pages", "src/content",
	"src/content/docs", ".vuepress/public", "docs/public", "docs/.vuepress/public", "app", "src/app", "site", "website",
	"main/resources/static", "resources", "www", "_site", "input", "site/content", "files", "images",
}

// publicFolders are the folders in that of a site whose files no program changes, or which hold its pages.
var publicFolders = []string{"", "static", "public", "docs", "docs/public", "src/pages", "pages", "content"}

// fromRoot returns the file at a path from the root of a site, or an empty string. The root may be each of the
// folders that the document is in, and one in these.
func (w *rewriter) fromRoot(x *index, name string) string {
	if name == "" {
		return w.site
	}
	plain := plainName(name)
	_, rest, _ := strings.Cut(plain, "/")
	for _, shown := range []string{plain, rest} {
		if file := x.shown[shown]; file != "" {
			return file
		}
	}
	dated := pathDate.ReplaceAllString(plain, "$1")
	if dated == plain {
		dated = ""
	} else if file := x.posts[path.Base(plain)]; file != "" {
		folder := strings.Trim(plain[:pathDate.FindStringIndex(plain)[0]], "/")
		if folder == "" || w.fromRoot(x, folder) != "" {
			return file
		}
	}
	for folder := path.Dir(w.name); ; folder = path.Dir(folder) {
		found := w.inFolder(x, folder, name, plain, dated)
		if found != "" && isLanguage(path.Base(folder)) {
			// The site may also show the page that is in no language.
			w.isGuess = w.isGuess || w.inFolder(x, path.Dir(folder), name, plain, dated) != ""
		}
		if found != "" || folder == "." {
			return cmp.Or(found, w.translatedRoot(name))
		}
	}
}

// inFolder returns the file at a path from the root of a site, if the root is a folder or one in it.
func (w *rewriter) inFolder(x *index, folder, name, plain, dated string) string {
	for _, inner := range innerFolders {
		if found := x.findIn(path.Join(folder, inner), name, plain, w.language); found != "" {
			return found
		}
	}
	for _, inner := range x.folders[folder] {
		if isLanguage(inner) {
			continue
		}
		within := path.Join(folder, inner)
		for _, below := range publicFolders {
			if found := x.findIn(path.Join(within, below), name, plain, w.language); found != "" {
				return found
			}
		}
		for _, below := range x.folders[within] {
			if isLanguage(below) {
				continue
			}
			if found := x.findIn(path.Join(within, below), name, plain, w.language); found != "" {
				w.isGuess = true
				return found
			}
		}
		if found := x.findIn(within, dated, dated, w.language); dated != "" && found != "" {
			return found
		}
	}
	return ""
}

// translatedRoot is translated for a path from the root of a site, which may be each of the folders that the document
// is in, and one in these.
func (w *rewriter) translatedRoot(name string) string {
	if !slices.ContainsFunc(strings.Split(path.Dir(w.name), "/"), isLanguage) {
		return ""
	}
	for folder := path.Dir(w.name); folder != "."; folder = path.Dir(folder) {
		for _, inner := range []string{"", "docs"} {
			if found := w.translated(path.Join(folder, inner, name)); found != "" {
				return found
			}
		}
	}
	return ""
}

// below returns the file at a path without its first folders, in a folder that the document is in, without front matter
// below that of the project: programs add a folder, a version or a language to the paths of all pages.
func (w *rewriter) below(name string) string {
	x, added := w.set.indexOf(), ""
	for range maxAdded {
		first, rest, isLonger := strings.Cut(name, "/")
		added = path.Join(added, first)
		if name = rest; !isLonger || name == "" || x.counts[w.fromRoot(x, added)] > 0 {
			return "" // or the folder is there, with other pages
		}
		for folder := path.Dir(w.name); folder != "." || w.source.generated; folder = path.Dir(folder) {
			if found := w.find(path.Join(folder, name)); found != "" {
				w.isGuess = true
				return found
			}
			if folder == "." {
				break
			}
		}
	}
	return ""
}

// maxAdded is how many folders programs add to the paths of pages.
const maxAdded = 2

// language is the name of a folder with translations.
var language = regexp.MustCompile(`^[a-z]{2}([-_][A-Za-z]{2,4})?$`)

func isLanguage(name string) bool {
	return 2 <= len(name) && len(name) <= len("xx-Xxxx") && name != "en" && language.MatchString(name)
}

// translated returns the file that programs show in place of a translation that is missing: the one in the
// folder "en" next to that of the language, or the original of Docusaurus. It returns an empty string without one
// (https://gohugo.io/configuration/module/#mounts, https://docusaurus.io/docs/i18n/introduction).
func (w *rewriter) translated(name string) string {
	parts := strings.Split(name, "/")
	for i, part := range parts {
		if !isLanguage(part) {
			continue
		}
		if i > 0 && parts[i-1] == "i18n" && len(parts)-i > 3 {
			if found := w.untranslated(parts[:i-1], parts[i+1:]); found != "" {
				return found
			}
		}
		if w.programs&vue != 0 {
			continue // it shows no other language
		}
		if found := w.find(path.Join(slices.Concat(parts[:i], []string{"en"}, parts[i+1:])...)); found != "" {
			return found
		}
	}
	return ""
}

// untranslated returns the original of a file that Docusaurus keeps below i18n/LANGUAGE, or an empty string.
func (w *rewriter) untranslated(site, rest []string) string {
	kind := strings.TrimPrefix(rest[0], "docusaurus-plugin-content-")
	folders := []string{kind}
	if rest[1] != "current" {
		folders = []string{"versioned_" + kind, rest[1]}
	}
	return w.find(path.Join(slices.Concat(site, folders, rest[2:])...))
}
