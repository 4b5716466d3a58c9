package figures

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/mapatools/mapa/internal/urlnorm"
)

const (
	// maxParts is the number of tables of an export. Search Console writes up to seven.
	maxParts = 50
	// maxEntries is the number of files of an archive.
	maxEntries = 1000
)

var (
	errManyEntries = fmt.Errorf("it has more than %d files", maxEntries)
	errStdin       = errors.New("standard input is not read: name a file")
	errNoFile      = errors.New("it is not a regular file")
	errDamaged     = errors.New("it is not a complete ZIP archive: download it again")
	errNoParts     = errors.New("it has no CSV file")
	errManyParts   = fmt.Errorf("it has more than %d CSV files", maxParts)
)

// A FileError says which file of an export cannot be read, and why.
type FileError struct {
	Name string // of the file, and in an archive of its entry too
	Err  error
}

// Error names the file and the reason.
func (e *FileError) Error() string { return fmt.Sprintf("%s: %v", e.Name, e.Err) }

// Unwrap returns the reason.
func (e *FileError) Unwrap() error { return e.Err }

// A part is a file of an export.
type part struct {
	name string
	open func() (io.ReadCloser, error)
}

// A group are the parts of one export.
type group struct {
	name     string // as the user named it, or its folder
	workbook bool   // a workbook is next to the parts
	named    bool   // the user named each part
	parts    []part
	close    func() error // may be nil
}

// groupsOf opens what the user names: an archive and a folder are an export each, and so are the other files of a
// folder together.
func groupsOf(names []string) (groups []group, err error) {
	defer func() {
		if err != nil {
			closeGroups(groups)
			groups = nil
		}
	}()
	loose := map[string]int{} // index of the group, by the folder
	for _, name := range names {
		if name == "-" {
			return groups, &FileError{name, errStdin}
		}
		info, err := os.Stat(name)
		if err != nil {
			return groups, &FileError{name, errorOf(err)}
		}
		if !info.IsDir() && !info.Mode().IsRegular() {
			return groups, &FileError{name, errNoFile}
		}
		if !info.IsDir() && !isArchive(name) {
			folder := filepath.Dir(name)
			at, known := loose[folder]
			if !known {
				at = len(groups)
				loose[folder] = at
				groups = append(groups, group{name: name, named: true})
			}
			groups[at].parts = append(groups[at].parts, fileAt(name))
			continue
		}
		open := openArchive
		if info.IsDir() {
			open = openFolder
		}
		opened, err := open(name)
		if err != nil {
			return groups, &FileError{name, err}
		}
		groups = append(groups, opened...)
	}
	return groups, nil
}

func closeGroups(groups []group) {
	for _, g := range groups {
		if g.close != nil {
			_ = g.close() // it was only read
		}
	}
}

// A SiteError says that an export is of another site than the crawl.
type SiteError struct{ Property, Host string }

// Error names both.
func (e *SiteError) Error() string {
	return fmt.Sprintf("it is an export of %s, and the crawl is of %s", e.Property, e.Host)
}

// propertyName is how the name of an export of Search Console begins: with a domain, or with a URL whose signs are
// replaced.
var propertyName = regexp.MustCompile(`^(?:https?___)?([^_]+?)_?-(?:Coverage|Performance)-`)

// checkSite refuses an export whose name has another host than the site. The name has no port.
func checkSite(name string, site *Site) error {
	match := propertyName.FindStringSubmatch(filepath.Base(name))
	if match == nil {
		return nil
	}
	property := strings.TrimPrefix(strings.ToLower(match[1]), "www.")
	crawled := urlnorm.Host(site.Start)
	host := strings.TrimPrefix(crawled, "www.")
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	if host == property || strings.HasSuffix(host, "."+property) {
		return nil
	}
	return &SiteError{match[1], crawled}
}

// errorOf returns the reason of an error without the path, which the caller names.
func errorOf(err error) error {
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		return path.Err
	}
	return err
}

// isArchive reports whether a file begins as a ZIP archive does.
func isArchive(name string) bool {
	file, err := os.Open(name)
	if err != nil {
		return false
	}
	defer file.Close()
	head := make([]byte, 4)
	_, err = io.ReadFull(file, head)
	return err == nil && string(head) == "PK\x03\x04" || strings.EqualFold(filepath.Ext(name), ".zip")
}

func fileAt(name string) part {
	return part{name, func() (io.ReadCloser, error) {
		file, err := os.Open(name)
		if err != nil {
			return nil, errorOf(err)
		}
		return unzipped(file)
	}}
}

// unzipped unpacks a table that gzip has packed.
func unzipped(file *os.File) (io.ReadCloser, error) {
	head := make([]byte, 2)
	n, _ := io.ReadFull(file, head)
	if _, err := file.Seek(0, io.SeekStart); err != nil || n < len(head) || head[0] != 0x1f || head[1] != 0x8b {
		return file, nil // a pipe cannot go back, and has no head either
	}
	in, err := gzip.NewReader(file)
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return struct {
		io.Reader
		io.Closer
	}{in, file}, nil
}

// isTable reports whether the name of a file of an export is that of a table. Names with other parts are not looked at:
// nothing is unpacked to the disk.
func isTable(name string) bool {
	return slices.Contains([]string{".csv", ".tsv", ".txt"}, strings.ToLower(path.Ext(name))) &&
		!strings.HasPrefix(path.Base(name), ".") && !strings.HasPrefix(name, "__MACOSX/")
}

func openFolder(name string) ([]group, error) {
	entries, err := os.ReadDir(name)
	if err != nil {
		return nil, errorOf(err)
	}
	g := group{name: name}
	for _, entry := range entries {
		if entry.Type().IsRegular() && isTable(entry.Name()) {
			g.parts = append(g.parts, fileAt(filepath.Join(name, entry.Name())))
		}
		g.workbook = g.workbook || strings.EqualFold(filepath.Ext(entry.Name()), ".xlsx")
	}
	if len(g.parts) == 0 && g.workbook {
		return nil, errWorkbook
	}
	return []group{g}, checkParts(len(g.parts))
}

// openArchive opens an archive. Each folder in it is an export.
func openArchive(name string) (groups []group, err error) {
	archive, err := zip.OpenReader(name)
	if errors.Is(err, zip.ErrFormat) {
		err = errDamaged
	}
	if err != nil {
		return nil, errorOf(err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, archive.Close())
		}
	}()
	if len(archive.File) > maxEntries {
		return nil, errManyEntries
	}
	seen, folders, parts := map[string]bool{}, map[string]int{}, 0
	for _, entry := range archive.File {
		if entry.Name == "[Content_Types].xml" {
			return nil, errWorkbook
		}
		if !isTable(entry.Name) || !entry.Mode().IsRegular() || seen[entry.Name] {
			continue
		}
		seen[entry.Name] = true
		folder := path.Dir(entry.Name)
		at, known := folders[folder]
		if !known {
			at = len(groups)
			folders[folder] = at
			groups = append(groups, group{name: name})
		}
		groups[at].parts = append(groups[at].parts, part{name + ": " + entry.Name, entry.Open})
		parts++
	}
	if err := checkParts(parts); err != nil {
		return nil, err
	}
	groups[0].close = archive.Close
	return groups, nil
}

func checkParts(n int) error {
	switch {
	case n == 0:
		return errNoParts
	case n > maxParts:
		return errManyParts
	}
	return nil
}
