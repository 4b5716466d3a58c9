package repair

import "github.com/mapatools/mapa/sitemap"

// mended are the faults that are gone when an entry is written as it was
// understood.
var mended = map[sitemap.FaultKind]bool{
	sitemap.GzipTwice: true, sitemap.GzipTrailing: true,
	sitemap.BOMPresent: true, sitemap.EncodingConflict: true, sitemap.EncodingNotUTF8: true,
	sitemap.LeadingWhitespace: true, sitemap.LeadingContent: true, sitemap.TrailingContent: true,
	sitemap.DoctypePresent: true, sitemap.UndeclaredEntity: true, sitemap.BareAmpersand: true,
	sitemap.DuplicateAttribute: true, sitemap.NamespaceMissing: true, sitemap.NamespaceWrong: true,
	sitemap.NamespaceVariant: true, sitemap.ExtensionUndeclared: true, sitemap.ExtensionVariant: true,
	sitemap.ExtensionOrder: true, sitemap.NestedRoot: true, sitemap.EmptyTag: true, sitemap.StrayText: true,
	sitemap.LocWhitespace: true, sitemap.BlankLine: true,
}

// judged are the faults that are noted where the entry or the file is written.
var judged = map[sitemap.FaultKind]bool{
	sitemap.LocRelative: true, sitemap.TooManyEntries: true, sitemap.TooLarge: true, sitemap.MixedEntries: true,
}

// fault notes what a reader met.
func (r *repair) fault(location string, fault *sitemap.Fault) {
	e := Example{File: location, Line: fault.Line, Text: fault.Detail}
	switch {
	case judged[fault.Kind]:
	case mended[fault.Kind]:
		r.notes.change(string(fault.Kind), e)
	default:
		r.notes.leave(string(fault.Kind), e)
	}
}
