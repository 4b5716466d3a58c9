package result

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/report"
	"github.com/mapatools/mapa/lint"
)

// A Filter selects pages. Its fields are the parameters of a query as people and
// programs write them. The zero value selects all URLs of the crawl, in the order in
// which the crawl found them.
type Filter struct {
	Status string // an HTTP status such as "404", a class such as "4xx", or "none" without a response
	Reason string // "listed", "waiting" or the name of a crawl.Reason
	Type   string // a media type such as "text/html"
	Role   string // page, asset or external
	Depth  string // links from the start, such as "3" or "11-15", or "none" where no links lead
	Folder string // URL of a folder of the tree: what is in it and below it
	Text   string // a part of the URL or the title, in upper or lower case
	Rule   string // the ID of a rule that found something on the page
	Named  string // what named the URL besides links: sitemap, list or log
	Sort   string // "url", "decision", "depth", "linked", "time" or "size"; after "-" from the largest
}

// A FilterError says that a field of a [Filter] has a value that it cannot have.
type FilterError struct {
	Name  string // of the field, in lower case
	Value string
}

// Error names the field and the value.
func (e *FilterError) Error() string { return fmt.Sprintf("%s cannot be %q", e.Name, e.Value) }

// query is a filter that was read.
type query struct {
	conditions []func(*numbers, int64) bool
	needles    [][]byte
	key        func(*numbers) uint32 // what the pages are sorted by
	backwards  bool
}

// matches reports whether a URL has the numbers that the filter asks for.
func (q *query) matches(n *numbers, id int64) bool {
	if n.flags&flagPresent == 0 {
		return false
	}
	for _, condition := range q.conditions {
		if !condition(n, id) {
			return false
		}
	}
	return true
}

// none is the value of Status without a response, and of Depth for a page that no links
// lead to.
const none = "none"

// read reads a filter.
func (r *Result) read(ctx context.Context, f *Filter) (*query, error) {
	q := &query{needles: needles(f.Text), key: func(*numbers) uint32 { return 0 }}
	for _, field := range []struct {
		name, value string
		read        func(value string) (func(*numbers, int64) bool, error)
	}{
		{"status", f.Status, statusCondition},
		{"reason", f.Reason, r.reasonCondition},
		{"type", f.Type, r.typeCondition},
		{"role", f.Role, roleCondition},
		{"depth", f.Depth, depthCondition},
		{"named", f.Named, namedCondition},
		{"folder", f.Folder, func(url string) (func(*numbers, int64) bool, error) { return r.folderCondition(ctx, url) }},
		{"rule", f.Rule, func(id string) (func(*numbers, int64) bool, error) { return r.ruleCondition(ctx, id) }},
		{"sort", f.Sort, func(value string) (func(*numbers, int64) bool, error) {
			return nil, q.sortBy(value, r.decisionKey())
		}},
	} {
		if field.value == "" {
			continue
		}
		condition, err := field.read(field.value)
		if err == errValue {
			err = &FilterError{field.name, field.value}
		}
		if err != nil {
			return nil, err
		}
		if condition != nil {
			q.conditions = append(q.conditions, condition)
		}
	}
	return q, nil
}

// errValue means that a field cannot have the value.
var errValue = errors.New("invalid value")

func statusCondition(value string) (func(*numbers, int64) bool, error) {
	from, to := value, value
	if class, found := strings.CutSuffix(value, "xx"); found && len(class) == 1 {
		from, to = class+"00", class+"99"
	}
	if value == none {
		return func(n *numbers, _ int64) bool { return n.status == 0 && n.flags&flagTried != 0 }, nil
	}
	low, err := strconv.ParseUint(from, 10, 16)
	high, errHigh := strconv.ParseUint(to, 10, 16)
	if err != nil || errHigh != nil || low == 0 {
		return nil, errValue
	}
	return func(n *numbers, _ int64) bool { return n.status >= uint16(low) && n.status <= uint16(high) }, nil
}

func (r *Result) reasonCondition(value string) (func(*numbers, int64) bool, error) {
	number := slices.Index(r.names.Decisions, value)
	known := slices.ContainsFunc(report.Explanations(), func(e report.Explanation) bool {
		return report.DecisionName(e.Reason) == value
	})
	if number < 0 && !known {
		return nil, errValue
	}
	return func(n *numbers, _ int64) bool { return int(n.decision) == number }, nil
}

// typeCondition finds no page for a media type that the crawl does not have.
func (r *Result) typeCondition(value string) (func(*numbers, int64) bool, error) {
	number := slices.Index(r.names.Media, strings.ToLower(value))
	return func(n *numbers, _ int64) bool { return int(n.media) == number }, nil
}

func roleCondition(value string) (func(*numbers, int64) bool, error) {
	for _, role := range []crawl.Role{crawl.RolePage, crawl.RoleAsset, crawl.RoleExternal} {
		if report.RoleName(role) == value {
			return func(n *numbers, _ int64) bool { return n.role == role }, nil
		}
	}
	return nil, errValue
}

func depthCondition(value string) (func(*numbers, int64) bool, error) {
	if value == none {
		return func(n *numbers, _ int64) bool { return n.depth == crawl.Unreached }, nil
	}
	from, to, isRange := strings.Cut(value, "-")
	if !isRange {
		to = from
	}
	low, err := strconv.ParseUint(from, 10, 31)
	high, errHigh := strconv.ParseUint(to, 10, 31)
	if err != nil || errHigh != nil {
		return nil, errValue
	}
	return func(n *numbers, _ int64) bool { return n.depth >= int32(low) && n.depth <= int32(high) }, nil
}

func namedCondition(value string) (func(*numbers, int64) bool, error) {
	for _, source := range []crawl.SeedSource{crawl.SeedSitemap, crawl.SeedList, crawl.SeedLog} {
		if value == report.SeedNames(source)[0] {
			return func(n *numbers, _ int64) bool { return n.flags&(uint8(source)*flagSeeds) != 0 }, nil
		}
	}
	return nil, errValue
}

// folderCondition finds no page for a folder that the crawl does not have.
func (r *Result) folderCondition(ctx context.Context, url string) (func(*numbers, int64) bool, error) {
	f, _, err := r.findFolder(ctx, url)
	if isNotFound(err) {
		return func(*numbers, int64) bool { return false }, nil
	}
	return func(n *numbers, _ int64) bool { return int64(n.folder) >= f.number && int64(n.folder) <= f.last }, err
}

// ruleCondition finds the pages on which a rule found something.
func (r *Result) ruleCondition(ctx context.Context, rule string) (func(*numbers, int64) bool, error) {
	if _, err := lint.LookupRule(rule); err != nil {
		return nil, errValue
	}
	pages := map[int64][blockLength / 64]uint64{} // by block
	if number := slices.Index(r.names.Rules, rule) + 1; number > 0 {
		for id, err := range r.values(ctx, rulePages, int64(number), 0) {
			if err != nil {
				return nil, err
			}
			block := pages[id/blockLength]
			block[id%blockLength/64] |= 1 << (id % 64)
			pages[id/blockLength] = block
		}
	}
	return func(_ *numbers, id int64) bool {
		block := pages[id/blockLength]
		return block[id%blockLength/64]&(1<<(id%64)) != 0
	}, nil
}

// sortKeys are what pages can be sorted by. The largest keys are those of URLs that are
// no pages of the site, and of pages that no links lead to.
var sortKeys = map[string]func(*numbers) uint32{
	"url":    func(n *numbers) uint32 { return n.order - 1 },
	"depth":  func(n *numbers) uint32 { return uint32(n.depth) },
	"linked": func(n *numbers) uint32 { return n.linked },
	"time":   func(n *numbers) uint32 { return n.took },
	"size":   func(n *numbers) uint32 { return n.size },
}

// decisionKey returns the key that sorts pages by decision, in the order of the overview.
func (r *Result) decisionKey() func(*numbers) uint32 {
	ranks := make([]uint32, len(r.names.Decisions))
	for number, name := range r.names.Decisions {
		ranks[number] = uint32(slices.IndexFunc(r.overview.Decisions, func(d report.NameCount) bool {
			return d.Name == name
		}))
	}
	return func(n *numbers) uint32 {
		if int(n.decision) < len(ranks) {
			return ranks[n.decision]
		}
		return math.MaxUint32
	}
}

// sortBy sets the order of the pages.
func (q *query) sortBy(value string, byDecision func(*numbers) uint32) error {
	name, backwards := strings.CutPrefix(value, "-")
	key, known := sortKeys[name]
	if name == "decision" {
		key, known = byDecision, true
	}
	if !known {
		return errValue
	}
	q.key, q.backwards = key, backwards
	return nil
}
