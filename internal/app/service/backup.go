package service

import (
	"archive/tar"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"time"

	"github.com/mapatools/mapa/internal/atomicfile"
	"github.com/mapatools/mapa/internal/figures"
	"github.com/mapatools/mapa/internal/jobs"
	"github.com/mapatools/mapa/internal/ledger"
)

// A BackupResult says what a backup holds.
type BackupResult struct {
	Crawls  int   // with their results
	Unended int   // crawls without, because they have not ended
	Size    int64 // bytes of the file
}

// A backup is a tar file that is being written.
type backup struct {
	folder  string
	present *jobs.Store // the state of the server, which may run
	state   *jobs.Store // a copy, which describes the crawls in the file
	copied  string      // the folder of the copy
	file    *atomicfile.File
	tar     *tar.Writer
	result  BackupResult
}

// Backup writes the state in the folder of a server, and the crawls that have ended, to a new
// tar file. To restore them, the file is unpacked into an empty folder. The server may run. A
// crawl that has not ended is in the list only: it begins again, or goes on on its workers.
//
// The error wraps [fs.ErrExist] when there is a file of that name, and jobs.ErrNoFile when no
// server has used the folder. After an error there is no file.
func Backup(ctx context.Context, folder, name string) (_ *BackupResult, err error) {
	b := &backup{folder: folder}
	if b.present, err = jobs.OpenShared(ctx, folder); err != nil {
		return nil, err
	}
	defer b.present.Close() // it was only read
	if b.file, err = atomicfile.CreateNew(name); err != nil {
		return nil, err
	}
	if err = b.copyState(ctx); err == nil {
		err = b.write(ctx)
	}
	if b.copied != "" {
		err = errors.Join(err, os.RemoveAll(b.copied))
	}
	if err != nil {
		return nil, fmt.Errorf("back up %s: %w", folder, errors.Join(err, b.file.Abort()))
	}
	return &b.result, b.file.Commit()
}

// copyState makes the copy of the state.
func (b *backup) copyState(ctx context.Context) (err error) {
	if b.copied, err = os.MkdirTemp("", "mapa-"); err != nil {
		return err
	}
	if err = b.present.CopyTo(ctx, b.copied); err == nil {
		b.state, err = jobs.Open(ctx, b.copied)
	}
	return err
}

// write writes the file. The state comes last: it changes with what is added.
func (b *backup) write(ctx context.Context) error {
	b.tar = tar.NewWriter(b.file)
	err := errors.Join(b.addCrawls(ctx), b.state.Close()) // which moves its log into the file
	if err == nil {
		err = b.addFigures(ctx)
	}
	if err == nil {
		err = b.addFolder(ctx, ignoredName)
	}
	if err == nil {
		err = b.addStates(ctx)
	}
	if err == nil {
		err = b.tar.Close()
	}
	if err == nil {
		b.result.Size, err = b.file.Size()
	}
	return err
}

// addCrawls adds the crawls of the list that have ended.
func (b *backup) addCrawls(ctx context.Context) error {
	info, err := os.Stat(filepath.Join(b.folder, crawlsName))
	if err == nil {
		err = b.add(ctx, crawlsName, info, nil)
	}
	if err != nil {
		return err
	}
	var ids []string
	err = b.state.Update(ctx, func(tx *jobs.Tx) (err error) {
		ids, err = tx.CrawlIDs()
		return err
	})
	for _, id := range ids {
		if err == nil {
			err = b.addCrawl(ctx, id)
		}
	}
	return err
}

// addCrawl adds a crawl if it has ended. What the server deletes or resumes meanwhile is dropped
// from the file again.
func (b *backup) addCrawl(ctx context.Context, id string) error {
	if err := checkID(id); err != nil {
		return err
	}
	for {
		c, err := recordIn(ctx, b.state, id)
		switch {
		case errors.Is(err, ErrNotFound):
			return nil
		case err != nil:
			return err
		case !c.State.Ended():
			b.result.Unended++
			return nil
		}
		size, err := b.size()
		if err != nil {
			return err
		}
		failed := b.addFolder(ctx, path.Join(crawlsName, id))
		changed, err := b.takeChange(ctx, c)
		if err != nil {
			return err
		}
		if !changed {
			b.result.Crawls++
			return failed
		}
		if err := b.dropAfter(size); err != nil {
			return err
		}
	}
}

// takeChange reports whether a crawl is another one in the list of the server than in the copy,
// which then gets it. If it is the same, nothing in its folder has changed: a crawl that is
// deleted leaves the list before its files go, and one that goes on enters the queue before its
// files change. Only figures may have joined it, which replaces its file in one step.
func (b *backup) takeChange(ctx context.Context, c *jobs.Crawl) (changed bool, err error) {
	now, err := recordIn(ctx, b.present, c.ID)
	switch {
	case errors.Is(err, ErrNotFound):
		return true, b.state.Update(ctx, func(tx *jobs.Tx) error { return deleteCrawl(tx, c.ID) })
	case err != nil:
		return false, err
	case now.State == c.State && now.Ended.Equal(c.Ended):
		return false, nil
	}
	return true, b.state.Update(ctx, func(tx *jobs.Tx) error { return tx.SaveCrawl(now) })
}

// size returns the number of bytes that were written.
func (b *backup) size() (int64, error) {
	if err := b.tar.Flush(); err != nil {
		return 0, err
	}
	return b.file.Size()
}

// dropAfter drops what was added after the first size bytes.
func (b *backup) dropAfter(size int64) error {
	b.tar = tar.NewWriter(b.file)
	return b.file.Truncate(size)
}

// addFolder adds the files in a folder, if it is there.
func (b *backup) addFolder(ctx context.Context, name string) error {
	folder, err := os.OpenRoot(filepath.Join(b.folder, filepath.FromSlash(name)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer folder.Close()
	return fs.WalkDir(folder.FS(), ".", func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return unlessGone(err)
		case !entry.IsDir() && !entry.Type().IsRegular(), atomicfile.IsTemporary(entry.Name()):
			return nil
		}
		in, err := folder.Open(file)
		if err != nil {
			return unlessGone(err)
		}
		defer in.Close()
		info, err := in.Stat()
		if err != nil {
			return err
		}
		return b.add(ctx, path.Join(name, file), info, in)
	})
}

// unlessGone returns nil for the error of a file that is gone: a temporary one, one of a
// crawl that is deleted, which the list says, or the figures of a deleted site.
func unlessGone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// addFigures adds the figures of the sites.
func (b *backup) addFigures(ctx context.Context) error {
	info, err := os.Stat(filepath.Join(b.folder, figuresName))
	if err != nil {
		return unlessGone(err)
	}
	entries, err := os.ReadDir(filepath.Join(b.folder, figuresName))
	if err == nil {
		err = errors.Join(os.Mkdir(filepath.Join(b.copied, figuresName), 0o700), b.add(ctx, figuresName, info, nil))
	}
	for _, entry := range entries {
		if err != nil || filepath.Ext(entry.Name()) != figuresSuffix {
			continue
		}
		name := path.Join(figuresName, entry.Name())
		if err = figures.CopyTo(ctx, filepath.Join(b.folder, name), filepath.Join(b.copied, name)); err == nil {
			err = b.addCopy(ctx, name)
		}
		err = unlessGone(err)
	}
	return err
}

// addStates adds the states that the folder has besides the crawls.
func (b *backup) addStates(ctx context.Context) error {
	name := filepath.Join(b.folder, ledger.Name)
	switch info, err := os.Stat(name); {
	case errors.Is(err, fs.ErrNotExist), err == nil && info.Size() == 0: // or its creation was cut off
	case err != nil:
		return err
	default:
		err := ledger.CopyTo(ctx, name, filepath.Join(b.copied, ledger.Name))
		if err == nil {
			err = b.addCopy(ctx, ledger.Name)
		}
		if err != nil {
			return err
		}
	}
	return b.addCopy(ctx, jobs.FileName)
}

// addCopy adds the copy of a file with the owner and the permissions of the file itself.
func (b *backup) addCopy(ctx context.Context, name string) error {
	info, err := os.Stat(filepath.Join(b.folder, name))
	if err != nil {
		return err
	}
	in, err := os.Open(filepath.Join(b.copied, name))
	if err != nil {
		return err
	}
	defer in.Close()
	return b.add(ctx, name, info, in)
}

// add adds a file, or a folder without what is in it, as info describes it.
func (b *backup) add(ctx context.Context, name string, info fs.FileInfo, in *os.File) error {
	header, err := tar.FileInfoHeader(info, "")
	if err != nil {
		return err
	}
	header.Name, header.AccessTime, header.ChangeTime = name, time.Time{}, time.Time{}
	header.Format = tar.FormatPAX // whose times are exact: result.sqlite depends on that of crawl.sqlite
	if info.IsDir() {
		header.Name += "/"
		return b.tar.WriteHeader(header)
	}
	if header.Size, err = in.Seek(0, io.SeekEnd); err == nil {
		_, err = in.Seek(0, io.SeekStart)
	}
	if err == nil {
		err = b.tar.WriteHeader(header)
	}
	const chunk = 1 << 20
	for left := header.Size; left > 0 && err == nil; left -= chunk {
		if err = ctx.Err(); err == nil {
			_, err = io.CopyN(b.tar, in, min(left, chunk))
		}
	}
	if err != nil {
		return fmt.Errorf("copy %s: %w", name, err)
	}
	return nil
}
