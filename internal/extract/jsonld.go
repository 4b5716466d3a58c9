package extract

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// Limits on the JSON-LD of a page.
const (
	maxJSON   = 512 << 10 // bytes of all scripts together
	maxVideos = 100
	maxItems  = 1000 // items of a list
	maxTypes  = 20   // item types that are kept
	maxType   = 64   // bytes of a type
	maxBroken = 100  // scripts that cannot be used
	// maxBeginning is how many bytes of such a script are kept.
	maxBeginning = 80
	// maxNesting is the maximum depth of nested nodes.
	maxNesting = 6
)

// node is a JSON-LD object with the properties that matter. Each may be a
// string, an object or a list, so that they are decoded when needed.
type node struct {
	ID           json.RawMessage `json:"@id"`
	Type         json.RawMessage `json:"@type"`
	Graph        json.RawMessage `json:"@graph"`
	MainEntity   json.RawMessage `json:"mainEntity"`
	Video        json.RawMessage `json:"video"`
	Headline     json.RawMessage `json:"headline"`
	Published    json.RawMessage `json:"datePublished"`
	Modified     json.RawMessage `json:"dateModified"`
	Name         json.RawMessage `json:"name"`
	Description  json.RawMessage `json:"description"`
	ThumbnailURL json.RawMessage `json:"thumbnailUrl"`
	ContentURL   json.RawMessage `json:"contentUrl"`
	EmbedURL     json.RawMessage `json:"embedUrl"`
	Uploaded     json.RawMessage `json:"uploadDate"`
	Duration     json.RawMessage `json:"duration"`
}

// script handles the content of a script element: JSON-LD, or a script that runs.
func (s *Scanner) script(content []byte) {
	mediaType, _, _ := bytes.Cut(s.names(attributeType), []byte(";"))
	if mediaType = trim(mediaType); !equalFold(mediaType, "application/ld+json") {
		if runs(mediaType) {
			s.page.HasScript = true
			s.bare.replacements(content)
		}
		return
	}
	if len(s.json)+len(content) > maxJSON {
		return
	}
	// Line breaks inside strings are not allowed, but common.
	from := len(s.json)
	for _, c := range content {
		s.json = append(s.json, max(c, ' '))
	}
	if s.checkItems(s.json[from:]) {
		s.addData(s.json[from:])
	}
	s.items(s.json[from:], maxNesting)
}

// checkItems notes JSON-LD that does not parse, or with an item at its top that has no type,
// graph or ID. It reports whether the script parses.
func (s *Scanner) checkItems(script []byte) (isValid bool) {
	isValid = json.Valid(script)
	if isValid && areTyped(script) || len(s.page.BrokenJSONLD) >= maxBroken {
		return isValid
	}
	beginning := cut(trim(script), maxBeginning)
	s.page.BrokenJSONLD = append(s.page.BrokenJSONLD, BrokenJSONLD{s.keep(beginning), isValid})
	return isValid
}

// areTyped reports whether an item, or each of a list, has a type, a graph or an ID.
func areTyped(value []byte) bool {
	var list []json.RawMessage
	if json.Unmarshal(value, &list) != nil || list == nil {
		list = append(list, value)
	}
	return !slices.ContainsFunc(list[:min(len(list), maxItems)], func(item json.RawMessage) bool {
		var n node
		return json.Unmarshal(item, &n) != nil ||
			len(stringsOf(n.Type)) == 0 && len(n.Graph) == 0 && len(n.ID) == 0
	})
}

// runs reports whether browsers run a script element with this type (HTML standard,
// section 4.12.1).
func runs(mediaType []byte) bool {
	return len(mediaType) == 0 || equalFold(mediaType, "module") || hasSuffixFold(mediaType, "javascript") ||
		hasSuffixFold(mediaType, "ecmascript")
}

func hasSuffixFold(text []byte, suffix string) bool {
	return len(text) >= len(suffix) && equalFold(text[len(text)-len(suffix):], suffix)
}

// items handles a JSON-LD value: an object or a list of objects. Invalid values are
// skipped, as search engines do.
func (s *Scanner) items(value []byte, nesting int) {
	value = trim(value)
	if len(value) == 0 || nesting == 0 {
		return
	}
	if value[0] == '[' {
		var list []json.RawMessage
		if json.Unmarshal(value, &list) == nil {
			for _, item := range list[:min(len(list), maxItems)] {
				s.items(item, nesting-1)
			}
		}
		return
	}
	var n node
	if json.Unmarshal(value, &n) != nil {
		return
	}
	s.item(&n)
	s.items(n.Graph, nesting-1)
	s.items(n.MainEntity, nesting-1)
	s.items(n.Video, nesting-1)
}

// item reads the facts of one object.
func (s *Scanner) item(n *node) {
	kinds := stringsOf(n.Type)
	s.addTypes(kinds)
	if slices.Contains(kinds, "VideoObject") {
		s.video(n)
		return
	}
	article := slices.IndexFunc(kinds, isArticle)
	dates := Dates{Published: s.keepString(n.Published), Modified: s.keepString(n.Modified)}
	if article >= 0 && s.page.Article.Type == nil {
		s.page.Article = Article{
			Type:     s.keep([]byte(kinds[article])),
			Headline: s.keepString(n.Headline),
			Dates:    dates,
		}
	}
	// The dates of the article have precedence over those of the page around it.
	if have := &s.page.Dates[DateJSONLD]; article >= 0 && !s.articleDates {
		s.articleDates = dates.Modified != nil
		*have = Dates{Published: first(dates.Published, have.Published), Modified: first(dates.Modified, have.Modified)}
	} else {
		*have = Dates{Published: first(have.Published, dates.Published), Modified: first(have.Modified, dates.Modified)}
	}
}

// addTypes adds the types of an item that no item before it had.
func (s *Scanner) addTypes(kinds []string) {
	for _, kind := range kinds {
		kind = strings.TrimSpace(string(cut([]byte(kind), maxType)))
		if kind != "" && len(s.page.ItemTypes) < maxTypes && !slices.Contains(s.page.ItemTypes, kind) {
			s.page.ItemTypes = append(s.page.ItemTypes, kind)
		}
	}
}

func (s *Scanner) video(n *node) {
	if len(s.page.Videos) >= maxVideos {
		return
	}
	s.page.Videos = append(s.page.Videos, Video{
		Name: s.keepString(n.Name), Description: s.keepString(n.Description),
		Thumbnail: s.keepString(n.ThumbnailURL), Content: s.keepString(n.ContentURL),
		Embed: s.keepString(n.EmbedURL), Uploaded: s.keepString(n.Uploaded),
		Duration: s.keepString(n.Duration),
	})
}

// isArticle reports whether a schema.org type is an article or one of its kinds.
func isArticle(kind string) bool {
	return strings.HasSuffix(kind, "Article") || strings.HasSuffix(kind, "BlogPosting") || kind == "Report"
}

// stringsOf returns the strings of a value, which is a string or a list.
func stringsOf(value []byte) []string {
	if len(value) == 0 {
		return nil
	}
	if value[0] != '[' {
		value = slices.Concat([]byte("["), value, []byte("]"))
	}
	var list []any
	if json.Unmarshal(value, &list) != nil {
		return nil
	}
	var found []string
	for _, item := range list {
		if text, ok := item.(string); ok {
			found = append(found, strings.TrimPrefix(strings.TrimPrefix(text, "http://schema.org/"), "https://schema.org/"))
		}
	}
	return found
}

// keepString keeps the first string in a value, or nil.
func (s *Scanner) keepString(value []byte) []byte {
	var text string
	switch {
	case len(value) == 0:
		return nil
	case value[0] == '"':
		if json.Unmarshal(value, &text) != nil {
			return nil
		}
	default:
		list := stringsOf(value)
		if len(list) == 0 {
			return nil
		}
		text = list[0]
	}
	return s.keep([]byte(strings.TrimSpace(text)))
}

// first returns a, or b when a is nil.
func first(a, b []byte) []byte {
	if a != nil {
		return a
	}
	return b
}
