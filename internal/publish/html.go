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
)

// linksPerPage is how many links one HTML page has.
const linksPerPage = 1000

//go:embed sitemap.html.tmpl
var htmlText string

var htmlTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("sitemap").Parse(htmlText))
})

// An htmlOutput writes pages of links for people. Only at the end is known how
// many pages there are, so that is when each gets its footer.
type htmlOutput struct {
	files *series
	home  string
	host  string
	links []link // of the page at hand
	total int
}

// A link is a page as people see it.
type link struct {
	Address string
	Title   string
	Path    string // in the folder, below the title; empty where it is the title
	folder  string
}

// A section is the links of one folder.
type section struct {
	Number int
	Folder string
	Count  int
	List   template.HTML
}

func newHTMLOutput(files *series, home, host string) *htmlOutput {
	return &htmlOutput{files: files, home: home, host: host, links: make([]link, 0, linksPerPage)}
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
	path := pathOf(p.Loc)
	l := link{Address: p.Loc, Title: p.Title, folder: folderOf(path)}
	if l.Title == "" {
		l.Title = readable(path)
	} else if l.folder == "/" {
		l.Path = readable(path)
	} else {
		l.Path = readable(strings.TrimPrefix(path, l.folder))
	}
	if host := hostOf(p.Loc); host != h.host {
		l.folder = host + l.folder
	}
	return l
}

// folderOf returns the path of the folder that holds a page. /shop/ is a page of
// the folder / as /shop is.
func folderOf(path string) string {
	path, _, _ = strings.Cut(path, "?")
	path = strings.TrimSuffix(path, "/")
	return path[:max(strings.LastIndexByte(path, '/'), 0)] + "/"
}

// readable returns a path as people read it.
func readable(path string) string {
	if decoded, err := url.PathUnescape(path); err == nil && utf8.ValidString(decoded) {
		return plainTitle(decoded)
	}
	return plainTitle(path)
}

// flush writes the links at hand as a page without its footer.
func (h *htmlOutput) flush() error {
	file, err := h.files.create()
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(file, 64<<10)
	err = htmlTemplate().ExecuteTemplate(out, "page", map[string]any{
		"Host": h.host, "Home": h.home, "Number": h.files.count, "First": h.files.name(1), "Sections": h.sections(),
	})
	h.links = h.links[:0]
	return errors.Join(err, out.Flush(), file.Close())
}

// sections groups the links at hand by folder. The sort keeps their order, and
// brings together what lies apart in the order of addresses: /a, /b/c, /d.
func (h *htmlOutput) sections() (sections []section) {
	slices.SortStableFunc(h.links, func(a, b link) int { return cmp.Compare(a.folder, b.folder) })
	for from := 0; from < len(h.links); {
		to := from + 1
		for to < len(h.links) && h.links[to].folder == h.links[from].folder {
			to++
		}
		sections = append(sections, section{len(sections) + 1, readable(h.links[from].folder), to - from, list(h.links[from:to])})
		from = to
	}
	return sections
}

// list writes the items of a list. The template would take twenty times as long,
// finding out for each what an address and a text have to be escaped for.
func list(links []link) template.HTML {
	var b strings.Builder
	for i := range links {
		l := &links[i]
		b.WriteString(`<li><a href="`)
		template.HTMLEscape(&b, []byte(l.Address)) // http or https, as it was let in
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

// A pageLink is a page of the list as its neighbours show it; one without a name
// stands for those left out.
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
	if err := htmlTemplate().ExecuteTemplate(file, "footer", footer); err != nil {
		return errors.Join(err, file.Close())
	}
	return syncAndClose(file)
}

// pageLinks are the pages that a page leads to: the first, the last, those around it,
// and from there on ones ever farther away, so that any is reached in a few steps.
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

// nextDistance goes through 1, 2, 10, 50, 250 and so on.
func nextDistance(distance int) int {
	if distance == 1 {
		return 2
	}
	return distance * 5
}
