package main

import (
	"bufio"
	"encoding/xml"
	"io"
	"time"
)

// A page is how Go programs declare a URL for encoding/xml, with the extensions
// that the input has.
type page struct {
	Loc        string    `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 loc"`
	LastMod    time.Time `xml:"lastmod"`
	ChangeFreq string    `xml:"changefreq"`
	Priority   float32   `xml:"priority"`
	Links      []struct {
		Rel      string `xml:"rel,attr"`
		Hreflang string `xml:"hreflang,attr"`
		Href     string `xml:"href,attr"`
	} `xml:"http://www.w3.org/1999/xhtml link"`
	Images []struct {
		Loc   string `xml:"loc"`
		Title string `xml:"title"`
	} `xml:"http://www.google.com/schemas/sitemap-image/1.1 image"`
	Videos []video `xml:"http://www.google.com/schemas/sitemap-video/1.1 video"`
	News   []struct {
		Name     string `xml:"publication>name"`
		Language string `xml:"publication>language"`
		Date     string `xml:"publication_date"`
		Title    string `xml:"title"`
	} `xml:"http://www.google.com/schemas/sitemap-news/0.9 news"`
}

type video struct {
	ThumbnailLoc string `xml:"thumbnail_loc"`
	Title        string `xml:"title"`
	Description  string `xml:"description"`
	ContentLoc   string `xml:"content_loc"`
	Player       struct {
		Loc        string `xml:",chardata"`
		AllowEmbed string `xml:"allow_embed,attr"`
	} `xml:"player_loc"`
	Duration        string   `xml:"duration"`
	Rating          string   `xml:"rating"`
	ViewCount       string   `xml:"view_count"`
	PublicationDate string   `xml:"publication_date"`
	Tags            []string `xml:"tag"`
	FamilyFriendly  string   `xml:"family_friendly"`
	Restriction     struct {
		Relationship string `xml:"relationship,attr"`
		List         string `xml:",chardata"`
	} `xml:"restriction"`
	Live string `xml:"live"`
}

// structs decodes one URL after the other into a struct.
func structs(r io.Reader) (work, error) {
	decoder := xml.NewDecoder(bufio.NewReaderSize(r, 64<<10))
	var did work
	for {
		t, err := decoder.Token()
		if err == io.EOF {
			return did, nil
		}
		if err != nil {
			return did, err
		}
		start, ok := t.(xml.StartElement)
		if !ok || start.Name.Local != "url" {
			continue
		}
		var p page
		if err := decoder.DecodeElement(&p, &start); err != nil {
			return did, err
		}
		did.notePage(&p)
	}
}

func (did *work) notePage(p *page) {
	did.urls++
	did.loc += int64(len(p.Loc))
	did.lastmod += p.LastMod.Unix()
	did.objects += len(p.Links) + len(p.Images) + len(p.Videos) + len(p.News)
	for i := range p.Links {
		did.text += int64(len(p.Links[i].Href))
	}
	for i := range p.Images {
		did.text += int64(len(p.Images[i].Loc))
	}
	for i := range p.Videos {
		did.text += int64(len(p.Videos[i].ContentLoc))
	}
}
