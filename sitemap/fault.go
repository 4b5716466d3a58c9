package sitemap

import (
	"fmt"
	"strings"
	"unicode"
)

// A FaultKind is a way in which a file violates the protocol. The values are
// stable, and are also the ids of the lint rules for the same faults.
type FaultKind string

// Faults that always end the reading.
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
	FaultGzipTwice           FaultKind = "gzip-double"         // compressed twice; unpacked twice
	FaultGzipTrailing        FaultKind = "gzip-trailing"       // bytes after the compressed data; ignored
	FaultBOMPresent          FaultKind = "bom-present"         // a byte order mark; skipped
	FaultEncodingConflict    FaultKind = "bom-conflict"        // the declared charset is not the real one
	FaultEncodingNotUTF8     FaultKind = "encoding-not-utf8"   // converted
	FaultInvalidUTF8         FaultKind = "invalid-utf8"        // bytes kept as they are
	FaultControlCharacter    FaultKind = "control-char"        // kept
	FaultLeadingWhitespace   FaultKind = "leading-whitespace"  // before the XML declaration; skipped
	FaultLeadingContent      FaultKind = "leading-content"     // text before the XML; skipped
	FaultLateDeclaration     FaultKind = "late-declaration"    // an XML declaration inside the XML; skipped
	FaultTrailingContent     FaultKind = "trailing-content"    // anything after the root element; ignored
	FaultDoctypePresent      FaultKind = "doctype-present"     // skipped unread
	FaultUndeclaredEntity    FaultKind = "undeclared-entity"   // an HTML entity is decoded, another name kept
	FaultBareAmpersand       FaultKind = "bare-ampersand"      // kept as &
	FaultDuplicateAttribute  FaultKind = "duplicate-attribute" // the first counts
	FaultNamespaceMissing    FaultKind = "ns-missing"          // the root declares no namespace
	FaultNamespaceWrong      FaultKind = "ns-wrong"            // the root has another one
	FaultNamespaceVariant    FaultKind = "ns-noncanonical"     // https, a slash too many, Google's of 2005
	FaultExtensionUndeclared FaultKind = "ext-ns-undeclared"   // taken for the usual prefix
	FaultExtensionVariant    FaultKind = "ext-ns-noncanonical" // understood nevertheless
	// children of an image, a video or an article; read nevertheless
	FaultExtensionOrder   FaultKind = "extension-order"
	FaultExtensionElement FaultKind = "extension-element"     // not of its vocabulary; kept verbatim
	FaultUnknownElement   FaultKind = "unknown-element"       // of the protocol's namespace; kept verbatim
	FaultNestedRoot       FaultKind = "urlset-nested"         // a root element inside the root; looked through
	FaultUnclosedEntry    FaultKind = "unclosed-entry"        // an entry without its end tag; ends where the next begins
	FaultUnclosedValue    FaultKind = "unclosed-value"        // loc, lastmod … without its end tag; ends with the entry
	FaultMixedEntries     FaultKind = "mixed-url-and-sitemap" // url in an index or the reverse; kept
	FaultDuplicateChild   FaultKind = "duplicate-child"       // the first counts; a second loc begins another entry
	FaultMissingLoc       FaultKind = "missing-loc"           // the entry is left out
	FaultEmptyTag         FaultKind = "empty-tag"             // counts as absent
	FaultNestedTag        FaultKind = "nested-tag-in-leaf"    // its text is left out
	FaultStrayText        FaultKind = "stray-text"            // ignored
	FaultEmptySet         FaultKind = "empty-urlset"          // a file without entries, unless it is a feed
	FaultTooManyEntries   FaultKind = "too-many-urls"         // reported once, at the first one too many
	FaultTooLarge         FaultKind = "too-large"             // reported once, after the last entry
	// trimmed; line breaks inside removed, with their indentation
	FaultLocWhitespace       FaultKind = "loc-whitespace"
	FaultLocRelative         FaultKind = "loc-relative"      // resolved when a base is given
	FaultLineInvalid         FaultKind = "line-invalid"      // a line of a text file that is not a URL; left out
	FaultBlankLine           FaultKind = "blank-line"        // reported once
	FaultFeedItemWithoutLink FaultKind = "item-without-link" // left out
	FaultFeedLinkFromGUID    FaultKind = "guid-as-link"      // the guid, or the id, is used as the link
)

// Kinds of Fault.Narrower.
const (
	FaultInflateRatio FaultKind = "inflate-ratio"      // of FaultCeilingReached: the ratio of Ceilings
	FaultLocLineBreak FaultKind = "loc-newline-inside" // of FaultLocWhitespace: a line break inside the address
)

// broaderKind returns the Fault.Kind of a fault with a narrower kind, and any other kind
// unchanged.
func broaderKind(kind FaultKind) FaultKind {
	switch kind {
	case FaultInflateRatio:
		return FaultCeilingReached
	case FaultLocLineBreak:
		return FaultLocWhitespace
	}
	return kind
}

// A Fault is one violation of the protocol. A [Reader] reports it when it tolerates
// it, and ends with it as the error when it does not. Find it in an error chain
// with errors.As.
type Fault struct {
	Kind FaultKind
	// Offset counts the bytes before the fault in the unpacked file, after
	// conversion to UTF-8 where its charset is another.
	Offset  int64
	Line    int    // from 1
	Column  int    // from 1, in bytes
	Element string // name of the element concerned, as in the protocol, or empty
	Detail  string // what was found, for people; shortened, without control characters
	Err     error  // the cause or nil; io.ErrUnexpectedEOF for FaultTruncated
	// Narrower is FaultInflateRatio or FaultLocLineBreak if that says more than Kind; it is
	// mostly empty.
	Narrower FaultKind
}

// Error returns the place, the kind and the details in one line.
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

// Unwrap returns the cause.
func (f *Fault) Unwrap() error { return f.Err }

const longestExcerpt = 80

// excerpt cuts text from a file to a length that fits a message and makes it
// printable.
func excerpt(text []byte) string {
	cut := text
	if len(cut) > longestExcerpt {
		cut = cut[:longestExcerpt]
	}
	s := printable(cut)
	if len(cut) < len(text) {
		s += "…"
	}
	return s
}

// printable removes what could move a terminal's cursor, reverse its writing direction or
// hide.
func printable(text []byte) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Cc, r):
			return ' '
		case unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point):
			return -1
		}
		return r
	}, strings.ToValidUTF8(string(text), "\uFFFD"))
}
