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

	"github.com/mapatools/mapa/internal/urlnorm"
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
	found, err := s.find(r.URL.Path)
	response := &http.Response{
		Request: r, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, StatusCode: http.StatusOK, Header: http.Header{},
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		response.StatusCode = http.StatusNotFound
	case err != nil:
		return nil, err
	}
	response.Status = fmt.Sprintf("%d %s", response.StatusCode, http.StatusText(response.StatusCode))
	response.Header.Set("Content-Type", found.mediaType)
	response.Body, response.ContentLength = io.NopCloser(strings.NewReader(found.text)), int64(len(found.text))
	if r.Method == http.MethodHead {
		response.Body = http.NoBody
	}
	return response, nil
}

// A page is what a request is answered with.
type page struct{ text, mediaType string }

func htmlPage(text string) page { return page{text, "text/html; charset=utf-8"} }

// unread is the page of a file whose links and anchors nobody knows.
var unread = page{mediaType: "application/octet-stream"}

// find returns the page at a path. The error is fs.ErrNotExist without one.
func (s *Set) find(requested string) (page, error) {
	name, inside := strings.CutPrefix(requested, s.path)
	switch {
	case requested+"/" == s.path:
		name = ""
	case !inside:
		return unread, fs.ErrNotExist
	case s.isStdin(name):
		return htmlPage(parseStdin(s.stdin).html(s.skipper(s.working, false))), nil
	}
	at := s.locate(name)
	if at == "" {
		return unread, fs.ErrNotExist
	}
	found, err := s.read(at)
	if name == "" { // where a crawl starts
		found.mediaType = htmlPage("").mediaType
	}
	return found, err
}

// locate returns the name of the file or folder that a path leads to, or an empty string.
func (s *Set) locate(name string) string {
	for _, folder := range append([]string{".", s.working}, s.folders...) {
		at := path.Join(folder, name)
		for _, at := range []string{at, at + ".html"} { // as web servers answer
			info, err := s.root.Stat(filepath.FromSlash(at))
			if err == nil && (info.IsDir() || info.Mode().IsRegular()) {
				return at
			}
			if path.Ext(name) != "" {
				break
			}
		}
	}
	return ""
}

// skipper returns which links of a document in a folder nobody can check: those to example sites,
// and in the source of a generator those to pages of the site that it makes.
func (s *Set) skipper(folder string, generated bool) func(address string) bool {
	return func(address string) bool {
		if isExample(address) && urlnorm.Origin(address) != s.origin {
			return true
		}
		name, _, _ := strings.Cut(address, "#")
		name, _, _ = strings.Cut(name, "?")
		if !generated || name == "" || strings.Contains(name, ":") || strings.HasPrefix(name, "//") {
			return false
		}
		isPage := path.Ext(name) == "" || kindOf(name) == kindHTML || strings.HasPrefix(name, "/")
		unescaped, err := url.PathUnescape(name)
		if !isPage || err != nil {
			return false
		}
		if !strings.HasPrefix(unescaped, "/") {
			unescaped = path.Join(folder, unescaped)
		}
		return s.locate(strings.TrimPrefix(unescaped, "/")) == ""
	}
}

// read returns a file or folder as a page. A folder has the anchors of the page that is shown for
// it.
func (s *Set) read(name string) (page, error) {
	info, err := s.root.Stat(filepath.FromSlash(name))
	if err != nil {
		return unread, notFound(err)
	}
	if info.IsDir() {
		for _, index := range []string{"index.html", "README.md", "readme.md", "index.md"} {
			if text, err := s.readFile(path.Join(name, index)); err == nil {
				d := parse(index, text)
				d.links = nil
				return htmlPage(d.html(nil)), nil
			}
		}
		return unread, nil
	}
	kind := kindOf(name)
	if kind == kindOther && !slices.Contains(s.files, name) {
		return unread, nil
	}
	text, err := s.readFile(name)
	if err != nil || kind == kindHTML {
		return htmlPage(string(text)), err
	}
	d := parse(name, text)
	return htmlPage(d.html(s.skipper(path.Dir(name), d.generated))), nil
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
