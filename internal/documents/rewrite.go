package documents

import (
	"cmp"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/mapatools/mapa/internal/urlnorm"
)

// A rewriter writes the links of a document so that a crawl can check them, and counts those that nobody can.
type rewriter struct {
	set       *Set
	name      string // of the document
	source    *document
	programs  dialect
	site      string // the folder with the settings of the programs
	count     *counts
	reasons   map[string]Reason // of undecided, by path
	searches  int               // for misspelled paths
	at        place             // of the link in the page
	language  string            // of the document, such as ".fr" in page.fr.md
	isStopped bool              // the time of the run ended before all links were rewritten
}

// rewrite returns a link as a crawl can follow it, with the path of the file that it leads to. It keeps none that is
// not decided, and no example.
func (w *rewriter) rewrite(line int, l *Link) (kept string, keep bool) {
	if w.isStopped = w.set.isStopped(); w.isStopped {
		return "", false
	}
	w.at = placeOf(line, 1)
	address := strings.TrimSpace(l.URL)
	switch {
	case w.source.isPlaceholder(l):
		return w.leave(Templates)
	case l.markup && contribution.MatchString(address):
		return "", false // an anchor that nothing has, of https://allcontributors.org
	case isExample(address) && urlnorm.Origin(address) != w.set.origin:
		return "", false
	case w.programs&rust != 0 && isItem(address) && !ownName.MatchString(address) &&
		!w.set.exists(path.Join(path.Dir(w.name), unescape(address))),
		itemPath().MatchString(strings.Trim(unescape(address), "`")), codeName.MatchString(unescape(address)),
		w.programs&elixir != 0 && modulePage.MatchString(address):
		return w.leave(Code)
	case strings.HasPrefix(address, refScheme) && w.source.generated:
		return w.rewriteRef(strings.TrimPrefix(address, refScheme))
	case hasScheme.MatchString(address) || strings.HasPrefix(address, "//"):
		return address, true // of another site
	}
	return w.rewritePath(address)
}

// rewriteRef rewrites a link to a page that has a path, or its name alone: that of any page then.
func (w *rewriter) rewriteRef(address string) (kept string, keep bool) {
	name, fragment, _ := strings.Cut(address, "#")
	if name != "" && w.resolve(name).file == "" {
		if found := w.bySuffix("/" + strings.TrimLeft(unescape(name), "./")); found.file != "" {
			return w.keep(found, w.set.pathOf(found.file), fragment)
		}
		if w.set.indexOf().lacksPages() {
			return w.leave(Elsewhere) // perhaps in a submodule that is not there
		}
	}
	return w.rewritePath(address)
}

// rewritePath rewrites a link to a file, or to an anchor.
func (w *rewriter) rewritePath(address string) (kept string, keep bool) {
	whole, fragment, _ := strings.Cut(address, "#")
	name, query, _ := strings.Cut(whole, "?")
	if values, err := url.ParseQuery(query); err == nil && fragment == "" && w.programs&docsify != 0 {
		fragment = values.Get("id") // https://docsify.js.org/#/more-pages
	}
	switch {
	case name == "":
		return w.keep(siteFile{file: w.name}, "", fragment)
	case name == "/" && fragment != "" && w.programs&^(frontMatter|ofCode) == 0 && kindOf(w.name) == kindMarkdown:
		return w.leave(Elsewhere) // the first page of a site that another project makes
	}
	if w.programs&sphinx != 0 && kindOf(name) == kindOther && w.set.hasLabel(w.site, unescape(name)) {
		w.set.addPath(w.labelSection(name), name, true, 0)
		return "", false
	}
	found := w.resolve(name)
	switch {
	case found.moved:
		w.count.decide(w, name, found, false)
		return "", false
	case found.file == "":
		reason, known := w.reasons[name]
		if !known {
			reason = w.undecided(name)
			w.reasons[name] = reason
		}
		if reason != "" && reason != doubtful {
			return w.leave(reason)
		}
		w.count.decide(w, name, found, reason == doubtful)
		return w.literal(address), true
	case found.bySite && !w.source.generated && len(w.count.notes) < maxWrong:
		w.count.notes = append(w.count.notes, Note{address, w.set.pathOf(w.name), int(w.at.line), w.set.shown(found.file)})
	}
	w.count.decide(w, name, found, false)
	at := w.set.pathOf(found.file)
	if strings.HasSuffix(name, "/") && path.Ext(found.file) == "" && !strings.HasSuffix(at, "/") {
		at += "/" // a folder, as it is written
	}
	return w.keep(found.siteFile, at, fragment)
}

// judge counts a link of HTML that is a page as it is, which a crawl follows as it is written.
func (w *rewriter) judge(l *Link) {
	if w.isStopped = w.set.isStopped(); w.isStopped {
		return
	}
	w.at = placeOf(l.Line, l.Column)
	address := strings.TrimSpace(l.URL)
	whole, _, _ := strings.Cut(address, "#")
	name, _, _ := strings.Cut(whole, "?")
	at, isInside := path.Join(path.Dir(w.name), unescape(name)), true
	if strings.HasPrefix(name, "/") {
		at, isInside = strings.CutPrefix(unescape(name), w.set.path)
	}
	w.judgeAnchor(at, address)
	if name == "" || !isInside || hasScheme.MatchString(address) || strings.HasPrefix(address, "//") {
		return
	}
	if isServed := w.set.isServed(at); isServed || w.mayBeServed(name, at) {
		w.count.decide(w, name, target{moved: true}, false)
		w.count.open[w.at] = w.count.open[w.at] || !isServed
		return
	}
	reason := Elsewhere
	inSite := strings.TrimLeft(path.Clean(unescape(name)), "./") // of another folder of the site
	if w.programs == 0 || !strings.Contains(inSite, "/") || w.set.indexOf().ending("/"+inSite) == "" {
		reason = w.undecided(name)
	}
	if reason == "" {
		w.count.decide(w, name, target{}, false)
		return
	}
	w.count.leave(reason)
	w.count.open[w.at] = true
}

// mayBeServed reports whether a server may have another root than the files, or a program a page for a path of a whole
// page. The second path is from the root.
func (w *rewriter) mayBeServed(name, at string) bool {
	isBelow := func(folder string) bool { // a server may show the folder of the page
		return w.set.exists(path.Join(path.Dir(w.name), folder, unescape(name)))
	}
	return strings.HasPrefix(name, "/") && (isBelow("") || isBelow("public")) ||
		kindOf(name) == kindHTML && w.set.exists(strings.TrimSuffix(at, path.Ext(at))+".md") || // GitHub Pages
		w.programs != 0 && w.resolve(name).file != "" || strings.HasPrefix(name, "/") && w.isMovedIn(name)
}

// judgeAnchor leaves a link of such a page undecided if a script may make its anchor.
func (w *rewriter) judgeAnchor(at, address string) {
	d := w.source
	if !strings.HasPrefix(address, "#") {
		d = w.set.target(at)
	}
	if _, fragment, has := strings.Cut(address, "#"); has && !slices.Contains(d.anchors, fragment) && d.mayBeScripted(fragment) {
		w.count.leave(Components)
		w.count.open[w.at] = true
	}
}

// contribution is what somebody did for a project, by the kind and the name.
var contribution = regexp.MustCompile(`^#(a11y|audio|blog|bug|business|code|content|data|design|doc|eventOrganizing|example|financial|` +
	`fundingFinding|ideas|infra|maintenance|mentoring|platform|plugin|projectManagement|promotion|question|research|` +
	`review|security|talk|tool|translation|tutorial|userTesting|video)-[\w-]+$`)

// hasScheme begins a URL (https://www.rfc-editor.org/rfc/rfc3986#section-3.1).
var hasScheme = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*:`)

// literal returns a link that leads to no file. A path from the root is shown below the folder of the user.
func (w *rewriter) literal(address string) string {
	if !strings.HasPrefix(address, "/") {
		return address
	}
	return w.set.path + strings.TrimPrefix(w.set.top()+"/", "./") + strings.TrimLeft(address, "/")
}

// keep returns the link to an anchor of a file, or of the document itself without a path.
func (w *rewriter) keep(found siteFile, at, fragment string) (kept string, keep bool) {
	if fragment == "" {
		return at, at != ""
	}
	if page := w.pageOf(found.file); page != "" && w.source.generated {
		found.file, at = page, w.set.pathOf(page)
	}
	plain, is := w.anchor(found.file, at == "", fragment)
	if found.isGuess && is == anchorAsked {
		is = anchorOpen // perhaps of another version
		if found.other != "" {
			_, is = w.anchor(found.other, false, fragment)
		}
	}
	switch {
	case is == anchorOpen:
		w.count.leave(Components)
		return at, at != ""
	case is == anchorKnown:
		w.count.decideAnchor(w, found.file, fragment, true)
		return at, at != ""
	case kindOf(found.file) == kindMarkdown:
		w.count.decideAnchor(w, found.file, fragment, false)
	}
	return at + "#" + plain, true
}

// leave counts a link that is not decided.
func (w *rewriter) leave(r Reason) (kept string, keep bool) {
	w.count.leave(r)
	return "", false
}

// undecided returns why nobody knows whether a path that leads to no file is right, or nothing if it is broken.
func (w *rewriter) undecided(name string) Reason {
	isInBundle := func() bool { return kindOf(w.name) == kindHTML && w.set.isBuilt(path.Dir(w.name)) }
	switch {
	case lostPage.MatchString(name):
		return ""
	case w.isExternalReference(name):
		return Code
	case w.source.template, w.set.isEmbedded(w.name), namedPlaceholder.MatchString(unescape(name)),
		w.source.part && !strings.HasPrefix(name, "/") && !w.isNear(w.literalPath(name)):
		return Templates
	case strings.HasPrefix(strings.TrimLeft(name, "/"), "webjars/"), // https://www.webjars.org/documentation
		hostPath.MatchString(path.Join(path.Dir(w.name), name)), w.isMade(unescape(name)),
		w.set.indexOf().isAbsent(w.literalPath(name)), w.set.indexOf().isScripted(unescape(name)),
		w.set.indexOf().isRouted("/" + path.Base(unescape(name))):
		return Elsewhere
	case w.isGeneratedFile(name), slices.Contains(builtEnds, strings.ToLower(path.Ext(name))) && isInBundle():
		return Elsewhere
	case w.programs&mkdocs != 0 && w.isCopied(name) && !w.isNear(w.literalPath(name)):
		return Elsewhere
	case !w.source.generated:
		at := path.Dir(w.literalPath(name))
		isBuilt := slices.Contains(builtEnds, strings.ToLower(path.Ext(name)))
		isMade := kindOf(name) == kindHTML || isBuilt
		isNowhere := at != "." && w.set.indexOf().files[strings.ToLower(at)] == ""
		if isNowhere && !isPagePath(name) && isInBundle() {
			return Elsewhere
		}
		if isMade && isNowhere {
			return Elsewhere // nobody writes them into a folder that is not there
		}
		if first, _, isLonger := strings.Cut(strings.Trim(name, "/"), "/"); !w.set.public && w.source.raw == nil && strings.HasPrefix(name, "/") &&
			(isPagePath(name) || isLonger && kindOf(name) != kindMarkdown) && w.find(first) == "" {
			return Elsewhere // a path of the site where the text is published
		}
		return ""
	case strings.HasPrefix(name, "/") && kindOf(name) != kindMarkdown && w.programs&^(frontMatter|ofCode) == 0 &&
		!w.isNear(strings.Trim(name, "/")):
		return Elsewhere // what makes the site is in another project
	case w.isName(name) && !w.hasStem(name):
		return Code
	case w.programs&docusaurus != 0 && isPagePath(name) && w.set.indexOf().slugs[path.Base(plainName(name))]:
		return Elsewhere
	case w.set.indexOf().full, slices.Contains(madeFiles, path.Base(name)),
		strings.HasPrefix(name, "/") && slices.Contains(madeEnds, strings.ToLower(path.Ext(name))) &&
			!w.isNear(strings.Trim(name, "/")):
		return Elsewhere
	case !w.isHere(unescape(name)), strings.HasPrefix(name, "/") && isPagePath(name) &&
		(w.programs&docfx != 0 || w.isMovedIn(name) || w.set.indexOf().lacksPages()):
		return doubtful
	}
	return ""
}

// isCopied reports whether a script may copy a document to the documents of MkDocs, or those to another site, so that
// nobody knows where a path leads to.
func (w *rewriter) isCopied(name string) bool {
	x := w.set.indexOf()
	if !x.isInDocs(w.name) {
		return w.programs&frontMatter != 0
	}
	return x.isIncluded && !x.isInDocs(w.literalPath(name))
}

// buildScript is a script of a project that makes what is published.
var buildScript = regexp.MustCompile(`"build"\s*:\s*"`)

// isBuilt reports whether the nearest project that a folder is in has a program that writes scripts and styles: a
// bundler (https://docs.npmjs.com/cli/using-npm/scripts), or Flutter (https://docs.flutter.dev/platform-integration/web).
func (s *Set) isBuilt(folder string) bool {
	for ; ; folder = path.Dir(folder) {
		if settings := s.head(path.Join(folder, "package.json")); settings != nil {
			return buildScript.Match(settings)
		}
		if s.isRegular(path.Join(folder, "pubspec.yaml")) {
			return true
		}
		if folder == "." {
			return false
		}
	}
}

// lostPage is the path that GitBook writes in place of that of a page that is gone.
var lostPage = regexp.MustCompile(`^/broken/(pages|spaces|files)/`)

// literalPath returns a path as it is written, from the root without a slash before it.
func (w *rewriter) literalPath(name string) string {
	if strings.HasPrefix(name, "/") {
		return strings.Trim(unescape(name), "/")
	}
	return path.Join(path.Dir(w.name), unescape(name))
}

// isMade reports whether programs make the file at a path, or the source of the page at it.
func (w *rewriter) isMade(name string) bool {
	at := path.Join(path.Dir(w.name), name)
	if strings.HasPrefix(name, "/") {
		at = strings.Trim(name, "/")
		x, folder := w.set.indexOf(), path.Dir(at)
		for _, file := range x.rootsOf(folder, plainName(folder), w.language) { // of a folder, or its page
			if path.Ext(file) != "" {
				file = path.Dir(file)
			}
			if slices.ContainsFunc(sourcesOf(path.Join(file, path.Base(at))), w.set.isMade) {
				return true
			}
		}
	}
	inside, isInside := strings.CutPrefix(at, strings.TrimPrefix(w.content()+"/", "./"))
	isMadeIn := func(folder, name string) bool { // a folder that is not there has no sources
		return w.set.exists(folder) && w.set.isMade(path.Join(folder, name))
	}
	inPublic := func(public string) bool { return isInside && isMadeIn(path.Join(w.content(), public), inside) }
	inRoot := func(inner string) bool {
		return slices.ContainsFunc(sourcesOf(name), func(of string) bool { return isMadeIn(path.Join(w.site, inner), of) })
	}
	return w.set.isMade(at) || w.source.generated && slices.ContainsFunc(publicFolders, inPublic) ||
		strings.HasPrefix(name, "/") && (w.set.isMade(path.Join(w.site, name)) || slices.ContainsFunc(innerFolders, inRoot)) ||
		slices.ContainsFunc(slices.Concat(sourcesOf(at), w.themeFiles(inside)), w.set.isMade)
}

// sourcesOf returns the names that the source of a page may have, or that of another file.
func sourcesOf(name string) []string {
	if !isPagePath(name) {
		return []string{name}
	}
	plain := strings.TrimSuffix(strings.TrimSuffix(name, "/"), path.Ext(name))
	hidden := path.Join(path.Dir(plain), "_"+path.Base(plain))
	return []string{plain + ".md", plain + ".mdx", hidden + ".md", hidden + ".mdx", plain + "/_index.md", plain + "/index.md"}
}

// hostPath is a path to another page of a project at its code host, from that of a document.
var hostPath = regexp.MustCompile(`^\.\./\.\./(actions|blob|branches|commits?|compare|contributors|discussions|forks|graphs|issues|labels|` +
	`milestones?|network|projects|pulls?|pulse|raw|releases|security|stargazers|tags|tree|wiki)(/|$)`)

// isName reports whether a path is a name with points, as of a rule or an item, rather than that of a file.
func (w *rewriter) isName(name string) bool {
	return !strings.Contains(name, "/") && w.hasUnknownEnd(name)
}

// isGeneratedFile reports whether a program makes the file at a path: no file has its extension, which is long, and no file
// has the same name with another extension.
func (w *rewriter) isGeneratedFile(name string) bool {
	return strings.Contains(name, "/") && len(path.Ext(name)) >= minNear && w.hasUnknownEnd(name) && !w.hasStem(name)
}

// hasUnknownEnd reports whether no file has the extension of a path.
func (w *rewriter) hasUnknownEnd(name string) bool {
	end := strings.ToLower(path.Ext(name))
	return len(end) > 1 && (end[1] < '0' || end[1] > '9') && kindOf(name) == kindOther &&
		!slices.Contains(media, end) && !slices.Contains(builtEnds, end) && !w.set.indexOf().ends[end]
}

// hasStem reports whether there is a file with the name, but another end.
func (w *rewriter) hasStem(name string) bool {
	x, at := w.set.indexOf(), strings.ToLower(strings.TrimSuffix(w.literalPath(name), path.Ext(name)))
	return slices.ContainsFunc(slices.Concat([]string{".md", ".mdx", ".html", ".json", ".yml", ".yaml", ".txt"}, media),
		func(end string) bool { return x.files[at+end] != "" })
}

// isMovedIn reports whether settings lead all paths with the same beginning elsewhere, and no page here has it.
func (w *rewriter) isMovedIn(name string) bool {
	x, plain := w.set.indexOf(), plainName(name)
	return slices.ContainsFunc(x.movedIn, func(prefix string) bool {
		at := w.fromRoot(x, prefix).file
		return strings.HasPrefix(plain+"/", prefix+"/") && (at == "" || isLeaf(at))
	})
}

// isLeaf reports whether a file is a page that no page is below.
func isLeaf(name string) bool {
	end := path.Ext(name)
	return end != "" && !isIndex(strings.ToLower(strings.TrimSuffix(path.Base(name), end)))
}

// isReference reports whether a path may be the name of a place or an item that Sphinx knows.
func (w *rewriter) isReference(name string) bool { return w.isInSphinx() && kindOf(name) == kindOther }

// isExternalReference reports whether a path may be the name of a place or an item that another file or another project has.
func (w *rewriter) isExternalReference(name string) bool {
	if !w.isReference(name) || fileName.MatchString(name) || strings.Contains(name, "/") {
		return false
	}
	isOwn := labelName.MatchString(name) && !w.set.indexOf().ignoresPage(w.site, name)
	return !isOwn && (isObject(name) || !w.isNear(path.Join(path.Dir(w.name), name)))
}

// fileName is a name with the end of a file, not that of an attribute of a class.
var fileName = regexp.MustCompile(`^[^A-Z]*\.[a-z0-9]{1,4}$`)

// labelSection returns the section of a name that may be that of a place: of those with the same first word, which a
// directive of the project may make. Without such a directive it is empty.
func (w *rewriter) labelSection(name string) section {
	if !w.set.labelsOf(w.site).isOpen {
		return section{}
	}
	first, _, _ := strings.Cut(name, "-")
	return section{site: w.site, kind: placeNames, first: first}
}

// labelName is the name of a document or of a place, not of an item of code.
var labelName = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

var (
	// pictures are the ends of files that no program makes, and media those that few do.
	pictures = []string{".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif", ".svg", ".ico"}
	media    = append([]string{".pdf", ".zip", ".mp4", ".webm"}, pictures...)
)

// isHere reports whether a path leads to a part of the site whose sources are among the files.
func (w *rewriter) isHere(name string) bool {
	if at := path.Join(path.Dir(w.name), name); !strings.HasPrefix(name, "/") && w.content() != "." &&
		!strings.HasPrefix(at+"/", w.content()+"/") && (w.find(path.Dir(at)) == "" || isPagePath(name)) {
		return false // of another part of the site
	}
	end := strings.ToLower(path.Ext(name))
	isRoot := strings.HasPrefix(name, "/")
	if !isRoot && (slices.Contains(media, end) || end != "" && end != ".html") {
		return true
	}
	x := w.set.indexOf()
	if !isRoot {
		own := strings.TrimSuffix(w.name, path.Ext(w.name))
		for _, base := range []string{path.Dir(w.name), own} {
			if at := w.find(path.Dir(path.Join(base, name))); at != "" && x.hasPages(at) {
				return true
			}
		}
		return false
	}
	name = strings.Trim(alias.ReplaceAllString(name, "$2"), "/")
	if slices.Contains(media, end) {
		first, _, isLonger := strings.Cut(name, "/")
		return !isLonger || w.fromRoot(x, first).file != ""
	}
	if folder := path.Dir(name); folder != "." {
		at := w.fromRoot(x, folder).file
		if at == "" && kindOf(name) != kindHTML {
			at = w.below(folder).file
		}
		return at != "" && !x.hasRoute(at) && x.hasPages(at)
	}
	return kindOf(name) == kindMarkdown || end == "" && !slices.Contains(made, strings.ToLower(name))
}

// siblings returns how many pages are in the folder that has a path, if no script makes any of them.
func (w *rewriter) siblings(name string) int {
	x, at, folder := w.set.indexOf(), "", path.Dir(path.Clean(name))
	switch {
	case !strings.HasPrefix(name, "/"):
		own := strings.TrimSuffix(w.name, path.Ext(w.name))
		at = cmp.Or(w.find(path.Join(path.Dir(w.name), folder)), w.find(path.Join(own, folder)))
	case folder != "/" && !pathDate.MatchString(folder+"/"): // where posts have the paths of their titles
		at = w.fromRoot(x, folder[1:]).file
	}
	if _, isFolder := x.plain[at]; !isFolder && isLeaf(at) {
		at = strings.TrimSuffix(at, path.Ext(at))
	} else if !isFolder && at != "" {
		at = path.Dir(at)
	}
	if x.hasRoute(at) {
		return 0
	}
	return x.counts[at]
}

// maxSearches is how many misspelled paths of a document are searched for among all pages.
const maxSearches = 1000

// isNear reports whether a path is a misspelled one of a page.
func (w *rewriter) isNear(name string) bool {
	w.searches++
	return w.searches <= maxSearches && w.set.indexOf().isNear(name)
}

// isPagePath reports whether a path names a page, not a file.
func isPagePath(name string) bool {
	end := strings.TrimRight(path.Ext(name), ".0123456789") // ".2" in release-1.2 belongs to a version
	return end == "" || kindOf(name) == kindHTML
}

// madeEnds are the ends of files that programs make for a whole site: feeds, lists, and bundles of scripts and styles.
var madeEnds = []string{".xml", ".rss", ".atom", ".json", ".ics", ".webmanifest", ".js", ".mjs", ".css", ".txt"}

// builtEnds are the ends of files that programs make of sources.
var builtEnds = []string{".js", ".mjs", ".css", ".map"}

// madeFiles are files that programs make for a whole site, or that a theme has.
var madeFiles = []string{
	"atom.xml", "feed.json", "feed.xml", "rss.xml", "llms.txt", "llms-full.txt", "robots.txt", "favicon.ico", "sitemap.xml",
}

// made are names of pages that programs make without a source, or that come from another program.
var made = []string{
	"404", "api", "app", "archive", "archives", "authors", "blog", "categories", "changelog", "chat", "community", "demo", "discord", "download",
	"downloads", "feed", "forum", "github", "login", "news", "play", "playground", "pricing", "register", "repl", "rss", "search", "series",
	"showcase", "signup", "sitemap", "slack", "sponsor", "sponsors", "status", "store", "support", "tag", "tags", "topics", "try",
}

// codeName is a target in backticks: a program finds the item of code with that name.
var codeName = regexp.MustCompile("^`[^`]+`$")

// modulePage is the page of a module in the documentation of Elixir.
var modulePage = regexp.MustCompile(`^[A-Z]\w*(\.[A-Z]\w*)*\.(html|epub)(#|$)`)

// itemPath is the path of an item of code, such as crate::Router or std::vec.
var itemPath = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^&?[\pL_][\w.]*(::[\pL_<][\w<>(),!]*)+(\(\)|!)?$`)
})

// itemName is the name of an item of code in a link of rustdoc
// (https://doc.rust-lang.org/rustdoc/write-documentation/linking-to-items-by-name.html).
var itemName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^((struct|enum|trait|union|mod|module|const|constant|fn|function|field|variant|method|derive|type|value|macro|prim|primitive)@)?[\pL_][\w:]*(\(\)|!|\{\}|<[^/]*>)?$`)
})

// ownName is a file without an end in many projects, and no item of code.
var ownName = regexp.MustCompile(`^(LICEN[CS]E|COPYING|NOTICE|AUTHORS|README|CHANGELOG|CONTRIBUTING|Makefile|Dockerfile|Justfile)(-\w+)?$`)

// isItem reports whether a link may name an item of code.
func isItem(address string) bool {
	whole, _, _ := strings.Cut(strings.Trim(unescape(address), "`"), "#")
	return itemName().MatchString(whole) && !strings.HasPrefix(whole, "http")
}

// isExample reports whether a URL is one of the names that documents use for examples
// (https://www.rfc-editor.org/rfc/rfc2606#section-3).
func isExample(address string) bool {
	host := "." + strings.ToLower(urlnorm.Host(address))
	for _, name := range []string{".example", ".example.com", ".example.net", ".example.org"} {
		if strings.HasSuffix(host, name) {
			return true
		}
	}
	return false
}
