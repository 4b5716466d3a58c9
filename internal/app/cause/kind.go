package cause

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/app/access"
	"github.com/mapatools/mapa/internal/app/addresses"
	appannounce "github.com/mapatools/mapa/internal/app/announce"
	"github.com/mapatools/mapa/internal/app/build"
	"github.com/mapatools/mapa/internal/app/config"
	appcrawl "github.com/mapatools/mapa/internal/app/crawl"
	"github.com/mapatools/mapa/internal/app/crawlfile"
	"github.com/mapatools/mapa/internal/app/links"
	"github.com/mapatools/mapa/internal/app/setting"
	appwatch "github.com/mapatools/mapa/internal/app/watch"
	"github.com/mapatools/mapa/internal/atomicfile"
	"github.com/mapatools/mapa/internal/browser"
	"github.com/mapatools/mapa/internal/fetch"
	"github.com/mapatools/mapa/internal/figures"
	"github.com/mapatools/mapa/internal/folder"
	"github.com/mapatools/mapa/internal/journal"
	"github.com/mapatools/mapa/internal/repair"
	"github.com/mapatools/mapa/source"
	"github.com/mapatools/mapa/watch"
)

// A Kind says what an error means for the next run of the same command. The command line has an
// exit code for each.
type Kind int

// The kinds. KindNone is that of an error in no table.
const (
	KindNone      Kind = iota
	KindUsage          // the command, or a file that it names, has to change before it can succeed
	KindUnreached      // nothing new was kept, and the same command may succeed later
	KindPart           // something was kept, but not all
)

// KindOf returns the kind of an error. The first one that fits counts.
func KindOf(err error) Kind {
	for _, k := range kinds {
		if k.fits(err) {
			return k.kind
		}
	}
	for _, c := range causes {
		if c.fits(err) {
			return c.kind
		}
	}
	for _, k := range generalKinds {
		if k.fits(err) {
			return k.kind
		}
	}
	return KindNone
}

// A kindRow is a row of a table of kinds.
type kindRow struct {
	kind Kind
	fits func(error) bool
}

// kinds are the errors without a cause, and those of another kind than their cause.
var kinds = []kindRow{
	{KindPart, as[*appcrawl.UnfinishedJobError]}, // which wraps what keeps the job from being followed
	{KindPart, as[*appcrawl.CutError]},
	{KindUsage, as[*setting.Error]},
	{KindUsage, as[*config.Error]},
	{KindUsage, as[*appannounce.ProviderError]}, // its credentials
	{KindUsage, as[*config.EnvironmentError]},
	{KindUsage, is(addresses.ErrScheme)},
	{KindUsage, is(addresses.ErrNoFolder)},
	{KindUsage, is(addresses.ErrFile)},
	{KindUsage, is(addresses.ErrUnlistableStart)},
	{KindUsage, is(addresses.ErrInvalidURL)},
	{KindUsage, is(addresses.ErrNotPage)},
	{KindUsage, is(addresses.ErrNoSites)},
	{KindUsage, is(appcrawl.ErrSiteFolder)},
	{KindUsage, is(appcrawl.ErrSameHost)},
	{KindUsage, is(folder.ErrNoIndex)},
	{KindUsage, as[*crawl.BaseURLError]},
	{KindUsage, as[*watch.SiteError]},
	{KindUsage, is(journal.ErrJobName)},
	{KindUsage, is(journal.ErrNoJob)},
	{KindUsage, is(journal.ErrJobExists)},
	{KindUsage, as[*source.ColumnError]},
	{KindUsage, build.IsDatabaseQuery},
	{KindUsage, func(err error) bool { return as[*crawlfile.FolderError](err) && isNoFolder(err) }},
	{KindUsage, func(err error) bool { return as[*atomicfile.WriteError](err) && isNoFolder(err) }},
	{KindUsage, func(err error) bool { return as[*atomicfile.WriteError](err) && errors.Is(err, os.ErrNotExist) }},
	{KindUnreached, as[*atomicfile.WriteError]},
	{KindUsage, as[*repair.OverwriteError]},
	{KindUsage, as[*figures.FileError]},
	{KindUsage, as[*figures.FilterError]},
	{KindUsage, as[*figures.SiteError]},
	{KindUsage, isNamedBrowser},
}

// generalKinds are those of errors that none of the causes fits.
var generalKinds = []kindRow{
	{KindPart, is(crawl.ErrOutage)},
	{KindPart, is(crawl.ErrStopped)},
	{KindUnreached, is(watch.ErrNoAnswer)},
	{KindUnreached, is(links.ErrNothing)},
	{KindUnreached, is(journal.ErrConnect)},
	{KindUnreached, is(journal.ErrSubmitting)},
	{KindUnreached, is(journal.ErrCanceled)},
	{KindPart, is(appwatch.ErrKept)},
	{KindPart, as[*access.WebhookError]}, // after which the events are kept too
	{KindUnreached, as[*build.DatabaseError]},
	{KindUnreached, as[*fetch.Error]},
	{KindUnreached, as[fetch.Kind]},
	{KindUnreached, as[*source.StatusError]},
	{KindUnreached, is(source.ErrRedirect)},
	{KindUnreached, is(source.ErrStalled)},
	{KindUsage, is(fs.ErrNotExist)},
	{KindUsage, is(fs.ErrPermission)}, // of a file to read
	{KindUsage, is(fs.ErrExist)},
	{KindUsage, as[*source.RowError]},
	{KindUnreached, is(source.ErrOpen)},
	{KindUsage, as[*source.Error]},
	{KindUsage, as[*fs.PathError]},
}

// isNoFolder reports whether the name of a folder to write to cannot be that of one.
func isNoFolder(err error) bool {
	return errors.Is(err, crawlfile.ErrNotFolder) || errors.Is(err, syscall.ENOTDIR) ||
		errors.Is(err, syscall.ENAMETOOLONG)
}

// isNamedBrowser reports whether the browser that a setting names is missing.
func isNamedBrowser(err error) bool {
	missing, is := errors.AsType[*browser.MissingError](err)
	return is && missing.Path != ""
}
