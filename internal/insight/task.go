package insight

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/mapatools/mapa/internal/store"
	"github.com/mapatools/mapa/lint"
)

// A Task is a cause to remove: a target or a text of links, or all that another rule found. What is in a template is
// one task, however many pages have it.
type Task struct {
	Finding      // the first, or a group of those that are alike
	Pages   int  // that have it; 0 for one of the site or of its sitemap
	Link    bool // it is a target or a text of links
}

// ReadTasks returns the first tasks of a crawl with its sections: errors before warnings, then those of the whole site,
// then those on the most pages.
func ReadTasks(ctx context.Context, file *store.File, sections *Sections, most int) (tasks []Task, err error) {
	for _, section := range []struct {
		severity lint.Severity
		rules    []RuleCount
	}{{lint.SeverityError, sections.Fix}, {lint.SeverityWarning, sections.Improve}} {
		var found []Task
		for _, rule := range section.rules {
			if found, err = addTasks(ctx, file, found, rule, section.severity, most); err != nil {
				return nil, err
			}
		}
		slices.SortStableFunc(found, func(a, b Task) int { return cmp.Compare(b.weight(), a.weight()) })
		tasks = append(tasks, found[:min(len(found), most-len(tasks))]...)
	}
	return tasks, nil
}

// addTasks adds the first tasks of a rule.
func addTasks(
	ctx context.Context, file *store.File, tasks []Task, rule RuleCount, severity lint.Severity, most int,
) ([]Task, error) {
	isLink := slices.Contains(linkRuleIDs, rule.Rule)
	part := Part{Order: store.OrderMostPages, Limit: 1}
	if isLink {
		part.Limit = most
	}
	for f, err := range ReadGroups(ctx, file, Filter{Rules: []string{rule.Rule}, Exactly: severity}, part) {
		if err != nil {
			return nil, err
		}
		task := Task{Finding: f, Pages: rule.Pages, Link: isLink}
		if isLink {
			task.Pages = f.Places
		}
		tasks = append(tasks, task)
	}
	return tasks, nil
}

// weight orders the tasks of a severity, the largest first.
func (t *Task) weight() int {
	if t.Rule.Subject == lint.SubjectSite {
		return math.MaxInt
	}
	return t.Pages
}
