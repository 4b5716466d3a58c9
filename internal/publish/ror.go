package publish

import (
	"bufio"
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/mapatools/mapa/sitemap"
)

// rorOutput writes ROR (Resources of a Resource), an RSS feed of all pages with
// additional elements (http://rorweb.com/create-ror-file-rss.htm). The first item
// is the sitemap. The other items are its resources.
type rorOutput struct {
	files *series
	home  string
	file  *os.File
	out   *bufio.Writer
	text  []byte // buffer for one element
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
	var home strings.Builder
	_ = xml.EscapeText(&home, []byte(r.home)) // a Builder returns no error
	_, err = fmt.Fprintf(r.out, rorHead, home.String())
	return err
}

// rorPeriods maps changefreq to ROR. ROR has no words for always and never.
var rorPeriods = map[sitemap.ChangeFreq]string{
	sitemap.ChangeFreqHourly: "hour", sitemap.ChangeFreqDaily: "day", sitemap.ChangeFreqWeekly: "week",
	sitemap.ChangeFreqMonthly: "month", sitemap.ChangeFreqYearly: "year",
}

func (r *rorOutput) write(p *Page) error {
	if r.file == nil {
		if err := r.open(); err != nil {
			return err
		}
	}
	r.out.WriteString("<item>")
	r.element("link", p.Loc)
	r.element("title", cmp.Or(p.Title, p.Loc))
	if !p.LastMod.IsZero() {
		r.element("ror:updated", p.LastMod.String())
	}
	if period := rorPeriods[p.ChangeFreq]; period != "" {
		r.element("ror:updatePeriod", period)
	}
	if p.Depth >= 0 {
		r.element("ror:sortOrder", strconv.Itoa(p.Depth))
	}
	r.element("ror:resourceOf", "sitemap")
	_, err := r.out.WriteString("</item>\n") // the writer keeps earlier errors
	return err
}

func (r *rorOutput) element(name, text string) {
	r.text = append(append(append(r.text[:0], '<'), name...), '>')
	tag := len(r.text)
	r.text = append(r.text, text...)
	r.out.Write(r.text[:tag])
	_ = xml.EscapeText(r.out, r.text[tag:])
	r.text = append(append(append(r.text[:0], "</"...), name...), '>')
	r.out.Write(r.text)
}

func (r *rorOutput) prepare() error {
	if r.file == nil {
		if err := r.open(); err != nil {
			return err
		}
	}
	_, err := r.out.WriteString(rorTail)
	return errors.Join(err, r.out.Flush(), syncAndClose(r.file))
}
