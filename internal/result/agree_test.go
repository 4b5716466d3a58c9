package result

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/compare"
	"github.com/mapatools/mapa/internal/insight"
	"github.com/mapatools/mapa/internal/page"
	"github.com/mapatools/mapa/internal/report"
	"github.com/mapatools/mapa/internal/store"
)

func reader(t *testing.T, name string) *store.File {
	t.Helper()
	file, err := store.OpenReader(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	return file
}

// TestNumbersAgree compares all numbers and rows of ten crawls: those of the overview with those of the
// verdict, of the findings, of the report in all formats, of broken.csv and of the summary that the command
// line prints, and with the lists.
func TestNumbersAgree(t *testing.T) {
	for _, s := range []site{
		{1, 1}, {2, 2}, {5, 3}, {12, 4}, {30, 5}, {60, 6}, {100, 7}, {200, 8}, {300, 1}, {700, 9},
	} {
		t.Run(fmt.Sprintf("%d pages, edition %d", s.pages, s.edition), func(t *testing.T) {
			t.Parallel()
			agrees(t, folderOf(t, s))
		})
	}
}

// agrees compares the numbers and rows of the crawl in a folder.
func agrees(t *testing.T, name string) {
	t.Helper()
	r := open(t, name)
	o, err := r.Overview(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	file := reader(t, filepath.Join(name, crawlName))
	summary, err := file.Summary(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "summary", []int64{int64(o.Pages), int64(o.Listed), int64(o.Waiting)},
		[]int64{summary.Pages, summary.Listed(), summary.Waiting})
	equal(t, "verdict", []int{o.Verdict.Listed, o.Verdict.Errors, o.Verdict.Warnings, o.Verdict.Infos},
		[]int{o.Listed, sum(o.Fix), sum(o.Improve), sum(o.Look)})
	agreesWithFindings(t, r, o, file)
	agreesWithPage(t, o, file)
	agreesWithLists(t, r, o)
	agreesWithText(t, o, file)
	var table bytes.Buffer
	if err := report.WriteBrokenLinks(t.Context(), file, &table, 1<<30); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&table).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	urls := map[string]bool{}
	for _, row := range rows[1:] {
		urls[row[0]] = true
	}
	equal(t, "broken.csv", len(urls), countOf(o.Fix, "link-broken")+countOf(o.Improve, "anchor-missing"))
}

func sum(rules []insight.RuleCount) (total int) {
	for _, rule := range rules {
		total += rule.Count
	}
	return total
}

func countOf(rules []insight.RuleCount, id string) int {
	i := slices.IndexFunc(rules, func(r insight.RuleCount) bool { return r.Rule == id })
	if i < 0 {
		return 0
	}
	return rules[i].Count
}

// agreesWithFindings compares the sections of the overview with the findings of every rule.
func agreesWithFindings(t *testing.T, r *Result, o *report.Overview, file *store.File) {
	t.Helper()
	for severity, counts := range map[string][]insight.RuleCount{"error": o.Fix, "warning": o.Improve, "info": o.Look} {
		for _, rule := range counts {
			var want []string
			for f, err := range insight.Group(insight.Read(t.Context(), file, insight.Filter{Rules: []string{rule.Rule}})) {
				if err != nil {
					t.Fatal(err)
				}
				if f.Severity.String() == severity {
					want = append(want, fmt.Sprint(f.Places, f.Count, f.Text(catalog.For(catalog.English))))
				}
			}
			var got []string
			places := 0
			for cursor, more := "", true; more; more = cursor != "" {
				list, err := r.Findings(t.Context(), FindingFilter{Rule: rule.Rule, Severity: severity}, cursor, 7)
				if err != nil || list.Total != len(want) {
					t.Fatalf("%s: %d findings, want %d, %v", rule.Rule, list.Total, len(want), err)
				}
				for i := range list.Findings {
					f := &list.Findings[i]
					got = append(got, fmt.Sprint(f.Places, f.Count, f.Text(catalog.For(catalog.English))))
					places += f.Places
				}
				cursor = list.Next
			}
			slices.Sort(got)
			slices.Sort(want)
			equal(t, rule.Rule, got, want)
			if strings.HasPrefix(rule.Rule, "link-") || rule.Rule == "anchor-missing" { // targets
				places = len(got)
			}
			equal(t, "problems of "+rule.Rule, rule.Count, places)
		}
	}
	found := len(o.Fix) + len(o.Improve) + len(o.Look)
	if found < 2 || len(o.Passed) < 20 || o.URLs > 100 && found < 20 {
		t.Errorf("%d rules found something, and %d nothing", found, len(o.Passed))
	}
}

// agreesWithText compares the overview with the report as text and as JSON.
func agreesWithText(t *testing.T, o *report.Overview, file *store.File) {
	t.Helper()
	var text, encoded bytes.Buffer
	err := errors.Join(report.WriteText(t.Context(), file, &text, catalog.For(catalog.English)),
		report.WriteJSON(t.Context(), file, &encoded))
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		report.Overview
		Findings []struct {
			Rule, Severity string
			Pages          int
		}
		Addresses []struct{ URL string }
	}
	if err := json.Unmarshal(encoded.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	equal(t, "sections of JSON", got.Sections, o.Sections)
	equal(t, "decisions of JSON", got.Decisions, o.Decisions)
	equal(t, "URLs of JSON", len(got.Addresses), o.URLs)
	for severity, rules := range map[string][]insight.RuleCount{"error": o.Fix, "warning": o.Improve, "info": o.Look} {
		for _, rule := range rules {
			places, groups := 0, 0
			for _, f := range got.Findings {
				if f.Rule == rule.Rule && f.Severity == severity {
					places, groups = places+f.Pages, groups+1
				}
			}
			if strings.HasPrefix(rule.Rule, "link-") || rule.Rule == "anchor-missing" { // targets
				places = groups
			}
			equal(t, rule.Rule+" in JSON", places, rule.Count)
			count := catalog.For(catalog.English).Count(int64(rule.Count))
			line := regexp.MustCompile(fmt.Sprintf(`(?m)^ +%s  .* \[%s\]$`, count, rule.Rule))
			if !line.Match(text.Bytes()) {
				t.Errorf("the text has no line %s:\n%s", line, text.String())
			}
		}
	}
	if sentence := o.Verdict.Sentence(catalog.For(catalog.English)); !strings.Contains(text.String(), sentence) {
		t.Errorf("the text does not say %q", sentence)
	}
}

// agreesWithPage compares the overview with what the HTML report shows.
func agreesWithPage(t *testing.T, o *report.Overview, file *store.File) {
	t.Helper()
	var html strings.Builder
	if err := report.WriteHTML(t.Context(), file, &html, &report.HTMLOptions{}); err != nil {
		t.Fatal(err)
	}
	var data struct {
		Parts []struct {
			ID    string
			Rules []struct {
				ID          string
				Count, Rest int
				Rows        []struct{ Places int }
			}
		}
	}
	_, text, _ := strings.Cut(html.String(), `id="data">`)
	if err := json.Unmarshal([]byte(text[:strings.Index(text, "</script>")]), &data); err != nil {
		t.Fatal(err)
	}
	sections := map[string][]insight.RuleCount{"fix": o.Fix, "improve": o.Improve, "look": o.Look}
	shown := 0
	for _, part := range data.Parts {
		for _, rule := range part.Rules {
			shown++
			equal(t, part.ID+"."+rule.ID, countOf(sections[part.ID], rule.ID), rule.Count)
			places := len(rule.Rows)
			if !strings.HasPrefix(rule.ID, "link-") && rule.ID != "anchor-missing" { // not targets
				places = 0
				for _, row := range rule.Rows {
					places += row.Places
				}
			}
			if rule.Rest == 0 {
				equal(t, "rows of "+rule.ID, places, rule.Count)
			}
		}
	}
	equal(t, "rules", shown, len(o.Fix)+len(o.Improve)+len(o.Look))
	figures := regexp.MustCompile(`<dd>([0-9,]+)</dd></div>`).FindAllStringSubmatch(html.String(), 4)
	for i, want := range []int{o.Pages, o.Listed, o.Verdict.Errors, o.Verdict.Warnings} {
		equal(t, "figure "+strconv.Itoa(i), strings.ReplaceAll(figures[i][1], ",", ""), strconv.Itoa(want))
	}
	if sentence := o.Verdict.Sentence(catalog.For(catalog.English)); !strings.Contains(html.String(), sentence) {
		t.Errorf("the page does not say %q", sentence)
	}
}

// agreesWithLists compares the numbers of the overview with those of the lists.
func agreesWithLists(t *testing.T, r *Result, o *report.Overview) {
	t.Helper()
	for _, decision := range o.Decisions {
		_, total := all(t, r, Filter{"decision": decision.Name}, 1000)
		equal(t, "decision "+decision.Name, total, int64(decision.Count))
	}
	for _, media := range o.Types {
		_, total := all(t, r, Filter{"media_type": media.Name}, 1000)
		equal(t, "type "+media.Name, total, int64(media.Count))
	}
	for _, bar := range o.Statuses {
		status := strconv.Itoa(bar.From)
		if bar.From == 0 {
			status = page.None
		}
		_, total := all(t, r, Filter{"status": status, "role": "page"}, 1000)
		equal(t, "status "+status, total, int64(bar.Count))
	}
	listed := Filter{"decision": "listed", "role": "page"}
	for _, bar := range o.Depths {
		listed["depth"] = strconv.Itoa(bar.From) + "-" + strconv.Itoa(bar.To)
		_, total := all(t, r, listed, 1000)
		equal(t, "depth "+strconv.Itoa(bar.From), total, int64(bar.Count))
	}
	listed["depth"] = page.None
	_, total := all(t, r, listed, 1000)
	equal(t, "unreached", total, int64(o.Unreached))
	equal(t, "orphans", o.Orphans, countOf(slices.Concat(o.Fix, o.Improve, o.Look), "orphan"))
}

func equal[T any](t *testing.T, what string, got, want T) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// TestLinks compares the links of all pages with those in the crawl file.
func TestLinks(t *testing.T) {
	const pages = 120
	name := folder(t, pages)
	r := open(t, name)
	file := reader(t, filepath.Join(name, crawlName))
	in, out := map[int64][]int64{}, map[int64][]int64{}
	add := func(from, to int64) {
		if !slices.Contains(out[from], to) {
			in[to], out[from] = append(in[to], from), append(out[from], to)
		}
	}
	for e, err := range file.Edges(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Kind != crawl.EdgeCanonical && e.From != e.To {
			add(int64(e.From), int64(e.To))
		}
	}
	redirects := map[[2]int64]bool{}
	for record, err := range file.Pages(t.Context(), crawl.ReasonRedirect) {
		if err != nil {
			t.Fatal(err)
		}
		from, to := int64(record.Link.ID), int64(record.Page.Target)
		if details, err := r.Page(t.Context(), from); err != nil {
			t.Fatal(err)
		} else if !slices.Contains(out[from], to) && (details.Linked > 0 || details.Depth >= 0) {
			in[to] = append(in[to], from)
			redirects[[2]int64{from, to}] = true
		}
	}
	for id := int64(1); id <= pages; id++ {
		slices.Sort(in[id])
		for d, want := range [][]int64{in[id], out[id]} {
			got, total := linked(t, r, id, Direction(d), 3, redirects)
			if !slices.Equal(got, want) || total != len(want) {
				t.Fatalf("direction %d of %d: %d, %v, want %v", d, id, total, got, want)
			}
		}
	}
}

// linked walks through all parts of the links of a page.
func linked(
	t *testing.T, r *Result, id int64, d Direction, limit int, redirects map[[2]int64]bool,
) (ids []int64, total int) {
	t.Helper()
	for cursor := ""; ; {
		list, err := r.Links(t.Context(), id, d, cursor, limit)
		if err != nil {
			t.Fatal(err)
		}
		for _, link := range list.Links {
			ids = append(ids, link.ID)
			if redirects[[2]int64{link.ID, id}] != (link.Kind == "redirect" && link.Text == "") && d == In {
				if details, err := r.Page(t.Context(), link.ID); err != nil || details.Decision() != crawl.ReasonRedirect {
					t.Errorf("link from %d to %d: %+v, %v", link.ID, id, link, err)
				}
			}
		}
		if cursor = list.Next; cursor == "" {
			return ids, list.Total
		}
	}
}

// TestTree compares the folders with counts of URLs by their beginning.
func TestTree(t *testing.T) {
	name := folder(t, 80)
	r := open(t, name)
	var visit func(url string) int
	visit = func(url string) (folders int) {
		for cursor := ""; ; {
			tree, err := r.Tree(t.Context(), url, "", cursor, 4)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range tree.Folders {
				folders += 1 + visit(f.URL)
				_, total := all(t, r, Filter{"folder": f.URL}, 1000)
				_, listed := all(t, r, Filter{"folder": f.URL, "decision": "listed"}, 1000)
				path := strings.ReplaceAll(f.URL, "'", "''")
				want := ask(t, name, "select count(*) from url where role = 0 and substr(url, 1, "+
					strconv.Itoa(len(path))+") = '"+path+"'")
				equal(t, "URLs in "+f.URL, total, want[0])
				broken := ask(t, name, "select count(distinct u.id) from finding f join url u on u.id = iif(other > 0, other, page) "+
					"where rule = 'link-broken' and u.role = 0 and substr(url, 1, "+strconv.Itoa(len(path))+") = '"+path+"'")
				equal(t, f.URL, []int64{f.Total, f.Listed, f.Broken}, []int64{total, listed, broken[0]})
			}
			if cursor = tree.Next; cursor == "" {
				return folders
			}
		}
	}
	if folders := visit(""); folders < 40 {
		t.Errorf("%d folders", folders)
	}
}

// TestFindingErrors asks for findings that there cannot be.
func TestFindingErrors(t *testing.T) {
	r := open(t, folder(t, 50))
	for name, ask := range map[string][2]string{"rule": {"titles", ""}, "severity": {"title-missing", "off"}} {
		var wrong *FilterError
		_, err := r.Findings(t.Context(), FindingFilter{Rule: ask[0], Severity: ask[1]}, "", 0)
		if !errors.As(err, &wrong) || wrong.Name != name {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, cursor := range []string{"-1", "x", "1.1"} {
		if _, err := r.Findings(t.Context(), FindingFilter{Rule: "title-missing"}, cursor, 0); !errors.Is(err, ErrCursor) {
			t.Errorf("%q: %v", cursor, err)
		}
	}
	list, err := r.Findings(t.Context(), FindingFilter{Rule: "title-missing"}, "9223372036854775807", 0)
	if err != nil || len(list.Findings) > 0 || list.Next != "" {
		t.Errorf("%+v, %v", list, err)
	}
}

// TestPageFindings compares the findings of a page with those of its rules.
func TestPageFindings(t *testing.T) {
	name := folder(t, 100)
	r := open(t, name)
	found := 0
	for id := int64(1); id <= 100; id++ {
		page, err := r.Page(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range page.Findings {
			got = append(got, f.Rule.ID)
		}
		slices.Sort(got)
		for _, rule := range slices.Compact(got) {
			if ids, _ := all(t, r, Filter{"rule": rule}, 1000); !slices.Contains(ids, id) {
				t.Errorf("%s is not among the rules of %d", rule, id)
			}
		}
		want := ask(t, name, fmt.Sprint("select count(*) from finding where page = ", id))
		equal(t, fmt.Sprint("findings of ", id), int64(len(page.Findings)), want[0])
		found += len(page.Findings)
	}
	if found < 100 {
		t.Errorf("%d findings", found)
	}
}

// TestFindingsByPage compares the pages with broken links with the findings: with a template and without one.
func TestFindingsByPage(t *testing.T) {
	name := folder(t, 300)
	r, file := open(t, name), reader(t, filepath.Join(name, crawlName))
	for _, test := range []struct{ pages, template int }{{300, 151}, {4, 3}} {
		r.overview.Pages = test.pages
		for _, severity := range []string{"", "error", "warning"} {
			filter := insight.Filter{Rules: []string{"link-broken"}}
			if severity != "" {
				equal(t, "error", filter.Exactly.UnmarshalText([]byte(severity)), nil)
			}
			want, inTemplate := map[crawl.ID][]string{}, []string(nil)
			for f, err := range insight.Group(insight.Read(t.Context(), file, filter)) {
				if err != nil {
					t.Fatal(err)
				}
				if f.Places >= test.template {
					inTemplate = append(inTemplate, f.OtherURL)
				}
			}
			for f, err := range insight.Read(t.Context(), file, filter) {
				if err != nil {
					t.Fatal(err)
				}
				if !slices.Contains(inTemplate, f.OtherURL) {
					want[f.Page] = append(want[f.Page], f.URL+" "+f.OtherURL)
				}
			}
			got, seen := map[crawl.ID][]string{}, -1
			var at parts
			for cursor, more := "", true; more; more = cursor != "" {
				list, err := r.FindingsByPage(t.Context(), FindingFilter{Rule: "link-broken", Severity: severity}, cursor, 7)
				if err != nil || list.Total != len(want) {
					t.Fatalf("%d pages, want %d, %v", list.Total, len(want), err)
				}
				at.check(t, cursor, list.Part, len(list.Pages))
				if cursor == "" {
					equal(t, "in the template", list.TemplateTotal, len(inTemplate))
					equal(t, "the first in the template", len(list.Template), min(len(inTemplate), firstFindings))
				} else {
					equal(t, "in the template of another part", list.TemplateTotal+len(list.Template), 0)
				}
				for _, page := range list.Pages {
					if severity != "" && seen >= 0 && page.Total > seen {
						t.Errorf("a page with %d findings after one with %d", page.Total, seen)
					}
					seen = page.Total
					equal(t, "total", page.Total, len(want[page.ID]))
					for i := range page.Findings {
						equal(t, "rule", page.Findings[i].Rule.ID, "link-broken")
						got[page.ID] = append(got[page.ID], page.URL+" "+page.Findings[i].OtherURL)
					}
				}
				cursor = list.Next
			}
			for id := range want {
				want[id] = want[id][:min(len(want[id]), firstFindings)]
			}
			equal(t, "findings by page of "+severity, got, want)
		}
	}
	for _, wrong := range []FindingFilter{{Rule: "none"}, {Rule: "link-broken", Severity: "off"}} {
		if _, err := r.FindingsByPage(t.Context(), wrong, "", 0); !errors.As(err, new(*FilterError)) {
			t.Errorf("%+v: %v", wrong, err)
		}
	}
	if _, err := r.FindingsByPage(t.Context(), FindingFilter{Rule: "link-broken"}, "x", 0); !errors.Is(err, ErrCursor) {
		t.Errorf("another cursor: %v", err)
	}
}

// TestChanges compares the changes with a comparison of the files.
func TestChanges(t *testing.T) {
	name, old := folder(t, 300), t.TempDir()
	r := open(t, name)
	site{300, 7}.write(t, filepath.Join(old, crawlName))
	for _, test := range []struct {
		old     string
		changes func(kind, cursor string) (*ChangeList, error)
	}{
		{filepath.Join(name, previousName), func(kind, cursor string) (*ChangeList, error) {
			return r.Changes(t.Context(), kind, cursor, 7)
		}},
		{filepath.Join(old, crawlName), func(kind, cursor string) (*ChangeList, error) {
			return Compare(t.Context(), old, name, name, kind, cursor, 7)
		}},
	} {
		var sides [2]*compare.Side
		for i, file := range []string{test.old, filepath.Join(name, crawlName)} {
			side, err := compare.Open(t.Context(), file, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer side.Close()
			sides[i] = side
		}
		want := map[string][]string{}
		changes, err := (&compare.Comparison{Old: sides[0], New: sides[1]}).Find(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer changes.Close()
		for change, err := range changes.Rows(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			for _, kind := range []string{"", string(change.Kind)} {
				want[kind] = append(want[kind], change.URL+change.Template)
			}
		}
		if len(want[""]) < 50 {
			t.Fatal(len(want[""]))
		}
		for _, kind := range append(compare.Kinds, "") {
			var got []string
			for cursor := ""; ; {
				list, err := test.changes(string(kind), cursor)
				if err != nil {
					t.Fatal(err)
				}
				for _, change := range list.Changes {
					got = append(got, change.URL+change.Template)
				}
				if cursor = list.Next; cursor == "" {
					break
				}
			}
			equal(t, "changes "+string(kind), got, want[string(kind)])
		}
	}
}

// TestExport compares exports with those of the whole report.
func TestExport(t *testing.T) {
	name := folder(t, 400)
	r := open(t, name)
	file := reader(t, filepath.Join(name, crawlName))
	var whole, part bytes.Buffer
	if err := report.WriteCSV(t.Context(), file, &whole); err != nil {
		t.Fatal(err)
	}
	if err := r.Export(t.Context(), &part, Filter{}, "csv", nil); err != nil || !bytes.Equal(whole.Bytes(), part.Bytes()) {
		t.Errorf("csv differs: %v", err)
	}
	whole.Reset()
	part.Reset()
	if err := report.WriteJSONL(t.Context(), file, &whole, crawl.ReasonClientError); err != nil {
		t.Fatal(err)
	}
	err := r.Export(t.Context(), &part, Filter{"decision": "client-error"}, "jsonl", nil)
	if err != nil || !bytes.Equal(whole.Bytes(), part.Bytes()) || part.Len() == 0 {
		t.Errorf("jsonl differs: %v", err)
	}
	for _, reason := range []string{"client-error", "trap"} {
		part.Reset()
		var list []struct{ URL string }
		err := r.Export(t.Context(), &part, Filter{"decision": reason}, "json", nil)
		if err == nil {
			err = json.Unmarshal(part.Bytes(), &list)
		}
		if _, total := all(t, r, Filter{"decision": reason}, 1000); err != nil || int64(len(list)) != total {
			t.Errorf("%s: %d of %d, %v", reason, len(list), total, err)
		}
	}
	if err := r.Export(t.Context(), io.Discard, Filter{}, "xml", nil); err == nil {
		t.Error("an unknown format")
	}
}

// TestOpenTogether opens a crawl for the first time several times at once.
func TestOpenTogether(t *testing.T) {
	name := folder(t, 100)
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			r, err := Open(t.Context(), name, name)
			if err != nil {
				t.Error(err)
				return
			}
			if o, err := r.Overview(t.Context()); err != nil || o.URLs != 100 {
				t.Errorf("%+v, %v", o, err)
			}
			if err := r.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
}

// TestConcurrent makes queries of many readers at the same time.
func TestConcurrent(t *testing.T) {
	r := open(t, folder(t, 250))
	want, total := all(t, r, Filter{"text": "page", "status": "2xx", "sort": "-linked_from"}, 1000)
	var group sync.WaitGroup
	for i := range 5 {
		group.Go(func() {
			got, found := all(t, r, Filter{"text": "page", "status": "2xx", "sort": "-linked_from"}, 60+i)
			if !slices.Equal(got, want) || found != total {
				t.Errorf("%d pages of %d", len(got), len(want))
			}
			for id := int64(1); id < 4; id++ {
				_, err := r.Page(t.Context(), id)
				_, errLinks := r.Links(t.Context(), id, In, "", 5)
				_, errFindings := r.Findings(t.Context(), FindingFilter{Rule: "title-missing"}, "", 3)
				errExport := r.Export(t.Context(), io.Discard, Filter{"status": "404"}, "csv", nil)
				if err != nil || errLinks != nil || errFindings != nil || errExport != nil {
					t.Error(err, errLinks, errFindings, errExport)
				}
			}
		})
	}
	group.Wait()
}
