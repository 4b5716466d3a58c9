package sitemap

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
)

// A syncedFile is on the disk once it is closed.
type syncedFile struct{ *os.File }

func (s syncedFile) Close() error {
	err := s.File.Sync()
	return errors.Join(err, s.File.Close())
}

// create creates a temporary file. It follows no link of that name.
func (f *Folder) create(name string) (io.WriteCloser, error) {
	f.step("create " + name)
	file, err := os.OpenFile(f.path(name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
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
	for _, s := range f.options.Stylesheets {
		err := f.writeFile(f.temporaryName(), func(w io.Writer) error {
			_, err := io.WriteString(w, s.Content)
			return err
		})
		if err != nil {
			return err
		}
		if err := f.rename(f.temporaryName(), s.Name); err != nil {
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

// sync writes the names in the directory to the disk. Windows cannot.
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

var globMeta = pattern(`[*?\[\\]`)

func globEscape(s string) string {
	if runtime.GOOS == "windows" {
		return s
	}
	return globMeta().ReplaceAllString(s, `\$0`)
}
