package documents

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf8"
)

const (
	// partSize is how many bytes of a text are one page, so that a list of any length is read in
	// bounded memory.
	partSize = 512 << 10
	// maxAddress is how many bytes a URL in a text has at most where parts end.
	maxAddress = 64 << 10
	// maxDocument is how many bytes HTML and Markdown, and the page of a document, have at most. A
	// crawl reads no more of a page.
	maxDocument = 10 << 20
)

// errLarge says that a document is too large to be read.
var errLarge = fmt.Errorf("too large: HTML and Markdown of more than %d MiB are not checked", maxDocument>>20)

// A part is a range of a document, and the lines and characters before it.
type part struct {
	start, end   int64
	line, column int
}

// partQuery returns the query of the path of a part.
func partQuery(number int) string {
	if number == 0 {
		return ""
	}
	return "?part=" + strconv.Itoa(number)
}

// partNumber returns the number of the part with a query.
func partNumber(query string) int {
	digits, _ := strings.CutPrefix(query, "part=")
	number, err := strconv.Atoi(digits)
	if err != nil || partQuery(number) != "?"+query {
		return 0
	}
	return number
}

// partsOf finds the parts of a document, or the reason why it cannot be read.
func (s *Set) partsOf(name string) ([]part, error) {
	file, err := s.open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	parts := []part{{end: file.Size()}}
	switch kind := s.kindOf(name, file); {
	case kind == kindHTML || kind == kindMarkdown:
		if file.Size() > maxDocument {
			return nil, errLarge
		}
	default:
		if parts, err = cutText(io.NewSectionReader(file, 0, file.Size())); err != nil {
			return nil, err
		}
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.parts[name] = parts
	return parts, nil
}

// partOf returns a part of a document, and whether Paths yielded it.
func (s *Set) partOf(name string, number int) (part, bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if number >= len(s.parts[name]) {
		return part{}, false
	}
	return s.parts[name][number], true
}

// cutText finds the parts of a text. No URL goes over the end of one.
func cutText(from io.Reader) (parts []part, err error) {
	buffer := make([]byte, 0, partSize)
	var next part
	for {
		n, err := io.ReadFull(from, buffer[len(buffer):cap(buffer)])
		buffer = buffer[:len(buffer)+n]
		end := len(buffer)
		isLast := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
		switch {
		case err != nil && !isLast:
			return nil, err
		case !isLast:
			if at := bytes.LastIndexAny(buffer, addressEnds) + 1; at > end-maxAddress {
				end = at
			}
		}
		next.end = next.start + int64(end)
		parts = append(parts, next)
		if isLast {
			return parts, nil
		}
		next.move(buffer[:end])
		buffer = append(buffer[:0], buffer[end:]...)
	}
}

// move moves the beginning of a part to the end of a text.
func (p *part) move(text []byte) {
	p.start = p.end
	if at := bytes.LastIndexByte(text, '\n'); at >= 0 {
		p.line += bytes.Count(text, []byte{'\n'})
		p.column = 0
		text = text[at+1:]
	}
	p.column += utf8.RuneCount(text)
}

// A file is an open document.
type file struct {
	*io.SectionReader
	opened *os.File // nil for standard input, which stays open
}

// Close closes the file.
func (f file) Close() {
	if f.opened != nil {
		f.opened.Close()
	}
}

// open opens a document.
func (s *Set) open(name string) (file, error) {
	from := s.copies[name]
	switch isStdin := s.isStdin(name); {
	case isStdin:
		from = s.stdin
	case from == nil:
		opened, err := s.root.Open(filepath.FromSlash(name))
		if err != nil {
			return file{}, err
		}
		from = opened
	}
	info, err := from.Stat()
	f := file{opened: from}
	if err != nil {
		f.Close()
		return file{}, err
	}
	if from == s.stdin || from == s.copies[name] {
		f.opened = nil
	}
	f.SectionReader = io.NewSectionReader(from, 0, info.Size())
	return f, nil
}
