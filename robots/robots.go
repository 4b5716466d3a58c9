// Package robots reads robots.txt files and answers whether a crawler may fetch
// a URL, by RFC 9309 (the Robots Exclusion Protocol).
//
// Start with [FromResponse], or [Parse] for a file at hand, and ask the
// [Group] of your crawler for a [Verdict]. Every verdict names the rule and the
// line that decided it. [File.Sitemaps] lists the Sitemap lines and
// [File.Lines] every record as it is written.
//
// Where the standard is silent the package reads a file as Google's open source
// parser does (github.com/google/robotstxt): common misspellings of a key are
// understood, a forgotten colon too, a user-agent value counts up to the first
// character that no product token holds, and allowing a directory's index.html
// allows the directory.
//
// The package has no network. [MaxRedirects], [MaxAge] and [ReadLimit] are the
// figures of the standard for the one who fetches.
package robots

import (
	"bytes"
	"fmt"
	"io"
	"time"
)

const (
	// MaxRedirects is how many redirects in a row to follow for a robots.txt,
	// to other hosts too; the rules found hold for the host first asked. A
	// file farther away counts as missing (RFC 9309, section 2.3.1.2).
	MaxRedirects = 5

	// MaxAge is how long a fetched file may be used. A file that has become
	// unreachable may be used longer (RFC 9309, section 2.4).
	MaxAge = 24 * time.Hour

	// ReadLimit is how many bytes of a file are read, 500 KiB. What follows is
	// ignored, as is a line that the limit cuts (RFC 9309, section 2.5).
	ReadLimit = 500 << 10
)

// File is a robots.txt, or what the failure to get one means. It never changes
// and is safe for concurrent use. The zero File is an empty robots.txt: it
// allows everything.
type File struct {
	text      string
	bom       bool
	truncated bool
	blanket   *Verdict // for every URL, where there are no lines to judge by
}

// Parse reads a robots.txt, at most [ReadLimit] bytes of it. No content is an
// error: a line that cannot be understood is ignored, as RFC 9309 demands
// (section 2.3.1.5). The error is that of the reader, wrapped.
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

// FromResponse gives the File that an HTTP response to a request for
// /robots.txt stands for, by RFC 9309, section 2.3.1. A successful answer is
// parsed. A client error, or a redirect that was not followed because it was
// one too many, means there is no robots.txt: everything is allowed. Everything
// else, a body that breaks off included, means that its rules are unknown:
// everything is disallowed. Of a 304 nothing can be said here either; keep the
// File it confirms.
//
// The body is read only when the status is successful, and never closed.
func FromResponse(status int, body io.Reader) *File {
	switch {
	case status >= 200 && status < 300:
		f, err := Parse(body)
		if err != nil {
			return DisallowAll(err.Error())
		}
		return f
	case status >= 300 && status < 500 && status != 304:
		return AllowAll(fmt.Sprintf("robots.txt answered %d", status))
	default:
		return DisallowAll(fmt.Sprintf("robots.txt answered %d", status))
	}
}

// Unreachable gives the File for a robots.txt that could not be fetched, for
// the reason given: it disallows everything, since the rules exist but are
// unknown (RFC 9309, section 2.3.1.4).
func Unreachable(err error) *File {
	return DisallowAll(fmt.Sprintf("robots.txt is unreachable: %v", err))
}

// AllowAll gives a File without lines that allows every URL. The reason is what
// its verdicts give as theirs.
func AllowAll(reason string) *File {
	return &File{blanket: &Verdict{Allowed: true, Reason: reason}}
}

// DisallowAll gives a File without lines that disallows every URL but
// /robots.txt. The reason is what its verdicts give as theirs.
func DisallowAll(reason string) *File {
	return &File{blanket: &Verdict{Reason: reason}}
}

// BOM reports whether the file began with a UTF-8 byte order mark, or with part
// of one. It is skipped: by the standard it does not belong there.
func (f *File) BOM() bool { return f.bom }

// Truncated reports whether the file was longer than [ReadLimit].
func (f *File) Truncated() bool { return f.truncated }

// cutBOM removes a byte order mark, whole or cut short, from the front of text.
func cutBOM(text string) (string, bool) {
	const mark = "\xEF\xBB\xBF"
	n := 0
	for n < len(mark) && n < len(text) && text[n] == mark[n] {
		n++
	}
	return text[n:], n > 0
}
