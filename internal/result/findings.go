package result

import (
	"context"
	"slices"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/insight"
	"github.com/mapatools/mapa/internal/store"
	"github.com/mapatools/mapa/lint"
)

// A FindingList is a part of what a rule found.
type FindingList struct {
	Findings []insight.Finding `json:"findings"`
	Total    int               `json:"total"` // those that are alike are one
	Part
}

// findingOrders are the orders of findings.
var findingOrders = map[string]store.FindingOrder{
	"": store.OrderSeverity, "page": store.OrderURL, "-page": store.OrderURLBackwards,
	"pages": store.OrderFewestPages, "-pages": store.OrderMostPages,
}

// A FindingFilter selects what a rule found. Its fields are the parameters of a query.
type FindingFilter struct {
	Rule     string // ID
	Severity string // "error", "warning" or "info"; empty selects all
	Sort     string // "page" by URL, or "pages" by their number; after "-" from the last or largest
}

// read returns what the filter selects, and its order.
func (f *FindingFilter) read() (filter insight.Filter, order store.FindingOrder, err error) {
	if _, err := lint.LookupRule(f.Rule); err != nil {
		return filter, order, &FilterError{Name: "rule", Value: f.Rule}
	}
	filter.Rules = []string{f.Rule}
	if f.Severity != "" {
		err := filter.Exactly.UnmarshalText([]byte(f.Severity))
		if err != nil || filter.Exactly == lint.SeverityOff {
			return filter, order, &FilterError{Name: "severity", Value: f.Severity}
		}
	}
	order, isOrder := findingOrders[f.Sort]
	if !isOrder {
		return filter, order, &FilterError{Name: "sort", Value: f.Sort}
	}
	return filter, order, nil
}

// Findings returns a part of what a rule found, those on the most pages first unless the filter sorts them.
// Findings that are alike are one.
func (r *Result) Findings(ctx context.Context, f FindingFilter, cursor string, limit int) (*FindingList, error) {
	filter, order, err := f.read()
	if err != nil {
		return nil, err
	}
	before, err := numberCursor(cursor) // the number of findings before the part
	if err != nil {
		return nil, err
	}
	list, limit := &FindingList{Findings: []insight.Finding{}}, clampLimit(limit)
	err = r.files.use(ctx, func(file *crawlReader) error {
		if list.Total, err = insight.CountGroups(ctx, file.File, filter); err != nil {
			return err
		}
		part := insight.Part{Order: order, Limit: limit, Offset: int(min(before, int64(list.Total)))}
		for one, err := range insight.ReadGroups(ctx, file.File, filter, part) {
			if err != nil {
				return err
			}
			list.Findings = append(list.Findings, plain(one))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	list.Part = newPart(before, len(list.Findings), list.Total, limit)
	return list, nil
}

// Tasks returns the first tasks of the crawl.
func (r *Result) Tasks(ctx context.Context, most int) (tasks []insight.Task, err error) {
	defer r.explain(&err)
	err = r.files.use(ctx, func(file *crawlReader) error {
		tasks, err = insight.ReadTasks(ctx, file.File, &r.overview.Sections, most)
		return err
	})
	for i := range tasks {
		tasks[i].Finding = plain(tasks[i].Finding)
	}
	return tasks, err
}

// PageFindings is a page with what a rule found on it.
type PageFindings struct {
	ID       crawl.ID
	URL      string
	Findings []insight.Finding // the first
	Total    int
}

// A PageFindingList is a part of the pages with what a rule found.
type PageFindingList struct {
	// Template are the first findings that most pages of the crawl have, and TemplateTotal is the number of all. They
	// are in the first part only, and none of a page.
	Template      []insight.Finding
	TemplateTotal int
	Pages         []PageFindings
	Total         int // pages
	Part
}

// firstFindings is the number of findings of a page in a list of pages.
const firstFindings = 10

// FindingsByPage returns a part of the pages with what a rule found, those with the most severe and the most findings
// first. What most pages have is said once. The filter does not sort the pages.
func (r *Result) FindingsByPage(
	ctx context.Context, f FindingFilter, cursor string, limit int,
) (*PageFindingList, error) {
	filter, _, err := f.read()
	if err != nil {
		return nil, err
	}
	before, err := numberCursor(cursor)
	if err != nil {
		return nil, err
	}
	list, limit := &PageFindingList{}, clampLimit(limit)
	err = r.files.use(ctx, func(file *crawlReader) error {
		template := filter
		template.MinPages = insight.TemplatePages(r.overview.Pages)
		filter.MaxPages = template.MinPages - 1
		if before == 0 {
			if err := file.addTemplate(ctx, template, list); err != nil {
				return err
			}
		}
		if list.Total, err = insight.CountPages(ctx, file.File, filter); err != nil {
			return err
		}
		offset := int(min(before, int64(list.Total)))
		for one, err := range insight.ReadPages(ctx, file.File, filter, limit, offset) {
			if err != nil {
				return err
			}
			list.Pages = append(list.Pages, PageFindings{ID: one.Page, Total: one.Findings})
		}
		for i := range list.Pages {
			if err := file.addFindings(ctx, filter, &list.Pages[i]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	list.Part = newPart(before, len(list.Pages), list.Total, limit)
	return list, nil
}

// addTemplate adds the first findings that most pages have.
func (f *crawlReader) addTemplate(ctx context.Context, filter insight.Filter, list *PageFindingList) (err error) {
	if list.TemplateTotal, err = insight.CountGroups(ctx, f.File, filter); err != nil {
		return err
	}
	part := insight.Part{Order: store.OrderSeverity, Limit: firstFindings}
	for one, err := range insight.ReadGroups(ctx, f.File, filter, part) {
		if err != nil {
			return err
		}
		list.Template = append(list.Template, plain(one))
	}
	return nil
}

// addFindings adds the first findings of a page.
func (f *crawlReader) addFindings(ctx context.Context, filter insight.Filter, p *PageFindings) error {
	filter.Page = p.ID
	for one, err := range insight.Read(ctx, f.File, filter) {
		if err != nil {
			return err
		}
		one = plain(one)
		p.URL = one.URL
		if p.Findings = append(p.Findings, one); len(p.Findings) == firstFindings {
			break
		}
	}
	return nil
}

// plain returns a finding with texts on one line, without characters that act on a display.
func plain(f insight.Finding) insight.Finding {
	f.URL, f.OtherURL, f.File = format.Plain(f.URL), format.Plain(f.OtherURL), format.Plain(f.File)
	f.Message = format.Plain(f.Message)
	for i := range f.First {
		place := &f.First[i]
		place.URL, place.Text = format.Plain(place.URL), format.Plain(place.Text)
	}
	return f
}

// findingsOf returns what the rules found on a page, in the order of sections.
func (f *crawlReader) findingsOf(ctx context.Context, id crawl.ID) (findings []insight.Finding, err error) {
	for one, err := range insight.Read(ctx, f.File, insight.Filter{Page: id}) {
		if err != nil {
			return nil, err
		}
		findings = append(findings, plain(one))
	}
	slices.SortStableFunc(findings, insight.Compare)
	return findings, nil
}
