package report

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/mapatools/mapa/internal/compare"
	"github.com/mapatools/mapa/internal/format"
)

// kindNames are the names of kinds after a number.
var kindNames = map[compare.Kind]string{
	compare.KindAdded:    "added",
	compare.KindRemoved:  "removed",
	compare.KindStatus:   "with a new status",
	compare.KindDecision: "with a new decision",
	compare.KindMoved:    "with a new target",
	compare.KindChanged:  "changed",
	compare.KindMinor:    "with minor changes",
}

// WriteDiffText writes the totals, then one line per change.
func WriteDiffText(ctx context.Context, w io.Writer, c *compare.Comparison) (bool, error) {
	counts, total, err := countChanges(ctx, c)
	if err != nil {
		return false, err
	}
	if total == 0 {
		_, err := fmt.Fprintln(w, "no differences")
		return false, err
	}
	var figures []string
	for _, kind := range compare.Kinds {
		if n := counts[kind]; n > 0 {
			figures = append(figures, fmt.Sprintf("%d %s", n, kindNames[kind]))
		}
	}
	if _, err := fmt.Fprintf(w, "%s\n\n", strings.Join(figures, ", ")); err != nil {
		return true, err
	}
	var shared templateChanges
	for change, err := range c.Changes(ctx) {
		if err == nil && !shared.add(&change) {
			_, err = fmt.Fprintln(w, changeLine(&change))
		}
		if err != nil {
			return true, err
		}
	}
	for _, one := range shared {
		if _, err := fmt.Fprintf(w, "= the template of %d pages: %s; the first are %s\n",
			one.pages, one.words, strings.Join(one.first, " ")); err != nil {
			return true, err
		}
	}
	return true, nil
}

// A templateChange is the same change of the template of several pages.
type templateChange struct {
	words string
	pages int
	first []string // some of their URLs
}

// templateChanges are shown once each, and not on each page.
type templateChanges []templateChange

// add takes a change if it is one of a template.
func (t *templateChanges) add(c *compare.Change) bool {
	const maxFirst = 3
	if !c.Template {
		return false
	}
	words := changeWords(c, "->")
	at := slices.IndexFunc(*t, func(one templateChange) bool { return one.words == words })
	if at < 0 {
		at = len(*t)
		*t = append(*t, templateChange{words: words})
	}
	one := &(*t)[at]
	if one.pages++; len(one.first) < maxFirst {
		one.first = append(one.first, visibleURL(c.URL))
	}
	return true
}

// changeLine returns a change as one line: + for added, - for removed, ~ for changed.
func changeLine(c *compare.Change) string {
	sign := "~ "
	switch c.Kind {
	case compare.KindAdded:
		sign = "+ "
	case compare.KindRemoved:
		sign = "- "
	}
	if words := changeWords(c, "->"); words != "" {
		return sign + visibleURL(c.URL) + ": " + words
	}
	return sign + visibleURL(c.URL)
}

// unlistedReason returns why a URL is not listed, or "" if it is.
func unlistedReason(s *compare.State) string {
	switch {
	case s.Decision == compare.Listed:
		return ""
	case s.Status == 0:
		return s.Decision
	}
	return fmt.Sprintf("%d, %s", s.Status, s.Decision)
}

// changeWords describes the fields that differ. For an added or removed URL it returns
// why the URL is not listed.
func changeWords(c *compare.Change, arrow string) string {
	return format.Printable(describeChange(c, arrow))
}

func describeChange(c *compare.Change, arrow string) string {
	switch {
	case c.Old == nil:
		return unlistedReason(c.New)
	case c.New == nil:
		return unlistedReason(c.Old)
	}
	var words []string
	for _, field := range c.Fields {
		value := func(of func(*compare.State) string) string {
			return of(c.Old) + " " + arrow + " " + of(c.New)
		}
		switch field {
		case compare.FieldStatus:
			words = append(words, value(statusWord))
		case compare.FieldDecision:
			words = append(words, value(func(s *compare.State) string { return s.Decision }))
		case compare.FieldTarget:
			words = append(words, "target "+value(func(s *compare.State) string { return cmp.Or(visibleURL(s.Target), "none") }))
		case compare.FieldLastMod:
			words = append(words, "lastmod "+
				value(func(s *compare.State) string { return cmp.Or(visibleURL(s.LastMod), "none") }))
		default: // a part of the page
			words = append(words, string(field))
		}
	}
	return strings.Join(words, ", ")
}

func statusWord(s *compare.State) string {
	if s.Status == 0 {
		return "no response"
	}
	return strconv.Itoa(s.Status)
}

// visibleURL returns a URL that is safe to print.
func visibleURL(address string) string { return string(format.AppendURL(nil, []byte(address))) }
