package sitemap

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// A Folder writes a set of sitemaps into a directory: sitemap.xml alone or, when one
// file is too small for all pages, sitemap-1.xml and so on with sitemap.xml as their
// index.
//
// The set is replaced in one step, in [Folder.Close]. New parts get names that the
// previous set does not use (sitemap-1b.xml where it used sitemap-1.xml),
// sitemap.xml is replaced last, and then the previous parts are removed. Readers of
// the directory find the previous set or the new one, even after a crash or a power
// cut. Only one Folder may write a set of one name at a time, and it is for one
// goroutine.
//
// A [Group] gets files of its own in the same index.
type Folder struct {
	dir        string
	options    SetOptions
	background *background
	rest       *Group   // the pages of no group
	groups     []*Group // in the order of the index, rest among them
	opened     int      // parts
	prepared   bool
	before     []string // parts that the present index lists
	leftover   []string // parts that an interrupted run wrote or should have removed
	suffix     string   // what follows the number in the new parts' names
	done       bool
	step       func(name string) // called before every change of the folder, by tests
}

const temporarySuffix = ".tmp"

var errFileName = errors.New("the files of a folder have names without slashes")

// NewFolder prepares to write into the directory dir, which it creates if needed,
// and removes the temporary files of a run that was interrupted. options must have
// a BaseURL.
func NewFolder(dir string, options *SetOptions) (*Folder, error) {
	prepared, err := options.prepare()
	if err != nil {
		return nil, err
	}
	if strings.ContainsAny(prepared.Name, `/\`) {
		return nil, fmt.Errorf("%w: %q", errFileName, prepared.Name)
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("creating the folder: %w", err)
	}
	f := &Folder{dir: dir, options: prepared, background: newBackground(prepared.Gzip), step: func(string) {}}
	f.rest = f.addGroup("", prepared)
	if err := f.removeTemporary(); err != nil {
		return nil, err
	}
	f.before = f.listedBefore()
	f.leftover = f.readPartsFile()
	f.suffix = f.freeSuffix()
	return f, nil
}

// Write adds a page that belongs to no group. A [*FieldError] says what cannot be
// written, and [ErrEntryTooLarge] that no file has room for the page; after these
// the folder can still be used. Other errors are final.
func (f *Folder) Write(u *URL) error { return f.rest.Write(u) }

// Count returns the number of pages written, without those of the groups.
func (f *Folder) Count() int { return f.rest.Count() }

// Prepare ends the writing, after which no page can be added. It waits until all
// parts are on the disk under temporary names. After Prepare succeeds, Close has
// little left to do and hardly fails for lack of disk space. Calling it is optional:
// programs that write other files next to the set put them in place between Prepare
// and Close.
func (f *Folder) Prepare() error {
	if f.prepared || f.done {
		return nil
	}
	f.prepared = true
	if f.opened == 0 {
		if err := f.rest.parts.open(); err != nil {
			return err
		}
	}
	return f.finish()
}

// Close replaces the previous set by the new one. After an error, or a final error
// of Write, the directory keeps the previous set.
func (f *Folder) Close() error {
	if f.done {
		return nil
	}
	err := f.publish()
	return errors.Join(err, f.Abort())
}

// Abort ends the writing and removes the temporary files. After Close it does
// nothing.
func (f *Folder) Abort() error {
	if f.done {
		return nil
	}
	f.done = true
	// The parts are not used, so their errors do not matter.
	_ = f.finish()
	return f.removeTemporary()
}

// finish ends the last part of every group and waits for all of them. It drops a
// part that was begun for a page that could not be written, unless it is the only
// one.
func (f *Folder) finish() error {
	var failed error
	for _, g := range f.groups {
		if f.opened > 1 && g.parts.isEmpty() {
			f.opened--
			failed = errors.Join(failed, g.parts.drop())
			continue
		}
		failed = errors.Join(failed, g.parts.close())
	}
	return errors.Join(failed, f.background.wait())
}

func (f *Folder) publish() error {
	if err := f.Prepare(); err != nil {
		return err
	}
	if err := f.writeStylesheets(); err != nil {
		return err
	}
	if err := f.writePartsFile(); err != nil {
		return err
	}
	if !f.hasIndex() {
		if err := f.rename(temporary(f.rest.stem(1)), f.mainFile()); err != nil {
			return err
		}
	} else if err := f.publishIndex(); err != nil {
		return err
	}
	if err := f.sync(); err != nil {
		return err
	}
	f.done = true
	return f.removeStale()
}

// hasIndex reports whether the set is more than one file.
func (f *Folder) hasIndex() bool {
	return len(f.groups) > 1 || len(f.rest.parts.finished) > 1
}

// publishIndex renames the parts, syncs the directory, and only then replaces the
// index.
func (f *Folder) publishIndex() error {
	for _, g := range f.groups {
		for number := range g.parts.finished {
			if err := f.rename(temporary(g.stem(number+1)), g.partName(number+1)); err != nil {
				return err
			}
		}
	}
	err := f.writeFile(f.temporaryName(), func(w io.Writer) error {
		return writePacked(w, f.options.Gzip, f.writeIndex)
	})
	if err != nil {
		return err
	}
	if err := f.sync(); err != nil {
		return err
	}
	return f.rename(f.temporaryName(), f.mainFile())
}

func (f *Folder) writeIndex(w io.Writer) error {
	index := NewWriter(w, f.options.writer(FormatIndex))
	for _, g := range f.groups {
		if err := g.parts.list(index, g.partName); err != nil {
			return err
		}
	}
	return index.Close()
}

// mainFile returns the name of the file to submit: the index, or the only part.
func (f *Folder) mainFile() string { return f.options.Name + f.options.extension() }

func temporary(stem string) string { return "." + stem + temporarySuffix }

// temporaryName returns the temporary name of a file that is not a part.
func (f *Folder) temporaryName() string { return temporary(f.rest.stem(0)) }

func (f *Folder) path(name string) string { return filepath.Join(f.dir, name) }
