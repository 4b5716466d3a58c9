package jobs

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/mapatools/mapa/internal/statefile"
)

// OpenCopy copies the file in a folder to another one, which is empty, and opens the copy. In
// the first folder it writes nothing. Without a file, or without the folder, the copy is
// empty. No server can open the folder until the copy is closed. The errors are those of Open.
func OpenCopy(ctx context.Context, folder, to string) (*Store, error) {
	s := &Store{}
	err := s.lockToRead(ctx, folder)
	if err == nil {
		err = copyFiles(folder, to)
	}
	if err == nil {
		err = s.openFile(ctx, to)
	}
	if err != nil {
		err = fmt.Errorf("open a copy of %s: %w", filepath.Join(folder, FileName), classify(err))
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// lockToRead keeps servers from opening a folder, but not others who only read it. A folder
// that no server has used has no lock, and gets none.
func (s *Store) lockToRead(ctx context.Context, folder string) (err error) {
	name := filepath.Join(folder, lockName)
	if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if s.lock, err = database(name, modeRead, toRead, 0); err != nil {
		return err
	}
	_, err = s.lock.ExecContext(ctx, "begin; select count(*) from sqlite_schema")
	return err
}

// copyFiles copies the file of a folder, if it is there, with what a server that was killed has
// not moved into it yet.
func copyFiles(from, to string) error {
	for _, suffix := range []string{"", "-wal", "-journal"} {
		err := statefile.Copy(filepath.Join(to, FileName+suffix), filepath.Join(from, FileName+suffix))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// OpenShared opens the file of a folder to read it, also while a server has it. The error
// wraps ErrNoFile or ErrOldVersion, or is one of Open.
func OpenShared(ctx context.Context, folder string) (*Store, error) {
	s, name := &Store{}, filepath.Join(folder, FileName)
	_, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		err = ErrNoFile
	}
	if err == nil {
		// SQLite may have to write a log to read the file, but begins no transaction that
		// would keep the server from writing.
		s.db, err = database(name, modeWrite, toRead, busyTime)
	}
	if err == nil {
		err = s.Update(ctx, func(tx *Tx) error {
			version, err := tx.version()
			if err == nil && version < len(migrations) {
				err = ErrOldVersion
			}
			return err
		})
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open %s: %w", name, classify(err)), s.Close())
	}
	return s, nil
}

// CopyTo writes all that the file holds at a moment to a folder, for Open. The folder must
// have no such file.
func (s *Store) CopyTo(ctx context.Context, folder string) error {
	name := filepath.Join(folder, FileName)
	if _, err := s.db.ExecContext(ctx, "vacuum into ?", name); err != nil {
		return fmt.Errorf("copy the state to %s: %w", name, classify(err))
	}
	return nil
}
