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
