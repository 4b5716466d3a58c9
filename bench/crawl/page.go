package main

import (
	"fmt"
	"math/rand/v2"
	"path"
	"strings"
)

// pageSize is what every page weighs, within the length of a sentence.
const pageSize = 15 << 10

// footer ends every page.
const footer = "</main>\n<footer><p>Printed on paper from the timber of the valley.</p></footer>\n</body>\n</html>\n"

// render appends page i to a buffer.
func (s *site) render(page []byte, i int) []byte {
	r := random(i, forText)
	self := s.addresses[i]
	folder := folderOf(self.path)
	title := fmt.Sprintf("%s %s %s, number %d", word(r), word(r), word(r), i)
	page = fmt.Appendf(page, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>%s</title>\n",
		title)
	page = fmt.Appendf(page, "<meta name=\"description\" content=\"About the %s of the %s and the %s.\">\n", word(r),
		word(r), word(r))
	page = append(page, "<link rel=\"stylesheet\" href=\"/assets/style.css\">\n<script src=\"/assets/site.js\"></script>\n"...)
	page = s.appendDirections(page, self)
	if i%50 == 9 {
		folder = folderOf(s.addresses[i-9].path)
		page = fmt.Appendf(page, "<base href=\"%s\">\n", folder)
	}
	page = fmt.Appendf(page, "</head>\n<body>\n<main>\n<h1>%s</h1>\n<img src=\"/assets/picture-%d.png\" alt=\"%s\">\n",
		title, i%10, word(r))
	page = appendDecoy(page, i)
	links := s.links(i)
	start := len(page)
	room := pageSize - start - len(footer)
	for n, l := range links {
		page = append(page, "<p>"...)
		page = appendProse(page, start+room*(n*2+1)/(len(links)*2), r)
		page = s.appendLink(page, l, folder, r)
		page = appendProse(page, start+room*(n+1)/len(links)-len("</p>\n"), r)
		page = append(page, "</p>\n"...)
	}
	return append(page, footer...)
}

func folderOf(to string) string {
	place, _, _ := strings.Cut(to, "?")
	folder, _ := path.Split(place)
	return folder
}

// appendDirections says what search engines shall do with the page.
func (s *site) appendDirections(page []byte, self address) []byte {
	switch self.kind {
	case noindex:
		return append(page, "<meta name=\"robots\" content=\"noindex\">\n"...)
	case nofollowing:
		return append(page, "<meta name=\"ROBOTS\" content=\"NOFOLLOW\">\n"...)
	case elsewhere:
		return fmt.Appendf(page, "<link rel=\"canonical\" href=\"%s%s\">\n", s.base, escape(s.addresses[self.target].path))
	}
	if len(self.path)%2 == 0 {
		return fmt.Appendf(page, "<link rel=\"canonical\" href=\"%s%s\">\n", s.base, escape(self.path))
	}
	return page
}

func (s *site) appendLink(page []byte, l link, folder string, r *rand.Rand) []byte {
	page = append(page, "<a "...)
	if l.nofollow {
		page = append(page, `rel="noopener NoFollow" `...)
	}
	page = appendAttribute(page, s.spell(s.addresses[l.to].path, folder, r), r)
	return append(append(append(append(page, '>'), word(r)...), " "+word(r)...), "</a> "...)
}

// appendDecoy writes an address where it is not a link.
func appendDecoy(page []byte, i int) []byte {
	place, path := decoy(i)
	anchor := `<a href="` + path + `">more</a>`
	switch place {
	case "comment":
		return append(page, "<!-- > "+anchor+" -- > "+anchor+" -->\n"...)
	case "script":
		return append(page, "<script>var a = '"+anchor+"', b = \"<!-- \"; if (1 < 2) document.title = '"+anchor+
			"'</script>\n"...)
	case "style":
		return append(page, "<style>p::after { content: '"+anchor+"' }</style>\n"...)
	case "textarea":
		return append(page, "<textarea rows=3>"+anchor+"</textarea>\n"...)
	case "cdata":
		return append(page, "<p><![CDATA["+`<a href="`+path+`">more</a>`+"]]></p>\n"...)
	case "attribute":
		return append(page, "<p data-more='"+anchor+"' title=\"&lt;a href="+path+"&gt;\">more</p>\n"...)
	case "text":
		return append(page, "<p>Write &lt;a href=\""+path+"\"> for a link, or a < b href=\""+path+"\"</p>\n"...)
	}
	return page
}
