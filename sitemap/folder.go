package sitemap

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// A Folder writes a set into a folder: sitemap.xml, and when that is too small
// for all pages, sitemap-1.xml and so on beside it, with sitemap.xml their index.
//
// The files appear under their names all at once, in [Folder.Close]: sitemap.xml
// is replaced last and in one step, by parts whose names the set before does not
// use (sitemap-1b.xml where it used sitemap-1.xml), and the parts of that set are
// removed afterwards. Whoever reads the folder, also after a crash or a power
// cut, finds the old set or the new one. Only one Folder may write a set of one
// name at a time.
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
	leftover   []string // parts that a run which was cut off wrote or should have removed
	suffix     string   // what follows the number in the new parts' names
	done       bool
	step       func(name string) // called before every change of the folder, by tests
}

const temporarySuffix = ".tmp"

var errFileName = errors.New("the files of a folder have names without slashes")

// NewFolder prepares to write into dir, which it makes if need be. It removes the
// temporary files of a run that was cut off.
func NewFolder(dir string, options *SetOptions) (*Folder, error) {
	prepared, err := options.prepare()
	if err != nil {
		return nil, err
	}
	if strings.ContainsAny(prepared.Name, `/\`) {
		return nil, fmt.Errorf("%w: %q", errFileName, prepared.Name)
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("making the folder: %w", err)
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

// Write adds a page of no group. A [*FieldError] says what may not be written,
// [ErrEntryTooLarge] that no file has room for it; the folder can be used on after
// these. Other errors are final.
func (f *Folder) Write(u *URL) error { return f.rest.Write(u) }

// Count is the number of pages written, without those of the groups.
func (f *Folder) Count() int { return f.rest.Count() }

// Prepare ends the writing, after which no page can be added: it waits until all
// are on the disk, under temporary names. What can fail for want of room has not failed then, and Close
// has little left to do; whoever writes other files beside the set puts them in
// place in between.
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

// Close puts the set in place. After an error, also a final one of Write, the
// folder holds the set it held before.
func (f *Folder) Close() error {
	if f.done {
		return nil
	}
	err := f.publish()
	return errors.Join(err, f.Abort())
}

// Abort ends the writing without a trace; after Close it does nothing.
func (f *Folder) Abort() error {
	if f.done {
		return nil
	}
	f.done = true
	// The parts are worthless now, and so is what their last writes say.
	_ = f.finish()
	return f.removeTemporary()
}

// finish ends the last part of every group and waits for all of them. One that
// was begun for a page that could not be written is left out, unless it is all
// there is.
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

// publishIndex names the parts, makes their names last, and only then replaces
// the index.
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
	index, err := NewWriter(w, f.options.writer(FormatIndex))
	if err != nil {
		return err
	}
	for _, g := range f.groups {
		if err := g.parts.list(index, g.partName); err != nil {
			return err
		}
	}
	return index.Close()
}

// mainFile is the name of the file to submit: the index, or the only part.
func (f *Folder) mainFile() string { return f.options.Name + f.options.extension() }

func temporary(stem string) string { return "." + stem + temporarySuffix }

// temporaryName is the temporary name of what is no part.
func (f *Folder) temporaryName() string { return temporary(f.rest.stem(0)) }

func (f *Folder) path(name string) string { return filepath.Join(f.dir, name) }
