package crawl

import (
	"strings"
	"unicode/utf8"
	"unsafe"

	"github.com/mapatools/mapa/internal/extract"
	"github.com/mapatools/mapa/internal/format"
)

// A Fault is what a page breaks a rule with.
type Fault struct {
	Rule     string `json:"rule"`            // ID of a rule over crawled pages
	Kind     string `json:"kind,omitempty"`  // a variety of it, or empty
	Text     string `json:"text,omitempty"`  // the value concerned, cut, or empty
	Count    int    `json:"count,omitempty"` // how often, at least 1
	Position        // of the first one, in faults of links
}

// The rules that a crawl records faults of.
const (
	ruleTitleMultiple       = "title-multiple"
	ruleDescriptionMultiple = "description-multiple"
	ruleMetaInBody          = "meta-in-body"
	ruleH1Multiple          = "h1-multiple"
	ruleCanonicalMultiple   = "canonical-multiple"
	ruleCanonicalRelative   = "canonical-relative"
	ruleCanonicalInBody     = "canonical-in-body"
	ruleRobotsConflict      = "robots-conflict"
	ruleLinkInvalid         = "link-invalid"
	ruleLinkUncrawlable     = "link-uncrawlable"
	ruleImageSize           = "image-size"
	ruleMixedContent        = "mixed-content"
	ruleInsecureForm        = "insecure-form"
	ruleJSONLDInvalid       = "json-ld-invalid"
	ruleOGURLMismatch       = "og-url-mismatch"
	ruleHTMLTooLarge        = "html-too-large"
	ruleSoft404Text         = "soft-404-text"
	ruleHTTPPage            = "http-page"
	ruleSiteCopy            = "site-copy" // of the start page: its og:url is of another site
)

const (
	// maxFaultText is how many bytes of the value concerned are kept.
	maxFaultText = 200
	// maxFaults is how many faults of one rule a page has. Further ones are counted in the
	// last.
	maxFaults = 10
)

// addFault adds a fault.
func (f *Facts) addFault(rule, kind, text string, count int) {
	f.add(Fault{Rule: rule, Kind: kind, Text: text, Count: count})
}

// addLinkFault adds a fault of a link.
func (f *Facts) addLinkFault(rule string, link *extract.Link) {
	f.add(Fault{Rule: rule, Text: string(link.URL), Count: 1, Position: Position{link.Line, link.Column}})
}

// add counts a fault with the one of the same rule, kind and text, or adds it.
func (f *Facts) add(one Fault) {
	one.Text = cutText(one.Text)
	ofRule, last := 0, -1
	for i := range f.Faults {
		fault := &f.Faults[i]
		if fault.Rule != one.Rule {
			continue
		}
		if fault.Kind == one.Kind && fault.Text == one.Text {
			fault.Count += one.Count
			return
		}
		ofRule, last = ofRule+1, i
	}
	if ofRule == maxFaults {
		f.Faults[last].Count += one.Count
		return
	}
	f.Faults = append(f.Faults, one)
}

// cutText returns at most maxFaultText bytes of a text, without the user information of URLs, as
// valid UTF-8 that keeps nothing longer in memory.
func cutText(text string) string {
	if strings.Contains(text, "@") {
		text = format.MaskUser(format.Redact(text))
	}
	if len(text) > maxFaultText {
		end := maxFaultText
		for end > 0 && !utf8.RuneStart(text[end]) {
			end--
		}
		text = text[:end]
	}
	return strings.Clone(strings.ToValidUTF8(text, "\ufffd"))
}

// weight is about how many bytes of memory the fault takes.
func (f *Fault) weight() int {
	return int(unsafe.Sizeof(*f)) + len(f.Kind) + len(f.Text)
}
