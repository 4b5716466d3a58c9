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

	"github.com/mapatools/mapa/crawl"
)

// Stdin is the name of the text of [Options].Stdin.
const Stdin = "-"

// Options say which files a [Set] has.
type Options struct {
	// Root is the folder that links beginning with a slash are relative to. No link leads out of
	// it.
	Root string
	// Names are the files and folders below Root with the links to check, as the user named them.
	Names []string
	// Stdin is a document without a file, or nil. Its links are relative to Root.
	Stdin []byte
	// Path is the path of Root in URLs. It begins and ends with a slash.
	Path string
}

// A Set is files whose links are checked. It is an [http.RoundTripper] that answers for the files
// below a folder, and safe for concurrent use. Markdown and text become HTML pages. Files that
// have no links are empty.
type Set struct {
	root    *os.Root
	path    string
	stdin   []byte
	files   []string // with the links to check, below the root
	folders []string
	named   map[string]string // files and folders below the root: how the user named them
}

// Open opens the folder of a set. The caller must close it. An error about a name is a
// [*fs.PathError].
func Open(o *Options) (*Set, error) {
	root, err := os.OpenRoot(o.Root)
	if err != nil {
		return nil, err
	}
	s := &Set{root: root, path: o.Path, stdin: o.Stdin, named: map[string]string{}}
	for _, name := range o.Names {
		if err := s.add(o.Root, name); err != nil {
			return nil, errors.Join(err, root.Close())
		}
	}
	return s, nil
}

// add adds a file or folder that the user names.
func (s *Set) add(root, name string) error {
	below, err := relative(root, name)
	if err != nil {
		return err
	}
	info, err := s.root.Stat(below)
	if err != nil {
		return err
	}
	below = filepath.ToSlash(below)
	s.named[below] = filepath.ToSlash(filepath.Clean(name))
	if info.IsDir() {
		s.folders = append(s.folders, below)
	} else {
		s.files = append(s.files, below)
	}
	return nil
}

// relative returns the name of a file relative to a folder that it is in.
func relative(root, name string) (string, error) {
	fullRoot, errRoot := filepath.Abs(root)
	full, err := filepath.Abs(name)
	if err := errors.Join(errRoot, err); err != nil {
		return "", err
	}
	return filepath.Rel(fullRoot, full)
}

// Close closes the folder.
func (s *Set) Close() error { return s.root.Close() }

// Paths yields the paths of the documents with the links to check, escaped for URLs.
func (s *Set) Paths() iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		if s.stdin != nil && !yield(s.path+Stdin, nil) {
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

// Name returns the name of the document at a path, as the user would write it, or an empty string.
func (s *Set) Name(escaped string) string {
	name, found := s.inner(escaped)
	switch {
	case !found:
		return ""
	case name == Stdin && s.stdin != nil:
		return Stdin
	case s.named[name] != "":
		return s.named[name]
	}
	for _, folder := range s.folders {
		if rest, inside := strings.CutPrefix(name, strings.TrimPrefix(folder+"/", "./")); inside {
			return path.Join(s.named[folder], rest)
		}
	}
	return name
}

// IsChecked reports whether the links of the document at a path are to be checked.
func (s *Set) IsChecked(escaped string) bool {
	name, found := s.inner(escaped)
	if !found {
		return false
	}
	return name == Stdin && s.stdin != nil || slices.Contains(s.files, name) || kindOf(name) != kindOther &&
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
	if name == Stdin && s.stdin != nil {
		return readMarkdown(s.stdin).html(), true, nil
	}
	for _, folder := range append([]string{"."}, s.folders...) {
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
				return d.html(), nil
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
	return parse(name, text).html(), nil
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

// Position returns where a link is in the file at a path, by its position in the page of it.
func (s *Set) Position(escaped string, at crawl.Position) crawl.Position {
	name, found := s.inner(escaped)
	if !found || at.Line == 0 {
		return at
	}
	if name == Stdin && s.stdin != nil {
		return readMarkdown(s.stdin).position(at.Line)
	}
	if kindOf(name) == kindHTML {
		return at
	}
	text, err := s.readFile(name)
	if err != nil {
		return crawl.Position{} // it is gone
	}
	return parse(name, text).position(at.Line)
}
