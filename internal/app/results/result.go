// Package results opens the result of a crawl for the web application and for language models:
// its pages, links and comparisons. Begin with [Open].
package results

import (
	"context"
	"html/template"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/addresses"
	"github.com/mapatools/mapa/internal/app/crawlfile"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/insight"
	"github.com/mapatools/mapa/internal/report"
	"github.com/mapatools/mapa/internal/result"
	"github.com/mapatools/mapa/internal/view"
	"github.com/mapatools/mapa/lint"
)

// The answers to queries about a crawl, see package result.
type (
	Result      = result.Result
	PageFilter  = result.Filter
	FilterError = result.FilterError
	ListPart    = result.Part
	FindingsBy  = result.FindingFilter
	PageList    = result.PageList
	PageRow     = result.Page
	PageDetails = result.PageDetails
	PageRef     = result.Ref
	PathStep    = result.Step
	Direction   = result.Direction
	PageLink    = result.Link
	LinkList    = result.LinkList
	Tree        = result.Tree
	TreeFolder  = result.Folder
	Finding     = result.Finding
	ChangeList  = result.ChangeList
	PageChange  = result.Change
	KindCount   = result.KindCount
	Overview    = report.Overview
	Verdict     = insight.Verdict

	OverviewTexts = report.OverviewTexts
	RuleSection   = report.Section
	RuleText      = report.RuleText
	Explanation   = report.Explanation
)

// What pages show, see package view.
type (
	Table       = view.Table
	TableColumn = view.Column
	TableCell   = view.Cell
	TableLink   = view.Link
	Tag         = view.Tag
	FindingLine = view.Finding
	PageLine    = view.Page
	Treemap     = view.Treemap
	Facts       = view.Facts
	Fact        = view.Fact
)

// FindingTable returns the table of findings, see [view.FindingTable].
func FindingTable(c *catalog.Catalog, rows []FindingLine) Table { return view.FindingTable(c, rows) }

// PageTable returns the table of URLs, see [view.PageTable].
func PageTable(c *catalog.Catalog, rows []PageLine) Table { return view.PageTable(c, rows) }

// The links that [Result.Links] returns.
const (
	LinksIn  = result.In
	LinksOut = result.Out
)

// The errors of queries.
var (
	ErrPageNotFound = result.ErrNotFound
	ErrCursor       = result.ErrCursor
)

// Open opens the crawl in a folder for queries. The first time, it reads the whole
// crawl, which takes half a minute for a million URLs, and keeps what it needs in the folder
// tables, usually the same. Errors are those of [report.Run].
func Open(ctx context.Context, a *app.App, folder, tables string) (*Result, error) {
	r, err := result.Open(ctx, folder, tables)
	return r, crawlfile.Wrap(err, folder)
}

// FindPage returns the number of the page of a crawl that a person means by an address, and
// false when the crawl did not find it. Names of query parameters that the crawl ignored are
// ignored. The error wraps [addresses.ErrNotPage] for what is no address.
func FindPage(ctx context.Context, r *Result, address string, ignored []string) (int64, bool, error) {
	urls, err := addresses.ReadPage(address)
	if err != nil {
		return 0, false, err
	}
	return r.FindPage(ctx, urls, addresses.PageKey(ignored))
}

// FindRef looks up the first of some URLs that the crawl in a folder found, and returns false when
// it found none. It is quick, also for a crawl that was never opened for queries. Errors are those
// of [report.Run].
func FindRef(a *app.App, folder string, urls []string) (PageRef, bool, error) {
	ref, known, err := result.FindRef(folder, urls)
	return ref, known, crawlfile.Wrap(err, folder)
}

// CompareFolders returns a part of the changes between the crawls in two folders, all or
// those of one kind, ordered by URL. It keeps them in the folder tables, usually that of the
// new crawl.
func CompareFolders(
	ctx context.Context, a *app.App, old, new, tables, kind, cursor string, limit int,
) (*ChangeList, error) {
	list, err := result.Compare(ctx, old, new, tables, kind, cursor, limit)
	return list, crawlfile.Wrap(err, old+" and "+new)
}

// ResultTemplates returns the templates that the HTML report and the web application
// share, see [view.Blocks].
func ResultTemplates(c *catalog.Catalog) *template.Template { return view.Blocks(c) }

// NewRuleText returns the texts of a rule by its ID, see [report.NewRuleText].
func NewRuleText(c *catalog.Catalog, id string) RuleText { return report.NewRuleText(c, id) }

// SeverityTone returns the style of a severity: bad, warn or empty.
func SeverityTone(severity lint.Severity) string { return report.SeverityTone(severity) }

// ExplainDecision returns the explanation of a decision by its name, in the language of a
// catalog, and the style of its URLs: good, bad, warn or empty.
func ExplainDecision(c *catalog.Catalog, decision string) (e Explanation, kind string) {
	return report.ExplainDecision(c, decision)
}

// DecisionTag names a decision, or the status of the response where that says more, see [report.DecisionTag].
func DecisionTag(c *catalog.Catalog, decision string, status int) Tag {
	return report.DecisionTag(c, decision, status)
}

// RenderedText says whether a page was rendered, and why, see [report.RenderedText].
func RenderedText(c *catalog.Catalog, reason crawl.RenderReason, rendered *crawl.Rendered) string {
	return report.RenderedText(c, reason, rendered)
}

// StatusName returns a status with its usual text.
func StatusName(status int) string { return report.StatusName(status) }
