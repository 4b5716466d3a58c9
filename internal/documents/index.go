package documents

import (
	"bytes"
	"cmp"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxIndex is how many bytes the names in an index have at most.
const maxIndex = 64 << 20

// maxFolders is how deep folders are in each other at most. To open a folder takes as many steps.
const maxFolders = 200

// An index finds files by the paths that their pages may have on a site. The programs that make sites leave out the
// ends of names, numbers before them, dates and languages: names that differ in these only are the same.
type index struct {
	files           map[string]string   // all files and folders, in lower case, by their names
	pages           map[string]string   // the sources of pages, by their plain names
	folders         map[string][]string // the folders in a folder
	plain           map[string]string   // the plain names of folders
	shown           map[string]string   // sources by the paths that their front matter names
	shownAs         map[string]string   // these paths, by the sources
	posts           map[string]string   // posts with a date in the name, by the rest of it
	moved           map[string]bool     // paths that are led elsewhere
	movedPatterns   []*regexp.Regexp    // regular expressions of paths that are led elsewhere
	movedIn         []string            // the beginnings of such paths, without what is below them
	proxied         []string            // prefixes of paths that the host serves from another site
	aliases         []string            // of paths in the settings of docsify
	ends            map[string]bool     // of the names of files
	counts          map[string]int      // pages in a folder, apart from its own
	bases           map[string][]string // plain names of pages, by their last parts
	names           map[string][]string // files and folders in lower case, by their last parts
	ids             map[string]bool     // the letters of IDs in the layouts of pages
	idPrefixes      map[string]bool     // those before a value in such an ID
	full            bool                // the rest of the files is unknown
	modules         []string            // folders of submodules
	led             map[string]string   // the names that links in the file system lead to without finding anything
	absent          []string            // those that are not there
	ignored         map[string]string   // what git ignores, by the folder
	slugs           map[string]bool     // names of pages that settings of Docusaurus make
	scripts         []byte              // the text of what makes the site, as far as it is short
	versions        map[string]string   // the paths of versions in the settings of Docusaurus
	titles          map[string]string   // pages of Hugo by the letters of their titles, if settings make paths of these
	importedParts   map[string]bool     // documents without front matter that others import as components
	plainMarkdown   bool                // the settings of Docusaurus say that .md is Markdown, not MDX
	routers         []byte              // the text of code with the paths of pages
	wikis           map[string]int      // documents with links of wikis, by their folders
	drawn           map[string]bool     // folders of languages that have pictures
	linkedIn        map[string][]string // the folders with links of the file system to a file
	hasAnchorPlugin bool                // a plugin of Jekyll adds anchors
	isDocusaurus    bool                // there are settings of Docusaurus
	docsFolders     []string            // of sites of MkDocs
	isIncluded      bool                // settings of MkDocs put sites into another one
	themes          map[string][]string // folders whose files are in the root of a site of MkDocs, by the site
	globalParts     map[string]string   // the files of components that Docusaurus gives all documents
	ignoredPages    map[string][]string // the letters of the names of documents that git ignores, by the folder
	translations    []string            // pages with a language at the end of their names
	originals       map[string]bool     // folders with pages that have none
	routes          map[string]bool     // folders with a template that makes pages with other names
}

// indexOf returns the index of the files below the root.
func (s *Set) indexOf() *index {
	s.indexOnce.Do(func() { s.index = s.readIndex() })
	return s.index
}

// isStopped reports whether the time of the run ended.
func (s *Set) isStopped() bool {
	select {
	case <-s.done:
		return true
	default:
		return false
	}
}

func (s *Set) readIndex() *index {
	x := &index{
		files: map[string]string{}, pages: map[string]string{}, folders: map[string][]string{},
		shown: map[string]string{}, posts: map[string]string{}, moved: map[string]bool{}, counts: map[string]int{},
		bases: map[string][]string{}, ends: map[string]bool{}, plain: map[string]string{},
		ids: map[string]bool{}, names: map[string][]string{}, ignored: map[string]string{},
		led: map[string]string{}, versions: map[string]string{}, slugs: map[string]bool{}, shownAs: map[string]string{},
		wikis: map[string]int{}, drawn: map[string]bool{}, linkedIn: map[string][]string{}, routes: map[string]bool{},
		importedParts: map[string]bool{}, titles: map[string]string{},
		themes: map[string][]string{}, originals: map[string]bool{}, ignoredPages: map[string][]string{},
		globalParts: map[string]string{}, idPrefixes: map[string]bool{},
	}
	var size int
	var jekyll []string // settings
	mounts := map[string]string{}
	titled := map[string]bool{} // sections
	for _, top := range s.tops {
		// A folder that cannot be read has no files that anybody can read.
		_ = fs.WalkDir(s.root.FS(), top, func(name string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil || entry.IsDir() && isSkipped(path.Base(name)) && name != top:
				return fs.SkipDir
			case strings.Count(name, "/") > maxFolders:
				x.full = true
				return fs.SkipDir
			case size > maxIndex, s.isStopped():
				x.full = true
				return fs.SkipAll
			case !entry.IsDir() && !entry.Type().IsRegular() && !s.exists(name):
				if to, err := s.root.Readlink(filepath.FromSlash(name)); err == nil {
					x.led[name] = path.Join(path.Dir(name), filepath.ToSlash(to))
				}
				return nil // a pipe, a device, or a link that leads nowhere
			}
			if entry.Type()&fs.ModeSymlink != 0 {
				// A link that cannot be read any more leads to no document.
				to, _ := s.root.Readlink(filepath.FromSlash(name))
				at := path.Join(path.Dir(name), filepath.ToSlash(to))
				x.linkedIn[at] = append(x.linkedIn[at], path.Dir(name))
			}
			size += len(name)
			x.add(name, entry.IsDir())
			switch base := path.Base(name); {
			case base == ".gitmodules":
				s.addModules(x, path.Dir(name), s.head(name))
			case base == ".gitignore":
				text := s.beginning(name, maxSettings)
				size += len(text)
				x.addIgnored(path.Dir(name), text)
				x.ignored[path.Dir(name)] = strings.ToLower(string(text)) // as the paths of pages may be
			case slices.Contains(redirects, base), redirectFile.MatchString(base) && kindOf(base) != kindMarkdown:
				x.addRedirects(s.beginning(name, maxSettings))
			case base == "_config.yml":
				jekyll = append(jekyll, name)
			case hugoSettings.MatchString(name):
				text := s.beginning(name, maxSettings)
				for _, found := range titlePath.FindAllSubmatch(text, -1) {
					titled[string(found[1])] = true
				}
				for _, m := range mount.FindAllSubmatch(text, -1) {
					folder := siteOf(name)
					mounts[path.Join(folder, string(m[2]))] = path.Join(folder, string(m[1]))
				}
			case base == "index.html":
				if head := s.head(name); bytes.Contains(head, []byte("$docsify")) {
					for _, key := range aliasKey.FindAllSubmatch(head, -1) {
						x.aliases = append(x.aliases, string(key[1]))
					}
				}
			}
			if (script.MatchString(name) || settings[path.Base(name)] != 0 && !entry.IsDir()) && len(x.scripts) < maxScripts {
				x.scripts = append(x.scripts, s.head(name)...)
			}
			if anchorPlugin.MatchString(name) {
				x.hasAnchorPlugin = x.hasAnchorPlugin || addsAnchors(s.head(name))
			}
			if router.MatchString(name) && len(x.routers) < maxScripts {
				x.routers = append(x.routers, s.beginning(name, maxSettings)...)
			}
			if base := path.Base(name); sidebar.MatchString(name) {
				x.addSlugs(slug, s.beginning(name, maxSettings))
			} else if settings[base] == docusaurus {
				text := s.beginning(name, maxSettings)
				x.addSlugs(quotedName, text)
				x.isDocusaurus = true
				x.plainMarkdown = x.plainMarkdown || plainFormat.Match(text)
				for _, found := range versionPath.FindAllSubmatch(text, -1) {
					x.versions[string(found[1])] = string(found[2])
				}
			}
			if globalComponents.MatchString(name) {
				for found := range importsIn(s.beginning(name, maxSettings)) {
					if kindOf(string(found[2])) == kindMarkdown {
						x.globalParts[string(found[1])] = string(found[2])
					}
				}
			}
			if mkdocsSettings.MatchString(name) {
				x.addMkDocs(path.Dir(name), s.beginning(name, maxSettings))
			}
			if isLayout(name) {
				for _, id := range layoutID.FindAllSubmatch(s.head(name), -1) {
					if len(id[2]) == 0 {
						x.ids[letters(string(id[1]))] = true
					} else if start := letters(string(id[1])); len(start) >= minTypo {
						x.idPrefixes[start] = true
					}
				}
			}
			if kind := kindOf(name); kind == kindMarkdown || kind == kindHTML {
				head := s.head(name)
				x.addFrontMatter(name, head)
				x.addParts(s, name, head)
				if kind == kindMarkdown && isInWiki(head) {
					x.wikis[firstOf(s.below(name))]++
				}
			}
			return nil
		})
	}
	x.addTranslations()
	x.addVersions()
	x.addFolderPages()
	s.addTitles(x, titled)
	x.addMounts(mounts)
	for _, name := range jekyll {
		x.addScopes(path.Dir(name), s.beginning(name, maxSettings))
	}
	for plain := range x.pages {
		base := path.Base(plain)
		x.bases[base] = append(x.bases[base], plain)
	}
	return x
}

// addParts adds the documents without settings of their own that a document puts into its page as components.
func (x *index) addParts(s *Set, name string, head []byte) {
	for found := range importsIn(head) {
		if kindOf(string(found[2])) != kindMarkdown || !bytes.Contains(head, append([]byte{'<'}, found[1]...)) {
			continue
		}
		_, site := s.programs(name)
		if at := s.imported(path.Dir(name), site, string(found[2])); at != "" && !hasFrontMatter(s.head(at)) {
			x.importedParts[at] = true
		}
	}
}

// isInWiki reports whether the first link in double brackets is that of a wiki, not the place of a table of contents.
func isInWiki(text []byte) bool {
	if !bytes.Contains(text, []byte("[[")) {
		return false // to leave out code is slow
	}
	link := wikiLink().Find(withoutCode(text))
	return link != nil && !contents.Match(link)
}

var (
	fenced = regexp.MustCompile("(?ms)^[ \t>]*(?:```|~~~).*?^[ \t>]*(?:```|~~~)")
	inCode = regexp.MustCompile("`[^`\n]*`")
)

// withoutCode returns Markdown without its code.
func withoutCode(text []byte) []byte {
	return inCode.ReplaceAll(fenced.ReplaceAll(text, nil), nil)
}

// contents is where programs put a table of contents.
var contents = regexp.MustCompile(`(?i)^\[\[toc`)

// layoutID is an ID that a layout gives each page, perhaps with a value at its end.
var layoutID = regexp.MustCompile(`\bid=["']?([\w-]+)(?:["'\s>]|(\{\{))`)

// hasLayoutID reports whether a layout may give pages an ID.
func (x *index) hasLayoutID(fragment string) bool {
	wanted := letters(fragment)
	if x.ids[wanted] {
		return true
	}
	for start := range x.idPrefixes {
		if strings.HasPrefix(wanted, start) {
			return true
		}
	}
	return false
}

// isLayout reports whether pages are made with the HTML of a file.
func isLayout(name string) bool {
	end := strings.ToLower(path.Ext(name))
	return templateName.MatchString(name) && slices.Contains(layoutEnds, end)
}

var layoutEnds = []string{
	".html", ".htm", ".njk", ".liquid", ".hbs", ".ejs", ".twig", ".pug", ".astro", ".vue", ".svelte", ".tsx", ".jsx",
	".res", ".erb", ".haml", ".slim",
}

// modulePath is the folder of a submodule (https://git-scm.com/docs/gitmodules).
var modulePath = regexp.MustCompile(`(?m)^\s*path\s*=\s*(.+?)\s*$`)

// addModules adds the folders of submodules.
func (s *Set) addModules(x *index, folder string, settings []byte) {
	for _, found := range modulePath.FindAllSubmatch(settings, -1) {
		name := path.Join(folder, string(found[1]))
		x.modules = append(x.modules, name)
		// A folder that cannot be read has no files that anybody can read.
		if entries, _ := fs.ReadDir(s.root.FS(), name); len(entries) == 0 {
			x.absent = append(x.absent, name)
		}
	}
}

// isAbsent reports whether a path leads into a submodule that is not there.
func (x *index) isAbsent(name string) bool {
	return slices.ContainsFunc(x.absent, func(folder string) bool { return strings.HasPrefix(name+"/", folder+"/") })
}

// lacksPages reports whether a submodule is not there that may have pages of the site.
func (x *index) lacksPages() bool {
	return slices.ContainsFunc(x.absent, func(folder string) bool {
		return !slices.ContainsFunc(strings.Split(folder, "/"), func(part string) bool {
			return part == "themes" || slices.Contains(copied, part)
		})
	})
}

// isSkipped reports whether a folder has nothing of a site.
func isSkipped(name string) bool {
	return name == "node_modules" || name == ".git" || name == ".cache"
}

// add adds a file or a folder.
func (x *index) add(name string, isFolder bool) {
	lower := strings.ToLower(name)
	x.files[lower] = name
	x.names[path.Base(lower)] = append(x.names[path.Base(lower)], lower)
	if isFolder {
		if name != "." {
			x.plain[name] = plainName(name)
			x.folders[path.Dir(name)] = append(x.folders[path.Dir(name)], path.Base(name))
		}
		return
	}
	end := strings.ToLower(path.Ext(name))
	x.ends[end] = true
	if slices.Contains(pictures, end) {
		folder, _ := cutLanguage(name)
		x.drawn[folder] = true
	}
	if !isPage(name) {
		return
	}
	if !isIndexOf(stemOf(name)) {
		x.counts[path.Dir(name)]++
	}
	plain := plainName(name)
	if end := languageEnd.FindString(plain); isIndexOf(path.Base(plain)) { // https://gohugo.io/content-management/multilingual/
		if x.pages[plain] == "" { // or a name with a point
			x.pages[plain] = name
		}
		plain = plainName(strings.TrimSuffix(plain, end)) + end
	}
	if _, known := x.pages[plain]; !known || kindOf(name) == kindMarkdown {
		x.pages[plain] = name
	}
	switch end := languageEnd.FindString(plain); {
	case end != "" && isLanguage(end[1:]):
		x.translations = append(x.translations, name)
	case end != "":
		plain := strings.TrimSuffix(plain, end)
		x.pages[plain] = cmp.Or(x.pages[plain], name)
	default:
		x.originals[path.Dir(name)] = true
	}
	for _, alias := range docusaurusPaths(name) {
		if alias = plainName(alias); x.pages[alias] == "" {
			x.pages[alias] = name
		}
	}
	if date := postDate.FindString(path.Base(name)); date != "" {
		x.posts[path.Base(plain)] = name
	}
}

var (
	translation = regexp.MustCompile(`^(.*?)i18n/([^/]+)/docusaurus-plugin-content-(docs|blog|pages)(?:-([^/]+))?/(?:(current|version-[^/]+)/)?(.+)$`)
	version     = regexp.MustCompile(`^(.*?)versioned_docs/version-([^/]+)/(.+)$`)
)

// docusaurusPaths returns the paths of a translated document, or of an older version of one
// (https://docusaurus.io/docs/versioning, https://docusaurus.io/docs/i18n/introduction).
func docusaurusPaths(name string) []string {
	if p := version.FindStringSubmatch(name); p != nil {
		if id, isNamed := strings.CutSuffix(p[1], "_"); isNamed { // of a plugin with documents of its own
			return []string{path.Join(id, p[2], p[3]), path.Join(id, p[3])}
		}
		return []string{path.Join(p[1], "docs", p[2], p[3])}
	}
	p := translation.FindStringSubmatch(name)
	if p == nil {
		return nil
	}
	kind := cmp.Or(p[4], p[3])
	number := strings.TrimPrefix(p[5], "version-")
	return []string{path.Join(p[1], p[2], kind, p[6]), path.Join(p[1], p[2], kind, number, p[6])}
}

// pageEnds are the ends of the names of files that become pages.
var pageEnds = []string{
	".md", ".mdx", ".markdown", ".html", ".htm", ".xhtml", ".rst", ".adoc", ".asciidoc", ".org", ".ipynb", ".qmd", ".rmd",
	".txt", ".astro", ".vue", ".svelte", ".tsx", ".jsx", ".js", ".ts", ".njk", ".liquid", ".hbs", ".pug", ".haml", ".slim",
	".erb", ".php", ".textile", ".svx", ".mdoc", ".typ", ".gmi", ".dj",
	".webc", ".marko", ".cshtml", ".razor", ".twig", ".j2", ".edge",
}

// isPage reports whether a program may make a page of a file. Scripts are pages in folders of that name.
func isPage(name string) bool {
	switch end := strings.ToLower(path.Ext(name)); end {
	case ".js", ".ts", ".jsx", ".tsx":
		base := path.Base(name)
		isIn := func(folder string) bool { return strings.Contains("/"+name, folder) }
		return slices.ContainsFunc([]string{"/pages/", "/app/", "/routes/"}, isIn) ||
			strings.HasPrefix(base, "+page") || strings.HasPrefix(base, "page.") ||
			strings.Contains(base, ".11ty.")
	default:
		return slices.Contains(pageEnds, end)
	}
}

var (
	// postDate begins the name of a post.
	postDate = regexp.MustCompile(`^\d{4}-\d{1,2}-\d{1,2}-`)
	// pathDate is where the path of a post has its date.
	pathDate = regexp.MustCompile(`(^|/)\d{4}/\d{1,2}(/\d{1,2})?/`)
	// languageEnd is the language of a translation after the name.
	languageEnd = regexp.MustCompile(`\.[a-z]{2,3}([-_][a-z]{2,4})?$`)
)

// plainName returns a name as the paths of its page have it.
func plainName(name string) string {
	name = strings.ToLower(strings.Trim(name, "/"))
	if end := path.Ext(name); slices.Contains(pageEnds, end) {
		name = strings.TrimSuffix(name, end)
		for inner := path.Ext(name); inner == ".11ty" || slices.Contains(pageEnds, inner); inner = path.Ext(name) {
			name = strings.TrimSuffix(name, inner) // page.html.md.erb
		}
	}
	plain := make([]byte, 0, len(name))
	for part := range strings.SplitSeq(name, "/") {
		if isGroup(part) {
			continue
		}
		if len(plain) > 0 {
			plain = append(plain, '/')
		}
		plain = append(plain, plainPart(part)...)
	}
	if at := bytes.LastIndexByte(plain, '/'); at > 0 && isIndex(string(plain[at+1:])) {
		plain = plain[:at]
	}
	return string(plain)
}

// isGroup reports whether no path has the name of a folder.
func isGroup(name string) bool {
	return name == "_posts" || name == "_drafts" || name != "" && name[0] == '(' && name[len(name)-1] == ')'
}

// plainPart returns a part of a name without a date, a number or underscores before it, and without spaces.
func plainPart(part string) string {
	plain := part
	if part != "" && part[0] <= '9' {
		plain = withoutOrder(postDate.ReplaceAllString(part, ""))
	}
	if plain = strings.TrimLeft(plain, "_"); plain == "" {
		return part
	}
	return pathReplacer.Replace(plain)
}

// pathReplacer replaces what no path of a page has: Nuxt writes a word for a sign (https://www.npmjs.com/package/slugify).
var pathReplacer = strings.NewReplacer(" ", "-", "$", "dollar")

// withoutOrder returns a name without a number that gives it its place: 01-name, 1.2_name.
func withoutOrder(part string) string {
	rest := strings.TrimLeft(part, "0123456789.")
	digits := part[:len(part)-len(rest)]
	name := strings.TrimLeft(rest, "-_. ")
	if name == "x" {
		return part // a version: 4.x
	}
	if at := strings.LastIndexByte(digits, '.') + 1; name != "" && name == rest && 0 < at && at < len(digits) {
		return part[at:] // 5.2fa
	}
	isMarked := len(name) < len(rest) || strings.HasSuffix(digits, ".")
	isOrder := digits != "" && strings.IndexByte(digits, '.') < 4 && isMarked
	first, _ := utf8.DecodeRuneInString(name)
	isName := first != utf8.RuneError && !unicode.IsDigit(first)
	if !isOrder || !isName || strings.IndexByte(digits, '.') < 0 && len(digits) > 3 {
		return part
	}
	return name
}

// stemOf returns the last part of a path without its extension.
func stemOf(name string) string {
	base := path.Base(name)
	return strings.TrimSuffix(base, path.Ext(base))
}

// isIndexOf is isIndex for a name that may have the language of a translation after it.
func isIndexOf(name string) bool {
	return isIndex(languageEnd.ReplaceAllString(strings.ToLower(name), ""))
}

// isIndex reports whether a file without the end of its name is the page of its folder.
func isIndex(name string) bool {
	switch name {
	case "index", "_index", "readme", "page", "+page", "home":
		return true
	}
	return false
}

// hasRoute reports whether a script makes any page of a folder: it is in one named [name], or its front matter has a
// path with a place for a value.
func (x *index) hasRoute(folder string) bool {
	if path.Ext(folder) != "" {
		folder = path.Dir(folder)
	}
	return x.routes[folder] || slices.ContainsFunc(x.folders[folder], func(name string) bool {
		return strings.HasPrefix(name, "[") && !strings.Contains(name, "...")
	})
}

// hasPublic reports whether a folder has one with files that no program changes: then it is the root of a site.
func (x *index) hasPublic(folder string) bool {
	return slices.Contains(x.folders[folder], "public") || slices.Contains(x.folders[folder], "static")
}

// hasPages reports whether a folder, or that of its page, has pages: else they are made, or come from elsewhere.
func (x *index) hasPages(at string) bool {
	return path.Ext(at) != "" || x.full || x.counts[at] > 0 || len(x.folders[at]) > 0
}

// find returns the file at a path, or the source of the page at it, or an empty string. Of translations in the same
// folder it prefers the one in a language, such as ".fr", or without one.
func (x *index) find(name, language string) string {
	if name == "" || strings.HasPrefix(name, "..") {
		return ""
	}
	return x.findIn("", name, plainName(name), language)
}

// findIn is find for a path in a folder, with the plain name of the path.
func (x *index) findIn(folder, name, plain, language string) string {
	key := plain
	if folder != "" && folder != "." {
		plainFolder, known := x.plain[folder]
		if !known {
			return ""
		}
		name = folder + "/" + name
		switch {
		case plain == "" || isIndex(plain):
			key = plainFolder
		case plainFolder != "":
			key = plainFolder + "/" + plain
		}
	}
	if language != "" {
		if file := x.pages[key+language]; file != "" {
			return file
		}
	}
	if file, known := x.files[strings.ToLower(strings.TrimSuffix(name, "/"))]; known {
		return file
	}
	if end := path.Ext(name); slices.Contains(pageEnds, end) && !isWritten(end) {
		return x.files[strings.ToLower(name)+".md"] // a page about a file
	}
	if page := x.pages[key]; page != "" || path.Ext(key) == "" {
		return page
	}
	next := x.pages[path.Dir(key)] // of the folder, whose name has a number
	return x.files[strings.ToLower(path.Join(path.Dir(next), path.Base(name)))]
}

// hasEnd reports whether a file, a folder or a page has the last part of a path.
func (x *index) hasEnd(name, language string) bool {
	base := path.Base(plainName(name))
	return len(x.names[path.Base(strings.ToLower(name))]) > 0 || len(x.bases[base]) > 0 || len(x.bases[base+language]) > 0
}

// ending returns a file whose path ends with a path, or an empty string.
func (x *index) ending(name string) string {
	for _, lower := range x.names[strings.ToLower(path.Base(name))] {
		if strings.HasSuffix(lower, strings.ToLower(name)) {
			return x.files[lower]
		}
	}
	return ""
}

// rootsOf returns the folders in which there is a path, and the files at it.
func (x *index) rootsOf(name, plain, language string) map[string]string {
	roots := map[string]string{}
	end := "/" + strings.ToLower(strings.Trim(name, "/"))
	for _, lower := range x.names[path.Base(end)] {
		if folder, is := strings.CutSuffix("/"+lower, end); is {
			roots[cmp.Or(x.files[strings.Trim(folder, "/")], ".")] = x.files[lower]
		}
	}
	if last := path.Ext(name); slices.Contains(pageEnds, last) && !isWritten(last) {
		return roots
	}
	for _, key := range slices.Compact([]string{plain, plain + language}) {
		for _, known := range x.bases[path.Base(key)] {
			folder, is := strings.CutSuffix("/"+known, "/"+key)
			if !is {
				continue
			}
			file := x.pages[known]
			for at := path.Dir(file); ; at = path.Dir(at) {
				if x.plain[at] == strings.Trim(folder, "/") && (roots[at] == "" || key != plain) {
					roots[at] = file
				}
				if at == "." {
					break
				}
			}
		}
	}
	return roots
}

// addTranslations adds the translations in folders without other pages by their names without the language, which may
// be that of the site.
func (x *index) addTranslations() {
	for _, name := range x.translations {
		plain := plainName(name)
		plain = strings.TrimSuffix(plain, languageEnd.FindString(plain))
		if !x.originals[path.Dir(name)] {
			x.pages[plain] = cmp.Or(x.pages[plain], name)
		}
	}
}

// isWritten reports whether links to pages have an end: those of scripts are files.
func isWritten(end string) bool {
	return kinds[end] != kindOther || end == ".ipynb" || end == ".php" || end == ".asciidoc"
}

// firstOf returns the first folder or file of a path.
func firstOf(name string) string {
	first, _, _ := strings.Cut(strings.TrimLeft(name, "/"), "/")
	return first
}
