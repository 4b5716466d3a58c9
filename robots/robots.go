// Package robots parses robots.txt files and decides whether a crawler may fetch a
// URL, by RFC 9309, the Robots Exclusion Protocol.
//
// [FromResponse] turns an HTTP response into a [File], and [Parse] reads one from
// anywhere else. [File.Group] returns the rules for one crawler, and
// [Group.Verdict] judges a URL: the [Verdict] names the rule and the line that
// decided it. [File.Sitemaps] returns the Sitemap lines, and [File.Lines] every
// record as written.
//
// Where RFC 9309 leaves a choice, the package follows Google's open source parser
// (https://github.com/google/robotstxt): it accepts common misspellings of keys and
// a missing colon, compares a user-agent value up to the first character that a
// product token does not allow, and allows a directory whose index.html is allowed.
//
// The package makes no requests. [MaxRedirects], [MaxAge] and [ReadLimit] are the
// limits of the standard for a program that does.
package robots

import (
	"bytes"
	"fmt"
	"io"
	"time"
)

const (
	// MaxRedirects is the number of consecutive redirects to follow for a
	// robots.txt, to other hosts too. The rules apply to the host of the first
	// request. After more redirects the file counts as missing (RFC 9309,
	// section 2.3.1.2).
	MaxRedirects = 5

	// MaxAge is how long a file may be used after it was fetched. When it can
	// no longer be fetched, the old one may be used longer (RFC 9309, section
	// 2.4).
	MaxAge = 24 * time.Hour

	// ReadLimit is the number of bytes of a file that are read, 500 KiB. The
	// rest is ignored, as is a line that the limit cuts (RFC 9309, section 2.5).
	ReadLimit = 500 << 10
)

// A File is a robots.txt, or the result of a failed request for one. It is immutable
// and safe for concurrent use. The zero File is an empty robots.txt, which allows
// everything.
type File struct {
	text      string
	bom       bool
	truncated bool
	blanket   *Verdict // the verdict for every URL, when there are no lines
}

// Parse reads a robots.txt, at most [ReadLimit] bytes of it. Content is never an
// error: lines that cannot be parsed are ignored, as RFC 9309, section 2.3.1.5,
// requires. An error of r is returned wrapped.
func Parse(r io.Reader) (*File, error) {
	data, err := io.ReadAll(io.LimitReader(r, ReadLimit+1))
	if err != nil {
		return nil, fmt.Errorf("read robots.txt: %w", err)
	}
	f := &File{}
	if len(data) > ReadLimit {
		// A rule cut short would match more than its author wrote.
		f.truncated = true
		data = data[:1+bytes.LastIndexAny(data, lineEnds)]
	}
	f.text, f.bom = cutBOM(string(data))
	return f, nil
}

// FromResponse returns the File for the response to a request for /robots.txt, by
// RFC 9309, section 2.3.1:
//
//   - a body with status 2xx is parsed;
//   - 4xx, or a redirect that was not followed because there were too many, means
//     that there is no robots.txt: everything is allowed;
//   - any other status, or a body that cannot be read to its end, means that the
//     rules are unknown: everything is disallowed. This includes 304; keep the File
//     that it confirms.
//
// The body is read only for status 2xx, and never closed.
func FromResponse(status int, body io.Reader) *File {
	switch {
	case status >= 200 && status < 300:
		f, err := Parse(body)
		if err != nil {
			return DisallowAll(err.Error())
		}
		return f
	case status >= 300 && status < 500 && status != 304:
		return answered(status, true)
	default:
		return answered(status, false)
	}
}

// answered returns the File for a response without a robots.txt.
func answered(status int, allowed bool) *File {
	reason := fmt.Sprintf("robots.txt answered %d", status)
	return &File{blanket: &Verdict{Allowed: allowed, Reason: reason, Cause: CauseStatus, Status: status}}
}

// Unreachable returns the File for a robots.txt that could not be fetched because of
// err. It disallows everything, since the rules are unknown (RFC 9309, section
// 2.3.1.4).
func Unreachable(err error) *File {
	return &File{blanket: &Verdict{Reason: fmt.Sprintf("robots.txt is unreachable: %v", err), Cause: CauseUnreachable}}
}

// AllowAll returns a File without lines that allows every URL. Its verdicts have the
// given reason.
func AllowAll(reason string) *File {
	return &File{blanket: &Verdict{Allowed: true, Reason: reason, Cause: CauseGiven}}
}

// DisallowAll returns a File without lines that disallows every URL except
// /robots.txt. Its verdicts have the given reason.
func DisallowAll(reason string) *File {
	return &File{blanket: &Verdict{Reason: reason, Cause: CauseGiven}}
}

// BOM reports whether the file begins with a UTF-8 byte order mark, or with a part
// of one. RFC 9309 does not allow it; it is skipped.
func (f *File) BOM() bool { return f.bom }

// Truncated reports whether the file was longer than [ReadLimit].
func (f *File) Truncated() bool { return f.truncated }

// cutBOM removes a byte order mark, or a part of one, from the front of text.
func cutBOM(text string) (string, bool) {
	const mark = "\xEF\xBB\xBF"
	n := 0
	for n < len(mark) && n < len(text) && text[n] == mark[n] {
		n++
	}
	return text[n:], n > 0
}
