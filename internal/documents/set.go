package documents

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
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
	Stdin io.Reader
	// Skip reports whether a document is not checked, by its path. It may be nil.
	Skip func(path string) bool
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
	skip    func(path string) bool
	stdin   *os.File // nil without standard input
	working string   // the working directory, relative to the root
	files   []string // with the links to check, below the root
	folders []string

	mutex   sync.Mutex
	unread  []error
	parts   map[string][]part // of the documents that Paths yielded
	places  places
	sites   map[string]bool      // folders, and whether they have the settings of a generator
	targets map[string]*document // without their links
}

// Open opens the folder of a set, and copies standard input to a temporary file. The caller must
// close it. An error about a name is a [*fs.PathError].
func Open(o *Options) (*Set, error) {
	root, err := os.OpenRoot(o.Root)
	if err != nil {
		return nil, err
	}
	s := &Set{
		root: root, name: o.Root, origin: o.Origin, path: o.Path, skip: o.Skip,
		parts: map[string][]part{}, sites: map[string]bool{}, targets: map[string]*document{},
	}
	s.working, err = relative(o.Root, ".")
	for _, name := range o.Names {
		if err == nil {
			err = s.add(o.Root, name)
		}
	}
	if err == nil && o.Stdin != nil {
		err = s.keepStdin(o.Stdin)
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// keepStdin copies standard input to a temporary file, which has no name where a system allows that.
func (s *Set) keepStdin(from io.Reader) (err error) {
	if s.stdin, err = os.CreateTemp("", "mapa-*"); err != nil {
		return fmt.Errorf("creating a temporary file for standard input: %w", err)
	}
	_ = os.Remove(s.stdin.Name()) // else Close removes it
	if _, err = io.Copy(s.stdin, from); err != nil {
		return fmt.Errorf("copying standard input to a temporary file: %w", err)
	}
	return nil
}

// Close closes the folder.
func (s *Set) Close() error {
	if s.stdin != nil {
		s.stdin.Close()
		_ = os.Remove(s.stdin.Name())
	}
	return s.root.Close()
}

// add adds a file or folder that the user names.
func (s *Set) add(root, name string) error {
	below, err := relative(root, name)
	if err != nil {
		return err
	}
	info, err := s.root.Stat(filepath.FromSlash(below))
	if err != nil {
		return &fs.PathError{Op: "open", Path: name, Err: reasonOf(err)}
	}
	if info.IsDir() {
		s.folders = append(s.folders, below)
	} else {
		s.files = append(s.files, below)
	}
	return nil
}

// reasonOf returns an error without the name of the file.
func reasonOf(err error) error {
	if of, is := errors.AsType[*fs.PathError](err); is {
		return of.Err
	}
	return err
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

// Paths yields the paths of the documents with the links to check, escaped for URLs. The parts of a
// long text have paths of their own, with a query except for the first. Those that cannot be read
// are in [Set.Unread].
func (s *Set) Paths() iter.Seq[string] {
	return func(yield func(string) bool) {
		for name := range s.documents() {
			if s.skip != nil && s.skip(s.pathOf(name)) {
				continue
			}
			parts, err := s.partsOf(name)
			if err != nil {
				s.addUnread(name, err)
				continue
			}
			for i := range parts {
				if !yield(s.pathOf(name) + partQuery(i)) {
					return
				}
			}
		}
	}
}

func (s *Set) pathOf(name string) string { return (&url.URL{Path: s.path + name}).EscapedPath() }

// documents yields the names of the documents with the links to check.
func (s *Set) documents() iter.Seq[string] {
	return func(yield func(string) bool) {
		if s.stdin != nil && !yield(path.Join(s.working, Stdin)) {
			return
		}
		for _, name := range s.files {
			if !yield(name) {
				return
			}
		}
		for _, folder := range s.folders {
			for name := range s.documentsIn(folder) {
				if !yield(name) {
					return
				}
			}
		}
	}
}

// documentsIn yields the documents in a folder, without hidden ones and those of packages.
func (s *Set) documentsIn(folder string) iter.Seq[string] {
	return func(yield func(string) bool) {
		// WalkDir returns the error of the function only, which has none of its own.
		_ = fs.WalkDir(s.root.FS(), folder, func(name string, entry fs.DirEntry, err error) error {
			base := path.Base(name)
			switch {
			case err != nil:
				s.addUnread(name, err)
				return fs.SkipDir
			case name != folder && strings.HasPrefix(base, "."), base == "node_modules":
				if entry.IsDir() {
					return fs.SkipDir
				}
			case entry.Type().IsRegular() && kindOf(name) != kindOther && !yield(name):
				return fs.SkipAll
			}
			return nil
		})
	}
}

// Unread returns why documents with links to check, or parts of them, were not read. Each error is
// a [*fs.PathError] with the name that Name returns.
func (s *Set) Unread() []error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	slices.SortFunc(s.unread, func(a, b error) int { return cmp.Compare(a.Error(), b.Error()) })
	return slices.CompactFunc(s.unread, func(a, b error) bool { return a.Error() == b.Error() })
}

func (s *Set) addUnread(name string, err error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.unread = append(s.unread, &fs.PathError{Op: "read", Path: s.shown(name), Err: reasonOf(err)})
}

// Name returns the name of the file at a path, relative to the working directory, or an empty string.
func (s *Set) Name(escaped string) string {
	name, _, found := s.inner(escaped)
	if !found {
		return ""
	}
	return s.shown(name)
}

// shown returns the name of a file as people know it.
func (s *Set) shown(name string) string {
	if s.isStdin(name) {
		return Stdin
	}
	if shown, err := relative(".", filepath.Join(s.name, filepath.FromSlash(name))); err == nil {
		return shown
	}
	return name
}

// isStdin reports whether a name is that of standard input.
func (s *Set) isStdin(name string) bool { return s.stdin != nil && name == path.Join(s.working, Stdin) }

// inner returns the name below the root for an escaped path, and which part of the document it is.
func (s *Set) inner(escaped string) (name string, number int, found bool) {
	escaped, query, _ := strings.Cut(escaped, "?")
	name, found = strings.CutPrefix(unescape(escaped), s.path)
	return name, partNumber(query), found
}

// unescape returns a path without escapes. What is no escape stays, as in browsers.
func unescape(escaped string) string {
	if plain, err := url.PathUnescape(escaped); err == nil {
		return plain
	}
	var plain strings.Builder
	for i := 0; i < len(escaped); i++ {
		if i+2 < len(escaped) {
			if c, err := url.PathUnescape(escaped[i : i+3]); err == nil && escaped[i] == '%' {
				plain.WriteString(c)
				i += 2
				continue
			}
		}
		plain.WriteByte(escaped[i])
	}
	return plain.String()
}
