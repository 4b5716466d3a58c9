package source

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/klauspost/compress/gzip"
	"github.com/mapatools/mapa/internal/urlnorm"
	"golang.org/x/text/encoding/unicode"
)

// LineOptions configure [Lists] and [Logs]. The zero value, like nil, reads
// absolute URLs from files.
type LineOptions struct {
	// Stdin is read for the name "-". nil is empty.
	Stdin io.Reader
	// Base is the absolute URL that URLs without a host are resolved against.
	// [Logs] requires it. Without it, [Lists] skips them.
	Base string
}

// maxLine is the most bytes of a line, or of a record of CSV. Longer lines are
// skipped: see ErrLineTooLong.
const maxLine = 1 << 20

// A SkippedError reports that some lines were skipped and the others were read.
type SkippedError struct {
	Lines int   // how many were skipped
	First int   // the number of the first of them, counted from 1
	Err   error // why the first was skipped
}

// Error returns the number of lines and the first reason.
func (e *SkippedError) Error() string {
	if e.Lines == 1 {
		return fmt.Sprintf("line %d was skipped: %v", e.First, e.Err)
	}
	return fmt.Sprintf("%d lines were skipped, the first is line %d: %v", e.Lines, e.First, e.Err)
}

// Unwrap returns why the first line was skipped.
func (e *SkippedError) Unwrap() error { return e.Err }

// The reasons why a line is skipped. ErrNoBase is returned by [Logs] when
// LineOptions.Base is empty.
var (
	ErrLineTooLong = errors.New("longer than 1 MiB")
	ErrNoAddress   = errors.New("no URL in it")
	ErrNotLogLine  = errors.New("not a line of an access log")
	ErrNoBase      = errors.New("an access log needs the URL of its site")
)

// skip counts a skipped line.
func (e *SkippedError) skip(line int, reason error) {
	if e.Lines == 0 {
		e.First, e.Err = line, reason
	}
	e.Lines++
}

// A parser yields the records of one file. The error is a [*RowError] for a record that
// is left out; any other ends the file.
type parser func(in *bufio.Reader, name string) iter.Seq2[*record, error]

// read yields the URLs of the records of each file, one file after the other.
func (r *resolver) read(names []string, options *LineOptions, parse parser) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for _, name := range names {
			if !r.readOne(name, options, parse, yield) {
				return
			}
		}
	}
}

// readOne yields the URLs of one file. It returns false when the caller stops the
// iteration.
func (r *resolver) readOne(
	name string, options *LineOptions, parse parser, yield func(string, error) bool,
) bool {
	file, err := openLines(name, options.Stdin)
	if err != nil {
		return yield("", &Error{Location: name, Err: openingError(name, err)})
	}
	defer file.Close()
	in, err := unpacked(file)
	if err != nil {
		return yield("", &Error{Location: name, Err: err})
	}
	var skipped SkippedError
	for found, err := range parse(in, name) {
		fault, isRow := errors.AsType[*RowError](err)
		switch {
		case isRow:
			skipped.skip(fault.Line, fault.Err)
			continue
		case err != nil:
			return yield("", &Error{Location: name, Err: err})
		}
		address, err := r.resolve(found.cells[fieldLoc].text)
		if err != nil {
			skipped.skip(found.line, err)
		} else if !yield(address, nil) {
			return false
		}
	}
	if skipped.Lines == 0 {
		return true
	}
	return yield("", &Error{Location: name, Err: &skipped})
}

func openLines(name string, stdin io.Reader) (io.ReadCloser, error) {
	if name != "-" {
		in, err := openFile(name)
		return in.body, err
	}
	if stdin == nil {
		stdin = bytes.NewReader(nil)
	}
	return io.NopCloser(stdin), nil
}

// unpacked returns the plain text in UTF-8 of a file that may be compressed, or in UTF-16, without a
// byte order mark.
func unpacked(file io.Reader) (*bufio.Reader, error) {
	in := bufio.NewReaderSize(file, 64<<10)
	if head, _ := in.Peek(2); string(head) == "\x1f\x8b" { // RFC 1952, 2.3.1
		plain, err := gzip.NewReader(in)
		if err != nil {
			return nil, err
		}
		in = bufio.NewReaderSize(plain, maxLine)
	} else {
		in = bufio.NewReaderSize(in, maxLine)
	}
	switch head, _ := in.Peek(3); {
	case string(head) == "\ufeff":
		if _, err := in.Discard(3); err != nil {
			return nil, err
		}
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")): // as Excel writes
		wide := unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM)
		return bufio.NewReaderSize(wide.NewDecoder().Reader(in), maxLine), nil
	}
	return in, nil
}

// A line is valid until the next one is read.
type line struct {
	number int
	column int    // where text begins, counted in bytes from 1
	text   []byte // without surrounding white space
	long   bool   // longer than maxLine; text is undefined
}

// lines yields the lines of a text, of any length, until the end or an error.
func lines(in *bufio.Reader) iter.Seq2[line, error] {
	return func(yield func(line, error) bool) {
		for number := 1; ; number++ {
			text, err := in.ReadSlice('\n')
			l := line{number: number, long: err == bufio.ErrBufferFull}
			for err == bufio.ErrBufferFull {
				_, err = in.ReadSlice('\n')
			}
			if err != nil && err != io.EOF {
				yield(l, err)
				return
			}
			l.text = bytes.TrimSpace(text)
			l.column = 1 + len(text) - len(bytes.TrimLeft(text, " \t"))
			if len(text) > 0 && !yield(l, nil) || err == io.EOF {
				return
			}
		}
	}
}

// A resolver normalizes URLs in the way a crawl does.
type resolver struct {
	base   urlnorm.Base // the zero Base when there is none
	buffer []byte
}

// newResolver returns a resolver. base may be empty.
func newResolver(base string) (*resolver, error) {
	if base == "" {
		return &resolver{}, nil
	}
	parsed, err := urlnorm.NewBase([]byte(base))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", base, err)
	}
	return &resolver{base: *parsed}, nil
}

// resolve normalizes an absolute URL, or a path that begins with a slash on the
// host of the base. Everything else is more likely a mistake than a relative
// reference: it is ErrNoAddress.
func (r *resolver) resolve(text []byte) (string, error) {
	onBase := r.base.String() != "" && bytes.HasPrefix(text, []byte("/"))
	if !onBase && !urlnorm.IsHTTP(string(text[:min(len(text), len("https://"))])) {
		return "", ErrNoAddress
	}
	out, err := r.base.AppendResolve(r.buffer[:0], text)
	if err != nil {
		return "", err
	}
	r.buffer = out
	return string(out), nil
}
