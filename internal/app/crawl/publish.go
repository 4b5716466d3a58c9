package crawl

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/crawlfile"
	"github.com/mapatools/mapa/internal/app/outputs"
	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/mapatools/mapa/internal/atomicfile"
	"github.com/mapatools/mapa/internal/compare"
)

// A Publication is what was published of a crawl.
type Publication struct {
	Pages   int      // of the sitemap
	Before  int      // of the sitemap that was in the folder; 0 without one
	Sitemap string   // path of the file to submit
	Files   []string // paths
	// Complete reports that the crawl ended at no limit. Other publications should not be
	// announced.
	Complete bool
}

// Publish writes the outputs of the crawl in a folder to the folder of the publish
// setting, which must exist, in one step. address is the URL of that folder; empty is where
// the crawl says that its sitemap is published. Files that Mapa did not write are kept: then the error is a
// [*outputs.ForeignFileError]. When the guard refuses, [cause.Of] the error is
// [cause.RefusedToPublish] or [cause.EmptySitemap]. A publication that was cut off can be
// repeated.
func Publish(ctx context.Context, a *app.App, folder, address string, s *Settings) (_ *Publication, err error) {
	options, err := s.Publish.Options()
	if err != nil {
		return nil, err
	}
	if options.Language, err = setting.LanguageOf(cmp.Or(s.Lang, string(a.Language()))); err != nil {
		return nil, err
	}
	options.Folder = s.PublishFolder
	if info, err := os.Stat(options.Folder); err != nil || !info.IsDir() {
		return nil, &crawlfile.FolderError{Folder: options.Folder, Err: errors.Join(err, fs.ErrNotExist)}
	}
	file, err := crawlfile.Open(folder)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	about := file.Meta()
	options.FolderURL = cmp.Or(address, about.FolderURL())
	summary, err := file.Summary(ctx)
	if err != nil {
		return nil, err
	}
	options.KeepLarger = !summary.Complete()
	written, err := outputs.ReadWrittenFiles(options.Folder, options.Folder, options.Outputs)
	if err != nil {
		return nil, err
	}
	written.NoReports, written.FolderURL = true, options.FolderURL
	if err := written.Check(); err != nil {
		return nil, err
	}
	options.BeforePublish = written.Claim
	done, err := crawlfile.Publish(ctx, file, options)
	if err != nil {
		return nil, err
	}
	if err := written.Record(); err != nil {
		return nil, err
	}
	p := &Publication{Pages: done.Pages, Before: done.Before, Complete: summary.Complete()}
	p.Files, p.Sitemap = outputs.PublishedFiles(options.Folder, &done)
	return p, nil
}

// CopyCrawl makes the finished crawl in a folder the one that the next crawl in another
// folder is compared with, and takes conditions of requests from. The other folder must
// exist and have no crawl.
func CopyCrawl(from, to string) (err error) {
	in, err := os.Open(filepath.Join(from, crawlfile.Name))
	if err != nil {
		return err
	}
	defer in.Close()
	return atomicfile.Replace(filepath.Join(to, crawlfile.PreviousName), func(out io.Writer) error {
		_, err := io.Copy(out, in)
		return err
	})
}

// FirstChanges returns the first of the changes since the crawl before in the crawl of a
// folder that are wanted, up to limit of each kind; isWanted gets all. Without a crawl before there are none.
func FirstChanges(
	ctx context.Context, folder string, limit int, isWanted func(*compare.Change) bool,
) (map[compare.Kind][]compare.Change, error) {
	first := make(map[compare.Kind][]compare.Change)
	file, err := os.Open(filepath.Join(folder, crawlfile.ChangesName))
	if errors.Is(err, fs.ErrNotExist) {
		return first, nil
	}
	if err != nil {
		return first, err
	}
	defer file.Close()
	for lines := json.NewDecoder(file); ctx.Err() == nil; {
		var change compare.Change
		switch err := lines.Decode(&change); {
		case errors.Is(err, io.EOF):
			return first, nil
		case err != nil:
			return first, fmt.Errorf("read %s: %w", file.Name(), err)
		}
		if isWanted(&change) && len(first[change.Kind]) < limit {
			first[change.Kind] = append(first[change.Kind], change)
		}
	}
	return first, ctx.Err()
}
