package documents

import (
	"bytes"
	"path"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/language"
)

// languageName is the name of a folder with translations.
var languageName = regexp.MustCompile(`^[a-z]{2}([-_][A-Za-z]{2,4})?$`)

func isLanguage(name string) bool {
	name = strings.TrimPrefix(name, "_")
	if len(name) < 2 || len(name) > len("xx-Xxxx") || name == "en" || !languageName.MatchString(name) {
		return false
	}
	_, err := language.ParseBase(name[:2])
	return err == nil || slices.Contains(countries, name)
}

// countries are codes of countries that people take for those of their languages.
var countries = []string{"at", "br", "cn", "cz", "dk", "jp", "kr", "tw", "ua", "vn"}

// cutLanguage returns the folder of a language that a file is in, and the path in it, or nothing.
func cutLanguage(name string) (folder, rest string) {
	parts := strings.Split(name, "/")
	i := slices.IndexFunc(parts, isLanguage)
	if i < 0 {
		return "", ""
	}
	return strings.Join(parts[:i+1], "/"), strings.Join(parts[i+1:], "/")
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

// translated returns the file that programs show in place of a translation that is missing: the one in the
// folder "en" next to that of the language, or the original of Docusaurus. It returns an empty string without one
// (https://gohugo.io/configuration/module/#mounts, https://docusaurus.io/docs/i18n/introduction).
func (w *rewriter) translated(name string) string {
	if w.programs&knownPrograms == 0 {
		return "" // nobody knows
	}
	hasNoFallback := w.programs&astro != 0 && !bytes.Contains(w.set.indexOf().scripts, []byte("starlight"))
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
		if w.programs&exact != 0 || hasNoFallback {
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
	if _, id, isNamed := strings.Cut(kind, "-"); isNamed { // of a plugin, whose documents may be in a folder of that name
		folders = append(folders, id)
	}
	if rest[1] != "current" {
		folders = []string{path.Join("versioned_"+kind, rest[1])}
	}
	for _, folder := range folders {
		if found := w.find(path.Join(slices.Concat(site, []string{folder}, rest[2:])...)); found != "" {
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

// ofOriginal returns the picture at a path next to the original of a translation, whose folder has none: translators
// copy the text alone.
func (w *rewriter) ofOriginal(name string) siteFile {
	x := w.set.indexOf()
	folder, rest := cutLanguage(path.Join(path.Dir(w.name), name))
	isPicture := slices.Contains(pictures, strings.ToLower(path.Ext(name)))
	if !isPicture || folder == "" || x.drawn[folder] || !strings.Contains(rest, "/") {
		return siteFile{}
	}
	return siteFile{file: x.ending("/" + rest)}
}

// isInOriginal reports whether the document that another one is a translation of has an anchor.
func (s *Set) isInOriginal(translation, fragment string) bool {
	end := path.Ext(translation)
	plain := strings.TrimSuffix(translation, end)
	originals := []string{languageEnd.ReplaceAllString(plain, "") + end, languageEnd.ReplaceAllString(plain, ".en") + end}
	if folder, rest := cutLanguage(translation); folder != "" {
		originals = append(originals, path.Join(path.Dir(folder), rest), path.Join(path.Dir(folder), "en", rest))
	}
	return slices.ContainsFunc(originals, func(name string) bool {
		return name != translation && s.isRegular(name) && s.target(name).hasName(fragment)
	})
}
