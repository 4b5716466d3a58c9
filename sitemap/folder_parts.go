package sitemap

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
)

// mainFiles are the names that the file to submit may have had.
func (f *Folder) mainFiles() []string {
	name := f.options.Name
	return []string{name + ".xml", name + ".xml.gz"}
}

// openRegular opens a file to read it. Opening a pipe would wait for its other end, and a
// device may have no end.
func (f *Folder) openRegular(name string) (*os.File, error) {
	info, err := os.Stat(f.path(name))
	if err == nil && !info.Mode().IsRegular() {
		err = fs.ErrInvalid
	}
	if err != nil {
		return nil, err
	}
	return os.Open(f.path(name))
}

// listedBefore returns the parts that the present index lists, if there is one
// and as far as it can be read.
func (f *Folder) listedBefore() (names []string) {
	own := f.ownName()
	for _, entrance := range f.mainFiles() {
		file, err := f.openRegular(entrance)
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

// ownName matches the names of parts and captures their suffix.
func (f *Folder) ownName() *regexp.Regexp {
	return regexp.MustCompile(`^` + regexp.QuoteMeta(f.options.Name) + `-(?:[a-z0-9]+-)*[0-9]+([b-z]?)\.xml(\.gz)?$`)
}

// freeSuffix returns the suffix of the numbers in the new parts' names: empty, or
// the first letter that the present index does not use.
func (f *Folder) freeSuffix() string {
	own := f.ownName()
	used := map[string]bool{}
	for _, name := range f.before {
		used[own.FindStringSubmatch(name)[1]] = true
	}
	if !used[""] {
		return ""
	}
	letter := byte('b')
	for used[string(letter)] && letter < 'z' {
		letter++
	}
	return string(letter)
}

// Parts returns the names of the files that the index lists, once Prepare or Close has
// succeeded. A single file has no parts.
func (f *Folder) Parts() (names []string) {
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

// removeStale removes what the new set does not use: the parts of the previous set
// and of interrupted runs, and the main file with the other extension.
func (f *Folder) removeStale() error {
	kept := map[string]bool{f.mainFile(): true}
	for _, name := range f.Parts() {
		kept[name] = true
	}
	var failed error
	for _, name := range slices.Concat(f.mainFiles(), f.before, f.leftover) {
		if !kept[name] {
			failed = errors.Join(failed, f.remove(name))
		}
	}
	return errors.Join(failed, f.remove(f.partsFile()), f.removeTemporary())
}

// partsFile returns the name of the file that lists the parts of both sets while one
// replaces the other. After a crash the next run removes the parts that the index
// does not list.
func (f *Folder) partsFile() string { return "." + f.options.Name + ".parts" }

// maxPartsFile is how much of the list of parts is read, in bytes: more than the names of
// two full sets need.
const maxPartsFile = 16 << 20

func (f *Folder) writePartsFile() error {
	parts := slices.Concat(f.before, f.leftover, f.Parts())
	if len(parts) == 0 {
		return nil
	}
	err := f.writeFile(f.temporaryName(), func(w io.Writer) error {
		_, err := io.WriteString(w, strings.Join(parts, "\n"))
		return err
	})
	if err != nil {
		return err
	}
	return f.rename(f.temporaryName(), f.partsFile())
}

// readPartsFile ignores names that parts cannot have.
func (f *Folder) readPartsFile() []string {
	file, err := f.openRegular(f.partsFile())
	if err != nil {
		return nil
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxPartsFile))
	if err != nil {
		return nil
	}
	own := f.ownName()
	return slices.DeleteFunc(strings.Split(string(text), "\n"), func(name string) bool { return !own.MatchString(name) })
}
