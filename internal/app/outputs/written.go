package outputs

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mapatools/mapa/internal/app/crawlfile"
	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/mapatools/mapa/internal/atomicfile"
	"github.com/mapatools/mapa/internal/publish"
	"github.com/mapatools/mapa/internal/sqlite"
	"github.com/mapatools/mapa/internal/store"
)

// A ForeignFileError says that a folder has a file with the name of an output that
// Mapa did not write. It is kept unless the force setting is given.
type ForeignFileError struct{ File string }

// Error names the file.
func (e *ForeignFileError) Error() string {
	return fmt.Sprintf("%s exists, and mapa did not write it", e.File)
}

// A WrittenFiles says which files in the folder of a crawl earlier crawls wrote.
type WrittenFiles struct {
	folder    string
	published string // the folder of the outputs
	way       string // from folder to published, with slashes
	outputs   []publish.Output
	Names     []string         // sorted, by their paths from folder
	foreign   []string         // names of crawl files that are something else
	All       bool             // every file with the name of an output counts as written
	claimed   []publish.Output // whose files all count as written
	NoReports bool             // reports are not written
	// FolderURL is the URL of the folder of the outputs, where a build said it; else empty.
	FolderURL string
	// Complete says that the sitemap lists the pages of a crawl that ended at no limit.
	Complete bool
}

// urlPrefix begins the line of the list with the URL of the folder.
const urlPrefix = "@"

// FilesName is the list of the files that builds wrote to a folder, one name a line, with the
// URL of the folder.
const FilesName = ".mapa-files"

// ReadWrittenFiles reads the crawl files and the list of builds in a folder. published is
// the folder of the outputs, usually the same. A crawl file that does not say what was
// written, as one whose crawl was cut off while it wrote, owns all outputs.
func ReadWrittenFiles(folder, published string, outputs []publish.Output) (*WrittenFiles, error) {
	for _, to := range []crawlfile.FolderError{{Folder: folder}, {Folder: published, Setting: "publish"}} {
		info, err := os.Stat(to.Folder)
		switch {
		case errors.Is(err, fs.ErrNotExist), err == nil && info.IsDir():
			continue
		case err == nil:
			err = crawlfile.ErrNotFolder
		}
		to.Err = err
		return nil, &to
	}
	way, err := wayTo(folder, published)
	if err != nil {
		return nil, err
	}
	w := &WrittenFiles{folder: folder, published: published, way: way, outputs: outputs}
	newest := true
	for _, name := range []string{crawlfile.Name, crawlfile.ReplacedName, crawlfile.PreviousName} {
		file, err := store.Open(filepath.Join(folder, name))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case errors.Is(err, sqlite.ErrForeign) && name != crawlfile.Name:
			w.foreign = append(w.foreign, name)
			continue
		case errors.Is(err, sqlite.ErrLocked), errors.Is(err, sqlite.ErrForeign):
			return nil, err
		case err != nil: // damaged, or of another version
			w.All = true
			continue
		}
		names, known, err := file.Files()
		if err == nil && newest {
			w.Complete, err = file.SitemapComplete()
			newest = false
		}
		if err := errors.Join(err, file.Close()); err != nil {
			return nil, err
		}
		w.Names = append(w.Names, names...)
		w.All = w.All || !known
	}
	listed, err := readFilesList(filepath.Join(folder, FilesName))
	if err != nil {
		return nil, err
	}
	for name := range strings.FieldsSeq(listed) {
		if output, found := strings.CutPrefix(name, ClaimPrefix); found {
			w.claimed = append(w.claimed, publish.Output(output))
			continue
		}
		if address, found := strings.CutPrefix(name, urlPrefix); found {
			w.FolderURL = address
			continue
		}
		w.Names = append(w.Names, name)
	}
	slices.Sort(w.Names)
	return w, nil
}

// wayTo returns the path from a folder to another, or its absolute path where Windows has it on another
// drive.
func wayTo(folder, other string) (string, error) {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return "", err
	}
	if other, err = filepath.Abs(other); err != nil {
		return "", err
	}
	if way, err := filepath.Rel(folder, other); err == nil {
		other = way
	}
	return filepath.ToSlash(other), nil
}

// maxFilesList is the size of the largest list of files that is read, in bytes.
const maxFilesList = 16 << 20

// readFilesList reads the list of a folder, which need not exist. The folder may come from
// strangers.
func readFilesList(name string) (string, error) {
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil
	case err != nil:
		return "", err
	case !info.Mode().IsRegular() || info.Size() > maxFilesList:
		return "", &ForeignFileError{name}
	}
	text, err := os.ReadFile(name)
	return string(text), err
}

// ClaimPrefix begins a line of the list by which all files of an output count as written.
const ClaimPrefix = "*"

// Claim makes all files of this run's outputs count as written until record is called, in
// case the run is cut off.
func (w *WrittenFiles) Claim() error {
	lines := slices.Clone(w.Names)
	for _, output := range slices.Concat(w.claimed, w.outputs) {
		lines = append(lines, ClaimPrefix+string(output))
	}
	return w.write(lines)
}

// isClaimed reports whether a file is of an output that a run which was cut off claimed.
func (w *WrittenFiles) isClaimed(name string) bool {
	return len(w.claimed) > 0 && publish.IsOutput(name, w.claimed)
}

// Record lists the written files for the next build.
func (w *WrittenFiles) Record() error {
	names, err := w.present()
	if err != nil {
		return err
	}
	return w.write(names)
}

// write replaces the list.
func (w *WrittenFiles) write(names []string) error {
	if w.FolderURL != "" {
		names = append(slices.Clone(names), urlPrefix+w.FolderURL)
	}
	return atomicfile.Replace(filepath.Join(w.folder, FilesName), func(out io.Writer) error {
		_, err := io.WriteString(out, strings.Join(names, "\n")+"\n")
		return err
	})
}

// Check returns a [*ForeignFileError] if this run might replace or remove a file that
// Mapa did not write.
func (w *WrittenFiles) Check() error {
	for _, name := range w.foreign {
		return &ForeignFileError{filepath.Join(w.folder, name)}
	}
	if w.All {
		return nil
	}
	found, err := w.existing()
	if err != nil {
		return err
	}
	for _, name := range found {
		if !w.isWritten(name) {
			return &ForeignFileError{w.path(name)}
		}
	}
	return nil
}

// isWritten reports whether Mapa wrote a file, or may have done so.
func (w *WrittenFiles) isWritten(name string) bool {
	return w.Wrote(name) || w.isClaimed(name) || w.All
}

// Wrote reports whether the list of the folder has a file, by its name.
func (w *WrittenFiles) Wrote(name string) bool {
	_, listed := slices.BinarySearch(w.Names, w.listed(name))
	return listed
}

// listed returns the name of a file in the list. A file of the same name in another folder is not the
// same.
func (w *WrittenFiles) listed(name string) string {
	if isReport(name) {
		return name
	}
	return path.Join(w.way, name)
}

// listedPath returns the path of a file by its name in the list.
func (w *WrittenFiles) listedPath(listed string) string {
	if name := filepath.FromSlash(listed); filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(w.folder, filepath.FromSlash(listed))
}

// Add lists files that were written, with those that are still there.
func (w *WrittenFiles) Add(names ...string) error {
	w.Names = append(w.Names, names...)
	return w.Record()
}

// CheckSources refuses to replace a source that Mapa did not write, which is lost then.
// The force setting does not allow that.
func (w *WrittenFiles) CheckSources(sources *atomicfile.FileSet) error {
	found, err := w.existing()
	if err != nil {
		return err
	}
	for _, name := range found {
		if sources.Has(w.path(name)) && !w.isWritten(name) {
			return setting.Invalid("output", "%s would overwrite %s, which is one of the sources", w.path(name))
		}
	}
	return nil
}

// present returns the list of the written files after a run: those with the name of an output, and
// those of earlier crawls that are still there.
func (w *WrittenFiles) present() ([]string, error) {
	names, err := w.existing()
	if err != nil {
		return nil, err
	}
	others := w.claimed
	if w.All {
		// Without a record, files of outputs that are not written now are taken for
		// written, too.
		others = publish.AllOutputs()
	}
	if len(others) > 0 {
		every := &WrittenFiles{folder: w.folder, published: w.published, outputs: others, NoReports: w.NoReports}
		others, err := every.existing()
		if err != nil {
			return nil, err
		}
		names = append(names, others...)
	}
	for i, name := range names {
		names[i] = w.listed(name)
	}
	for _, name := range w.Names {
		if _, err := os.Lstat(w.listedPath(name)); err == nil {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// RecordIn notes in a crawl file what this run and earlier ones wrote.
func (w *WrittenFiles) RecordIn(file *store.File) error {
	names, err := w.present()
	if err != nil {
		return err
	}
	return errors.Join(file.SetFiles(names), file.SetSitemapComplete(w.Complete))
}

// isReport reports whether a name is that of a file besides the outputs.
func isReport(name string) bool {
	switch name {
	case crawlfile.BrokenName, crawlfile.ReportName, crawlfile.ChangesName, crawlfile.OrphansName:
		return true
	}
	return false
}

// path returns the path of a file by its name.
func (w *WrittenFiles) path(name string) string {
	if isReport(name) {
		return filepath.Join(w.folder, name)
	}
	return filepath.Join(w.published, name)
}

// existing returns the files that a run would replace or remove.
func (w *WrittenFiles) existing() (names []string, err error) {
	for _, folder := range slices.Compact([]string{w.folder, w.published}) {
		entries, err := os.ReadDir(folder)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		for _, entry := range entries {
			name := strings.ToLower(entry.Name())
			isOurs := isReport(name) && !w.NoReports || publish.IsOutput(name, w.outputs)
			if isOurs && filepath.Dir(w.path(name)) == filepath.Clean(folder) && w.isNamed(entry.Name(), name) {
				names = append(names, name)
			}
		}
	}
	return names, nil
}

// isNamed reports whether a file is found by its name in lower case too.
func (w *WrittenFiles) isNamed(name, lower string) bool {
	if name == lower {
		return true
	}
	a, err := os.Lstat(filepath.Join(filepath.Dir(w.path(lower)), name))
	if err != nil {
		return false
	}
	b, err := os.Lstat(w.path(lower))
	return err == nil && os.SameFile(a, b)
}

// Writes reports whether a crawl may write a file of a name itself. Its folders exist.
func (w *WrittenFiles) Writes(file string) bool {
	folder, name := filepath.Dir(file), strings.ToLower(filepath.Base(file))
	isOwn := slices.Contains([]string{crawlfile.Name, crawlfile.PreviousName, crawlfile.ReplacedName}, name)
	if isOwn || isReport(name) {
		return IsSamePath(w.folder, folder)
	}
	return publish.IsOutput(name, w.outputs) && IsSamePath(w.published, folder)
}

// IsRefusal reports whether an error says that nothing was published for the good of
// the sitemap that is there.
func IsRefusal(err error) bool {
	_, isRefused := errors.AsType[*publish.RefusedError](err)
	return isRefused || errors.Is(err, publish.ErrEmpty)
}

// PublishedFiles returns the paths of the published files, and that of the sitemap.
func PublishedFiles(folder string, published *publish.Published) (files []string, sitemap string) {
	if published.Files != nil {
		files = make([]string, 0, len(published.Files))
	}
	for _, name := range published.Files {
		path := filepath.Join(folder, name)
		files = append(files, path)
		if sitemap == "" && strings.HasPrefix(name, "sitemap.xml") {
			sitemap = path
		}
	}
	return files, sitemap
}

// SitemapOf returns the path of the sitemap in a folder, or of the newer one that the crawl in the folder wrote to
// another; "" without one.
func SitemapOf(folder string) (newest string, err error) {
	w := &WrittenFiles{folder: folder}
	file, err := crawlfile.Open(folder)
	if err == nil {
		w.Names, _, err = file.Files()
		err = errors.Join(err, file.Close())
	}
	if err != nil && !errors.Is(err, crawlfile.ErrNoCrawl) {
		return "", err
	}
	names := []string{"sitemap.xml", "sitemap.xml.gz"}
	var written time.Time
	for _, name := range slices.Concat(names, w.Names) {
		place := w.listedPath(name)
		if !slices.Contains(names, filepath.Base(place)) {
			continue
		}
		if info, err := os.Stat(place); err == nil && info.Mode().IsRegular() && info.ModTime().After(written) {
			newest, written = place, info.ModTime()
		}
	}
	return newest, nil
}

// PublishedAt returns the URL at which the outputs in a folder are published, as the crawl or
// the build that wrote them says, or "" where neither does.
func PublishedAt(folder string) (string, error) {
	file, err := crawlfile.Open(folder)
	if err == nil {
		about := file.Meta()
		return about.FolderURL(), file.Close()
	}
	if !errors.Is(err, crawlfile.ErrNoCrawl) {
		return "", err
	}
	w, err := ReadWrittenFiles(folder, folder, nil)
	if err != nil {
		return "", err
	}
	return w.FolderURL, nil
}
