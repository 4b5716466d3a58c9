package app

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mapatools/mapa/internal/atomicfile"
	"github.com/mapatools/mapa/internal/publish"
	"github.com/mapatools/mapa/internal/store"
)

// A ForeignFileError says that a folder has a file with the name of an output that
// Mapa did not write. It is kept unless the force setting is given.
type ForeignFileError struct{ File string }

// Error names the file.
func (e *ForeignFileError) Error() string {
	return fmt.Sprintf("%s exists, and mapa did not write it", e.File)
}

// A writtenFiles says which files in the folder of a crawl earlier crawls wrote.
type writtenFiles struct {
	folder  string
	outputs []publish.Output
	names   []string // sorted
	foreign []string // names of crawl files that are something else
	all     bool     // every file with the name of an output counts as written
	// complete says that the sitemap lists the pages of a crawl that ended at no limit.
	complete bool
}

// filesName is the list of the files that builds wrote to a folder, one name a line.
const filesName = ".mapa-files"

// readWrittenFiles reads the crawl files and the list of builds in a folder. A crawl file that does not say
// what was written, as those of earlier versions, owns all outputs.
func readWrittenFiles(folder string, outputs []publish.Output) (*writtenFiles, error) {
	w := &writtenFiles{folder: folder, outputs: outputs}
	newest := true
	for _, name := range []string{crawlName, previousName} {
		file, err := store.Open(filepath.Join(folder, name))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case errors.Is(err, store.ErrNotCrawlFile) && name == previousName:
			w.foreign = append(w.foreign, name)
			continue
		case errors.Is(err, store.ErrLocked), errors.Is(err, store.ErrNotCrawlFile):
			return nil, err
		case err != nil: // damaged, or of another version
			w.all = true
			continue
		}
		names, known, err := file.Files()
		if err == nil && newest {
			w.complete, err = file.SitemapComplete()
			newest = false
		}
		if err := errors.Join(err, file.Close()); err != nil {
			return nil, err
		}
		w.names = append(w.names, names...)
		w.all = w.all || !known
	}
	listed, err := os.ReadFile(filepath.Join(folder, filesName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	w.names = append(w.names, strings.Fields(string(listed))...)
	slices.Sort(w.names)
	return w, nil
}

// record lists the written files for the next build.
func (w *writtenFiles) record() error {
	names, err := w.present()
	if err != nil {
		return err
	}
	return atomicfile.Replace(filepath.Join(w.folder, filesName), func(out io.Writer) error {
		_, err := io.WriteString(out, strings.Join(names, "\n")+"\n")
		return err
	})
}

// check returns a [*ForeignFileError] if this run might replace or remove a file that
// Mapa did not write.
func (w *writtenFiles) check() error {
	for _, name := range w.foreign {
		return &ForeignFileError{filepath.Join(w.folder, name)}
	}
	if w.all {
		return nil
	}
	found, err := w.found()
	if err != nil {
		return err
	}
	for _, name := range found {
		if _, written := slices.BinarySearch(w.names, name); !written {
			return &ForeignFileError{filepath.Join(w.folder, name)}
		}
	}
	return nil
}

// present returns the names of the written files after a run: those with the name of
// an output, and those of earlier crawls that are still there.
func (w *writtenFiles) present() ([]string, error) {
	names, err := w.found()
	if err != nil {
		return nil, err
	}
	for _, name := range w.names {
		if _, err := os.Lstat(filepath.Join(w.folder, name)); err == nil {
			names = append(names, name)
		}
	}
	if w.all {
		// Without a record, files of outputs that are not written now are taken for
		// written, too.
		every := &writtenFiles{folder: w.folder, outputs: publish.AllOutputs()}
		others, err := every.found()
		if err != nil {
			return nil, err
		}
		names = append(names, others...)
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// recordIn notes in a crawl file what this run and earlier ones wrote.
func (w *writtenFiles) recordIn(file *store.File) error {
	names, err := w.present()
	if err != nil {
		return err
	}
	return errors.Join(file.SetFiles(names), file.SetSitemapComplete(w.complete))
}

// found returns the files in the folder that a run would replace or remove.
func (w *writtenFiles) found() (names []string, err error) {
	entries, err := os.ReadDir(w.folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, entry := range entries {
		name := strings.ToLower(entry.Name())
		isReport := name == brokenName || name == reportName || name == changesName
		if (isReport || publish.IsOutput(name, w.outputs)) && w.isNamed(entry.Name(), name) {
			names = append(names, name)
		}
	}
	return names, err
}

// isNamed reports whether a file is found by its name in lower case too.
func (w *writtenFiles) isNamed(name, lower string) bool {
	if name == lower {
		return true
	}
	a, err := os.Lstat(filepath.Join(w.folder, name))
	if err != nil {
		return false
	}
	b, err := os.Lstat(filepath.Join(w.folder, lower))
	return err == nil && os.SameFile(a, b)
}
