package main

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
)

// A recipe is a page of docs/recipes with its site in testdata.
type recipe struct {
	name    string
	sitemap string   // the sitemap that the commands of the page write
	own     string   // what `mapa list` reads to list the framework's own sitemap; "" without one
	needs   []need   // what make test-recipes installs, besides npm packages
	server  []string // the command that serves the site, where the page does not start one
	url     string   // of that server
}

// A need is a program or a file, and the Debian package that has it.
type need struct{ name, debian string }

func (n need) String() string { return n.name + " of Debian's package " + n.debian }

// bashNeeds are what every recipe needs.
var bashNeeds = []need{{"bash", "bash"}, {"git", "git"}, {"curl", "curl"}}

var npm = []need{{"npm", "npm"}}

var recipes = []recipe{
	{name: "next", sitemap: "out/sitemap.xml", needs: npm},
	{name: "nuxt", sitemap: ".output/public/sitemap.xml", own: ".output/public/sitemap.xml", needs: npm},
	{name: "astro", sitemap: "dist/sitemap.xml", own: "dist/sitemap-0.xml", needs: npm},
	{name: "docusaurus", sitemap: "build/sitemap.xml", own: "build/sitemap.xml", needs: npm},
	{name: "vitepress", sitemap: ".vitepress/dist/sitemap.xml", own: ".vitepress/dist/sitemap.xml", needs: npm},
	{name: "hugo", sitemap: "public/sitemap.xml", own: "public/sitemap.xml", needs: []need{{"hugo", "hugo"}}},
	{name: "jekyll", sitemap: "_site/sitemap.xml", own: "_site/sitemap.xml", needs: []need{
		{"jekyll", "jekyll"},
		{"/usr/share/doc/ruby-jekyll-sitemap", "ruby-jekyll-sitemap"},
		{"/usr/share/doc/ruby-jekyll-redirect-from", "ruby-jekyll-redirect-from"},
	}},
	{name: "mkdocs", sitemap: "site/sitemap.xml", own: "site/sitemap.xml", needs: []need{
		{"mkdocs", "mkdocs"}, {"/usr/share/doc/mkdocs-redirects", "mkdocs-redirects"},
	}},
	{name: "sphinx", sitemap: "_build/html/sitemap.xml", own: "_build/html/sitemap.xml", needs: []need{
		{"sphinx-build", "python3-sphinx"}, {"/usr/share/doc/python3-sphinx-sitemap", "python3-sphinx-sitemap"},
	}},
	{name: "wordpress", sitemap: "crawl/sitemap.xml", own: "http://127.0.0.1:8080/wp-sitemap.xml",
		server: []string{"sh", "start.sh"}, url: "http://127.0.0.1:8080/",
		needs: []need{
			{"/usr/share/wordpress", "wordpress"}, {"php", "php-cli"}, {"/usr/share/doc/php-mysql", "php-mysql"},
			{"mariadbd", "mariadb-server"},
		}},
	{name: "django", sitemap: "crawl/sitemap.xml", own: "http://127.0.0.1:8000/sitemap.xml",
		needs: []need{{"python3", "python3"}, {"/usr/share/doc/python3-django", "python3-django"}}},
}

// missing returns what the recipe needs and this machine lacks.
func (r *recipe) missing() (missing []need) {
	for _, n := range slices.Concat(bashNeeds, r.needs) {
		_, err := exec.LookPath(n.name)
		if strings.HasPrefix(n.name, "/") {
			_, err = os.Stat(n.name)
		}
		if err != nil {
			missing = append(missing, n)
		}
	}
	return missing
}

// A page is what a page of docs/recipes says to type.
type page struct {
	commands string // its first block of commands
	robots   string // the robots.txt that they name, or ""
}

var (
	block   = regexp.MustCompile("(?s)```sh\n(.*?)```")
	crawl   = regexp.MustCompile(`(?m)^mapa crawl (\S+.*)$`)
	npx     = regexp.MustCompile(`npx @mapatools/mapa crawl ([^"\n]*)`)
	input   = regexp.MustCompile(`(?m)^ +(folder|base-url|fail-on|args): (.*)$`)
	robots  = regexp.MustCompile(`--robots-txt (\S+)`)
	comment = regexp.MustCompile(` +# .*`)
)

// maxLines is how many lines a page may have.
const maxLines = 40

// readPage reads a page. What it says for CI has to be what its commands say.
func readPage(name string) (page, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return page{}, err
	}
	if lines := strings.Count(string(text), "\n"); lines > maxLines {
		return page{}, fmt.Errorf("%s has %d lines, more than %d", name, lines, maxLines)
	}
	found := block.FindStringSubmatch(string(text))
	if found == nil {
		return page{}, fmt.Errorf("%s has no block of commands", name)
	}
	p := page{commands: comment.ReplaceAllString(found[1], "")}
	crawled := crawl.FindStringSubmatch(strings.ReplaceAll(p.commands, "'", ""))
	if crawled == nil {
		return page{}, fmt.Errorf("%s has no mapa crawl", name)
	}
	typed := crawled[1] + " "
	if found := robots.FindStringSubmatch(typed); found != nil {
		p.robots = found[1]
	}
	for _, other := range npx.FindAllStringSubmatch(string(text), -1) {
		if other[1]+" " != typed {
			return page{}, fmt.Errorf("%s: npx crawls %s, the commands %s", name, other[1], typed)
		}
	}
	for _, other := range input.FindAllStringSubmatch(string(text), -1) {
		if !hasInput(typed, other[1], other[2]) {
			return page{}, fmt.Errorf("%s: the commands have no %s %s, which the action has", name, other[1], other[2])
		}
	}
	return p, nil
}

// hasInput reports whether the arguments of a crawl, each followed by a space, have an input of
// the action.
func hasInput(typed, input, value string) bool {
	switch input {
	case "folder":
		return strings.HasPrefix(typed, value+" ")
	case "args":
		return strings.Contains(typed, " "+value+" ")
	}
	return strings.Contains(typed, " --"+input+" "+value+" ")
}

// script returns the commands of a page. Before the first of Mapa it lists the framework's own
// sitemap, which Mapa may replace.
func (p *page) script(own string) string {
	if own == "" {
		return p.commands
	}
	at := regexp.MustCompile(`(?m)^mapa `).FindStringIndex(p.commands)[0]
	return p.commands[:at] + "mapa list --format jsonl " + own + " > " + ownList + "\n" + p.commands[at:]
}
