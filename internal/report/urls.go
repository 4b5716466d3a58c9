package report

import (
	"bufio"
	"context"
	"io"
	"iter"
	"strconv"
	"strings"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/insight"
)

// URLRecord is the record of one URL in the formats for programs.
type URLRecord struct {
	URL           string              `json:"url"`
	Decision      string              `json:"decision"` // "listed", "waiting" or a reason
	Detail        string              `json:"detail,omitempty"`
	Target        string              `json:"target,omitempty"`
	Conflict      string              `json:"conflict,omitempty"`
	Role          string              `json:"role"` // page, asset or external
	Status        int                 `json:"status,omitempty"`
	Depth         *int                `json:"depth,omitempty"`        // links from the start; absent for an orphan page
	LinkedFrom    int                 `json:"linked_from"`            // number of pages
	Sources       []string            `json:"seed_sources,omitempty"` // sources other than links
	Time          string              `json:"time,omitempty"`         // of the request, RFC 3339
	DurationMS    float64             `json:"duration_ms,omitempty"`
	MediaType     string              `json:"media_type,omitempty"`
	Size          int64               `json:"size,omitempty"` // decompressed bytes
	Title         string              `json:"title,omitempty"`
	Language      string              `json:"language,omitempty"`
	Words         int                 `json:"words,omitempty"` // of the main content
	LastMod       string              `json:"lastmod,omitempty"`
	LastModSource crawl.LastModSource `json:"lastmod_source,omitempty"`

	// Rendered is absent unless the crawl decided whether to render the page.
	Rendered      *bool              `json:"rendered,omitempty"`
	RenderReason  crawl.RenderReason `json:"render_reason,omitempty"`
	RenderFailure string             `json:"render_failure,omitempty"`

	Reused      bool       `json:"reused,omitempty"`       // the response was 304 Not Modified
	TitleLength int        `json:"title_length,omitempty"` // columns: a wide character has two
	Facts       *PageFacts `json:"facts,omitempty"`        // nil unless it was read as HTML
}

// PageFacts are the facts of an HTML page in the formats for programs.
type PageFacts struct {
	Description      string   `json:"description,omitempty"`
	H1               string   `json:"h1,omitempty"`
	ImagesWithoutAlt int      `json:"images_without_alt"`
	OpenGraph        []string `json:"open_graph,omitempty"` // names of the properties, without "og:"
	OpenGraphType    string   `json:"og_type,omitempty"`
	JSONLD           string   `json:"json_ld,omitempty"`      // types of the items
	NeedsScript      bool     `json:"needs_script,omitempty"` // no text without JavaScript
}

func newPageFacts(f *crawl.Facts) *PageFacts {
	if f == nil {
		return nil
	}
	return &PageFacts{
		Description: f.Description, H1: f.H1, ImagesWithoutAlt: f.ImagesWithoutAlt, OpenGraph: f.OpenGraph.Names(),
		OpenGraphType: f.OpenGraphType, JSONLD: f.JSONLD, NeedsScript: f.NeedsScript,
	}
}

// URLs returns the URLs of the crawl in the order of their discovery, or only
// those with one of the reasons. Listed and Waiting are reasons too.
func URLs(ctx context.Context, file crawl.Reader, reasons ...crawl.Reason) iter.Seq2[URLRecord, error] {
	return func(yield func(URLRecord, error) bool) {
		w, err := readLinkGraph(ctx, file)
		if err != nil {
			yield(URLRecord{}, err)
			return
		}
		for r, err := range file.Pages(ctx, storedReasons(reasons)...) {
			var a URLRecord
			if err == nil {
				if len(reasons) > 0 && !containsReason(DecisionOf(&r), reasons) {
					continue
				}
				a, err = NewURLRecord(file, &r, w.depth[r.Link.ID], w.linked[r.Link.ID])
			}
			if !yield(a, err) || err != nil {
				return
			}
		}
	}
}

// storedReasons returns the reasons that the crawl file can select by: all of them
// if Waiting is among them, because the file stores no reason for a waiting URL.
func storedReasons(reasons []crawl.Reason) []crawl.Reason {
	if containsReason(Waiting, reasons) {
		return nil
	}
	return reasons
}

func containsReason(reason crawl.Reason, reasons []crawl.Reason) bool {
	for _, r := range reasons {
		if r == reason {
			return true
		}
	}
	return false
}

// NewURLRecord returns the record of a URL with its crawl depth and the number of pages
// that link to it.
func NewURLRecord(file crawl.Reader, r *crawl.Record, depth int32, linked uint32) (URLRecord, error) {
	page := &r.Page
	a := URLRecord{
		URL: r.Link.URL, Decision: DecisionName(DecisionOf(r)), Detail: r.Link.Detail.String(),
		Role: roles[r.Link.Role%3], LinkedFrom: int(linked), Sources: SeedNames(r.Link.SeededBy),
	}
	if links := int(depth); links != crawl.Unreached {
		a.Depth = &links
	}
	if !r.Fetched {
		return a, nil
	}
	a.Detail, a.Conflict, a.Status = page.Detail.String(), page.Conflict.String(), page.Status
	a.DurationMS = float64(page.Duration.Microseconds()) / 1000
	a.MediaType, a.Size, a.Title, a.Language, a.Words = page.MediaType, page.Size, page.Title, page.Language, page.Words
	a.LastMod, a.LastModSource = page.LastMod.String(), page.LastModSource
	a.Reused = page.Reused
	a.Rendered, a.RenderReason, a.RenderFailure = RenderedFields(page)
	a.TitleLength, a.Facts = insight.Columns(page.Title), newPageFacts(page.Facts)
	if !page.Time.IsZero() {
		a.Time = page.Time.Format(time.RFC3339)
	}
	if page.Target == 0 {
		return a, nil
	}
	target, err := file.Link(page.Target)
	a.Target = target.URL
	return a, err
}

var roles = [...]string{crawl.RolePage: "page", crawl.RoleAsset: "asset", crawl.RoleExternal: "external"}

// WriteJSONL writes the URLs, or only those with one of the reasons, as one JSON
// object per line.
func WriteJSONL(ctx context.Context, file crawl.Reader, w io.Writer, reasons ...crawl.Reason) error {
	return writeJSONL(w, URLs(ctx, file, reasons...))
}

func writeJSONL(w io.Writer, urls iter.Seq2[URLRecord, error]) error {
	out := bufio.NewWriterSize(w, 64<<10)
	var line []byte
	for a, err := range urls {
		if err != nil {
			return err
		}
		if line, err = format.AppendJSON(line[:0], &a); err != nil {
			return err
		}
		if _, err := out.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return out.Flush()
}

// WriteCSV writes the URLs, or only those with one of the reasons, as CSV (RFC 4180)
// with a header. No cell is a spreadsheet formula.
func WriteCSV(ctx context.Context, file crawl.Reader, w io.Writer, reasons ...crawl.Reason) error {
	return writeCSV(w, URLs(ctx, file, reasons...))
}

func writeCSV(w io.Writer, urls iter.Seq2[URLRecord, error]) error {
	return writeTable(format.NewCSV(w), english(), urls)
}

// WriteSheet writes URLs as WriteCSV does, for spreadsheets in a language.
func WriteSheet(w io.Writer, c *catalog.Catalog, urls iter.Seq2[URLRecord, error]) error {
	return writeTable(format.NewSheet(w, c.ListSeparator()), c, urls)
}

func writeTable(table format.Table, c *catalog.Catalog, urls iter.Seq2[URLRecord, error]) error {
	err := table.Write([]string{
		"url", "decision", "detail", "target", "conflict", "role", "status", "depth", "linked_from",
		"seed_sources", "time", "duration_ms", "media_type", "size", "title", "language", "words", "lastmod",
		"lastmod_source", "reused", "title_length", "description", "h1", "images_without_alt", "open_graph", "og_type",
		"json_ld", "needs_script",
	})
	if err != nil {
		return err
	}
	for a, err := range urls {
		if err != nil {
			return err
		}
		if err := table.Write(a.cells(c)); err != nil {
			return err
		}
	}
	table.Flush()
	return table.Error()
}

// URLWriters write URLs in the formats for programs: csv and jsonl as
// WriteCSV and WriteJSONL do, and json as an array.
var URLWriters = map[string]func(io.Writer, iter.Seq2[URLRecord, error]) error{
	"csv": writeCSV, "jsonl": writeJSONL, "json": writeJSONArray,
}

func writeJSONArray(w io.Writer, urls iter.Seq2[URLRecord, error]) error {
	d := &dataWriter{out: bufio.NewWriterSize(w, 64<<10)}
	if err := d.array(urls); err != nil {
		return err
	}
	d.out.WriteByte('\n')
	return d.out.Flush()
}

func (a *URLRecord) cells(c *catalog.Catalog) []string {
	depth := ""
	if a.Depth != nil {
		depth = strconv.Itoa(*a.Depth)
	}
	cells := []string{
		format.PlainCell(a.URL), format.PlainCell(a.Decision), format.PlainCell(a.Detail), format.PlainCell(a.Target),
		format.PlainCell(a.Conflict),
		a.Role, numberCell(a.Status), depth,
		strconv.Itoa(a.LinkedFrom), strings.Join(a.Sources, " "), a.Time, c.CellNumber(a.DurationMS),
		format.PlainCell(a.MediaType), strconv.FormatInt(a.Size, 10), format.PlainCell(a.Title), format.PlainCell(a.Language),
		numberCell(a.Words),
		a.LastMod, format.PlainCell(string(a.LastModSource)), yesCell(a.Reused), numberCell(a.TitleLength),
	}
	return append(cells, a.Facts.cells()...)
}

func (f *PageFacts) cells() []string {
	if f == nil {
		return make([]string, 7)
	}
	return []string{
		format.PlainCell(f.Description), format.PlainCell(f.H1), strconv.Itoa(f.ImagesWithoutAlt),
		strings.Join(f.OpenGraph, " "), format.PlainCell(f.OpenGraphType), format.PlainCell(f.JSONLD), yesCell(f.NeedsScript),
	}
}

func yesCell(is bool) string {
	if is {
		return "yes"
	}
	return ""
}

func numberCell(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}
