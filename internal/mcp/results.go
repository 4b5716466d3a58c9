package mcp

import (
	"context"
	"fmt"

	appfigures "github.com/mapatools/mapa/internal/app/figures"
	"github.com/mapatools/mapa/internal/app/service"
	"github.com/mapatools/mapa/internal/insight"
	"github.com/mapatools/mapa/internal/report"
	"github.com/mapatools/mapa/internal/result"
)

type listPages struct {
	ID       string `json:"id" jsonschema:"the ID of the crawl"`
	Decision string `json:"decision,omitempty" jsonschema:"listed, waiting, or a reason such as client-error"`
	Status   string `json:"status,omitempty" jsonschema:"an HTTP status such as 404, a class such as 4xx, or none"`
	Rule     string `json:"rule,omitempty" jsonschema:"the ID of a rule that found something, such as title-missing"`
	Folder   string `json:"folder,omitempty" jsonschema:"URL of a folder"`
	Text     string `json:"text,omitempty" jsonschema:"a part of the URL or the title"`
	Index    string `json:"index_state,omitempty" jsonschema:"indexed or not-indexed, by an export of a search engine"`
	Sort     string `json:"sort,omitempty" jsonschema:"a fact to sort by, after - from the largest, such as -impressions"`
	Cursor   string `json:"cursor,omitempty" jsonschema:"the value of next in the previous answer"`
}

func (s *server) listPages(ctx context.Context, in listPages) (any, error) {
	return s.pages(ctx, in.ID, in.Cursor, result.Filter{
		"decision": in.Decision, "status": in.Status, "rule": in.Rule, "folder": in.Folder, "text": in.Text,
		"index_state": in.Index, "sort": in.Sort,
	})
}

func (s *server) overview(ctx context.Context, in oneCrawl) (any, error) {
	opened, release, err := s.Service.OpenResult(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	defer release()
	overview, err := opened.Overview(ctx)
	if err != nil {
		return nil, err
	}
	return newSmallOverview(overview), nil
}

// A smallOverview is an overview without the rules that found nothing, which are most of it.
type smallOverview struct {
	*report.Overview
	Verdict *smallVerdict     `json:"verdict,omitempty"`
	Passed  int               `json:"passed"` // rules
	Figures *appfigures.About `json:"figures,omitempty"`
}

// A smallVerdict is a verdict without the counts of rules: the overview has them by severity.
type smallVerdict struct {
	*insight.Verdict
	Rules struct{} `json:"rules,omitzero"`
}

func newSmallOverview(o *report.Overview) smallOverview {
	small := smallOverview{Overview: o, Passed: len(o.Passed)}
	if o.Verdict != nil {
		small.Verdict = &smallVerdict{Verdict: o.Verdict}
	}
	if o.Figures != nil {
		small.Figures = newestDays(o.Figures)
	}
	return small
}

// maxDays is the number of days of each scope in a smallOverview. A crawl has years of them.
const maxDays = 30

// newestDays returns figures with the newest days only. The days are sorted, by their scope first.
func newestDays(about *appfigures.About) *appfigures.About {
	small := *about
	small.Days = nil
	for i := range about.Days {
		if later := i + maxDays; later >= len(about.Days) || about.Days[later].Scope != about.Days[i].Scope {
			small.Days = append(small.Days, about.Days[i])
		}
	}
	return &small
}

type listFindings struct {
	ID     string `json:"id" jsonschema:"the ID of the crawl"`
	Rule   string `json:"rule" jsonschema:"the ID of a rule, from the answer of overview, such as link-broken"`
	Cursor string `json:"cursor,omitempty" jsonschema:"the value of next in the previous answer"`
}

func (s *server) listFindings(ctx context.Context, in listFindings) (any, error) {
	opened, release, err := s.Service.OpenResult(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	defer release()
	return opened.Findings(ctx, result.FindingFilter{Rule: in.Rule}, in.Cursor, rows)
}

func (s *server) pages(ctx context.Context, id, cursor string, filter result.Filter) (any, error) {
	opened, release, err := s.Service.OpenResult(ctx, id)
	if err != nil {
		return nil, err
	}
	defer release()
	return opened.Pages(ctx, filter, cursor, rows)
}

type why struct {
	ID  string `json:"id" jsonschema:"the ID of the crawl"`
	URL string `json:"url" jsonschema:"the URL of the page"`
}

// why returns what is known of a page, and some of the links to it.
func (s *server) why(ctx context.Context, in why) (any, error) {
	opened, release, err := s.Service.OpenResult(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	defer release()
	number, err := find(ctx, opened, in.URL)
	if err != nil {
		return nil, err
	}
	page, err := opened.Page(ctx, number)
	if err != nil {
		return nil, err
	}
	links, err := opened.Links(ctx, number, result.In, "", rows)
	return struct {
		Page  *result.PageDetails `json:"page"`
		Links *result.LinkList    `json:"links_to_it"`
	}{page, links}, err
}

// find returns the number of the page that an address means.
func find(ctx context.Context, opened *result.Result, address string) (int64, error) {
	number, known, err := service.FindPage(ctx, opened, address, nil)
	if err == nil && !known {
		err = fmt.Errorf("the crawl did not find %s: no page that it fetched links to it", address)
	}
	return number, err
}

type compare struct {
	Old    string `json:"old" jsonschema:"the ID of the earlier crawl"`
	New    string `json:"new" jsonschema:"the ID of the later crawl"`
	Kind   string `json:"kind,omitempty" jsonschema:"only added, removed, status, decision, moved or changed"`
	Cursor string `json:"cursor,omitempty" jsonschema:"the value of next in the previous answer"`
}

func (s *server) compare(ctx context.Context, in compare) (any, error) {
	comparison, err := s.Service.OpenComparison(ctx, in.Old, in.New)
	if err != nil {
		return nil, err
	}
	defer comparison.Close()
	return comparison.Changes(ctx, in.Kind, in.Cursor, rows)
}
