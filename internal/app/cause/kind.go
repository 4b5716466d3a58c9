package cause

import (
	"errors"
	"io/fs"
	"os"
	"slices"
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
	for _, k := range known {
		if k.fits(err) {
			return k.kind
		}
	}
	return KindNone
}

// A class is a group of errors.
type class struct {
	cause Cause
	kind  Kind
	fits  func(error) bool
}

// known are the classes of errors in the order in which an error is compared with them.
var known = slices.Concat(kinds, causes, generalKinds)

// kinds are the errors without a cause, and those of another kind than their cause.
var kinds = []class{
	{Other, KindPart, as[*appcrawl.UnfinishedJobError]}, // which wraps what keeps the job from being followed
	{Other, KindPart, as[*appcrawl.CutError]},
	{Other, KindUsage, as[*setting.Error]},
	{Other, KindUsage, as[*config.Error]},
	{Other, KindUsage, as[*appannounce.ProviderError]}, // its credentials
	{Other, KindUsage, as[*config.EnvironmentError]},
	{Other, KindUsage, is(addresses.ErrScheme)},
	{Other, KindUsage, is(addresses.ErrNoFolder)},
	{Other, KindUsage, is(addresses.ErrFile)},
	{Other, KindUsage, is(addresses.ErrUnlistableStart)},
	{Other, KindUsage, is(addresses.ErrInvalidURL)},
	{Other, KindUsage, is(addresses.ErrNotPage)},
	{Other, KindUsage, is(addresses.ErrNoSites)},
	{Other, KindUsage, is(appcrawl.ErrSiteFolder)},
	{Other, KindUsage, is(appcrawl.ErrSameHost)},
	{Other, KindUsage, is(folder.ErrNoIndex)},
	{Other, KindUsage, is(crawl.ErrBaseURL)},
	{Other, KindUsage, as[*watch.SiteError]},
	{Other, KindUsage, is(journal.ErrJobName)},
	{Other, KindUsage, is(journal.ErrNoJob)},
	{Other, KindUsage, is(journal.ErrJobExists)},
	{Other, KindUsage, as[*source.ColumnError]},
	{Other, KindUsage, build.IsDatabaseQuery},
	{Other, KindUsage, func(err error) bool { return as[*crawlfile.FolderError](err) && isNoFolder(err) }},
	{Other, KindUsage, func(err error) bool { return as[*atomicfile.WriteError](err) && isNoFolder(err) }},
	{Other, KindUsage, func(err error) bool { return as[*atomicfile.WriteError](err) && errors.Is(err, os.ErrNotExist) }},
	{Other, KindUnreached, as[*atomicfile.WriteError]},
	{Other, KindUsage, as[*repair.OverwriteError]},
	{Other, KindUsage, as[*figures.FileError]},
	{Other, KindUsage, as[*figures.FilterError]},
	{Other, KindUsage, as[*figures.SiteError]},
	{Other, KindUsage, isNamedBrowser},
}

// generalKinds are those of errors that none of the causes fits.
var generalKinds = []class{
	{Other, KindPart, is(crawl.ErrOutage)},
	{Other, KindPart, is(crawl.ErrStopped)},
	{Other, KindUnreached, is(watch.ErrNoAnswer)},
	{Other, KindUnreached, is(links.ErrNothing)},
	{Other, KindUnreached, is(journal.ErrConnect)},
	{Other, KindUnreached, is(journal.ErrSubmitting)},
	{Other, KindUnreached, is(journal.ErrCanceled)},
	{Other, KindPart, is(appwatch.ErrKept)},
	{Other, KindPart, as[*access.WebhookError]}, // after which the events are kept too
	{Other, KindUnreached, as[*build.DatabaseError]},
	{Other, KindUnreached, as[*fetch.Error]},
	{Other, KindUnreached, as[fetch.Kind]},
	{Other, KindUnreached, as[*source.StatusError]},
	{Other, KindUnreached, is(source.ErrRedirect)},
	{Other, KindUnreached, is(source.ErrStalled)},
	{Other, KindUsage, is(fs.ErrNotExist)},
	{Other, KindUsage, is(fs.ErrPermission)}, // of a file to read
	{Other, KindUsage, is(fs.ErrExist)},
	{Other, KindUsage, as[*source.RowError]},
	{Other, KindUnreached, is(source.ErrOpen)},
	{Other, KindUsage, as[*source.Error]},
	{Other, KindUsage, as[*fs.PathError]},
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
