package documents

import (
	"bytes"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// isMade reports whether git ignores the file at a path, or has it in another repository: programs make it, or bring
// it (https://git-scm.com/docs/gitignore, https://git-scm.com/docs/gitmodules).
func (s *Set) isMade(name string) bool {
	x := s.indexOf()
	for _, at := range x.modules {
		if name == at || strings.HasPrefix(name, at+"/") {
			return true
		}
	}
	for at, to := range x.led {
		if rest, is := strings.CutPrefix(name+"/", at+"/"); is {
			name = path.Join(to, rest)
			break
		}
	}
	if name == "" || strings.HasPrefix(name, "..") {
		return false
	}
	for folder := path.Dir(name); ; folder = path.Dir(folder) {
		below := strings.TrimPrefix(name, folder+"/")
		patterns := x.ignored[folder]
		exists := func(inner string) bool { return s.isFilled(path.Join(folder, inner), patterns) }
		if isIgnored(patterns, below, exists) {
			return true
		}
		if folder == "." {
			return false
		}
	}
}

// isFilled reports whether there is a file, or a folder with more than what git keeps in it by the patterns.
func (s *Set) isFilled(name, patterns string) bool {
	if s.isRegular(name) {
		return true
	}
	folder, err := s.root.Open(filepath.FromSlash(name))
	if err != nil {
		return false // it has no files that anybody can read
	}
	defer folder.Close()
	entries, _ := folder.ReadDir(maxKept)
	return slices.ContainsFunc(entries, func(entry fs.DirEntry) bool {
		return entry.Name()[0] != '.' && !isKept(patterns, strings.ToLower(entry.Name()))
	})
}

// maxKept is how many entries of a folder are looked at: git keeps few.
const maxKept = 100

// isKept reports whether patterns name a file that git keeps in a folder that it ignores.
func isKept(patterns, base string) bool {
	for line := range strings.Lines(patterns) {
		if name, isBack := strings.CutPrefix(strings.TrimSpace(line), "!"); isBack && path.Base(name) == base {
			return true
		}
	}
	return false
}

// ignoresPage reports whether git ignores a document whose name is in that of a place, which it may have. The folder is
// that of the site.
func (x *index) ignoresPage(folder, place string) bool {
	place = letters(place)
	for ; ; folder = path.Dir(folder) {
		if slices.ContainsFunc(x.ignoredPages[folder], func(page string) bool { return strings.Contains(place, page) }) {
			return true
		}
		if folder == "." {
			return false
		}
	}
}

// addIgnored adds the names of the documents that git ignores in a folder. One with a sign may be any.
func (x *index) addIgnored(folder string, patterns []byte) {
	for _, found := range ignoredPage.FindAllSubmatch(patterns, maxIgnored) {
		page := letters(string(found[1]))
		if bytes.Contains(found[1], []byte{'*'}) {
			page = ""
		}
		x.ignoredPages[folder] = append(x.ignoredPages[folder], page)
	}
}

// maxIgnored is how many documents that git ignores in a folder are known by their names.
const maxIgnored = 1000

// ignoredPage is a pattern of documents in folders.
var ignoredPage = regexp.MustCompile(`(?m)^/?[\w-].*/(.*)\.(?:md|rst)[ \t\r]*$`)

// isIgnored reports whether the last pattern that matches a file, or a folder that it is in, ignores it. A folder that
// is there has all of its files. The patterns are in lower case.
func isIgnored(patterns, name string, exists func(string) bool) (is bool) {
	lower := strings.ToLower(name) // as the patterns are
	for line := range strings.Lines(patterns) {
		pattern := strings.TrimSpace(line)
		if pattern == "" || pattern[0] == '#' {
			continue
		}
		plain, isBack := strings.CutPrefix(pattern, "!")
		if strings.Trim(plain, "/*") == "" && unignored.MatchString(patterns) {
			continue // the others are not made, but left out
		}
		if ignored := ignoredPart(plain, name, lower); ignored != "" {
			is = !isBack && (ignored == name || !exists(ignored))
		}
	}
	return is
}

// unignored is a pattern of a file that git does not ignore although it ignores all.
var unignored = regexp.MustCompile(`(?m)^!/?[\w-]`)

// ignoredPart returns the file, or the folder that it is in, that a pattern matches, or an empty string. The pattern
// and the second name are in lower case. A pattern with
// a slash before its end is relative to the folder of the patterns.
func ignoredPart(pattern, name, lower string) string {
	pattern = strings.TrimSuffix(strings.TrimSuffix(pattern, "/**"), "/")
	pattern, isAnywhere := strings.CutPrefix(pattern, "**/")
	isBound := !isAnywhere && strings.Contains(pattern, "/")
	pattern = strings.TrimPrefix(pattern, "/")
	parts := strings.Split(lower, "/")
	for i := range parts {
		tried := parts[i]
		if isBound || strings.Contains(pattern, "/") {
			tried = strings.Join(parts[:i+1], "/")
		}
		if matches, err := path.Match(pattern, tried); err == nil && matches {
			return strings.Join(strings.Split(name, "/")[:i+1], "/")
		}
	}
	return ""
}
