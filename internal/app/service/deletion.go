package service

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mapatools/mapa/internal/jobs"
	"github.com/mapatools/mapa/internal/sqlite"
)

// A crawl is deleted in steps: the file ID.deleted marks its folder ID, the crawl leaves the
// list, and once nobody reads the folder it is removed, and then the mark. A kill between two
// of them leaves the mark, and the next server does the rest.
//
// Only the mark says that a folder may go, never the lack of the crawl in the list: the list
// may be lost, older than the folder, or from elsewhere. The mark is a file and not another
// name of the folder, because the folder may be in use for a while.
const deletedSuffix = ".deleted"

// temporarySuffix ends the name of a folder that is being prepared for a crawl. It holds a
// copy of another crawl. The next server removes it.
const temporarySuffix = ".new"

func (s *Service) markOf(id string) string { return s.folder(id) + deletedSuffix }

// mark marks a crawl as deleted.
func (s *Service) mark(id string) error {
	if err := checkID(id); err != nil {
		return err
	}
	return os.WriteFile(s.markOf(id), nil, 0o600)
}

// checkID refuses an ID of the list that newID did not make: its folder may be any.
func checkID(id string) error {
	if !isID(id) {
		err := fmt.Errorf("%w: %q is not the ID of a crawl", sqlite.ErrDamaged, id)
		return &sqlite.Error{Name: jobs.FileName, Kind: sqlite.KindServer, Err: err}
	}
	return nil
}

// unmark removes the mark of a crawl, and whatever has its name.
func (s *Service) unmark(id string) error { return os.RemoveAll(s.markOf(id)) }

func (s *Service) isMarked(id string) bool {
	_, err := os.Lstat(s.markOf(id))
	return err == nil
}

// deleteFromList marks the crawls that find returns as deleted and removes them from the list.
// Their folders are left to removeDeleted.
func (s *Service) deleteFromList(
	ctx context.Context, find func(*jobs.Tx) ([]*jobs.Crawl, error),
) (deleted []*jobs.Crawl, err error) {
	var marked []string
	err = s.store.Update(ctx, func(tx *jobs.Tx) (err error) {
		if deleted, err = find(tx); err != nil {
			return err
		}
		for _, c := range deleted {
			if err := s.mark(c.ID); err != nil {
				return err
			}
			marked = append(marked, c.ID)
			if err := deleteCrawl(tx, c.ID); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		return deleted, nil
	}
	for _, id := range marked { // they are still in the list
		err = errors.Join(err, s.unmark(id))
	}
	return nil, err
}

// removeDeleted removes the folder of a crawl that is marked as deleted, once nobody reads its
// result.
func (s *Service) removeDeleted(id string) {
	s.results.drop(id, func() {
		if err := s.removeMarked(id); err != nil {
			s.log.Error("cannot remove a result", "crawl", id, "error", err)
		}
	})
}

// removeMarked removes the folder of a crawl that is marked as deleted, and the mark, unless
// workers may have the crawl: deleteJobs needs it.
func (s *Service) removeMarked(id string) error {
	if !s.isMarked(id) {
		return nil
	}
	err := errors.Join(os.RemoveAll(s.folder(id)), os.RemoveAll(s.folder(id)+temporarySuffix))
	switch {
	case err != nil:
		return err
	case s.options.Workers != nil:
		s.wakeUp()
		return nil
	}
	return s.unmark(id)
}

// crawlFolders are the names in the folder of the crawls.
type crawlFolders struct {
	crawls, deleted []string // IDs
	temporary       []string // paths
}

func (s *Service) readFolders() (f crawlFolders, err error) {
	entries, err := os.ReadDir(s.crawlsFolder())
	for _, entry := range entries {
		id, suffix, _ := strings.Cut(entry.Name(), ".")
		if !isID(id) {
			continue // somebody else's
		}
		switch "." + suffix {
		case deletedSuffix:
			f.deleted = append(f.deleted, id)
		case temporarySuffix:
			f.temporary = append(f.temporary, filepath.Join(s.crawlsFolder(), entry.Name()))
		case ".":
			f.crawls = append(f.crawls, id)
		}
	}
	return f, err
}

// finishDeletions does what an earlier server that was killed left to do: crawls that are marked
// as deleted leave the list, and their folders go. All other folders of crawls stay.
func (s *Service) finishDeletions(ctx context.Context) error {
	folders, err := s.readFolders()
	if err != nil {
		return err
	}
	unknown := map[string]bool{}
	for _, id := range folders.crawls {
		unknown[id] = true
	}
	err = s.store.Update(ctx, func(tx *jobs.Tx) error {
		for _, id := range folders.deleted {
			delete(unknown, id)
			if err := deleteCrawl(tx, id); err != nil {
				return err
			}
		}
		ids, err := tx.CrawlIDs()
		for _, id := range ids {
			delete(unknown, id)
		}
		return err
	})
	if err != nil {
		return err
	}
	for _, id := range folders.deleted {
		s.removeDeleted(id)
	}
	for _, name := range folders.temporary {
		if err := os.RemoveAll(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			s.log.Error("cannot remove a temporary folder", "folder", name, "error", err)
		}
	}
	if len(unknown) > 0 {
		s.log.Warn("crawls that the list does not name are kept: mapa report reads their folders",
			"folder", s.crawlsFolder(), "number", len(unknown), "first", firstNames(unknown))
	}
	return nil
}

// maxNames is the most names in a line of the log.
const maxNames = 5

// firstNames returns some of the names for the log.
func firstNames(names map[string]bool) []string {
	all := slices.Sorted(maps.Keys(names))
	return all[:min(len(all), maxNames)]
}
