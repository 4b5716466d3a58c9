package publish

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

const (
	temporaryPrefix = ".mapa-"
	temporarySuffix = ".tmp"
)

// A stage holds new files under temporary names until all of them are to be put
// in place.
type stage struct {
	dir string
	all []*series
}

// newStage makes the folder and removes what a run that was killed left in it.
func newStage(dir string) (*stage, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("making the folder: %w", err)
	}
	s := &stage{dir: dir}
	return s, s.abort()
}

// abort closes and removes every temporary file.
func (s *stage) abort() error {
	for _, files := range s.all {
		if files.last != nil {
			_ = files.last.Close() // mostly it is closed, and else worthless
		}
	}
	entries, err := os.ReadDir(s.dir)
	for _, entry := range entries {
		if name := entry.Name(); strings.HasPrefix(name, temporaryPrefix) && strings.HasSuffix(name, temporarySuffix) {
			err = errors.Join(err, os.Remove(filepath.Join(s.dir, name)))
		}
	}
	return err
}

// publish renames the files. The first of a series leads to the others and comes
// after them.
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

// removeStale removes the files that the series before had more than the new ones.
func (s *stage) removeStale() error {
	for _, files := range s.all {
		if err := files.removeStale(); err != nil {
			return err
		}
	}
	return nil
}

// sync makes the names in the folder last. Windows knows no such thing.
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

// A series is the files of one output: one, and where that is too small more of
// them, such as sitemap.html, sitemap-2.html and so on.
type series struct {
	stage           *stage
	stem, extension string
	count           int
	last            *os.File // that was opened
}

func (s *stage) series(stem, extension string) *series {
	files := &series{stage: s, stem: stem, extension: extension}
	s.all = append(s.all, files)
	return files
}

// name is what a file of the series is called, from 1.
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

// create begins the next file.
func (s *series) create() (_ *os.File, err error) {
	s.count++
	s.last, err = os.Create(s.temporary(s.count))
	return s.last, err
}

// reopen goes on at the end of a file that was closed.
func (s *series) reopen(number int) (_ *os.File, err error) {
	s.last, err = os.OpenFile(s.temporary(number), os.O_WRONLY|os.O_APPEND, 0)
	return s.last, err
}

// syncAndClose closes a file once it is on the disk.
func syncAndClose(file *os.File) error {
	err := file.Sync()
	return errors.Join(err, file.Close())
}

// removeStale removes the files that follow the last one, from their own last on:
// a run that is killed in between leaves no gap behind which some would stay.
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
