package main

import (
	"fmt"
	"strconv"
)

// heavyRecord is a page of a shop or newspaper, about 2.5 KB: eight languages
// and four images each, a video on every other, an article on every third.
func heavyRecord(dst []byte, i int) []byte {
	dst = appendLoc(append(dst, "  <url>\n    <loc>"...), i)
	dst = appendFields(append(dst, "</loc>\n"...), i)
	dst = appendAlternates(dst, i)
	for n := range 4 {
		dst = appendImage(dst, i, n)
	}
	if i%2 == 0 {
		dst = appendVideo(dst, i)
	}
	if i%3 == 0 {
		dst = appendNews(dst, i)
	}
	return append(dst, "  </url>\n"...)
}

func appendAlternates(dst []byte, i int) []byte {
	for _, language := range []string{"en", "de", "fr", "es", "it", "pt-BR", "ja", "x-default"} {
		dst = fmt.Appendf(dst, "    <xhtml:link rel=\"alternate\" hreflang=\"%s\" href=\"https://www.example.com/%s/%s-%d.html\"/>\n",
			language, language, pick(i, 2, things), i)
	}
	return dst
}

func appendImage(dst []byte, i, n int) []byte {
	dst = append(dst, "    <image:image>\n      <image:loc>https://cdn.example.com/"...)
	dst = append(append(dst, pick(i, uint64(n), things)...), '/')
	dst = strconv.AppendInt(dst, int64(i*4+n), 10)
	dst = append(dst, ".jpg?width=1200&amp;height=800</image:loc>\n      <image:title>"...)
	dst = append(dst, pick(i, uint64(n)+7, things)...)
	return append(dst, " seen from the side</image:title>\n    </image:image>\n"...)
}

func appendVideo(dst []byte, i int) []byte {
	return fmt.Appendf(dst, `    <video:video>
      <video:thumbnail_loc>https://cdn.example.com/thumbnails/%d.jpg</video:thumbnail_loc>
      <video:title>How to put the %s together</video:title>
      <video:description>Twelve screws, one key &amp; ten minutes: the %s from the %s department stands before the coffee is cold.</video:description>
      <video:content_loc>https://cdn.example.com/videos/%d.mp4</video:content_loc>
      <video:player_loc allow_embed="yes">https://www.example.com/player?video=%d&amp;size=large</video:player_loc>
      <video:duration>%d</video:duration>
      <video:rating>4.2</video:rating>
      <video:view_count>%d</video:view_count>
      <video:publication_date>%s</video:publication_date>
      <video:family_friendly>yes</video:family_friendly>
      <video:restriction relationship="allow">IE GB US CA</video:restriction>
      <video:live>no</video:live>
      <video:tag>furniture</video:tag>
      <video:tag>assembly</video:tag>
    </video:video>
`, i, pick(i, 2, things), pick(i, 2, things), pick(i, 1, sections), i, i, 30+i%600, hash(i)%100_000,
		modified(i).Format("2006-01-02T15:04:05-07:00"))
}

func appendNews(dst []byte, i int) []byte {
	return fmt.Appendf(dst, `    <news:news>
      <news:publication>
        <news:name>The Example Times</news:name>
        <news:language>en</news:language>
      </news:publication>
      <news:publication_date>%s</news:publication_date>
      <news:title>Why everybody wants a %s in the %s now</news:title>
    </news:news>
`, modified(i).Format("2006-01-02"), pick(i, 2, things), pick(i, 1, sections))
}
