package sitemap

import (
	"github.com/mapatools/mapa/sitemap/internal/xmlscan"
)

func (p *extensionParser) image(t xmlscan.Token, i *Image) (int, error) {
	return p.each(t, imageOrder, func(local []byte, t xmlscan.Token) (int, error) {
		switch string(local) {
		case "loc":
			return p.leaf(t, &i.Loc)
		case "caption":
			return p.leaf(t, &i.Caption)
		case "geo_location":
			return p.leaf(t, &i.GeoLocation)
		case "title":
			return p.leaf(t, &i.Title)
		case "license":
			return p.leaf(t, &i.License)
		}
		return p.verbatim(t, &i.Other)
	})
}

func (p *extensionParser) news(t xmlscan.Token, n *News) (int, error) {
	return p.each(t, newsOrder, func(local []byte, t xmlscan.Token) (int, error) {
		switch string(local) {
		case "publication":
			return p.each(t, publicationOrder, func(local []byte, t xmlscan.Token) (int, error) {
				switch string(local) {
				case "name":
					return p.leaf(t, &n.PublicationName)
				case "language":
					return p.leaf(t, &n.PublicationLanguage)
				}
				return p.verbatim(t, &n.Other)
			})
		case "publication_date":
			return p.leaf(t, &n.PublicationDate)
		case "title":
			return p.leaf(t, &n.Title)
		case "access":
			return p.leaf(t, &n.Access)
		case "genres":
			return p.leaf(t, &n.Genres)
		case "keywords":
			return p.leaf(t, &n.Keywords)
		case "stock_tickers":
			return p.leaf(t, &n.StockTickers)
		}
		return p.verbatim(t, &n.Other)
	})
}

func (p *extensionParser) video(t xmlscan.Token, v *Video) (int, error) {
	return p.each(t, videoOrder, func(local []byte, t xmlscan.Token) (int, error) {
		if into := v.text(local); into != nil {
			return p.leaf(t, into)
		}
		return p.videoPart(local, t, v)
	})
}

// text returns where the text of a child without attributes goes, or nil.
func (v *Video) text(local []byte) *string {
	switch string(local) {
	case "thumbnail_loc":
		return &v.ThumbnailLoc
	case "title":
		return &v.Title
	case "description":
		return &v.Description
	case "content_loc":
		return &v.ContentLoc
	case "duration":
		return &v.Duration
	case "expiration_date":
		return &v.ExpirationDate
	case "rating":
		return &v.Rating
	case "view_count":
		return &v.ViewCount
	case "publication_date":
		return &v.PublicationDate
	case "category":
		return &v.Category
	case "family_friendly":
		return &v.FamilyFriendly
	case "requires_subscription":
		return &v.RequiresSubscription
	case "live":
		return &v.Live
	}
	return nil
}

// videoPart reads the children that repeat or have attributes.
func (p *extensionParser) videoPart(local []byte, t xmlscan.Token, v *Video) (int, error) {
	switch string(local) {
	case "tag":
		if v.Tags == nil {
			v.Tags = make([]string, 0, 8)
		}
		v.Tags = append(v.Tags, "")
		return p.leaf(t, &v.Tags[len(v.Tags)-1])
	case "player_loc":
		return p.described(t, &v.Player.Loc, target{"allow_embed", &v.Player.AllowEmbed},
			target{"autoplay", &v.Player.Autoplay})
	case "restriction":
		return p.described(t, &v.Restriction.List, target{"relationship", &v.Restriction.Relationship})
	case "platform":
		return p.described(t, &v.Platform.List, target{"relationship", &v.Platform.Relationship})
	case "uploader":
		return p.described(t, &v.Uploader.Name, target{"info", &v.Uploader.Info})
	case "gallery_loc":
		return p.described(t, &v.Gallery.Loc, target{"title", &v.Gallery.Title})
	case "content_segment_loc":
		var s ContentSegment
		end, err := p.described(t, &s.Loc, target{"duration", &s.Duration})
		v.ContentSegments = append(v.ContentSegments, s)
		return end, err
	case "price":
		var price Price
		end, err := p.described(t, &price.Amount,
			target{"currency", &price.Currency}, target{"type", &price.Type}, target{"resolution", &price.Resolution})
		v.Prices = append(v.Prices, price)
		return end, err
	case "id":
		var id VideoID
		end, err := p.described(t, &id.Value, target{"type", &id.Type})
		v.IDs = append(v.IDs, id)
		return end, err
	case "tvshow":
		if v.TVShow != nil {
			p.report(FaultDuplicateChild, t.NameAt, excerpt(t.Name(p.b)))
			return p.skip(t)
		}
		v.TVShow = &TVShow{}
		return p.tvShow(t, v.TVShow)
	}
	return p.verbatim(t, &v.Other)
}

// A target is where the value of an attribute goes.
type target struct {
	name string
	into *string
}

// described reads an element with a text and attributes; like the text, an
// attribute that was there before stays.
func (p *extensionParser) described(t xmlscan.Token, text *string, attributes ...target) (int, error) {
	err := p.eachAttribute(t, func(name []byte, value string) {
		for _, a := range attributes {
			if a.name == string(name) && *a.into == "" {
				*a.into = value
			}
		}
	})
	if err != nil {
		return 0, err
	}
	return p.leaf(t, text)
}

func (p *extensionParser) tvShow(t xmlscan.Token, s *TVShow) (int, error) {
	return p.each(t, showOrder, func(local []byte, t xmlscan.Token) (int, error) {
		switch string(local) {
		case "show_title":
			return p.leaf(t, &s.ShowTitle)
		case "video_type":
			return p.leaf(t, &s.VideoType)
		case "episode_title":
			return p.leaf(t, &s.EpisodeTitle)
		case "season_number":
			return p.leaf(t, &s.SeasonNumber)
		case "episode_number":
			return p.leaf(t, &s.EpisodeNumber)
		case "premier_date":
			return p.leaf(t, &s.PremierDate)
		}
		return p.skip(t)
	})
}

func (p *extensionParser) pageMap(t xmlscan.Token) (int, error) {
	var m PageMap
	end, err := p.each(t, pageMapOrder, func(local []byte, t xmlscan.Token) (int, error) {
		switch string(local) {
		case "Template":
			if err := p.eachAttribute(t, func(name []byte, value string) {
				if string(name) == "src" {
					m.Template = value
				}
			}); err != nil {
				return 0, err
			}
		case "DataObject":
			m.Objects = append(m.Objects, DataObject{})
			return p.dataObject(t, &m.Objects[len(m.Objects)-1])
		}
		return p.skip(t)
	})
	p.into.PageMaps = append(p.into.PageMaps, m)
	return end, err
}

func (p *extensionParser) dataObject(t xmlscan.Token, o *DataObject) (int, error) {
	err := p.eachAttribute(t, func(name []byte, value string) {
		switch string(name) {
		case "type":
			o.Type = value
		case "id":
			o.ID = value
		}
	})
	if err != nil {
		return 0, err
	}
	return p.each(t, objectOrder, func(local []byte, t xmlscan.Token) (int, error) {
		var a DataAttribute
		err := p.eachAttribute(t, func(name []byte, value string) {
			switch string(name) {
			case "name":
				a.Name = value
			case "value":
				a.Value = value
			}
		})
		if err != nil {
			return 0, err
		}
		text, end, err := p.textOf(t)
		switch {
		case a.Value == "":
			a.Value = text
		case text != "" && err == nil:
			p.report(FaultDuplicateChild, t.NameAt, excerpt(t.Name(p.b)))
		}
		if string(local) == "Attribute" {
			o.Attributes = append(o.Attributes, a)
		}
		return end, err
	})
}
