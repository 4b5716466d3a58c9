package result

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/insight"
	"github.com/mapatools/mapa/internal/sqlite"
	"github.com/mapatools/mapa/lint"
)

// group is findings that are alike, as they are kept.
type group struct {
	Page      crawl.ID          `json:"page"`
	Other     crawl.ID          `json:"other,omitempty"`
	Fragment  string            `json:"fragment,omitempty"`
	File      string            `json:"file,omitempty"`
	Message   string            `json:"message,omitempty"`
	Arguments insight.Arguments `json:"arguments,omitempty"`
	First     []groupPlace      `json:"first,omitempty"`
	crawl.Position
}

type groupPlace struct {
	Page crawl.ID `json:"page"`
	Text string   `json:"text,omitempty"`
	crawl.Position
}

// writeFindings writes the findings of the crawl, those that are alike as one, and the pages of each rule.
func (b *builder) writeFindings() error {
	insert, err := b.tx.PrepareContext(b.ctx,
		"insert into finding (rule, severity, places, page, position, count, value) values (?, ?, ?, ?, ?, ?, ?)")
	if err != nil {
		return err
	}
	defer insert.Close()
	for f, err := range insight.Group(insight.Read(b.ctx, b.file, insight.Filter{AnyOrder: true})) {
		if err != nil {
			return err
		}
		kept := group{
			Page: f.Page, Other: f.Other, Fragment: f.Fragment, File: f.File, Position: f.Position, Message: f.Message,
			Arguments: f.Arguments,
		}
		for _, place := range f.First {
			if place.ID > 0 {
				kept.First = append(kept.First, groupPlace{place.ID, place.Text, place.Position})
			}
		}
		text, err := json.Marshal(&kept)
		if err != nil {
			return err
		}
		position := uint32(0)
		if f.Page > 0 && int(f.Page) < len(b.order) {
			position = b.order[f.Page]
		}
		_, err = insert.Exec(f.Rule.ID, -int(f.Severity), -f.Places, int64(f.Page), position, f.Count, string(text))
		if err != nil {
			return err
		}
	}
	return nil
}

const (
	countFindings  = "select count(*) from finding where rule = ?1 and (?2 = 0 or severity = ?2)"
	selectFindings = "select severity, places, count, value from finding where rule = ?1 and (?2 = 0 or severity = ?2) "
)

// findingOrders are the orders of findings. Numbers of pages are stored negated.
var findingOrders = map[string]string{
	"": "severity, places, page, id", "page": "position, id", "-page": "position desc, id",
	"pages": "places desc, page, id", "-pages": "places, page, id",
}

// A FindingFilter selects what a rule found. Its fields are the parameters of a query.
type FindingFilter struct {
	Rule     string // ID
	Severity string // "error", "warning" or "info"; empty selects all
	Sort     string // "page" by URL, or "pages" by their number; after "-" from the last or largest
}

// Findings returns a part of what a rule found, those on the most pages first unless the filter sorts them.
// Findings that are alike are one.
func (r *Result) Findings(ctx context.Context, f FindingFilter, cursor string, limit int) (_ *FindingList, err error) {
	defer r.explain(&err)
	known, err := lint.LookupRule(f.Rule)
	if err != nil {
		return nil, &FilterError{"rule", f.Rule}
	}
	var level lint.Severity
	if f.Severity != "" && (level.UnmarshalText([]byte(f.Severity)) != nil || level == lint.SeverityOff) {
		return nil, &FilterError{"severity", f.Severity}
	}
	order, isOrder := findingOrders[f.Sort]
	if !isOrder {
		return nil, &FilterError{"sort", f.Sort}
	}
	before, err := numberCursor(cursor) // the number of findings before the part
	if err != nil {
		return nil, err
	}
	list := &FindingList{Findings: []Finding{}}
	if err := r.index.QueryRowContext(ctx, countFindings, f.Rule, -int(level)).Scan(&list.Total); err != nil {
		return nil, err
	}
	limit = clampLimit(limit)
	query := selectFindings + "order by " + order + " limit ?3 offset ?4"
	rows, err := r.index.QueryContext(ctx, query, f.Rule, -int(level), limit, before)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		f, text, rank := Finding{Rule: known}, []byte(nil), 0
		if err := rows.Scan(&rank, &f.Places, &f.Count, &text); err != nil {
			return nil, err
		}
		if err := json.Unmarshal(text, &f.kept); err != nil {
			return nil, fmt.Errorf("%w: %w", sqlite.ErrDamaged, err)
		}
		f.Severity, f.Places = lint.Severity(min(max(-rank, 0), int(lint.SeverityError))), -f.Places
		list.Findings = append(list.Findings, f)
	}
	list.Part = newPart(before, len(list.Findings), list.Total, limit)
	if err := rows.Err(); err != nil {
		return nil, err
	}
	return list, r.files.use(ctx, func(file *crawlReader) error { return file.addRefs(ctx, list.Findings) })
}

// addRefs adds the URLs of findings.
func (f *crawlReader) addRefs(ctx context.Context, findings []Finding) error {
	for i := range findings {
		if err := ctx.Err(); err != nil {
			return err
		}
		one := &findings[i]
		kept := &one.kept
		if kept.Other > 0 {
			ref, err := f.ref(kept.Other)
			if err != nil {
				return err
			}
			if kept.Fragment != "" {
				ref.URL += "#" + format.Plain(kept.Fragment)
			}
			if one.other = ref.URL; kept.Other != kept.Page || kept.Fragment != "" {
				one.Other = &ref
			}
		}
		for _, place := range kept.First {
			ref, err := f.ref(place.Page)
			if err != nil {
				return err
			}
			one.First = append(one.First, Place{Ref: ref, Text: format.Plain(place.Text), Position: place.Position})
		}
		one.File, one.Position = format.Plain(kept.File), kept.Position
	}
	return nil
}

// findingsOf returns what the rules found on a page, in the order of sections.
func (f *crawlReader) findingsOf(ctx context.Context, id crawl.ID) ([]Finding, error) {
	var found []insight.Finding
	for one, err := range insight.Read(ctx, f.File, insight.Filter{Page: id}) {
		if err != nil {
			return nil, err
		}
		found = append(found, one)
	}
	slices.SortStableFunc(found, insight.Compare)
	findings := make([]Finding, len(found))
	for i := range found {
		one := &found[i]
		findings[i] = Finding{Rule: one.Rule, Severity: one.Severity, Places: 1, Count: one.Count, kept: group{
			Page: id, Other: one.Other, Fragment: one.Fragment, Message: one.Message, Arguments: one.Arguments,
		}}
	}
	return findings, f.addRefs(ctx, findings)
}
