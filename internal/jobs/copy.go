package jobs

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/mapatools/mapa/internal/sqlite"
)

// OpenCopy copies the file in a folder to another one, which is empty, and opens the copy. In
// the first folder it writes nothing. Without a file, or without the folder, the copy is
// empty. No server can open the folder until the copy is closed. The errors are those of Open.
func OpenCopy(ctx context.Context, folder, to string) (*Store, error) {
	file, err := sqlite.OpenCopy(ctx, filepath.Join(folder, FileName), filepath.Join(to, FileName), &spec, sqlite.Create)
	if err != nil {
		return nil, err
	}
	return newStore(file)
}

// OpenShared opens the file of a folder to read it, also while a server has it. The error
// wraps ErrNoFile when no server has used the folder, or is one of Open. No transaction keeps
// the server from writing.
func OpenShared(ctx context.Context, folder string) (*Store, error) {
	file, err := sqlite.Open(ctx, filepath.Join(folder, FileName), &spec, sqlite.Share)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: %w", filepath.Join(folder, FileName), ErrNoFile)
	case err != nil:
		return nil, err
	}
	return newStore(file)
}

// CopyTo writes all that the file holds at a moment to a folder, for Open. The folder must
// have no such file.
func (s *Store) CopyTo(ctx context.Context, folder string) error {
	return s.file.CopyTo(ctx, filepath.Join(folder, FileName))
}
