package documents

import (
	"bytes"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A dialect is a set of programs that make a site of files, as far as they have rules of their own for links
// and anchors.
type dialect uint16

const (
	// unnamed is a program whose code says which pages there are, or one that only front matter or the name of a
	// folder shows.
	unnamed dialect = 1 << iota
	byFile          // makes a page of each file, without another rule of its own: Jekyll, mdBook, Zola
	docusaurus
	mkdocs
	sphinx
	docsify
	mdx // the document is MDX
	astro
	exact       // shows a page at its own path only: VitePress, VuePress, Nextra, Mintlify
	docfx       // the site is a part of another one
	rust        // not a site: links of comments name items of the code
	elixir      // not a site: its pages have no folders
	frontMatter // at the beginning of a document in the folder
	hugo
)

const (
	// ofCode are the programs that make the documentation of code.
	ofCode = rust | elixir
	// knownPrograms are the programs whose pages have the paths of their files.
	knownPrograms = ^(unnamed | mdx | frontMatter | ofCode)
)

// settings are the files and folders by which programs know the folder of a site.
var settings = map[string]dialect{
	"docusaurus.config.js": docusaurus, "docusaurus.config.ts": docusaurus, "docusaurus.config.mjs": docusaurus,
	"mkdocs.yml": mkdocs, "mkdocs.yaml": mkdocs, "zensical.toml": mkdocs, "properdocs.yml": mkdocs,
	"conf.py": sphinx, "myst.yml": sphinx, "_toc.yml": sphinx, "_sidebar.md": docsify, "Cargo.toml": rust,
	"mix.exs": elixir,

	"_config.yml": byFile, "_config.yaml": byFile, "_config.toml": byFile,
	"hugo.toml": hugo, "hugo.yaml": hugo, "hugo.yml": hugo, "hugo.json": hugo,
	"archetypes": hugo, "book.toml": byFile, "book.json": byFile, ".gitbook.yaml": byFile,
	"astro.config.mjs": astro, "astro.config.ts": astro, "astro.config.js": astro,
	".vitepress": exact, ".vuepress": exact, "antora.yml": byFile, "_quarto.yml": byFile, "_pkgdown.yml": byFile,
	"gatsby-config.js": unnamed, "gatsby-config.ts": unnamed, "docs.json": exact, "mint.json": exact,
	".eleventy.js": unnamed, "eleventy.config.js": unnamed, "eleventy.config.mjs": unnamed, "eleventy.config.cjs": unnamed,
	"next.config.js": unnamed, "next.config.mjs": unnamed, "next.config.ts": unnamed, "theme.config.tsx": exact,
	"nuxt.config.js": unnamed, "nuxt.config.ts": unnamed, "svelte.config.js": unnamed, "docfx.json": docfx,
	"pelicanconf.py": byFile, "bridgetown.config.yml": byFile, "book.toml.in": byFile, "rspress.config.ts": byFile,
}

// contentFolders are the names that programs give the folders with the sources of pages. With config.toml or
// config.yaml in the same folder, which many programs have, they are a sign of Hugo or Zola.
var contentFolders = []string{"content", "_posts", "_drafts", "_docs", "_pages"}

// programs returns the programs whose settings are in the folder of a document or above it, and the nearest folder
// with such settings, or "." without any.
func (s *Set) programs(name string) (found dialect, site string) {
	for folder := path.Dir(name); ; folder = path.Dir(folder) {
		here := s.programsIn(folder)
		if folder == "." && folder != path.Dir(name) {
			here &^= frontMatter // one document may have settings for another program
		}
		if site != "" {
			here &^= ofCode // the documents of a site are not those of the code
		} else if here&^(ofCode|frontMatter) != 0 {
			site = folder
		}
		found |= here
		if slices.Contains(contentFolders, path.Base(folder)) {
			found |= unnamed
		}
		if folder == "." {
			break
		}
	}
	for _, inner := range sphinxFolders {
		if folder := path.Join(path.Dir(name), inner); site == "" && s.programsIn(folder)&sphinx != 0 {
			return found | sphinx, folder
		}
	}
	return found, path.Join(".", site)
}

// isPublished reports whether a program makes pages of the files in the folder of a document.
func (s *Set) isPublished(name string) bool {
	by, _ := s.programs(name)
	return by&knownPrograms != 0
}

// sphinxFolders are where projects have the settings of Sphinx. Their documents include README.md and others.
var sphinxFolders = []string{"docs", "doc", "docs/source", "doc/source"}

// programsIn returns the programs whose settings are in a folder.
func (s *Set) programsIn(folder string) (found dialect) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	found, known := s.sites[folder]
	if known {
		return found
	}
	// A folder that cannot be read has no settings that anybody can read.
	entries, _ := fs.ReadDir(s.root.FS(), folder)
	names := make([]string, 0, len(entries))
	for _, entry := range entries {
		names = append(names, entry.Name())
		found |= settings[entry.Name()]
		if found&frontMatter == 0 && kindOf(entry.Name()) == kindMarkdown &&
			hasFrontMatter(s.head(path.Join(folder, entry.Name()))) {
			found |= frontMatter
		}
	}
	hasContent := slices.Contains(names, contentFolders[0])
	for _, name := range []string{"config.toml", "config.yaml", "config.yml", "config.json", "config"} {
		isOther := name == "config" && !s.exists(path.Join(folder, name, "_default"))
		if !hasContent || isOther || !slices.Contains(names, name) {
			continue
		}
		if found |= byFile; slices.Contains(names, "layouts") && !slices.Contains(names, "templates") {
			found |= hugo
		}
	}
	if slices.Contains(names, "config.rb") && slices.Contains(names, "source") {
		found |= byFile // https://middlemanapp.com/basics/directory-structure/
	}
	if slices.Contains(names, "index.html") && s.isDocsify(path.Join(folder, "index.html")) {
		found |= docsify
	}
	s.sites[folder] = found
	return found
}

// hasFrontMatter reports whether a text begins with settings.
func hasFrontMatter(head []byte) bool {
	rest := blankFrontMatter(head)
	return !bytes.Equal(rest, head)
}

// maxHead is how many bytes at the beginning of a file show what it is.
const maxHead = 16 << 10

// isDocsify reports whether a page makes a site of the Markdown in its folder when it is shown
// (https://docsify.js.org/#/quickstart).
func (s *Set) isDocsify(page string) bool {
	return strings.Contains(string(s.head(page)), "$docsify")
}

// isRegular reports whether a name, or what a link of that name leads to, is a file with content of its own.
func (s *Set) isRegular(name string) bool {
	info, err := s.root.Stat(filepath.FromSlash(name))
	return err == nil && info.Mode().IsRegular()
}

// head returns the beginning of a file, or nothing if it cannot be read.
func (s *Set) head(name string) []byte { return s.beginning(name, maxHead) }

// beginning returns as many bytes of a file, or nothing if it cannot be read.
func (s *Set) beginning(name string, size int64) []byte {
	if !s.isRegular(name) {
		return nil // to open a pipe may last for ever
	}
	f, err := s.root.Open(filepath.FromSlash(name))
	if err != nil {
		return nil
	}
	defer f.Close()
	text, _ := io.ReadAll(io.LimitReader(f, size)) // what can be read of it
	return text
}

// testFolders have material of tests, whose links need not lead anywhere. Those of dataFolders have nothing else.
var (
	testFolders = []string{
		"test", "tests", "__tests__", "testing", "e2e", "cypress", "playground", "playgrounds", "benchmark", "benchmarks",
	}
	dataFolders = []string{
		"testdata", "test-data", "test_data", "fixtures", "__fixtures__", "fixture", "snapshots", "__snapshots__", "goldens",
		"golden", "mocks",
	}
)

// copied are folders with the files of other projects, or of a site that a program made.
var copied = []string{
	"_site", "vendor", "third_party", "third-party", "thirdparty", "site-packages", "bower_components",
}

// isTestMaterial reports whether a document in a folder that the user names is material of tests, or a file of another
// project. The documentation of a project, and each document of a site, may be about tests, and tests have a README.
func (s *Set) isTestMaterial(name, named string) bool {
	by, site := s.programs(name)
	isInTests := slices.ContainsFunc(strings.Split(strings.TrimPrefix(site, named+"/"), "/"), func(folder string) bool {
		return slices.Contains(testFolders, folder)
	})
	name = strings.ToLower(strings.TrimPrefix(name, named+"/"))
	isText := strings.HasPrefix(path.Base(name), "readme.") || by&knownPrograms != 0 && !isInTests
	for folder := range strings.SplitSeq(path.Dir(name), "/") {
		if slices.Contains(dataFolders, folder) || slices.Contains(copied, folder) ||
			!isText && slices.Contains(testFolders, folder) {
			return true
		}
		isText = isText || folder == "docs" || folder == "doc" || folder == "content"
	}
	return false
}

// templateName is the name of a file, or of a folder, with the HTML of parts of pages.
var templateName = regexp.MustCompile(`(^|/)_?(templates?|layouts?|includes?|partials?|views|themes?|components|macros|overrides)/` +
	`|\.(tmpl|tpl|component|scala|jinja2?|j2|ejs|hbs|twig|liquid|njk|blade|mustache|vue)\.x?html?$`)
