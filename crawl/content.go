package crawl

import (
	"bytes"
	"strings"

	"github.com/mapatools/mapa/internal/content"
	"github.com/mapatools/mapa/internal/extract"
	"github.com/mapatools/mapa/internal/format"
)

// differenceOf returns what differs between a page and what an earlier crawl found. Only what both have is compared.
func differenceOf(page, earlier *Page) (d content.Difference) {
	if extract.IsHTML(page.MediaType) != extract.IsHTML(earlier.MediaType) {
		d.Sums[0] = 1
		return d
	}
	if !extract.IsHTML(page.MediaType) {
		if page.Body != 0 && earlier.Body != 0 {
			d.Sums[0] = page.Body - earlier.Body
		}
		return d
	}
	sums := page.Content.Minus(&earlier.Content)
	copy(d.Sums[:], sums[:])
	if page.Digest != 0 && earlier.Digest != 0 && earlier.Content.Version == 0 {
		d.Sums[0] = page.Digest - earlier.Digest
	}
	d.Sums[content.PartTitle.Index()] = titleChange(earlier.Title, page.Title)
	if page.Facts != nil && earlier.Facts != nil {
		d.Sums[content.PartDescription.Index()] = hashOf(page.Facts.Description) - hashOf(earlier.Facts.Description)
	}
	return d
}

// titleChange returns a hash of the part of a title that is another one, 0 where none is: the name of the site, where
// that changed.
func titleChange(before, after string) uint64 {
	if before == after {
		return 0
	}
	before, after = format.Edit(before, after)
	return max(hashOf(before+"\n"+after), 1)
}

func hashOf(text string) uint64 { return hashBody([]byte(text)) }

// sumPictures sets the sums of what was extracted, apart from the links, and what the page shows and offers.
func (w *worker) sumPictures(x *extracted) {
	sums := &x.html.Content
	w.pictures.Reset()
	w.files.Reset()
	for i := range x.html.Links {
		link := &x.html.Links[i]
		switch {
		case link.Kind <= extract.KindArea && isFile(link.URL):
			w.files.Add(extract.HashAddress(w.absolute(x.base, link.URL)))
		case link.Part == extract.PartAside:
		case isPicture(link):
			if bytes.HasPrefix(link.URL, []byte("data:")) {
				w.pictures.Add(hashBody(link.URL))
				continue
			}
			if address := w.absolute(x.base, link.URL); address != nil {
				hash := extract.HashAddress(address)
				if !bytes.Equal(link.Text, link.URL) { // as generators write it where there is no text
					hash += hashBody(link.Text)
				}
				w.pictures.Add(hash)
			}
		}
	}
	x.page.Content = content.Sums{
		Version: content.Version, Text: sums.Text, Numbers: sums.Numbers, Places: sums.Places, Today: sums.Today,
		Pictures: w.pictures.Total, Files: w.files.Total, Data: sums.Data, Prices: sums.Prices,
	}
}

// isPicture reports whether a link is an image that browsers show by default, a video or a frame.
func isPicture(link *extract.Link) bool {
	switch link.Kind {
	case extract.KindImage:
		return link.Shown || link.Load == extract.LoadPassive
	case extract.KindMedia, extract.KindFrame:
		return true
	}
	return false
}

// absolute makes a link absolute in a buffer that the next call uses again.
func (w *worker) absolute(base, link []byte) []byte {
	resolver, ok := w.resolver.baseOf(base)
	if !ok {
		return nil
	}
	address, err := resolver.AppendResolve(w.scratch[:0], link)
	if err != nil {
		return nil
	}
	if w.address != nil {
		address = w.address.toPublic(address, 0, link)
	}
	w.scratch = address
	return address
}

// isFile reports whether a link leads to a file that people open apart from the page.
func isFile(link []byte) bool {
	const longest = len(".webm")
	ending := link[max(len(link)-longest, 0):]
	dot := bytes.LastIndexByte(ending, '.')
	if dot < 0 {
		return false
	}
	switch strings.ToLower(string(ending[dot+1:])) {
	case "pdf", "zip", "epub", "doc", "docx", "odt", "xls", "xlsx", "ods", "csv", "ppt", "pptx", "mp3", "mp4", "ogg",
		"webm", "gz", "exe", "dmg", "iso", "svg", "jpg", "jpeg", "png", "gif", "webp":
		return true
	}
	return false
}

// isContact reports whether a link is a telephone number or a mail address.
func isContact(link []byte) bool {
	if len(link) == 0 || link[0]|' ' != 't' && link[0]|' ' != 'm' {
		return false
	}
	for _, scheme := range [...]string{"tel:", "mailto:"} {
		if len(link) > len(scheme) && strings.EqualFold(string(link[:len(scheme)]), scheme) {
			return true
		}
	}
	return false
}

// sumLinks sets the sum of the links in the main content, which were resolved.
func (w *worker) sumLinks(x *extracted, page *Page) {
	w.links.Reset()
	part := extract.PartContent
	if x.html.InMain {
		part = extract.PartMain
	}
	own := w.resolver.key(w.pageURL)
	for i := range w.found {
		link := &w.found[i]
		if link.edge == noEdge || link.part < part || w.edges[link.edge].Kind > EdgeArea {
			continue
		}
		address := w.resolver.bytes(link.url.at)
		switch {
		case link.url.key == own:
			w.links.Add(extract.ThisPage)
		case link.detail == DetailOtherSite:
			host, _ := splitURL(address)
			w.links.Add(hashBody(host))
		case link.url.session:
			w.links.Add(extract.HashAddress([]byte(w.resolver.stripped(string(address)))))
		default:
			w.links.Add(extract.HashAddress(address))
		}
	}
	for i := range x.html.Links {
		link := &x.html.Links[i]
		if link.Kind <= extract.KindArea && link.Part >= part && isContact(link.URL) {
			w.links.Add(hashBody(link.URL))
		}
	}
	page.Content.Links = w.links.Total + x.html.Content.LinkText
}
