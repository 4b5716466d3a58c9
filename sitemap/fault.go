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
	EmptyBody         FaultKind = "empty-body"          // no byte, or white space only
	HTMLInstead       FaultKind = "html-instead-of-xml" // a page, an error page, a login form
	NotASitemap       FaultKind = "root-unknown"        // JSON, another XML vocabulary, anything else
	EntityDeclaration FaultKind = "entity-decl"         // <!ENTITY in a DOCTYPE; never expanded
	NotWellFormed     FaultKind = "xml-not-wellformed"  // a tag that does not match, a broken attribute
	Truncated         FaultKind = "truncated"           // the file ends before its root element does
	GzipCorrupt       FaultKind = "gzip-corrupt"        // wrong header, data or checksum
	GzipTruncated     FaultKind = "gzip-truncated"      // the compressed data ends early
	UnknownCharset    FaultKind = "encoding-unknown"    // a charset without a decoder
	CeilingReached    FaultKind = "body-over-ceiling"   // one of Ceilings
)

// Faults that a Reader tolerates and reports, and that Strict turns into errors.
const (
	GzipTwice           FaultKind = "gzip-double"           // compressed twice; unpacked twice
	GzipTrailing        FaultKind = "gzip-trailing"         // bytes behind the compressed data; ignored
	BOMPresent          FaultKind = "bom-present"           // a byte order mark; skipped
	EncodingConflict    FaultKind = "bom-conflict"          // the declared charset is not the real one
	EncodingNotUTF8     FaultKind = "encoding-not-utf8"     // converted
	InvalidUTF8         FaultKind = "invalid-utf8"          // bytes kept as they are
	ControlCharacter    FaultKind = "control-char"          // kept
	LeadingWhitespace   FaultKind = "leading-whitespace"    // skipped
	LeadingContent      FaultKind = "leading-content"       // text before the XML; skipped
	TrailingContent     FaultKind = "trailing-content"      // anything behind the root element; ignored
	DoctypePresent      FaultKind = "doctype-present"       // skipped unread
	UndeclaredEntity    FaultKind = "undeclared-entity"     // an HTML entity is decoded, another name kept
	BareAmpersand       FaultKind = "bare-ampersand"        // kept as &
	DuplicateAttribute  FaultKind = "duplicate-attribute"   // the first counts
	NamespaceMissing    FaultKind = "ns-missing"            // the root has none
	NamespaceWrong      FaultKind = "ns-wrong"              // the root has another one
	NamespaceVariant    FaultKind = "ns-noncanonical"       // https, a slash too many, Google's of 2005
	ExtensionUndeclared FaultKind = "ext-ns-undeclared"     // taken for the usual prefix
	ExtensionVariant    FaultKind = "ext-ns-noncanonical"   // understood all the same
	ExtensionOrder      FaultKind = "extension-order"       // children of an image, a video or an article; read all the same
	UnknownElement      FaultKind = "unknown-element"       // of the protocol's namespace; kept verbatim
	NestedRoot          FaultKind = "urlset-nested"         // a root element inside the root; looked through
	MixedEntries        FaultKind = "mixed-url-and-sitemap" // url in an index or the reverse; kept
	DuplicateChild      FaultKind = "duplicate-child"       // the first counts
	MissingLoc          FaultKind = "missing-loc"           // the entry is left out
	EmptyTag            FaultKind = "empty-tag"             // counts as absent
	NestedTag           FaultKind = "nested-tag-in-leaf"    // its text is left out
	StrayText           FaultKind = "stray-text"            // ignored
	EmptySet            FaultKind = "empty-urlset"          // a file without entries
	TooManyEntries      FaultKind = "too-many-urls"         // reported once, at the first one too many
	TooLarge            FaultKind = "too-large"             // reported once, behind the last entry
	LocWhitespace       FaultKind = "loc-whitespace"        // trimmed; line breaks inside removed, with their indentation
	LocRelative         FaultKind = "loc-relative"          // resolved when a base is given
	LineInvalid         FaultKind = "line-invalid"          // a line of a text file that is no URL; left out
	BlankLine           FaultKind = "blank-line"            // reported once
	FeedItemWithoutLink FaultKind = "item-without-link"     // left out
	FeedLinkFromGUID    FaultKind = "guid-as-link"          // the guid, or the id, stands in for the link
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
