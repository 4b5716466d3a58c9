// Package crawlfile finds and opens the crawl of a folder, and says what is in the folder: the
// crawl file, its options and its pages.
package crawlfile

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/store"
	"github.com/mapatools/mapa/internal/urlnorm"
)

// The files of a crawl in its folder: its own, and that of an earlier one, with which the next is
// compared. ReplacedName is a crawl that is no base of a comparison, until the next has a page.
const (
	Name         = "crawl.sqlite"
	PreviousName = "crawl.previous.sqlite"
	ReplacedName = "crawl.replaced.sqlite"
)

// A Meta is the options that decide what a crawl file holds of a site and of a page.
type Meta struct {
	Images bool     `json:"images,omitempty"`
	Assets bool     `json:"assets,omitempty"`
	Feeds  bool     `json:"feeds,omitempty"`
	Strip  []string `json:"strip,omitempty"` // ignored query parameters
	Links  int      `json:"links,omitempty"` // limit of a page; 0 is the default
	// RequestedStart is the start that the user named, if that redirects to the start.
	RequestedStart string `json:"requested_start,omitempty"`
	// Sitemap is the sitemap that the user named as the start, if the start is its site.
	Sitemap string `json:"sitemap,omitempty"`
	// Crawled is the address of a crawl whose URLs are those of another, public one, and
	// BaseURL is that one.
	Crawled       string `json:"crawled,omitempty"`
	BaseURL       string `json:"base_url,omitempty"`
	IgnoreNoIndex bool   `json:"ignore_noindex,omitempty"`
	// Documents are the kinds of files that are listed.
	Documents []crawl.DocumentKind `json:"documents"`
	// Render says which pages are rendered, as --render does. Empty means no page.
	Render string `json:"render,omitempty"`
	// Compared has a hash of each other option that two crawls must share to be compared, by its
	// name. Of a log-in, that is one of its names, without the values.
	Compared map[string]string `json:"compared,omitempty"`
	// Files is the URL of the folder that checked files are named from, without a slash at its end.
	Files string `json:"files,omitempty"`
	// Lang is the language that the settings name for what people read, or empty.
	Lang catalog.Language `json:"lang,omitempty"`
	// Job is the job of workers that crawled the site, with the time of its creation.
	// Sequence is that of the last record of the site. Every end of the site has another one.
	Job      string    `json:"job,omitempty"`
	Created  time.Time `json:"job_created,omitzero"`
	Sequence uint64    `json:"sequence,omitempty"`
}

// Covers reports whether pages that were recorded with m hold all that wanted needs.
func (m Meta) Covers(wanted Meta) bool {
	return (m.Images || !wanted.Images) && (m.Assets || !wanted.Assets) && m.Feeds == wanted.Feeds &&
		m.Links == wanted.Links && slices.Equal(m.Documents, wanted.Documents) &&
		m.Crawled == wanted.Crawled && m.IgnoreNoIndex == wanted.IgnoreNoIndex
}

// OtherOptions returns the names of the options that keep a crawl from being compared with one
// before it, sorted.
func (m Meta) OtherOptions(before Meta) (names []string) {
	for _, options := range []map[string]string{m.Compared, before.Compared} {
		for name := range options {
			if m.Compared[name] != before.Compared[name] {
				names = append(names, name)
			}
		}
	}
	if m.BaseURL != before.BaseURL {
		names = append(names, "base-url")
	}
	if m.Render != before.Render {
		names = append(names, "render")
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// String returns the options as JSON.
func (m Meta) String() string {
	text, _ := json.Marshal(m) // this struct can always be encoded
	return string(text)
}

// ReadMeta returns the options of a crawl.
func ReadMeta(file *store.File) (Meta, error) { return ParseMeta(file.Meta().Options) }

// ParseMeta returns the options of a crawl from their JSON.
func ParseMeta(options string) (m Meta, err error) {
	if err := json.Unmarshal([]byte(options), &m); err != nil {
		return m, fmt.Errorf("read the options of the crawl: %w", err)
	}
	return m, nil
}

// IsFolder reports whether a folder of files was crawled.
func (m Meta) IsFolder() bool { return m.Crawled != "" && !urlnorm.IsHTTP(m.Crawled) }

// ReadStart returns the address at which the crawl in a folder began: where the address that the
// user named led to.
func ReadStart(folder string) (start string, err error) {
	file, err := Open(folder)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	meta, err := ReadMeta(file)
	return RequestedStart(file, meta), err
}

// GivenLanguage returns the language that the crawl in a folder was given for what people read. It is empty
// without one, and where no crawl can be read: reading the crawl itself reports that.
func GivenLanguage(folder string) catalog.Language {
	file, err := Open(folder)
	if err != nil {
		return ""
	}
	defer file.Close()
	meta, err := ReadMeta(file)
	if err != nil {
		return ""
	}
	return meta.Lang
}

// RequestedStart returns the address at which a crawl began, whatever the public address of its
// site is.
func RequestedStart(file *store.File, meta Meta) string {
	return cmp.Or(meta.Crawled, file.Meta().Start)
}

// RemoveFile removes a file that may not exist.
func RemoveFile(name string) error {
	if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// FolderOf returns the default folder of a crawl of a host. A colon is not allowed in
// names everywhere.
func FolderOf(host string) string { return strings.ReplaceAll(host, ":", "-") }

// ListSuffix follows the name of that folder where only the given pages of a host are crawled.
const ListSuffix = "-list"

// ErrNoCrawl says that a folder holds no crawl.
var ErrNoCrawl = errors.New("no crawl")

// ErrNotFolder says that a file has the name of a folder to write to.
var ErrNotFolder = errors.New("it is a file")

// A FolderError says that a folder to write to cannot be created, and which setting names it;
// without one it is output.
type FolderError struct {
	Folder  string
	Setting string
	Err     error
}

// Error names the folder and the reason.
func (e *FolderError) Error() string {
	err := e.Err
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		err = path.Err // the path is that of the folder, or of one above it
	}
	return fmt.Sprintf("cannot create the folder %s: %v", e.Folder, err)
}

// Unwrap returns the reason.
func (e *FolderError) Unwrap() error { return e.Err }

// Open opens the crawl of a folder, or a crawl file, to read it.
func Open(location string) (*store.File, error) {
	file, err := store.OpenReader(Path(location))
	return file, Wrap(err, location)
}

// OpenToChange opens the crawl of a folder, or a crawl file, to read and change it.
func OpenToChange(location string) (*store.File, error) {
	file, err := store.Open(Path(location))
	return file, Wrap(err, location)
}

// OpenCopy opens a copy of the crawl of a folder, or of a crawl file, to read and change it.
func OpenCopy(location string) (*store.File, error) {
	file, err := store.OpenCopy(Path(location))
	return file, Wrap(err, location)
}

// Wrap returns the error of opening the crawl at a location.
func Wrap(err error, location string) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w in %s", ErrNoCrawl, location)
	}
	return err
}

// Path returns the crawl file of a folder, or the name itself.
func Path(location string) string {
	if info, err := os.Stat(location); err == nil && info.IsDir() {
		return filepath.Join(location, Name)
	}
	return location
}

// Folders returns the folders in the current folder that hold a crawl.
func Folders() []string {
	files, err := filepath.Glob(filepath.Join("*", Name))
	if err != nil {
		return nil
	}
	var folders []string
	for _, file := range files {
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
			folders = append(folders, filepath.Dir(file))
		}
	}
	return folders
}

// SiteOrigin returns the scheme and the host of a crawl's start, or the URL of the folder that files are named from.
func SiteOrigin(file *store.File) string {
	start, err := url.Parse(file.Meta().Start)
	if err != nil {
		return ""
	}
	if meta, err := ReadMeta(file); err == nil && meta.Files != "" {
		return meta.Files
	}
	return fmt.Sprintf("%s://%s", start.Scheme, start.Host)
}

// OrphansName is the list of the pages of a folder that the crawl did not reach.
const OrphansName = "orphans.txt"

// Files that a crawl writes to its folder in addition to its outputs.
const (
	BrokenName = "broken.csv"
	ReportName = "report.html"
)

// FileIn returns the first of the names that is a file in the folder, or "".
func FileIn(folder string, names ...string) string {
	for _, name := range names {
		if info, err := os.Stat(filepath.Join(folder, name)); err == nil && info.Mode().IsRegular() {
			return name
		}
	}
	return ""
}
