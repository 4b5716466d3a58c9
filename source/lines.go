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
)

// LineOptions say how to read lists and logs. The zero value reads absolute
// addresses from files.
type LineOptions struct {
	// Stdin is what the name "-" reads.
	Stdin io.Reader
	// Base is the address that those without a host are on. Without it they
	// are left out of a list; a log needs it.
	Base string
}

// maxLine is what a line of a list or a log, or a record of CSV, may have.
// Longer ones are left out.
const maxLine = 1 << 20

// A SkippedError says that lines were left out and the others read.
type SkippedError struct {
	Lines int   // how many
	First int   // the number of the first of them, from 1
	Err   error // what is wrong with that
}

// Error gives the figures and the first reason.
func (e *SkippedError) Error() string {
	if e.Lines == 1 {
		return fmt.Sprintf("line %d was left out: %v", e.First, e.Err)
	}
	return fmt.Sprintf("%d lines were left out, line %d the first: %v", e.Lines, e.First, e.Err)
}

// Unwrap returns what is wrong with the first line.
func (e *SkippedError) Unwrap() error { return e.Err }

// Why a line is left out.
var (
	ErrLineTooLong = fmt.Errorf("longer than %d bytes", maxLine)
	ErrNoAddress   = errors.New("no address in it")
	ErrNotLogLine  = errors.New("no line of an access log")
	ErrNoBase      = errors.New("an access log needs the address of its site")
	errBrokenJSON  = errors.New("no JSON object")
)

// skip counts a line that is left out.
func (e *SkippedError) skip(line int, reason error) {
	if e.Lines == 0 {
		e.First, e.Err = line, reason
	}
	e.Lines++
}

// A parser yields the addresses of one file and counts the lines that it leaves
// out. An error ends it.
type parser func(in *bufio.Reader, name string, skipped *SkippedError) iter.Seq2[string, error]

// read hands the files to a parser one after the other.
func read(names []string, options *LineOptions, parse parser) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for _, name := range names {
			if !readOne(name, options, parse, yield) {
				return
			}
		}
	}
}

// readOne reports whether the caller wants more.
func readOne(name string, options *LineOptions, parse parser, yield func(string, error) bool) bool {
	file, err := openLines(name, options.Stdin)
	if err != nil {
		return yield("", &Error{Location: name, Err: fmt.Errorf("%w: %w", ErrOpen, err)})
	}
	defer file.Close()
	in, err := unpacked(file)
	if err != nil {
		return yield("", &Error{Location: name, Err: err})
	}
	var skipped SkippedError
	for address, err := range parse(in, name, &skipped) {
		if err != nil {
			return yield("", &Error{Location: name, Err: err})
		}
		if !yield(address, nil) {
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

// unpacked returns the plain text of a file that may be compressed, without a
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
	if head, _ := in.Peek(3); string(head) == "\ufeff" {
		if _, err := in.Discard(3); err != nil {
			return nil, err
		}
	}
	return in, nil
}

// A line is one of a text, true until the next.
type line struct {
	number int
	text   []byte // without white space around it
	long   bool   // longer than longestLine; text means nothing
}

// lines returns the lines of a text, whatever their length, until the first
// error that is not the end.
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
			if l.text = bytes.TrimSpace(text); len(text) > 0 && !yield(l, nil) || err == io.EOF {
				return
			}
		}
	}
}

// A resolver spells addresses as a crawl does.
type resolver struct {
	base   urlnorm.Base // zero without one
	buffer []byte
}

// newResolver takes a base that may be empty.
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

// resolve returns an address for an absolute one, or one that begins with a
// slash and is on the base's host. All else is more likely a slip than a
// relative reference.
func (r *resolver) resolve(text []byte) (string, error) {
	if !urlnorm.IsHTTP(string(text[:min(len(text), len("https://"))])) && (r.base.String() == "" || !bytes.HasPrefix(text, []byte("/"))) {
		return "", ErrNoAddress
	}
	out, err := r.base.AppendResolve(r.buffer[:0], text)
	if err != nil {
		return "", err
	}
	r.buffer = out
	return string(out), nil
}
