package lint

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mapatools/mapa/internal/spelling"

	"github.com/mapatools/mapa/sitemap"
)

// faultMessage returns what is wrong at the place of a fault, which breaks a rule.
func faultMessage(r *Rule, fault *sitemap.Fault) Text {
	switch argument := faultArguments[fault.Kind]; {
	case r == softNotFound:
		return newText("rule.soft-404.found", fault.Detail)
	case r == locNoScheme:
		return newText("rule.loc-no-scheme.found", fault.Detail)
	case fault.Kind == sitemap.FaultUnknownElement:
		return unknownElementMessage(fault, coreElements)
	case fault.Kind == sitemap.FaultExtensionElement:
		return unknownElementMessage(fault, extensionElements)
	case argument != nil && argument(fault) != "":
		return newText("rule."+string(fault.Kind)+".found", wordDetail(argument(fault)))
	case fault.Kind == sitemap.FaultTruncated || fault.Kind == sitemap.FaultGzipTruncated || fault.Err == nil:
		return r.Title()
	}
	return newText("finding.cause", r.Title(), strings.TrimPrefix(fault.Err.Error(), "gzip: "))
}

// faultArguments are what the messages of faults name whose detail or element says more
// than the title of the rule. Where it is empty, the title has to do.
var faultArguments = map[sitemap.FaultKind]func(*sitemap.Fault) string{
	sitemap.FaultHTMLInstead:         detail,
	sitemap.FaultNotASitemap:         detail,
	sitemap.FaultNotWellFormed:       detail,
	sitemap.FaultUnknownCharset:      detail,
	sitemap.FaultCeilingReached:      detail,
	sitemap.FaultEncodingConflict:    detail,
	sitemap.FaultEncodingNotUTF8:     detail,
	sitemap.FaultInvalidUTF8:         element,
	sitemap.FaultControlCharacter:    element,
	sitemap.FaultLeadingContent:      detail,
	sitemap.FaultTrailingContent:     detail,
	sitemap.FaultDoctypePresent:      detail,
	sitemap.FaultUndeclaredEntity:    detail,
	sitemap.FaultDuplicateAttribute:  detail,
	sitemap.FaultNamespaceMissing:    element,
	sitemap.FaultNamespaceWrong:      detail,
	sitemap.FaultNamespaceVariant:    detail,
	sitemap.FaultExtensionUndeclared: element,
	sitemap.FaultExtensionVariant:    detail,
	sitemap.FaultExtensionOrder:      detail,
	sitemap.FaultNestedRoot:          detail,
	sitemap.FaultUnclosedEntry:       element,
	sitemap.FaultUnclosedValue:       element,
	sitemap.FaultMixedEntries:        element,
	sitemap.FaultDuplicateChild:      func(f *sitemap.Fault) string { return cmp.Or(detail(f), f.Element) },
	sitemap.FaultMissingLoc:          element,
	sitemap.FaultEmptyTag:            element,
	sitemap.FaultNestedTag:           detail,
	sitemap.FaultStrayText:           detail,
	sitemap.FaultTooLarge:            detail,
	sitemap.FaultLocRelative:         detail,
	sitemap.FaultLineInvalid:         detail,
	sitemap.FaultFeedLinkFromGUID:    detail,
}

// faultDetails are the texts of package catalog for details of faults that are sentences.
var faultDetails = map[string]string{
	"this is an HTML page":                      "finding.html",
	"this is JSON":                              "finding.json",
	"this is a binary file":                     "finding.binary",
	"RSS 1.0 is not a sitemap format":           "finding.rss-1",
	"elements nested too deep":                  "finding.nested",
	"one entry or value is larger than allowed": "finding.large-entry",
	"a DOCTYPE inside the root element":         "finding.doctype",
	"markup before the root element":            "finding.markup",
}

// namingDetails are those for details that name something after one text and before another.
var namingDetails = []struct{ before, after, key string }{
	{"this is an HTML page, titled “", "”", "finding.html-titled"},
	{"this is a ", " archive: unpack it first", "finding.archive"},
	{"neither XML nor a list of URLs: ", "", "finding.not-urls"},
	{"the root element is <", ">", "finding.root"},
}

// wordDetail returns a detail as a text of package catalog, or as it is where it is not a sentence.
func wordDetail(detail string) any {
	if key, known := faultDetails[detail]; known {
		return newText(key)
	}
	for _, d := range namingDetails {
		rest, begins := strings.CutPrefix(detail, d.before)
		if named, ends := strings.CutSuffix(rest, d.after); begins && ends {
			return newText(d.key, named)
		}
	}
	return detail
}

func detail(f *sitemap.Fault) string { return strings.TrimSpace(f.Detail) }

func element(f *sitemap.Fault) string { return f.Element }

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
func unknownElementMessage(f *sitemap.Fault, names []string) Text {
	prefix, local := "", f.Detail
	if i := strings.IndexByte(local, ':'); i >= 0 {
		prefix, local = local[:i+1], local[i+1:]
	}
	if near := spelling.Nearest(strings.ToLower(local), names); near != "" && near != local {
		return newText("finding.unknown-element-meant", f.Detail, prefix+near)
	}
	return newText("finding.unknown-element", f.Detail)
}
