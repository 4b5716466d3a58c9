package service

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/mapatools/mapa/internal/app/crawlfile"
	"github.com/mapatools/mapa/internal/sqlite"
	"github.com/mapatools/mapa/internal/statefile"
	"github.com/mapatools/mapa/internal/store"
)

// lockResults lets one at a time change the files of results, and what is kept of sites besides them.
func (s *Service) lockResults(ctx context.Context) (release func(), err error) {
	select {
	case s.changing <- struct{}{}:
		return func() { <-s.changing }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// changeCopy changes a copy of the file of a crawl, which then replaces the file: others may read that.
func (s *Service) changeCopy(id string, change func(*store.File) error) (err error) {
	name, temporary := filepath.Join(s.folder(id), crawlfile.Name), s.folder(id)+temporarySuffix
	if _, err := os.Lstat(name + sqlite.LogSuffix); err == nil {
		return fmt.Errorf("%s has a log that a killed process left", name)
	}
	if err := errors.Join(os.RemoveAll(temporary), os.Mkdir(temporary, 0o700)); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temporary)) }()
	copied := filepath.Join(temporary, crawlfile.Name)
	if err := statefile.Copy(copied, name); err != nil {
		return err
	}
	file, err := crawlfile.OpenToChange(copied)
	if err != nil {
		return err
	}
	err = change(file)
	if err = errors.Join(err, file.Close()); err == nil { // which has put it on the disk
		err = os.Rename(copied, name)
	}
	if err == nil {
		s.results.drop(id, func() {})
	}
	return err
}
