// Package urlnorm resolves the links of a page to URLs, and computes keys of URLs
// for deduplication.
//
// [Base.AppendResolve] implements the basic URL parser of the WHATWG URL standard
// (https://url.spec.whatwg.org/#concept-basic-url-parser), which browsers use, for
// http and https. Usual links (absolute, rooted, relative, with a query, plain
// ASCII) take a fast path that only scans and copies; everything else takes a parser
// that follows the standard rule by rule. Both return the same result. Unlike the
// standard, they drop user information, NAME:PASSWORD@: a link that has some leads to the
// same page, and nobody wants it in a report.
//
// [AppendKey] computes the key for deduplication. It is separate from the URL because
// a site may not answer the URL of the key: a session identifier does not
// distinguish pages, but must be sent.
//
// [CutScheme], [IsHTTP] and [CutOrigin] look at URLs without resolving them. [Host] compares
// the hosts of URLs, however they are written.
//
// Input should be UTF-8, with HTML character references decoded. A byte that is not
// UTF-8 counts as U+FFFD. The time is linear in the input, and the length of every
// result is bounded by [MaxLength].
package urlnorm

import (
	"errors"
	"fmt"
)

// MaxLength is the maximum length in bytes of a URL, and of a reference to one
// without surrounding white space. The standard has no limit; common web servers
// reject a request line of more than 8,190 bytes.
const MaxLength = 8192

// ErrTooLong is returned for a reference, or the URL it resolves to, that is longer
// than [MaxLength].
var ErrTooLong = fmt.Errorf("URL longer than %d bytes", MaxLength)

// ErrInvalid is wrapped by every error of the URL parser.
var ErrInvalid = errors.New("not a valid URL")

// The errors that wrap [ErrInvalid].
var (
	ErrNotAbsolute = fmt.Errorf("%w: no scheme and nothing to resolve against", ErrInvalid)
	ErrHost        = fmt.Errorf("%w: host missing or malformed", ErrInvalid)
	ErrPort        = fmt.Errorf("%w: port not a number from 0 to 65535", ErrInvalid)
)

// A SchemeError is the scheme of a reference that is neither http nor https. Such a
// reference is valid, but there is nothing to fetch. The scheme is in lower case,
// without its colon, and cut after 32 bytes.
type SchemeError string

// Error returns the scheme in a sentence.
func (e SchemeError) Error() string {
	return fmt.Sprintf("scheme %q is neither http nor https", string(e))
}

const maxScheme = 32

// usualSchemes has the errors of frequent schemes, which saves an allocation for each
// link.
var usualSchemes = map[string]error{
	"about":      SchemeError("about"),
	"blob":       SchemeError("blob"),
	"data":       SchemeError("data"),
	"file":       SchemeError("file"),
	"ftp":        SchemeError("ftp"),
	"javascript": SchemeError("javascript"),
	"mailto":     SchemeError("mailto"),
	"sms":        SchemeError("sms"),
	"tel":        SchemeError("tel"),
	"whatsapp":   SchemeError("whatsapp"),
}

func schemeError(scheme []byte) error {
	var buffer [maxScheme]byte
	lower := appendLower(buffer[:0], scheme[:min(len(scheme), maxScheme)])
	if err, ok := usualSchemes[string(lower)]; ok {
		return err
	}
	return SchemeError(lower)
}
