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
	dir      string
	options  SetOptions
	behind   *background
	rest     *Group   // the pages of no group
	groups   []*Group // in the order of the index, rest among them
	opened   int      // parts
	prepared bool
	before   []string // parts that the present index lists
	left     []string // parts that a run which was cut off wrote or should have removed
	family   string   // what follows the number in the new parts' names
	done     bool
	step     func(name string) // called before every change of the folder, by tests
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
	f := &Folder{dir: dir, options: prepared, behind: newBackground(prepared.Gzip), step: func(string) {}}
	f.rest = f.addGroup("", prepared)
	if err := f.removeTemporary(); err != nil {
		return nil, err
	}
	f.before = f.listedBefore()
	f.left = f.readLedger()
	f.family = f.freeFamily()
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
	return errors.Join(failed, f.behind.wait())
}

func (f *Folder) publish() error {
	if err := f.Prepare(); err != nil {
		return err
	}
	if err := f.writeStylesheets(); err != nil {
		return err
	}
	if err := f.writeLedger(); err != nil {
		return err
	}
	if !f.hasIndex() {
		if err := f.rename(temporary(f.rest.stem(1)), f.entrance()); err != nil {
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
	err := f.writeFile(f.spare(), func(w io.Writer) error {
		return writePacked(w, f.options.Gzip, f.writeIndex)
	})
	if err != nil {
		return err
	}
	if err := f.sync(); err != nil {
		return err
	}
	return f.rename(f.spare(), f.entrance())
}

func (f *Folder) writeIndex(w io.Writer) error {
	index := NewWriter(w, f.options.writer(Index))
	for _, g := range f.groups {
		if err := g.parts.list(index, g.partName); err != nil {
			return err
		}
	}
	return index.Close()
}

// entrance is the name of the file to submit: the index, or the only part.
func (f *Folder) entrance() string { return f.options.Name + f.options.extension() }

func temporary(stem string) string { return "." + stem + temporarySuffix }

// spare is the temporary name of what is no part.
func (f *Folder) spare() string { return temporary(f.rest.stem(0)) }

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

func (g *Group) createPart(number int) (io.WriteCloser, error) {
	f := g.folder
	if err := f.options.checkParts(f.opened + 1); err != nil {
		return nil, err
	}
	f.opened++
	return f.create(temporary(g.stem(number)))
}

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
	if !f.options.Stylesheet {
		return nil
	}
	for _, s := range Stylesheets() {
		err := f.writeFile(f.spare(), func(w io.Writer) error {
			_, err := w.Write(s.Content)
			return err
		})
		if err != nil {
			return err
		}
		if err := f.rename(f.spare(), s.Name); err != nil {
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
	found, err := filepath.Glob(filepath.Join(globEscape(f.dir), globEscape("."+f.options.Name)+"-*"+temporarySuffix))
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
	name := f.options.Name
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
	return regexp.MustCompile(`^` + regexp.QuoteMeta(f.options.Name) + `-(?:[a-z0-9]+-)*[0-9]+([b-z]?)\.xml(\.gz)?$`)
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
	if !f.hasIndex() {
		return nil
	}
	for _, g := range f.groups {
		for number := range g.parts.finished {
			names = append(names, g.partName(number+1))
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
	return errors.Join(failed, f.remove(f.ledger()), f.removeTemporary())
}

// ledger is the file that lists, while a set replaces another, the parts of both.
// The run after a crash goes by it to remove what the index does not list.
func (f *Folder) ledger() string { return "." + f.options.Name + ".parts" }

func (f *Folder) writeLedger() error {
	parts := slices.Concat(f.before, f.left, f.partNames())
	if len(parts) == 0 {
		return nil
	}
	err := f.writeFile(f.spare(), func(w io.Writer) error {
		_, err := io.WriteString(w, strings.Join(parts, "\n"))
		return err
	})
	if err != nil {
		return err
	}
	return f.rename(f.spare(), f.ledger())
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
