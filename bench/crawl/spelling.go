package main

import (
	"fmt"
	"math/rand/v2"
	"net/url"
	"path"
	"strings"
)

// host is the name the site goes by.
const host = "localhost"

// origin is the scheme and authority of a site on a port.
func origin(port int) string {
	if port == 80 {
		return "http://" + host
	}
	return fmt.Sprint("http://", host, ":", port)
}

// spell writes a path as a page in folder may link to it.
func (s *site) spell(to, folder string, r *rand.Rand) string {
	switch r.IntN(14) {
	case 0, 1, 2:
		return to
	case 3, 4, 5:
		return relative(to, folder)
	case 6:
		return strings.Repeat("../", strings.Count(folder, "/")-1+r.IntN(2)) + "." + to
	case 7:
		return s.base + to
	case 8:
		return s.authority(r) + to
	case 9:
		return relative(to, folder) + fmt.Sprint("#section-", r.IntN(9))
	case 10:
		return dotted(to, r)
	case 11:
		return overEncoded(to, r)
	case 12:
		return unencoded(to)
	}
	return strings.TrimPrefix(s.base, "http:") + to
}

// authority spells scheme, host and port.
func (s *site) authority(r *rand.Rand) string {
	scheme := []string{"http", "HTTP", "Http"}[r.IntN(3)]
	name := []string{"localhost", "LOCALHOST", "LocalHost"}[r.IntN(3)]
	port := fmt.Sprint(":", s.port)
	if s.port == 80 && r.IntN(2) == 0 {
		port = ""
	}
	return scheme + "://" + name + port
}

// relative is the shortest way from a folder.
func relative(to, folder string) string {
	up := ""
	for !strings.HasPrefix(to, folder) {
		folder = folder[:strings.LastIndexByte(folder[:len(folder)-1], '/')+1]
		up += "../"
	}
	if rest := up + to[len(folder):]; rest != "" {
		return rest
	}
	return "./"
}

// dotted adds dot segments that change nothing.
func dotted(to string, r *rand.Rand) string {
	folder, name := path.Split(to)
	switch {
	case name == "" && r.IntN(2) == 0:
		return folder + "."
	case name == "":
		return folder + "other/.."
	case r.IntN(2) == 0:
		return folder + "./" + name
	}
	return folder + "other/../" + name
}

// overEncoded percent-encodes a letter that needs no encoding, and writes the digits of
// the others small.
func overEncoded(to string, r *rand.Rand) string {
	place, query, asked := strings.Cut(to, "?")
	folder, name := path.Split(place)
	var b strings.Builder
	b.WriteString(folder)
	for i := 0; i < len(name); i++ {
		switch c := name[i]; {
		case c == '%':
			b.WriteString(strings.ToLower(name[i : i+3]))
			i += 2
		case r.IntN(4) == 0 && c != '.':
			fmt.Fprintf(&b, "%%%02x", c)
		default:
			b.WriteByte(c)
		}
	}
	if asked {
		b.WriteString("?" + query)
	}
	return b.String()
}

// unencoded leaves it to the browser to percent-encode.
func unencoded(to string) string {
	place, query, asked := strings.Cut(to, "?")
	plain, err := url.PathUnescape(place)
	if err != nil {
		return to
	}
	if asked {
		plain += "?" + query
	}
	return plain
}

// appendAttribute writes href="..." in one of the ways HTML knows.
func appendAttribute(page []byte, value string, r *rand.Rand) []byte {
	switch r.IntN(30) {
	case 0:
		return append(append(append(page, `HREF='`...), escape(value)...), '\'')
	case 1:
		if !strings.ContainsAny(value, " \"'=<>`") {
			return append(append(page, `href=`...), escape(value)...)
		}
	case 2:
		return append(append(append(page, "href = \" "...), escape(value)...), "\n\""...)
	case 3:
		return append(append(append(page, `href="`...), entities(value, r)...), '"')
	case 4: // an ampersand that starts no character reference, since "=" follows
		return append(append(append(page, `href="`...), value...), '"')
	}
	return append(append(append(page, `href="`...), escape(value)...), '"')
}

func escape(value string) string {
	return strings.ReplaceAll(value, "&", "&amp;")
}

// entities writes some characters as character references.
func entities(value string, r *rand.Rand) string {
	var b strings.Builder
	for _, c := range value {
		switch {
		case c == '&':
			b.WriteString("&#38;")
		case c == '/' && r.IntN(2) == 0:
			b.WriteString("&#x2F;")
		case c == '.' && r.IntN(2) == 0:
			b.WriteString("&#46;")
		case c > 0x7f || r.IntN(8) == 0:
			fmt.Fprintf(&b, "&#%d;", c)
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}
