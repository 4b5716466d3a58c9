package lint

import (
	"slices"
	"strings"

	"github.com/mapatools/mapa/internal/spelling"

	"github.com/mapatools/mapa/sitemap"
)

// faultMessage returns what is wrong at the place of a fault, which breaks a rule.
func faultMessage(r *Rule, fault *sitemap.Fault) string {
	switch message := faultMessages[fault.Kind]; {
	case r == softNotFound:
		return fault.Detail + ", with status 200"
	case r == locNoScheme:
		return `"` + fault.Detail + `" has no http:// or https://`
	case message != nil && message(fault) != "":
		return message(fault)
	case fault.Kind == sitemap.FaultTruncated || fault.Kind == sitemap.FaultGzipTruncated || fault.Err == nil:
		return r.Title
	}
	return r.Title + ": " + strings.TrimPrefix(fault.Err.Error(), "gzip: ")
}

// faultMessages are the messages of faults whose element or detail says more than the
// title of the rule. A message may be empty.
var faultMessages = map[sitemap.FaultKind]func(*sitemap.Fault) string{
	sitemap.FaultHTMLInstead:    detail,
	sitemap.FaultNotASitemap:    detail,
	sitemap.FaultNotWellFormed:  titled("XML is not well-formed: "),
	sitemap.FaultUnknownCharset: quoted("unknown character encoding ", ""),
	sitemap.FaultCeilingReached: detail,

	sitemap.FaultEncodingConflict:   detail,
	sitemap.FaultEncodingNotUTF8:    titled("file is not UTF-8 but "),
	sitemap.FaultInvalidUTF8:        element("invalid UTF-8 in ", ""),
	sitemap.FaultControlCharacter:   element("control character that XML does not allow in ", ""),
	sitemap.FaultLeadingContent:     quoted("", " comes before the XML"),
	sitemap.FaultTrailingContent:    quoted("", " follows the root element"),
	sitemap.FaultDoctypePresent:     around("<!", "> is not allowed"),
	sitemap.FaultUndeclaredEntity:   func(f *sitemap.Fault) string { return f.Detail + " is not an entity of XML" },
	sitemap.FaultDuplicateAttribute: quoted("the tag has several attributes ", ""),

	sitemap.FaultNamespaceMissing:    element("", " has no namespace"),
	sitemap.FaultNamespaceWrong:      quoted("the namespace is ", ""),
	sitemap.FaultNamespaceVariant:    quoted("the namespace is spelled ", ""),
	sitemap.FaultExtensionUndeclared: element("the prefix of ", " is not declared"),
	sitemap.FaultExtensionVariant:    quoted("the namespace is spelled ", ""),
	sitemap.FaultExtensionOrder:      func(f *sitemap.Fault) string { return "<" + f.Detail + "> must come earlier" },
	sitemap.FaultExtensionElement:    func(f *sitemap.Fault) string { return unknownElementMessage(f, extensionElements) },

	sitemap.FaultUnknownElement: func(f *sitemap.Fault) string { return unknownElementMessage(f, coreElements) },
	sitemap.FaultNestedRoot:     func(f *sitemap.Fault) string { return "<" + f.Detail + "> is inside the root element" },
	sitemap.FaultUnclosedEntry:  element("", " is not closed before the next one begins, or the file ends"),
	sitemap.FaultUnclosedValue:  element("", " is not closed before the entry ends"),
	sitemap.FaultMixedEntries:   element("", " does not belong in this file"),
	sitemap.FaultDuplicateChild: func(f *sitemap.Fault) string {
		name := f.Element
		if f.Detail != "" {
			name = f.Detail
		}
		return "the entry already has <" + name + ">"
	},
	sitemap.FaultMissingLoc: element("", " has no <loc> with a URL"),
	sitemap.FaultEmptyTag:   element("", " is empty"),
	sitemap.FaultNestedTag:  func(f *sitemap.Fault) string { return "<" + f.Detail + "> is inside a value" },
	sitemap.FaultStrayText:  quoted("", " is between elements"),
	sitemap.FaultTooLarge:   titled("limit of 52,428,800 bytes exceeded: "),

	sitemap.FaultLocRelative:      quoted("", " is relative"),
	sitemap.FaultLineInvalid:      quoted("", " is not a URL"),
	sitemap.FaultFeedLinkFromGUID: quoted("the item has no link, only the identifier ", ""),
}

func detail(f *sitemap.Fault) string { return f.Detail }

// titled returns a message that ends with the detail of the fault.
func titled(before string) func(*sitemap.Fault) string { return around(before, "") }

// quoted returns a message with the detail of the fault in quotes.
func quoted(before, after string) func(*sitemap.Fault) string { return around(before+`"`, `"`+after) }

func around(before, after string) func(*sitemap.Fault) string {
	return func(f *sitemap.Fault) string {
		text := strings.TrimSpace(f.Detail)
		if text == "" {
			return ""
		}
		return before + text + after
	}
}

// element returns a message that names the element of the fault.
func element(before, after string) func(*sitemap.Fault) string {
	return func(f *sitemap.Fault) string {
		if f.Element == "" {
			return ""
		}
		return before + "<" + f.Element + ">" + after
	}
}

// The names that an unknown element may be a misspelling of.
var (
	coreElements = []string{"url", "loc", "lastmod", "changefreq", "priority"}

	extensionElements = slices.Concat([]string{"image", "video", "news", "link", "mobile", "PageMap", "alternate"},
		[]string{"loc", "caption", "geo_location", "title", "license"},
		[]string{"thumbnail_loc", "description", "content_loc", "player_loc", "duration", "expiration_date", "rating",
			"view_count", "publication_date", "tag", "family_friendly", "restriction", "requires_subscription", "uploader",
			"platform", "live"},
		[]string{"publication", "name", "language"}, []string{"Template", "DataObject", "Attribute"})
)

// unknownElementMessage names an element and, of the names, the one that it may be meant
// for.
func unknownElementMessage(f *sitemap.Fault, names []string) string {
	prefix, local := "", f.Detail
	if i := strings.IndexByte(local, ':'); i >= 0 {
		prefix, local = local[:i+1], local[i+1:]
	}
	message := "<" + f.Detail + "> is not an element of its vocabulary"
	if near := spelling.Nearest(strings.ToLower(local), names); near != "" && near != local {
		return message + ": did you mean <" + prefix + near + ">?"
	}
	return message
}
