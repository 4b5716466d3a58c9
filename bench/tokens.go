package main

import (
	"bufio"
	"bytes"
	"encoding/xml"
	"io"
	"time"
)

// tokens is what a careful Go program does with the standard library: a loop
// over encoding/xml's tokens that builds no structs and uses its memory again.
func tokens(r io.Reader) (work, error) { return loop(r, false) }

// objectTokens takes the extensions into account as well.
func objectTokens(r io.Reader) (work, error) { return loop(r, true) }

const sitemapSpace = "http://www.sitemaps.org/schemas/sitemap/0.9"

func loop(r io.Reader, extensions bool) (work, error) {
	decoder := xml.NewDecoder(bufio.NewReaderSize(r, 64<<10))
	var did work
	var text []byte
	for {
		t, err := decoder.Token()
		if err == io.EOF {
			return did, nil
		}
		if err != nil {
			return did, err
		}
		switch t := t.(type) {
		case xml.StartElement:
			text = text[:0]
			if extensions {
				did.start(t)
			}
		case xml.CharData:
			text = append(text, t...)
		case xml.EndElement:
			if err := did.end(t.Name, bytes.TrimSpace(text)); err != nil {
				return did, err
			}
			if extensions {
				did.endExtension(t.Name, bytes.TrimSpace(text))
			}
			text = text[:0]
		}
	}
}

// end takes an element of the protocol into account whose text is complete.
func (did *work) end(name xml.Name, text []byte) error {
	if name.Space != sitemapSpace {
		return nil
	}
	switch name.Local {
	case "loc":
		did.urls++
		did.loc += int64(len(text))
	case "lastmod":
		date, err := time.Parse(time.RFC3339, string(text))
		did.lastmod += date.Unix()
		return err
	}
	return nil
}

func (did *work) start(t xml.StartElement) {
	switch t.Name.Local {
	case "image", "video", "news":
		did.objects++
	case "link":
		did.objects++
		for _, a := range t.Attr {
			if a.Name.Local == "href" {
				did.text += int64(len(a.Value))
			}
		}
	}
}

func (did *work) endExtension(name xml.Name, text []byte) {
	if name.Space != sitemapSpace && (name.Local == "loc" || name.Local == "content_loc") {
		did.text += int64(len(text))
	}
}
