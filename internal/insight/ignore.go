package insight

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/store"
	"github.com/mapatools/mapa/lint"
)

// Ignore sets which findings of a crawl are ignored, counts the others in its verdict, and returns that: nil without
// one. isIgnored gets the findings of the rules with the IDs, and those of all others count.
func Ignore(
	ctx context.Context, file *store.File, rules []string, isIgnored func(*Finding) bool,
) (*Verdict, error) {
	var stored *storedVerdict
	if err := file.ReadNote(store.NoteVerdict, &stored); err != nil || stored == nil {
		return nil, err
	}
	for found, err := range file.CountFindings(ctx) {
		if err != nil {
			return nil, err
		}
		if found.Ignored { // perhaps not any more
			rules = append(rules, found.Rule)
		}
	}
	slices.Sort(rules)
	if rules = slices.Compact(rules); len(rules) == 0 {
		return stored.Verdict, nil
	}
	known := map[string]*lint.Rule{}
	decide := func(record *store.Finding) (bool, error) {
		f, err := findingOf(record, known)
		return err == nil && isIgnored(&f), err
	}
	err := file.IgnoreFindings(rules, decide, func() (any, error) { return stored, stored.count(ctx, file) })
	if err != nil {
		return nil, err
	}
	return stored.Verdict, nil
}

// CountIgnored returns how many findings, counted as in the verdict of a crawl, and losses are ignored.
func CountIgnored(ctx context.Context, file *store.File, v *Verdict) (n int, err error) {
	if v != nil {
		n = v.Ignored
	}
	for loss, err := range file.AllLosses(ctx) {
		if err != nil {
			return n, err
		}
		if loss.Ignored {
			n++
		}
	}
	return n, nil
}

// A storedVerdict is a verdict with what it was before somebody ignored its cause.
type storedVerdict struct {
	*Verdict
	Judged judgment `json:"judged"`
}

// A judgment is what the rules say of a crawl before anything is ignored.
type judgment struct {
	Kind      Kind      `json:"kind"`
	Cause     string    `json:"cause,omitempty"`
	Arguments Arguments `json:"arguments,omitempty"`
	Action    Action    `json:"action"`
	Next      Action    `json:"next"` // without the cause
}

// count counts the findings. A cause that is ignored decides nothing, unless the sitemap is not to be used or pages are
// missing.
func (v *storedVerdict) count(ctx context.Context, file *store.File) error {
	v.Errors, v.Warnings, v.Infos, v.Ignored = 0, 0, 0, 0
	for id := range v.Rules {
		v.Rules[id] = 0
	}
	isIgnored := map[string]bool{}
	for found, err := range file.CountFindings(ctx) {
		if err != nil {
			return err
		}
		n := problems(&found)
		if found.Ignored {
			v.Ignored += n
			isIgnored[found.Rule] = true
			continue
		}
		v.Rules[found.Rule] += n
		switch found.Severity {
		case lint.SeverityError.String():
			v.Errors += n
		case lint.SeverityWarning.String():
			v.Warnings += n
		default:
			v.Infos += n
		}
	}
	v.Kind, v.Cause, v.Arguments, v.Action = v.Judged.Kind, v.Judged.Cause, v.Judged.Arguments, v.Judged.Action
	if v.Kind != Ready && v.Kind != Problems {
		return nil
	}
	if isIgnored[v.Cause] && v.Rules[v.Cause] == 0 {
		v.Cause, v.Arguments, v.Action = "", nil, v.Judged.Next
	}
	if v.Cause == "" {
		if v.Kind = Ready; v.Errors+v.Warnings > 0 {
			v.Kind = Problems
		}
	}
	return nil
}

// maxValue is how many characters a value has.
const maxValue = 200

// Value returns what a finding says of its page or its target in a few words, such as a status or a title. It is equal
// as long as that is, whatever the finding is called, how severe it is, and how many pages have it.
func (f *Finding) Value() string {
	var values []string
	for i, argument := range f.valueArguments() {
		switch a := argument.(type) {
		case Why:
			if a.Status > 0 {
				values = append(values, strconv.Itoa(a.Status))
			} else {
				code, _ := a.Detail.Split()
				values = append(values, code)
			}
		case lint.Text:
			values = append(values, a.Code)
			nested := Finding{Rule: f.Rule, Arguments: a.Arguments, Message: a.Code}
			if more := nested.Value(); more != "" {
				values = append(values, more)
			}
		case string:
			values = append(values, a)
		case int:
			if i == 0 && slices.Contains(measuredRules, f.Rule.ID) {
				values = append(values, strconv.Itoa(a))
			}
		}
	}
	return format.Truncate(strings.Join(values, ", "), maxValue)
}

// measuredRules are the rules about a number of the page that changes only with its content. Other numbers are limits,
// or change by themselves: milliseconds, bytes, days, and those of pages.
var measuredRules = []string{"title-length", "description-length", "thin-content", "image-alt", "image-size"}

// valueArguments returns the arguments that say something of the page or the target: not those about the first page
// with a link, its text, or the date of an export.
func (f *Finding) valueArguments() Arguments {
	last := len(f.Arguments) - 1
	switch {
	case last < 0, f.Message == messageListedMoved, f.Message == messageUnlinked:
		return f.Arguments
	case f.Rule.ID == ruleBroken, f.Rule.ID == ruleAnchor, strings.HasPrefix(f.Rule.ID, "redirect-"),
		slices.Contains(figureRules, f.Rule.ID):
		return f.Arguments[:last]
	}
	return f.Arguments
}

// exampleRules are the rules whose other URL is only an example, and another one when pages come or go.
var exampleRules = []string{
	"title-duplicate", "description-duplicate", "duplicate-content", "near-duplicate", "image-large",
}

// Target returns the URL that the finding is about besides its page, with the fragment, or nothing.
func (f *Finding) Target() string {
	if slices.Contains(exampleRules, f.Rule.ID) {
		return ""
	}
	return f.OtherURL
}
