package publish

import (
	"bufio"
	"cmp"
	_ "embed" // the template
	"errors"
	"html/template"
	"maps"
	"net/url"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/urlnorm"
)

// linksPerPage is the number of links on one HTML page.
const linksPerPage = 1000

//go:embed sitemap.html.tmpl
var htmlText string

// htmlTemplates has the template in each language.
var htmlTemplates = sync.OnceValue(func() map[catalog.Language]*template.Template {
	all := map[catalog.Language]*template.Template{}
	for _, l := range catalog.Languages() {
		all[l] = template.Must(template.New("sitemap").Funcs(catalog.For(l).Functions()).Parse(htmlText))
	}
	return all
})

// htmlOutput writes pages of links for people. The footers need the number of pages, so
// they are written at the end.
type htmlOutput struct {
	files    *series
	template *template.Template
	home     string
	host     string
	links    []link // of the current page
	total    int
}

// link is a link to a page.
type link struct {
	Address string
	Title   string
	Path    string // below the title; empty if the title is the path
	folder  string
}

// section holds the links of one folder.
type section struct {
	Number int
	Folder string
	Count  int
	List   template.HTML
}

func newHTMLOutput(files *series, home, host string, l catalog.Language) *htmlOutput {
	return &htmlOutput{
		files: files, template: htmlTemplates()[catalog.For(l).Language()], home: home, host: host,
		links: make([]link, 0, linksPerPage),
	}
}

func (h *htmlOutput) write(p *Page) error {
	if len(h.links) == linksPerPage {
		if err := h.flush(); err != nil {
			return err
		}
	}
	h.links = append(h.links, h.link(p))
	h.total++
	return nil
}

func (h *htmlOutput) link(p *Page) link {
	origin, path := urlnorm.CutOrigin(p.Loc)
	l := link{Address: p.Loc, Title: p.Title, folder: folderOf(path)}
	if l.Title == "" {
		l.Title = readable(path)
	} else if l.folder == "/" {
		l.Path = readable(path)
	} else {
		l.Path = readable(strings.TrimPrefix(path, l.folder))
	}
	if _, host, _ := strings.Cut(origin, "://"); host != h.host {
		l.folder = host + l.folder
	}
	return l
}

// folderOf returns the path of the folder of a page. Like /shop, /shop/ is a page of
// the folder /.
func folderOf(path string) string {
	path, _, _ = strings.Cut(path, "?")
	path = strings.TrimSuffix(path, "/")
	return path[:max(strings.LastIndexByte(path, '/'), 0)] + "/"
}

// readable returns a path without percent-encoding.
func readable(path string) string {
	if decoded, err := url.PathUnescape(path); err == nil && utf8.ValidString(decoded) {
		return plainTitle(decoded)
	}
	return plainTitle(path)
}

// flush writes the current links as a page without its footer.
func (h *htmlOutput) flush() error {
	file, err := h.files.create()
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(file, 64<<10)
	cutSiteName(h.links)
	err = h.template.ExecuteTemplate(out, "page", map[string]any{
		"Host": h.host, "Home": h.home, "Number": h.files.count, "First": h.files.name(1), "Sections": h.sections(),
	})
	h.links = h.links[:0]
	return errors.Join(err, out.Flush(), file.Close())
}

// siteNameMarks precede the name of the site in titles such as "Chairs – Example Shop".
var siteNameMarks = []string{" – ", " — ", " | ", " - ", " · ", " • ", " » ", " :: "}

// cutSiteName removes the name of the site from the titles where most of them end with it.
func cutSiteName(links []link) {
	counts, titles := map[string]int{}, 0
	for i := range links {
		if links[i].Path != "" { // else its title is its path
			counts[siteName(links[i].Title)]++
			titles++
		}
	}
	delete(counts, "")
	for name, count := range counts {
		if count < 3 || count*2 <= titles {
			continue
		}
		for i := range links {
			if title, found := strings.CutSuffix(links[i].Title, name); found && title != "" {
				links[i].Title = title
			}
		}
	}
}

// siteName returns the end of a title that may be the name of the site, with the mark before
// it, or "".
func siteName(title string) string {
	last := -1
	for _, mark := range siteNameMarks {
		last = max(last, strings.LastIndex(title, mark))
	}
	if last <= 0 {
		return ""
	}
	return title[last:]
}

// sections groups the current links by folder. The stable sort keeps the order of links
// in a folder, whose URLs need not follow each other: /a, /b/c, /d.
func (h *htmlOutput) sections() (sections []section) {
	slices.SortStableFunc(h.links, func(a, b link) int { return cmp.Compare(a.folder, b.folder) })
	for from := 0; from < len(h.links); {
		to := from + 1
		for to < len(h.links) && h.links[to].folder == h.links[from].folder {
			to++
		}
		sections = append(sections, section{len(sections) + 1, readable(h.links[from].folder), to - from,
			list(h.links[from:to])})
		from = to
	}
	return sections
}

// list writes the items of a list. The template takes twenty times as long, because it
// finds the right escaping again for every item.
func list(links []link) template.HTML {
	var b strings.Builder
	for i := range links {
		l := &links[i]
		b.WriteString(`<li><a href="`)
		template.HTMLEscape(&b, []byte(l.Address)) // http or https, checked by Run
		b.WriteString(`" dir="auto">`)
		template.HTMLEscape(&b, []byte(l.Title))
		b.WriteString("</a>")
		if l.Path != "" {
			b.WriteString("<span>")
			template.HTMLEscape(&b, []byte(l.Path))
			b.WriteString("</span>")
		}
		b.WriteString("</li>\n")
	}
	return template.HTML(b.String())
}

func (h *htmlOutput) prepare() error {
	if err := h.flush(); err != nil {
		return err
	}
	for number := 1; number <= h.files.count; number++ {
		if err := h.finish(number); err != nil {
			return err
		}
	}
	return nil
}

// pageLink is a link to another HTML page. Without a name it is an ellipsis.
type pageLink struct {
	Number int
	Name   string
	Here   bool
}

// finish writes the footer of a page.
func (h *htmlOutput) finish(number int) error {
	file, err := h.files.reopen(number)
	if err != nil {
		return err
	}
	footer := map[string]any{"Total": h.total, "Number": number, "Count": h.files.count, "Places": h.pageLinks(number)}
	if number > 1 {
		footer["Previous"] = h.files.name(number - 1)
	}
	if number < h.files.count {
		footer["Next"] = h.files.name(number + 1)
	}
	if err := h.template.ExecuteTemplate(file, "footer", footer); err != nil {
		return errors.Join(err, file.Close())
	}
	return syncAndClose(file)
}

// pageLinks returns the links of an HTML page: to the first and last page, the pages
// around it, and pages at growing distances, so that few steps reach any page.
func (h *htmlOutput) pageLinks(here int) (places []pageLink) {
	numbers := map[int]bool{1: true, h.files.count: true, here: true}
	for distance := 1; distance < h.files.count; distance = nextDistance(distance) {
		numbers[here-distance], numbers[here+distance] = true, true
	}
	before := 0
	for _, number := range slices.Sorted(maps.Keys(numbers)) {
		if number < 1 || number > h.files.count {
			continue
		}
		if number > before+1 {
			places = append(places, pageLink{})
		}
		places = append(places, pageLink{number, h.files.name(number), number == here})
		before = number
	}
	return places
}

// nextDistance returns the distance after one of 1, 2, 10, 50, 250 …
func nextDistance(distance int) int {
	if distance == 1 {
		return 2
	}
	return distance * 5
}
