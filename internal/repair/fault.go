package repair

import "github.com/mapatools/mapa/sitemap"

// repairedFaults are the faults that disappear when sitemap.Writer writes what
// sitemap.Reader read.
var repairedFaults = map[sitemap.FaultKind]bool{
	sitemap.FaultGzipTwice: true, sitemap.FaultGzipTrailing: true,
	sitemap.FaultBOMPresent: true, sitemap.FaultEncodingConflict: true, sitemap.FaultEncodingNotUTF8: true,
	sitemap.FaultLeadingWhitespace: true, sitemap.FaultLeadingContent: true, sitemap.FaultTrailingContent: true,
	sitemap.FaultLateDeclaration: true, sitemap.FaultUnclosedEntry: true, sitemap.FaultUnclosedValue: true,
	sitemap.FaultDoctypePresent: true, sitemap.FaultUndeclaredEntity: true, sitemap.FaultBareAmpersand: true,
	sitemap.FaultDuplicateAttribute: true, sitemap.FaultNamespaceMissing: true, sitemap.FaultNamespaceWrong: true,
	sitemap.FaultNamespaceVariant: true, sitemap.FaultExtensionUndeclared: true, sitemap.FaultExtensionVariant: true,
	sitemap.FaultExtensionOrder: true, sitemap.FaultNestedRoot: true, sitemap.FaultEmptyTag: true,
	sitemap.FaultStrayText:     true,
	sitemap.FaultLocWhitespace: true, sitemap.FaultBlankLine: true,
}

// notedElsewhere are the faults that are recorded when the entry or the file is written.
var notedElsewhere = map[sitemap.FaultKind]bool{
	sitemap.FaultLocRelative: true, sitemap.FaultTooManyEntries: true, sitemap.FaultTooLarge: true,
	sitemap.FaultMixedEntries: true,
}

// noteFault records a fault that the reader reported.
func (r *repair) noteFault(location string, fault *sitemap.Fault) {
	e := Example{File: location, Line: fault.Line, Text: fault.Detail}
	switch {
	case notedElsewhere[fault.Kind]:
	case repairedFaults[fault.Kind]:
		r.notes.change(string(fault.Kind), e)
	default:
		r.notes.leave(string(fault.Kind), e)
	}
}
