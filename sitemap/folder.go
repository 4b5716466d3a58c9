package sitemap

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
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
type Folder struct {
	dir    string
	parts  *parts
	before []string // parts that the present index lists
	left   []string // parts that a run which was cut off wrote or should have removed
	family string   // what follows the number in the new parts' names
	done   bool
	step   func(name string) // called before every change of the folder, by tests
}

const temporarySuffix = ".tmp"

// NewFolder prepares to write into dir, which it makes if need be. It removes the
// temporary files of a run that was cut off.
func NewFolder(dir string, options *SetOptions) (*Folder, error) {
	prepared, err := options.prepare()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("making the folder: %w", err)
	}
	f := &Folder{dir: dir, step: func(string) {}}
	f.parts = newParts(prepared, f.createPart)
	if err := f.removeTemporary(); err != nil {
		return nil, err
	}
	f.before = f.listedBefore()
	f.left = f.readLedger()
	f.family = f.freeFamily()
	return f, nil
}

// Write adds a page. A [*FieldError] says what may not be written; the folder can
// be used on after it. Other errors are final.
func (f *Folder) Write(u *URL) error { return f.parts.write(u) }

// Count is the number of pages written.
func (f *Folder) Count() int { return f.parts.count }

// Close puts the set in place. After an error the folder holds the set it held
// before.
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
	_ = f.parts.finish()
	return f.removeTemporary()
}

func (f *Folder) publish() error {
	if f.parts.count == 0 {
		if err := f.parts.open(); err != nil {
			return err
		}
	}
	if err := f.parts.finish(); err != nil {
		return err
	}
	if err := f.writeStylesheets(); err != nil {
		return err
	}
	if err := f.writeLedger(); err != nil {
		return err
	}
	if len(f.parts.finished) == 1 {
		if err := f.rename(f.temporary(1), f.entrance()); err != nil {
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

// publishIndex names the parts, makes their names last, and only then replaces
// the index.
func (f *Folder) publishIndex() error {
	for number := range f.parts.finished {
		if err := f.rename(f.temporary(number+1), f.partName(number+1)); err != nil {
			return err
		}
	}
	temporary := f.temporary(0)
	err := f.writeFile(temporary, func(w io.Writer) error {
		return writePacked(w, f.parts.options.Gzip, func(w io.Writer) error { return f.parts.writeIndex(w, f.partName) })
	})
	if err != nil {
		return err
	}
	if err := f.sync(); err != nil {
		return err
	}
	return f.rename(temporary, f.entrance())
}

// entrance is the name of the file to submit: the index, or the only part.
func (f *Folder) entrance() string { return f.parts.options.Name + f.parts.options.extension() }

func (f *Folder) partName(number int) string {
	return f.parts.options.Name + "-" + strconv.Itoa(number) + f.family + f.parts.options.extension()
}

func (f *Folder) temporary(number int) string {
	return "." + f.parts.options.Name + "-" + strconv.Itoa(number) + temporarySuffix
}

func (f *Folder) path(name string) string { return filepath.Join(f.dir, name) }

// syncedFile is on the disk once it is closed.
type syncedFile struct{ *os.File }

func (s syncedFile) Close() error {
	err := s.File.Sync()
	return errors.Join(err, s.File.Close())
}

func (f *Folder) create(name string) (io.WriteCloser, error) {
	f.step("create " + name)
	file, err := os.OpenFile(f.path(name), os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return nil, err
	}
	return syncedFile{file}, nil
}

func (f *Folder) createPart(number int) (io.WriteCloser, error) { return f.create(f.temporary(number)) }

func (f *Folder) writeFile(name string, write func(io.Writer) error) error {
	file, err := f.create(name)
	if err != nil {
		return err
	}
	if err := write(file); err != nil {
		return errors.Join(err, file.Close())
	}
	return file.Close()
}

func (f *Folder) writeStylesheets() error {
	if !f.parts.options.Stylesheet {
		return nil
	}
	for _, s := range Stylesheets() {
		err := f.writeFile(f.temporary(0), func(w io.Writer) error {
			_, err := w.Write(s.Content)
			return err
		})
		if err != nil {
			return err
		}
		if err := f.rename(f.temporary(0), s.Name); err != nil {
			return err
		}
	}
	return nil
}

func (f *Folder) rename(from, to string) error {
	f.step("rename to " + to)
	return os.Rename(f.path(from), f.path(to))
}

func (f *Folder) remove(name string) error {
	f.step("remove " + name)
	if err := os.Remove(f.path(name)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// sync makes the names in the folder last. Windows knows no such thing.
func (f *Folder) sync() error {
	f.step("sync")
	if runtime.GOOS == "windows" {
		return nil
	}
	dir, err := os.Open(f.dir)
	if err != nil {
		return err
	}
	err = dir.Sync()
	return errors.Join(err, dir.Close())
}

func (f *Folder) removeTemporary() error {
	found, err := filepath.Glob(filepath.Join(globEscape(f.dir), globEscape("."+f.parts.options.Name)+"-*"+temporarySuffix))
	if err != nil {
		return err
	}
	for _, name := range found {
		err = errors.Join(err, f.remove(filepath.Base(name)))
	}
	return err
}

var globMeta = regexp.MustCompile(`[*?\[\\]`)

func globEscape(s string) string {
	if runtime.GOOS == "windows" {
		return s
	}
	return globMeta.ReplaceAllString(s, `\$0`)
}

// entrances are the names that the file to submit may have had.
func (f *Folder) entrances() []string {
	name := f.parts.options.Name
	return []string{name + ".xml", name + ".xml.gz"}
}

// listedBefore returns the parts that the present index lists, if there is one
// and as far as it can be read.
func (f *Folder) listedBefore() (names []string) {
	own := f.ownName()
	for _, entrance := range f.entrances() {
		file, err := os.Open(f.path(entrance))
		if err != nil {
			continue
		}
		for entry, err := range NewReader(file, nil).Entries() {
			if err != nil || !entry.IsSitemap() {
				break
			}
			if name := path.Base(string(entry.Loc)); own.MatchString(name) {
				names = append(names, name)
			}
		}
		file.Close()
	}
	return names
}

// ownName matches the names of parts, with their family.
func (f *Folder) ownName() *regexp.Regexp {
	return regexp.MustCompile(`^` + regexp.QuoteMeta(f.parts.options.Name) + `-[0-9]+([b-z]?)\.xml(\.gz)?$`)
}

// freeFamily returns what follows the numbers of the new parts: nothing, or the
// first letter that the present index does not use.
func (f *Folder) freeFamily() string {
	own := f.ownName()
	used := map[string]bool{}
	for _, name := range f.before {
		used[own.FindStringSubmatch(name)[1]] = true
	}
	if !used[""] {
		return ""
	}
	family := byte('b')
	for used[string(family)] && family < 'z' {
		family++
	}
	return string(family)
}

// partNames are the new set's parts; a set in one file has none.
func (f *Folder) partNames() (names []string) {
	if len(f.parts.finished) > 1 {
		for number := range f.parts.finished {
			names = append(names, f.partName(number+1))
		}
	}
	return names
}

// removeStale removes what the new set does not use: the parts of the set before
// and of runs that were cut off, and the file to submit of the other kind.
func (f *Folder) removeStale() error {
	kept := map[string]bool{f.entrance(): true}
	for _, name := range f.partNames() {
		kept[name] = true
	}
	var failed error
	for _, name := range slices.Concat(f.entrances(), f.before, f.left) {
		if !kept[name] {
			failed = errors.Join(failed, f.remove(name))
		}
	}
	return errors.Join(failed, f.remove(f.ledger()))
}

// ledger is the file that lists, while a set replaces another, the parts of both.
// The run after a crash goes by it to remove what the index does not list.
func (f *Folder) ledger() string { return "." + f.parts.options.Name + ".parts" }

func (f *Folder) writeLedger() error {
	parts := slices.Concat(f.before, f.left, f.partNames())
	if len(parts) == 0 {
		return nil
	}
	err := f.writeFile(f.temporary(0), func(w io.Writer) error {
		_, err := io.WriteString(w, strings.Join(parts, "\n"))
		return err
	})
	if err != nil {
		return err
	}
	return f.rename(f.temporary(0), f.ledger())
}

// readLedger believes only names that parts can have.
func (f *Folder) readLedger() []string {
	text, err := os.ReadFile(f.path(f.ledger()))
	if err != nil {
		return nil
	}
	own := f.ownName()
	return slices.DeleteFunc(strings.Split(string(text), "\n"), func(name string) bool { return !own.MatchString(name) })
}
