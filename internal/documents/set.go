package documents

import (
	"cmp"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"io/fs"
	"iter"
	"maps"
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
	// Repository says that Root is the folder of one project: links may lead to each of its files. Else they may
	// lead to those in the folders of Names.
	Repository bool
	// Names are the files and folders below Root with the links to check.
	Names []string
	// Copies are texts in place of some of the files of Names.
	Copies []Copy
	// Stdin is a document without a file, or nil. Its links are relative to the working directory.
	Stdin io.Reader
	// Done is closed when no document is to be read any more. It may be nil.
	Done <-chan struct{}
	// Skip reports whether a document is not checked, by its path. It may be nil.
	Skip func(path string) bool
	// Origin and Path are those of the URL of Root. Path begins and ends with a slash.
	Origin, Path string
	// Public says that these are those of the published site, so that all of its paths are known.
	Public bool
}

// A Copy is a text that is read in place of a file.
type Copy struct {
	Name  string
	Write func(io.Writer) error
}

// A Set is files whose links are checked. It is an [http.RoundTripper] that answers for the files
// below a folder, and safe for concurrent use. Markdown and text become HTML pages. Files that
// have no links are empty.
type Set struct {
	root    *os.Root
	name    string // of the root
	origin  string
	path    string
	public  bool
	skip    func(path string) bool
	done    <-chan struct{}
	stdin   *os.File            // nil without standard input
	copies  map[string]*os.File // of files that are not read themselves
	working string              // the working directory, relative to the root
	files   []string            // with the links to check, below the root
	folders []string

	mutex    sync.Mutex
	unread   []error
	parts    map[string][]part // of the documents that Paths yielded
	places   places
	sites    map[string]dialect   // folders, and the programs whose settings they have
	targets  map[string]*document // without their links
	counts   map[partName]*counts // of the documents with links that are not right
	found    map[siteKey]siteFile
	right    rightPaths
	embedded map[string][]string        // the names of documents whose text code takes, by the folder
	headings map[string]bool            // the sources of components, and whether they may have headings
	left     map[Reason]map[string]bool // documents that are not read, or not their links to files
	labels   map[string]labelSet        // by the folder of a site
	sections map[section]*paths

	indexOnce sync.Once
	index     *index
	tops      []string // the folders whose files are in the index
}

// Open opens the folder of a set, and copies standard input to a temporary file. The caller must
// close it. An error about a name is a [*fs.PathError].
func Open(o *Options) (*Set, error) {
	root, err := os.OpenRoot(o.Root)
	if err != nil {
		return nil, err
	}
	s := &Set{
		root: root, name: o.Root, origin: o.Origin, path: o.Path, public: o.Public, skip: o.Skip, done: o.Done,
		parts: map[string][]part{}, sites: map[string]dialect{}, targets: map[string]*document{},
		found: map[siteKey]siteFile{}, copies: map[string]*os.File{}, counts: map[partName]*counts{},
		labels: map[string]labelSet{}, sections: map[section]*paths{},
		left:     map[Reason]map[string]bool{Tests: {}, Markup: {}},
		headings: map[string]bool{}, embedded: map[string][]string{},
		right: rightPaths{seed: maphash.MakeSeed(), of: map[group]map[uint64]bool{}},
	}
	s.working, err = relative(o.Root, ".")
	for _, name := range o.Names {
		if err == nil {
			err = s.add(o.Root, name)
		}
	}
	for _, copied := range o.Copies {
		if err == nil {
			err = s.addCopy(o.Root, copied)
		}
	}
	s.tops = s.topFolders(o.Repository)
	if err == nil && o.Stdin != nil {
		err = s.keepStdin(o.Stdin)
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// topFolders returns the folders whose files links may lead to.
func (s *Set) topFolders(isRepository bool) (tops []string) {
	if isRepository {
		return []string{"."}
	}
	for _, name := range slices.Concat(s.folders, s.files) {
		if slices.Contains(s.files, name) {
			name = path.Dir(name)
		}
		if !slices.ContainsFunc(tops, func(top string) bool { return name == top || strings.HasPrefix(name, top+"/") }) {
			tops = append(tops, name)
		}
	}
	return tops
}

// top returns the folder to which the user takes paths to be relative that begin with a slash.
func (s *Set) top() string {
	if len(s.tops) > 0 {
		return s.tops[0]
	}
	return s.working
}

// below returns a name relative to the folder that the user means.
func (s *Set) below(name string) string { return strings.TrimPrefix(name, s.top()+"/") }

// keepStdin copies standard input to a temporary file.
func (s *Set) keepStdin(from io.Reader) (err error) {
	if s.stdin, err = createTemp(); err != nil {
		return fmt.Errorf("creating a temporary file for standard input: %w", err)
	}
	if _, err = io.Copy(s.stdin, from); err != nil {
		return fmt.Errorf("copying standard input to a temporary file: %w", err)
	}
	return nil
}

// addCopy writes a text to a temporary file.
func (s *Set) addCopy(root string, c Copy) error {
	name, err := relative(root, c.Name)
	if err != nil {
		return err
	}
	file, err := createTemp()
	if err != nil {
		return fmt.Errorf("creating a temporary file for %s: %w", c.Name, err)
	}
	s.copies[name] = file
	return c.Write(file)
}

// createTemp creates a temporary file, which has no name where a system allows that.
func createTemp() (*os.File, error) {
	file, err := os.CreateTemp("", "mapa-*")
	if err == nil {
		_ = os.Remove(file.Name()) // else Close removes it
	}
	return file, err
}

// Close closes the folder.
func (s *Set) Close() error {
	for _, file := range append(slices.Collect(maps.Values(s.copies)), s.stdin) {
		if file != nil {
			file.Close()
			_ = os.Remove(file.Name())
		}
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
		seen := map[string]bool{}
		for name := range s.documents() {
			if seen[name] {
				continue // it is in several of the folders
			}
			if len(s.files)+len(s.folders) > 1 {
				seen[name] = true
			}
			if s.skip != nil && s.skip(s.pathOf(name)) {
				continue
			}
			if slices.Contains(markupEnds, strings.ToLower(path.Ext(name))) {
				s.leaveDocument(Markup, name)
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

func (s *Set) pathOf(name string) string {
	if name == "." {
		name = ""
	}
	return (&url.URL{Path: s.path + name}).EscapedPath()
}

// markupEnds are the ends of documents with links to files that Mapa does not read: it reads their URLs.
var markupEnds = []string{".rst", ".adoc", ".org"}

// leaveDocument keeps that a document is not read, or not its links to files.
func (s *Set) leaveDocument(r Reason, name string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.left[r][name] = true
}

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

// documentsIn yields the documents in a folder, without hidden ones, those of packages and those of tests.
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
			case strings.Count(name, "/") > maxFolders:
				s.addUnread(name, errDeep)
				return fs.SkipDir
			case !entry.Type().IsRegular() || kindOf(name) == kindOther:
			case strings.HasSuffix(name, ".erb") && !s.isPublished(name): // a template of another project
			case s.isTestMaterial(name, folder):
				s.leaveDocument(Tests, name)
			case !yield(name):
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
