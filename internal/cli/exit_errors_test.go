package cli

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/mapatools/mapa/announce"
	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/app/access"
	"github.com/mapatools/mapa/internal/app/addresses"
	appannounce "github.com/mapatools/mapa/internal/app/announce"
	"github.com/mapatools/mapa/internal/app/build"
	"github.com/mapatools/mapa/internal/app/cause"
	"github.com/mapatools/mapa/internal/app/config"
	appcrawl "github.com/mapatools/mapa/internal/app/crawl"
	"github.com/mapatools/mapa/internal/app/crawlfile"
	"github.com/mapatools/mapa/internal/app/links"
	"github.com/mapatools/mapa/internal/app/outputs"
	"github.com/mapatools/mapa/internal/app/setting"
	appwatch "github.com/mapatools/mapa/internal/app/watch"
	"github.com/mapatools/mapa/internal/atomicfile"
	"github.com/mapatools/mapa/internal/browser"
	"github.com/mapatools/mapa/internal/compare"
	"github.com/mapatools/mapa/internal/fetch"
	"github.com/mapatools/mapa/internal/figures"
	"github.com/mapatools/mapa/internal/folder"
	"github.com/mapatools/mapa/internal/jobs"
	"github.com/mapatools/mapa/internal/journal"
	"github.com/mapatools/mapa/internal/publish"
	"github.com/mapatools/mapa/internal/repair"
	"github.com/mapatools/mapa/internal/sqlite"
	"github.com/mapatools/mapa/internal/statefile"
	"github.com/mapatools/mapa/sitemap"
	"github.com/mapatools/mapa/source"
	"github.com/mapatools/mapa/watch"
	"github.com/mapatools/mapa/watch/sqlitestore"
)

// errorCodes are the errors that end a command, by their names, with the exit code of each.
var errorCodes = []struct {
	name string
	err  error
	code int
}{
	{"announce.ErrKeyForm", announce.ErrKeyForm, 2},
	{"crawl.ErrBaseURL", crawl.ErrBaseURL, 2},
	{"crawl.ErrForbidden", crawl.ErrForbidden, 4},
	{"crawl.ErrOutage", crawl.ErrOutage, 3},
	{"crawl.ErrStart", crawl.ErrStart, 4},
	{"crawl.ErrStopped", crawl.ErrStopped, 3},
	{"crawl.ForbiddenError", &crawl.ForbiddenError{Line: 1}, 4},
	{"crawl.ForbiddenError", &crawl.ForbiddenError{}, 4},
	{"crawl.MovedError", &crawl.MovedError{}, 4},
	{"crawl.RefusedError", &crawl.RefusedError{Status: 429}, 3},
	{"crawl.StartError", &crawl.StartError{Status: 401}, 4},
	{"crawl.StartError", &crawl.StartError{Status: 403}, 4},
	{"crawl.StartError", &crawl.StartError{Status: 404}, 4},
	{"crawl.StartError", &crawl.StartError{Status: 410}, 4},
	{"crawl.StartError", &crawl.StartError{Status: 429}, 4},
	{"crawl.StartError", &crawl.StartError{Status: 500}, 4},
	{"crawl.StartError", &crawl.StartError{Err: fetch.KindNoHost}, 4},
	{"crawl.StartScopeError", &crawl.StartScopeError{}, 2},
	{"crawl.UnrenderedError", &crawl.UnrenderedError{}, 3},
	{"internal/app/access.WebhookError", &access.WebhookError{}, 3},
	{"internal/app/addresses.ErrFile", addresses.ErrFile, 2},
	{"internal/app/addresses.ErrInvalidURL", addresses.ErrInvalidURL, 2},
	{"internal/app/addresses.ErrNoFolder", addresses.ErrNoFolder, 2},
	{"internal/app/addresses.ErrNoSites", addresses.ErrNoSites, 2},
	{"internal/app/addresses.ErrNotPage", addresses.ErrNotPage, 2},
	{"internal/app/addresses.ErrNotWebAddress", addresses.ErrNotWebAddress, 2},
	{"internal/app/addresses.ErrScheme", addresses.ErrScheme, 2},
	{"internal/app/addresses.ErrUnlistableStart", addresses.ErrUnlistableStart, 2},
	{"internal/app/announce.ErrNoSitemapFile", appannounce.ErrNoSitemapFile, 4},
	{"internal/app/announce.ErrNoSource", appannounce.ErrNoSource, 2},
	{"internal/app/announce.ErrSite", appannounce.ErrSite, 2},
	{"internal/app/announce.ProviderError", &appannounce.ProviderError{}, 2},
	{"internal/app/announce.SitemapURLError", &appannounce.SitemapURLError{}, 2},
	{"internal/app/build.DatabaseError", &build.DatabaseError{Err: syscall.ECONNREFUSED}, 4},
	{"internal/app/build.DatabaseError", &build.DatabaseError{Err: os.ErrDeadlineExceeded}, 4},
	{"internal/app/build.EmptyError", &build.EmptyError{}, 2},
	{"internal/app/build.InvalidFileError", &build.InvalidFileError{}, 2},
	{"internal/app/config.EnvironmentError", &config.EnvironmentError{}, 2},
	{"internal/app/config.Error", &config.Error{}, 2},
	{"internal/app/crawl.CredentialsError", &appcrawl.CredentialsError{}, 4},
	{"internal/app/crawl.CutError", &appcrawl.CutError{}, 3},
	{"internal/app/crawl.ErrOtherSites", appcrawl.ErrOtherSites, 2},
	{"internal/app/crawl.ErrSameHost", appcrawl.ErrSameHost, 2},
	{"internal/app/crawl.ErrSiteFolder", appcrawl.ErrSiteFolder, 2},
	{"internal/app/crawl.FolderInUseError", &appcrawl.FolderInUseError{}, 2},
	{"internal/app/crawl.NATSError", &appcrawl.NATSError{Err: journal.ErrConnect}, 4},
	{"internal/app/crawl.OtherAddressError", &appcrawl.OtherAddressError{Err: fetch.KindRefused}, 4},
	{"internal/app/crawl.SeedError", &appcrawl.SeedError{Err: &source.MissingError{}}, 2},
	{"internal/app/crawl.SeedError", &appcrawl.SeedError{Err: source.ErrOpen}, 4},
	{"internal/app/crawl.UnfinishedJobError", &appcrawl.UnfinishedJobError{Err: &journal.UnansweredError{}}, 3},
	{"internal/app/crawlfile.ErrNoCrawl", crawlfile.ErrNoCrawl, 2},
	{"internal/app/crawlfile.ErrNotFolder", &crawlfile.FolderError{Err: crawlfile.ErrNotFolder}, 2},
	{"internal/app/crawlfile.FolderError", &crawlfile.FolderError{Err: fs.ErrPermission}, 4},
	{"internal/app/links.ErrNothing", links.ErrNothing, 4},
	{"internal/app/outputs.ForeignFileError", &outputs.ForeignFileError{}, 2},
	{"internal/app/setting.Error", setting.Invalid("rate", "%s is wrong"), 2},
	{"internal/app/watch.ErrKept", appwatch.ErrKept, 3},
	{"internal/app/watch.ErrNoState", appwatch.ErrNoState, 2},
	{"internal/atomicfile.WriteError", &atomicfile.WriteError{Err: fs.ErrNotExist}, 2},
	{"internal/atomicfile.WriteError", &atomicfile.WriteError{Err: syscall.ENOSPC}, 4},
	{"internal/browser.ErrSandbox", browser.ErrSandbox, 4},
	{"internal/browser.MissingError", &browser.MissingError{}, 4},
	{"internal/browser.MissingError", &browser.MissingError{Path: "named"}, 2},
	{"internal/browser.StartError", &browser.StartError{}, 4},
	{"internal/compare.ErrNoCrawl", compare.ErrNoCrawl, 2},
	{"internal/figures.SiteError", &figures.SiteError{}, 2},
	{"internal/figures.FilterError", &figures.FilterError{Filter: "Query: x"}, 2},
	{"internal/figures.FileError", &figures.FileError{Name: "a.csv", Err: fs.ErrNotExist}, 2},
	{"internal/fetch.Error", &fetch.Error{Kind: fetch.KindUnreachable}, 4},
	{"internal/fetch.GuardError", &fetch.GuardError{}, 2},
	{"internal/fetch.Kind", fetch.KindUnreachable, 4},
	{"internal/fetch.ProxyError", &fetch.Error{Kind: fetch.KindProxy, Err: &fetch.ProxyError{}}, 4},
	{"internal/fetch.TLSError", &fetch.Error{Kind: fetch.KindTLS, Err: &fetch.TLSError{}}, 4},
	{"internal/folder.ErrNoIndex", folder.ErrNoIndex, 2},
	{"internal/jobs.ErrNoFile", jobs.ErrNoFile, 2},
	{"internal/journal.ErrCanceled", journal.ErrCanceled, 4},
	{"internal/journal.ErrConnect", journal.ErrConnect, 4},
	{"internal/journal.ErrCut", journal.ErrCut, 4},
	{"internal/journal.ErrDamaged", journal.ErrDamaged, 2},
	{"internal/journal.ErrJobExists", journal.ErrJobExists, 2},
	{"internal/journal.ErrJobName", journal.ErrJobName, 2},
	{"internal/journal.ErrNoJob", journal.ErrNoJob, 2},
	{"internal/journal.ErrRecords", journal.ErrRecords, 2},
	{"internal/journal.ErrSubmitting", journal.ErrSubmitting, 4},
	{"internal/journal.UnansweredError", &journal.UnansweredError{}, 4},
	{"internal/publish.ErrEmpty", publish.ErrEmpty, 3},
	{"internal/publish.RefusedError", &publish.RefusedError{}, 3},
	{"internal/repair.OverwriteError", &repair.OverwriteError{}, 2},
	{"internal/sqlite.ErrDamaged", sqlite.ErrDamaged, 2},
	{"internal/sqlite.ErrForeign", sqlite.ErrForeign, 2},
	{"internal/sqlite.ErrFull", sqlite.ErrFull, 4},
	{"internal/sqlite.ErrLocked", sqlite.ErrLocked, 4},
	{"internal/sqlite.ErrNoAccess", sqlite.ErrNoAccess, 4},
	{"internal/sqlite.ErrNoFolder", sqlite.ErrNoFolder, 2},
	{"internal/sqlite.Error", &sqlite.Error{Err: sqlite.ErrLocked}, 4},
	{"internal/statefile.ErrNewer", statefile.ErrNewer, 2},
	{"internal/statefile.ErrVersion", statefile.ErrVersion, 2},
	{"sitemap.Fault", &sitemap.Fault{Kind: sitemap.FaultTruncated}, 2},
	{"source.ColumnError", &source.ColumnError{}, 2},
	{"source.ErrEmptyFolder", source.ErrEmptyFolder, 4},
	{"source.ErrNoSitemap", source.ErrNoSitemap, 4},
	{"source.ErrOpen", source.ErrOpen, 4},
	{"source.ErrOtherHost", source.ErrOtherHost, 2},
	{"source.ErrRedirect", source.ErrRedirect, 4},
	{"source.ErrStalled", source.ErrStalled, 4},
	{"source.ErrTooDeep", &source.Error{Err: source.ErrTooDeep}, 2},
	{"source.ErrTooMany", &source.Error{Err: source.ErrTooMany}, 2},
	{"source.Error", &source.Error{Err: source.ErrOpen}, 4},
	{"source.MissingError", &source.MissingError{}, 2},
	{"source.RowError", &source.RowError{}, 2},
	{"source.SelfRedirectError", &source.SelfRedirectError{}, 2},
	{"source.StatusError", &source.StatusError{Status: 500}, 4},
	{"watch.ErrNoAnswer", watch.ErrNoAnswer, 4},
	{"watch.SiteError", &watch.SiteError{}, 2},
	{"watch/sqlitestore.ErrDamaged", sqlitestore.ErrDamaged, 2},
	{"watch/sqlitestore.ErrFull", sqlitestore.ErrFull, 4},
	{"watch/sqlitestore.ErrLocked", sqlitestore.ErrLocked, 4},
	{"watch/sqlitestore.ErrNotState", sqlitestore.ErrNotState, 2},
	{"watch/sqlitestore.ErrVersion", sqlitestore.ErrVersion, 2},
	{"the file system", &fs.PathError{Op: "open", Err: fs.ErrNotExist}, 2},
	{"the file system", &fs.PathError{Op: "open", Err: fs.ErrPermission}, 2},
	{"a full disk", syscall.ENOSPC, 4},
	{"a port in use", syscall.EADDRINUSE, 4},
}

// otherErrors are the errors that end no command, by why they do not.
var otherErrors = map[string]string{
	"a record of a page, a finding or a notice": `
		crawl/render.ErrNoRenderer crawl/render.Error crawl/render.Refusal crawl/render.StatusError
		internal/app/problems.ErrConflict internal/app/problems.ErrDuplicate internal/app/problems.ErrOutOfScope
		internal/folder.ErrShallow internal/fetch.RobotsError watch.DocumentError watch.ErrTooLarge watch.ErrTooMany
		watch.ErrNoHub watch.HubError internal/app/announce.ErrNotConfirmed source.SkippedError source.UnlistedError source.ErrMixed announce.Error`,
	"the reason in another error": `
		internal/lastmod.ErrAncient internal/lastmod.ErrDay internal/lastmod.ErrFuture
		source.ErrAncient source.ErrControl source.ErrDay source.ErrEncoding source.ErrFrequency source.ErrFuture
		source.ErrLineTooLong source.ErrNoAddress source.ErrNoBase source.ErrNotLogLine source.ErrPriority source.ErrQuote
		source.ErrScheme source.ErrTooManyColumns internal/urlnorm.ErrHost internal/urlnorm.ErrInvalid
		internal/urlnorm.ErrNotAbsolute internal/urlnorm.ErrPort internal/urlnorm.ErrTooLong internal/urlnorm.SchemeError
		sitemap.ErrMissing sitemap.ErrRelative sitemap.ErrScheme sitemap.ErrHost sitemap.ErrTooLong sitemap.ErrTooShort
		sitemap.ErrText sitemap.ErrElement sitemap.ErrTooManySitemaps sitemap.ErrTooMany sitemap.ErrFull
		sitemap.ErrEntryTooLarge sitemap.ErrNoDate sitemap.ErrDate sitemap.FieldError
		sitemap/internal/window.ErrFull sitemap/internal/xmlscan.ErrIncomplete sitemap/internal/xmlscan.ErrMarkup
		sitemap/internal/xmlscan.ErrInValue sitemap/internal/xmlscan.ErrAttribute
		internal/app/crawl.Interruption internal/journal.ErrLost`,
	"an error of the server or of the Go packages alone": `
		internal/app/access.ErrManyBytes internal/app/access.ErrManyRequests internal/app/crawl.ErrNotFollowed
		internal/app/crawl.WorkerError internal/app/service.ActiveError internal/app/service.ErrAddresses
		internal/app/service.ErrCron internal/app/service.ErrIncomplete internal/app/service.ErrLabels internal/app/service.ErrManyIgnored
		internal/app/service.LinesError
		internal/app/service.ErrNoSchedules internal/app/service.ErrNotFound internal/app/service.ErrNotOffered
		internal/app/service.ErrNotProven internal/app/service.ErrSecret internal/app/service.ErrShares
		internal/app/service.ErrUnknownOption internal/app/service.ErrUser internal/app/service.LimitError
		internal/app/service.OptionError internal/app/service.ScheduleError internal/app/service.StateError
		internal/jobs.ErrNotFound internal/page.FilterError internal/result.ErrCursor internal/result.ErrNotFound
		internal/store.ErrNotFound sitemap/sitemaphttp.ErrClosed watch.ErrCallback`,
}

// TestErrorCodes gives every exported error of the module an exit code, or a reason for none.
func TestErrorCodes(t *testing.T) {
	listed := map[string]bool{}
	for _, test := range errorCodes {
		listed[test.name] = true
		if got := codeOf(test.err); got != test.code || cause.KindOf(test.err) == cause.KindNone {
			t.Errorf("%s: exit code %d, want %d, and kind %d", test.name, got, test.code, cause.KindOf(test.err))
		}
	}
	for _, names := range otherErrors {
		for name := range strings.FieldsSeq(names) {
			listed[name] = true
		}
	}
	declared := declaredErrors(t, filepath.Join("..", ".."))
	for name := range declared {
		if !listed[name] {
			t.Errorf("%s has no exit code: add it to a table of internal/app/cause and to errorCodes, or to otherErrors", name)
		}
	}
	for name := range listed {
		if !declared[name] && !strings.Contains(name, " ") {
			t.Errorf("%s is listed, but not declared", name)
		}
	}
}

// declaredErrors returns the names of the exported error values and error types of the module.
func declaredErrors(t *testing.T, root string) map[string]bool {
	names := map[string]bool{}
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		switch base := entry.Name(); {
		case err != nil:
			return err
		case entry.IsDir() && name != root && (base == "bench" || base == "testdata" || base == "examples" || base[0] == '.'):
			return fs.SkipDir
		case entry.IsDir() || !strings.HasSuffix(base, ".go") || strings.HasSuffix(base, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		folder, err := filepath.Rel(root, filepath.Dir(name))
		for _, declaration := range file.Decls {
			for _, own := range errorsOf(declaration) {
				names[filepath.ToSlash(folder)+"."+own] = true
			}
		}
		return err
	})
	if err != nil || len(names) < 100 {
		t.Fatalf("%d errors: %v", len(names), err)
	}
	return names
}

// errorsOf returns the exported error values that a declaration has, or the exported type whose method Error it is.
func errorsOf(declaration ast.Decl) (names []string) {
	switch d := declaration.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil || d.Name.Name != "Error" || d.Type.Params.NumFields() > 0 || d.Type.Results.NumFields() != 1 {
			return nil
		}
		if result, is := d.Type.Results.List[0].Type.(*ast.Ident); !is || result.Name != "string" {
			return nil
		}
		of := d.Recv.List[0].Type
		if pointer, is := of.(*ast.StarExpr); is {
			of = pointer.X
		}
		if name, is := of.(*ast.Ident); is && name.IsExported() {
			names = append(names, name.Name)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			values, is := spec.(*ast.ValueSpec)
			if !is || d.Tok != token.VAR {
				continue
			}
			for _, name := range values.Names {
				if rest, is := strings.CutPrefix(name.Name, "Err"); is && rest != "" && ast.IsExported(rest) {
					names = append(names, name.Name)
				}
			}
		}
	}
	return names
}
