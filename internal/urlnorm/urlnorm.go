// Package urlnorm turns the links of a page into URLs to fetch, and URLs into
// keys that tell whether two of them are the same page.
//
// [Base.AppendResolve] follows the basic URL parser of the WHATWG URL standard
// (https://url.spec.whatwg.org/#concept-basic-url-parser), the one browsers
// use, as far as it concerns http and https. Usual links (absolute, rooted,
// relative, with a query, plain ASCII) take a path that only scans and copies;
// everything else takes a parser that follows the standard rule by rule. Both
// give the same answer.
//
// [AppendKey] makes the key for deduplication. It is kept apart from the URL
// because a site may refuse the URL that the key spells: a session identifier
// that is useless to compare pages must still be sent.
//
// Input is meant to be UTF-8, with HTML character references already decoded.
// A byte that is not UTF-8 counts as U+FFFD. All work is linear in the input,
// and every result is bounded by [MaxLength].
package urlnorm

import (
	"errors"
	"fmt"
)

// MaxLength is the greatest length, in bytes, of a URL and of a reference to
// one, white space at its ends aside. The standard sets no limit; common web
// servers refuse a request line of more than 8,190 bytes.
const MaxLength = 8192

// ErrTooLong says that a reference, or the URL that it stands for, is longer
// than [MaxLength].
var ErrTooLong = fmt.Errorf("URL longer than %d bytes", MaxLength)

// ErrInvalid is what every failure of the URL parser wraps.
var ErrInvalid = errors.New("not a valid URL")

// Reasons for [ErrInvalid].
var (
	ErrNotAbsolute = fmt.Errorf("%w: no scheme and nothing to resolve against", ErrInvalid)
	ErrHost        = fmt.Errorf("%w: host missing or malformed", ErrInvalid)
	ErrPort        = fmt.Errorf("%w: port not a number from 0 to 65535", ErrInvalid)
)

// A SchemeError is the scheme of a reference that is neither http nor https:
// such a reference is not an error of the page, there is just nothing to fetch.
// The scheme is in lower case, without its colon, and cut after 32 bytes.
type SchemeError string

func (e SchemeError) Error() string {
	return fmt.Sprintf("scheme %q is neither http nor https", string(e))
}

const maxScheme = 32

// usualSchemes are errors made beforehand: pages are full of these links, and
// an error made for each would be an allocation for each.
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
