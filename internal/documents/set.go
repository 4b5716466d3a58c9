package documents

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Stdin is the name of the text of [Options].Stdin.
const Stdin = "-"

// Options say which files a [Set] has.
type Options struct {
	// Root is the folder that no link leads out of. Links that begin with a slash are relative to
	// it, to the working directory or to one of the folders.
	Root string
	// Names are the files and folders below Root with the links to check.
	Names []string
	// Stdin is a document without a file, or nil. Its links are relative to the working directory.
	Stdin []byte
	// Origin and Path are those of the URL of Root. Path begins and ends with a slash.
	Origin, Path string
}

// A Set is files whose links are checked. It is an [http.RoundTripper] that answers for the files
// below a folder, and safe for concurrent use. Markdown and text become HTML pages. Files that
// have no links are empty.
type Set struct {
	root    *os.Root
	name    string // of the root
	origin  string
	path    string
	stdin   []byte
	working string   // the working directory, relative to the root
	files   []string // with the links to check, below the root
	folders []string
}

// Open opens the folder of a set. The caller must close it. An error about a name is a
// [*fs.PathError].
func Open(o *Options) (*Set, error) {
	root, err := os.OpenRoot(o.Root)
	if err != nil {
		return nil, err
	}
	s := &Set{root: root, name: o.Root, origin: o.Origin, path: o.Path, stdin: o.Stdin}
	s.working, err = relative(o.Root, ".")
	for _, name := range o.Names {
		if err == nil {
			err = s.add(o.Root, name)
		}
	}
	if err != nil {
		return nil, errors.Join(err, root.Close())
	}
	return s, nil
}

// add adds a file or folder that the user names.
func (s *Set) add(root, name string) error {
	below, err := relative(root, name)
	if err != nil {
		return err
	}
	info, err := s.root.Stat(filepath.FromSlash(below))
	if err != nil {
		return &fs.PathError{Op: "open", Path: name, Err: err.(*fs.PathError).Err}
	}
	if info.IsDir() {
		s.folders = append(s.folders, below)
	} else {
		s.files = append(s.files, below)
	}
	return nil
}

// relative returns the name of a file relative to a folder, with slashes.
func relative(root, name string) (string, error) {
	fullRoot, errRoot := filepath.Abs(root)
	full, err := filepath.Abs(name)
	if err := errors.Join(errRoot, err); err != nil {
		return "", err
	}
	below, err := filepath.Rel(fullRoot, full)
	return filepath.ToSlash(below), err
}

// Close closes the folder.
func (s *Set) Close() error { return s.root.Close() }

// Paths yields the paths of the documents with the links to check, escaped for URLs.
func (s *Set) Paths() iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		if s.stdin != nil && !yield(s.pathOf(path.Join(s.working, Stdin)), nil) {
			return
		}
		for _, name := range s.files {
			if !yield(s.pathOf(name), nil) {
				return
			}
		}
		for _, folder := range s.folders {
			for name, err := range s.documentsIn(folder) {
				if !yield(s.pathOf(name), err) || err != nil {
					return
				}
			}
		}
	}
}

func (s *Set) pathOf(name string) string { return (&url.URL{Path: s.path + name}).EscapedPath() }

// documentsIn yields the documents in a folder, without hidden ones and those of packages.
func (s *Set) documentsIn(folder string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		// WalkDir returns the error of the function only, which has none of its own.
		_ = fs.WalkDir(s.root.FS(), folder, func(name string, entry fs.DirEntry, err error) error {
			base := path.Base(name)
			switch {
			case err != nil:
				yield("", err)
				return fs.SkipAll
			case name != folder && strings.HasPrefix(base, "."), base == "node_modules":
				if entry.IsDir() {
					return fs.SkipDir
				}
			case entry.Type().IsRegular() && kindOf(name) != kindOther && !yield(name, nil):
				return fs.SkipAll
			}
			return nil
		})
	}
}

// Name returns the name of the file at a path, relative to the working directory, or an empty string.
func (s *Set) Name(escaped string) string {
	name, found := s.inner(escaped)
	switch {
	case !found:
		return ""
	case s.isStdin(name):
		return Stdin
	}
	if shown, err := relative(".", filepath.Join(s.name, filepath.FromSlash(name))); err == nil {
		return shown
	}
	return name
}

// isStdin reports whether a name is that of standard input.
func (s *Set) isStdin(name string) bool { return s.stdin != nil && name == path.Join(s.working, Stdin) }

// IsChecked reports whether the links of the document at a path are to be checked.
func (s *Set) IsChecked(escaped string) bool {
	name, found := s.inner(escaped)
	if !found {
		return false
	}
	return s.isStdin(name) || slices.Contains(s.files, name) || kindOf(name) != kindOther &&
		slices.ContainsFunc(s.folders, func(folder string) bool {
			return folder == "." || strings.HasPrefix(name, folder+"/")
		})
}

// inner returns the name below the root for an escaped path.
func (s *Set) inner(escaped string) (name string, found bool) {
	whole, err := url.PathUnescape(escaped)
	if err != nil {
		return "", false
	}
	return strings.CutPrefix(whole, s.path)
}

// RoundTrip implements [http.RoundTripper].
func (s *Set) RoundTrip(r *http.Request) (*http.Response, error) {
	page, found, err := s.find(r.URL.Path)
	response := &http.Response{
		Request: r, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, StatusCode: http.StatusOK, Header: http.Header{},
	}
	switch {
	case err != nil:
		return nil, err
	case !found:
		response.StatusCode, page = http.StatusNotFound, ""
	}
	response.Status = fmt.Sprintf("%d %s", response.StatusCode, http.StatusText(response.StatusCode))
	response.Header.Set("Content-Type", "text/html; charset=utf-8")
	response.Body, response.ContentLength = io.NopCloser(strings.NewReader(page)), int64(len(page))
	if r.Method == http.MethodHead {
		response.Body = http.NoBody
	}
	return response, nil
}

// find returns the page at a path.
func (s *Set) find(requested string) (page string, found bool, err error) {
	name, inside := strings.CutPrefix(requested, s.path)
	if requested+"/" == s.path {
		name, inside = "", true
	}
	if !inside {
		return "", false, nil
	}
	if s.isStdin(name) {
		return parseStdin(s.stdin).html(s.origin), true, nil
	}
	for _, folder := range append([]string{".", s.working}, s.folders...) {
		page, err = s.read(path.Join(folder, name))
		if !errors.Is(err, fs.ErrNotExist) {
			return page, err == nil, err
		}
	}
	return "", false, nil
}

// read returns a file or folder as a page. A folder has the anchors of the page that is shown for
// it.
func (s *Set) read(name string) (string, error) {
	info, err := s.root.Stat(filepath.FromSlash(name))
	switch {
	case err != nil && kindOf(name) == kindOther && path.Ext(name) == "":
		name += ".html" // as web servers answer
		if info, err = s.root.Stat(filepath.FromSlash(name)); err != nil {
			return "", notFound(err)
		}
	case err != nil:
		return "", notFound(err)
	case info.IsDir():
		for _, index := range []string{"index.html", "README.md", "readme.md", "index.md"} {
			if text, err := s.readFile(path.Join(name, index)); err == nil {
				d := parse(index, text)
				d.links = nil
				return d.html(s.origin), nil
			}
		}
		return "", nil
	}
	if !info.Mode().IsRegular() {
		return "", fs.ErrNotExist
	}
	kind := kindOf(name)
	if kind == kindOther && !slices.Contains(s.files, name) {
		return "", nil
	}
	text, err := s.readFile(name)
	if err != nil {
		return "", err
	}
	if kind == kindHTML {
		return string(text), nil
	}
	return parse(name, text).html(s.origin), nil
}

// notFound returns fs.ErrNotExist for a name that cannot be that of a file below the root.
func notFound(err error) error {
	if _, is := errors.AsType[*fs.PathError](err); is {
		return fs.ErrNotExist
	}
	return err
}

// maxFile is how many bytes of a file are read.
const maxFile = 32 << 20

func (s *Set) readFile(name string) ([]byte, error) {
	file, err := s.root.Open(filepath.FromSlash(name))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, maxFile))
}

// IsHTML reports whether the document at a path is a page of a site.
func (s *Set) IsHTML(escaped string) bool {
	name, _ := s.inner(escaped)
	return kindOf(name) == kindHTML
}

// Position returns the line and column of a link in the file at a path, by those in the page of
// it, or 0.
func (s *Set) Position(escaped string, line, column int) (lineOf, columnOf int) {
	name, found := s.inner(escaped)
	switch {
	case !found || kindOf(name) == kindHTML:
		return line, column
	case s.isStdin(name):
		return parseStdin(s.stdin).position(line)
	}
	text, err := s.readFile(name)
	if err != nil {
		return 0, 0 // it is gone
	}
	return parse(name, text).position(line)
}
