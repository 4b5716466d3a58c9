package repair

import "github.com/mapatools/mapa/sitemap"

// isRepaired reports whether a fault disappears when sitemap.Writer writes what
// sitemap.Reader read.
func isRepaired(kind sitemap.FaultKind) bool {
	switch kind {
	case sitemap.FaultGzipTwice, sitemap.FaultGzipTrailing,
		sitemap.FaultBOMPresent, sitemap.FaultEncodingConflict, sitemap.FaultEncodingNotUTF8,
		sitemap.FaultLeadingWhitespace, sitemap.FaultLeadingContent, sitemap.FaultTrailingContent,
		sitemap.FaultLateDeclaration, sitemap.FaultUnclosedEntry, sitemap.FaultUnclosedValue,
		sitemap.FaultDoctypePresent, sitemap.FaultUndeclaredEntity, sitemap.FaultBareAmpersand,
		sitemap.FaultDuplicateAttribute, sitemap.FaultNamespaceMissing, sitemap.FaultNamespaceWrong,
		sitemap.FaultNamespaceVariant, sitemap.FaultExtensionUndeclared, sitemap.FaultExtensionVariant,
		sitemap.FaultExtensionOrder, sitemap.FaultNestedRoot, sitemap.FaultEmptyTag,
		sitemap.FaultStrayText, sitemap.FaultLocWhitespace, sitemap.FaultBlankLine:
		return true
	}
	return false
}

// isNotedElsewhere reports whether a fault is recorded when the entry or the file is
// written.
func isNotedElsewhere(kind sitemap.FaultKind) bool {
	switch kind {
	case sitemap.FaultLocRelative, sitemap.FaultTooManyEntries, sitemap.FaultTooLarge, sitemap.FaultMixedEntries:
		return true
	}
	return false
}

// noteFault records a fault that the reader reported.
func (r *repair) noteFault(location string, fault *sitemap.Fault) {
	e := Example{File: location, Line: fault.Line, Text: fault.Detail}
	switch {
	case isNotedElsewhere(fault.Kind):
	case fault.Kind == sitemap.FaultDuplicateChild && fault.Element == "loc":
		e.Text = "each <loc> has an entry of its own" // as the reader yields them
		r.notes.change(string(fault.Kind), e)
	case fault.Kind == sitemap.FaultDuplicateChild:
		e.Text = "removed: the second <" + fault.Element + ">"
		r.notes.leave(string(fault.Kind), e)
	case isRepaired(fault.Kind):
		r.notes.change(string(fault.Kind), e)
	default:
		r.notes.leave(string(fault.Kind), e)
	}
}
