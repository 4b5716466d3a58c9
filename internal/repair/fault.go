package repair

import "github.com/mapatools/mapa/sitemap"

// mended are the faults that are gone when an entry is written as it was
// understood.
var mended = map[sitemap.FaultKind]bool{
	sitemap.FaultGzipTwice: true, sitemap.FaultGzipTrailing: true,
	sitemap.FaultBOMPresent: true, sitemap.FaultEncodingConflict: true, sitemap.FaultEncodingNotUTF8: true,
	sitemap.FaultLeadingWhitespace: true, sitemap.FaultLeadingContent: true, sitemap.FaultTrailingContent: true,
	sitemap.FaultDoctypePresent: true, sitemap.FaultUndeclaredEntity: true, sitemap.FaultBareAmpersand: true,
	sitemap.FaultDuplicateAttribute: true, sitemap.FaultNamespaceMissing: true, sitemap.FaultNamespaceWrong: true,
	sitemap.FaultNamespaceVariant: true, sitemap.FaultExtensionUndeclared: true, sitemap.FaultExtensionVariant: true,
	sitemap.FaultExtensionOrder: true, sitemap.FaultNestedRoot: true, sitemap.FaultEmptyTag: true, sitemap.FaultStrayText: true,
	sitemap.FaultLocWhitespace: true, sitemap.FaultBlankLine: true,
}

// judged are the faults that are noted where the entry or the file is written.
var judged = map[sitemap.FaultKind]bool{
	sitemap.FaultLocRelative: true, sitemap.FaultTooManyEntries: true, sitemap.FaultTooLarge: true, sitemap.FaultMixedEntries: true,
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
