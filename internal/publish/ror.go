package publish

import (
	"bufio"
	"encoding/xml"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/mapatools/mapa/sitemap"
)

// A rorOutput writes ROR, Resources of a Resource: an RSS feed of all pages with
// elements of its own (http://rorweb.com/create-ror-file-rss.htm). The first item
// is the sitemap, which the others are resources of.
type rorOutput struct {
	files *series
	home  string
	file  *os.File
	out   *bufio.Writer
}

func newROROutput(files *series, home string) *rorOutput { return &rorOutput{files: files, home: home} }

const rorHead = xml.Header + `<rss version="2.0" xmlns:ror="http://rorweb.com/0.1/">
<channel>
<title>ROR Sitemap for %[1]s</title>
<link>%[1]s</link>
<description>Pages of %[1]s</description>
<item>
<title>ROR Sitemap for %[1]s</title>
<link>%[1]s</link>
<ror:about>sitemap</ror:about>
<ror:type>SiteMap</ror:type>
</item>
`

const rorTail = "</channel>\n</rss>\n"

func (r *rorOutput) open() (err error) {
	if r.file, err = r.files.create(); err != nil {
		return err
	}
	r.out = bufio.NewWriterSize(r.file, 64<<10)
	_, err = fmt.Fprintf(r.out, rorHead, escaped(r.home))
	return err
}

func escaped(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // a Builder has no error
	return b.String()
}

// A rorItem is an item, its elements in the usual order.
type rorItem struct {
	XMLName      struct{} `xml:"item"`
	Link         string   `xml:"link"`
	Title        string   `xml:"title"`
	Updated      string   `xml:"ror:updated,omitempty"`
	UpdatePeriod string   `xml:"ror:updatePeriod,omitempty"`
	SortOrder    string   `xml:"ror:sortOrder,omitempty"`
	ResourceOf   string   `xml:"ror:resourceOf"`
}

// rorPeriods are the words of ROR for changefreq; it has none for always and never.
var rorPeriods = map[sitemap.ChangeFreq]string{
	sitemap.Hourly: "hour", sitemap.Daily: "day", sitemap.Weekly: "week", sitemap.Monthly: "month", sitemap.Yearly: "year",
}

func (r *rorOutput) write(p *Page) error {
	if r.file == nil {
		if err := r.open(); err != nil {
			return err
		}
	}
	item := rorItem{
		Link:         p.Loc,
		Title:        p.Title,
		UpdatePeriod: rorPeriods[p.ChangeFreq],
		ResourceOf:   "sitemap",
	}
	if item.Title == "" {
		item.Title = p.Loc
	}
	if p.Depth >= 0 {
		item.SortOrder = strconv.Itoa(p.Depth)
	}
	if !p.LastMod.IsZero() {
		item.Updated = p.LastMod.String()
	}
	text, err := xml.Marshal(item)
	if err != nil {
		return err
	}
	_, err = r.out.Write(append(text, '\n'))
	return err
}

func (r *rorOutput) prepare() error {
	if r.file == nil {
		if err := r.open(); err != nil {
			return err
		}
	}
	_, err := r.out.WriteString(rorTail)
	return errors.Join(err, r.out.Flush(), settle(r.file))
}
