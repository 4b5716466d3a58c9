package publish

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"

	"github.com/mapatools/mapa/internal/atomicfile"
)

const (
	temporaryPrefix = ".mapa-"
	temporarySuffix = ".tmp"
)

// stage holds new files under temporary names until all of them are published.
type stage struct {
	dir string
	all []*series
}

// newStage creates the folder and removes temporary files of a run that was killed.
func newStage(dir string) (*stage, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("create the folder: %w", err)
	}
	s := &stage{dir: dir}
	return s, s.abort()
}

// abort closes and removes every temporary file.
func (s *stage) abort() error {
	for _, files := range s.all {
		if files.last != nil {
			_ = files.last.Close() // usually closed already
		}
	}
	entries, err := os.ReadDir(s.dir)
	for _, entry := range entries {
		if atomicfile.IsTemporary(entry.Name()) {
			err = errors.Join(err, os.Remove(filepath.Join(s.dir, entry.Name())))
		}
	}
	return err
}

// publish renames the files. The first file of a series links to the others, so it comes
// last.
func (s *stage) publish() error {
	for _, files := range s.all {
		for number := files.count; number > 0; number-- {
			if err := os.Rename(files.temporary(number), files.path(number)); err != nil {
				return err
			}
		}
	}
	return s.sync()
}

// removeStale removes files of the previous series that the new ones do not have.
func (s *stage) removeStale() error {
	for _, files := range s.all {
		if err := files.removeStale(); err != nil {
			return err
		}
	}
	return nil
}

// sync makes the renames durable. Windows has no equivalent.
func (s *stage) sync() error {
	if runtime.GOOS == "windows" || len(s.all) == 0 {
		return nil
	}
	dir, err := os.Open(s.dir)
	if err != nil {
		return err
	}
	err = dir.Sync()
	return errors.Join(err, dir.Close())
}

// series is the files of one output: sitemap.html, sitemap-2.html and so on.
type series struct {
	stage           *stage
	stem, extension string
	count           int
	last            *os.File // opened last
}

func (s *stage) series(stem, extension string) *series {
	files := &series{stage: s, stem: stem, extension: extension}
	s.all = append(s.all, files)
	return files
}

// name returns the name of a file of the series. Numbers count from 1.
func (s *series) name(number int) string {
	if number == 1 {
		return s.stem + s.extension
	}
	return s.stem + "-" + strconv.Itoa(number) + s.extension
}

func (s *series) path(number int) string { return filepath.Join(s.stage.dir, s.name(number)) }

func (s *series) temporary(number int) string {
	return filepath.Join(s.stage.dir, temporaryPrefix+s.name(number)+temporarySuffix)
}

// create creates the next file. It follows no link of that name.
func (s *series) create() (_ *os.File, err error) {
	s.count++
	s.last, err = os.OpenFile(s.temporary(s.count), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	return s.last, err
}

// reopen opens a closed file to append to it.
func (s *series) reopen(number int) (_ *os.File, err error) {
	s.last, err = os.OpenFile(s.temporary(number), os.O_WRONLY|os.O_APPEND, 0)
	return s.last, err
}

// syncAndClose syncs a file to disk and closes it.
func syncAndClose(file *os.File) error {
	err := file.Sync()
	return errors.Join(err, file.Close())
}

// removeStale removes the files after the last one, the highest number first, so that a
// kill in between leaves no gap that would hide the rest.
func (s *series) removeStale() error {
	last := s.count
	for {
		if _, err := os.Lstat(s.path(last + 1)); err != nil {
			break
		}
		last++
	}
	for number := last; number > s.count; number-- {
		if err := os.Remove(s.path(number)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
