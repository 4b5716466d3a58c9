package sitemap

import (
	"fmt"
	"strings"
)

// A FaultKind names one way in which a file departs from the protocol. The
// names are stable; the lint rules of the same matter carry the same ones.
type FaultKind string

// Faults that end the reading, whatever the options say.
const (
	FaultEmptyBody         FaultKind = "empty-body"          // no byte, or white space only
	FaultHTMLInstead       FaultKind = "html-instead-of-xml" // a page, an error page, a login form
	FaultNotASitemap       FaultKind = "root-unknown"        // JSON, another XML vocabulary, anything else
	FaultEntityDeclaration FaultKind = "entity-decl"         // <!ENTITY in a DOCTYPE; never expanded
	FaultNotWellFormed     FaultKind = "xml-not-wellformed"  // a tag that does not match, a broken attribute
	FaultTruncated         FaultKind = "truncated"           // the file ends before its root element does
	FaultGzipCorrupt       FaultKind = "gzip-corrupt"        // wrong header, data or checksum
	FaultGzipTruncated     FaultKind = "gzip-truncated"      // the compressed data ends early
	FaultUnknownCharset    FaultKind = "encoding-unknown"    // a charset without a decoder
	FaultCeilingReached    FaultKind = "body-over-ceiling"   // one of Ceilings
)

// Faults that a Reader tolerates and reports, and that Strict turns into errors.
const (
	FaultGzipTwice           FaultKind = "gzip-double"           // compressed twice; unpacked twice
	FaultGzipTrailing        FaultKind = "gzip-trailing"         // bytes behind the compressed data; ignored
	FaultBOMPresent          FaultKind = "bom-present"           // a byte order mark; skipped
	FaultEncodingConflict    FaultKind = "bom-conflict"          // the declared charset is not the real one
	FaultEncodingNotUTF8     FaultKind = "encoding-not-utf8"     // converted
	FaultInvalidUTF8         FaultKind = "invalid-utf8"          // bytes kept as they are
	FaultControlCharacter    FaultKind = "control-char"          // kept
	FaultLeadingWhitespace   FaultKind = "leading-whitespace"    // skipped
	FaultLeadingContent      FaultKind = "leading-content"       // text before the XML; skipped
	FaultTrailingContent     FaultKind = "trailing-content"      // anything behind the root element; ignored
	FaultDoctypePresent      FaultKind = "doctype-present"       // skipped unread
	FaultUndeclaredEntity    FaultKind = "undeclared-entity"     // an HTML entity is decoded, another name kept
	FaultBareAmpersand       FaultKind = "bare-ampersand"        // kept as &
	FaultDuplicateAttribute  FaultKind = "duplicate-attribute"   // the first counts
	FaultNamespaceMissing    FaultKind = "ns-missing"            // the root has none
	FaultNamespaceWrong      FaultKind = "ns-wrong"              // the root has another one
	FaultNamespaceVariant    FaultKind = "ns-noncanonical"       // https, a slash too many, Google's of 2005
	FaultExtensionUndeclared FaultKind = "ext-ns-undeclared"     // taken for the usual prefix
	FaultExtensionVariant    FaultKind = "ext-ns-noncanonical"   // understood all the same
	FaultExtensionOrder      FaultKind = "extension-order"       // children of an image, a video or an article; read all the same
	FaultUnknownElement      FaultKind = "unknown-element"       // of the protocol's namespace; kept verbatim
	FaultNestedRoot          FaultKind = "urlset-nested"         // a root element inside the root; looked through
	FaultMixedEntries        FaultKind = "mixed-url-and-sitemap" // url in an index or the reverse; kept
	FaultDuplicateChild      FaultKind = "duplicate-child"       // the first counts
	FaultMissingLoc          FaultKind = "missing-loc"           // the entry is left out
	FaultEmptyTag            FaultKind = "empty-tag"             // counts as absent
	FaultNestedTag           FaultKind = "nested-tag-in-leaf"    // its text is left out
	FaultStrayText           FaultKind = "stray-text"            // ignored
	FaultEmptySet            FaultKind = "empty-urlset"          // a file without entries
	FaultTooManyEntries      FaultKind = "too-many-urls"         // reported once, at the first one too many
	FaultTooLarge            FaultKind = "too-large"             // reported once, behind the last entry
	FaultLocWhitespace       FaultKind = "loc-whitespace"        // trimmed; line breaks inside removed, with their indentation
	FaultLocRelative         FaultKind = "loc-relative"          // resolved when a base is given
	FaultLineInvalid         FaultKind = "line-invalid"          // a line of a text file that is no URL; left out
	FaultBlankLine           FaultKind = "blank-line"            // reported once
	FaultFeedItemWithoutLink FaultKind = "item-without-link"     // left out
	FaultFeedLinkFromGUID    FaultKind = "guid-as-link"          // the guid, or the id, stands in for the link
)

// Kinds that Fault.Narrower returns.
const (
	FaultInflateRatio FaultKind = "inflate-ratio"      // of FaultCeilingReached: the ratio of Ceilings
	FaultLocLineBreak FaultKind = "loc-newline-inside" // of FaultLocWhitespace: a line break inside the address
)

// The details of faults with a narrower kind.
const (
	detailInflateRatio = "inflates to more than allowed for its size"
	detailLocLineBreak = "a line break inside the address"
)

// A Fault is one departure from the protocol: what a [Reader] reports when it
// tolerates it, and the error it ends with when it does not. Find it in an error
// chain with errors.As.
type Fault struct {
	Kind FaultKind
	// Offset counts the bytes before the fault in the unpacked file, after
	// conversion to UTF-8 where its charset is another.
	Offset  int64
	Line    int    // from 1
	Column  int    // from 1, in bytes
	Element string // the element concerned, as the protocol names it, or empty
	Detail  string // what was seen, for people; cut, and free of control characters
	Err     error  // the cause, where there is one: io.ErrUnexpectedEOF for Truncated
}

// Error says where and what, in one line.
func (f *Fault) Error() string {
	var s strings.Builder
	fmt.Fprintf(&s, "line %d, column %d (byte %d): %s", f.Line, f.Column, f.Offset, f.Kind)
	if f.Element != "" {
		fmt.Fprintf(&s, " in <%s>", f.Element)
	}
	if f.Detail != "" {
		s.WriteString(": " + f.Detail)
	}
	if f.Err != nil {
		s.WriteString(": " + f.Err.Error())
	}
	return s.String()
}

// Narrower returns the kind that says most about the fault: FaultInflateRatio,
// FaultLocLineBreak or Kind.
func (f *Fault) Narrower() FaultKind {
	switch {
	case f.Kind == FaultCeilingReached && f.Detail == detailInflateRatio:
		return FaultInflateRatio
	case f.Kind == FaultLocWhitespace && f.Detail == detailLocLineBreak:
		return FaultLocLineBreak
	}
	return f.Kind
}

// Unwrap returns the cause.
func (f *Fault) Unwrap() error { return f.Err }

const longestEvidence = 80

// evidence cuts text from a file to a length that fits a message and makes it
// printable.
func evidence(text []byte) string {
	cut := text
	if len(cut) > longestEvidence {
		cut = cut[:longestEvidence]
	}
	s := printable(cut)
	if len(cut) < len(text) {
		s += "…"
	}
	return s
}

// printable removes what could move a terminal's cursor or reverse its writing
// direction.
func printable(text []byte) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r < 0x20, r >= 0x7f && r < 0xa0:
			return ' '
		case r >= 0x200b && r <= 0x200f, r >= 0x2028 && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r == 0xfeff, r == 0x61c:
			return -1
		}
		return r
	}, strings.ToValidUTF8(string(text), "\uFFFD"))
}
