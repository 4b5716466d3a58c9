package report

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"iter"
	"slices"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/format"
)

// IDs of the rules for links in SARIF, JUnit and GitHub annotations.
const (
	ruleBrokenLink   = "broken-link"
	ruleBrokenAnchor = "broken-anchor"
)

var brokenLinkRules = []format.Rule{
	{
		ID: ruleBrokenLink, Title: "broken link", Level: format.LevelError,
		URL: format.ProjectURL, Tags: []string{"links"},
		Why:  "The URL answers with an error or not at all. Visitors who follow the link get no page.",
		Help: "Fix the link, or redirect the URL to the page that replaces it.",
	},
	{
		ID: ruleBrokenAnchor, Title: "link to a missing anchor (#)", Level: format.LevelWarning,
		URL: format.ProjectURL, Tags: []string{"links"},
		Why:  "The page exists, but has no element with the name after the #. Visitors land at the top of the page.",
		Help: "Add the anchor to the page, or fix the link.",
	},
}

// result returns a broken link as a result at the page with the link.
func (l *BrokenLink) result() *format.Result {
	r := &format.Result{
		Rule: ruleBrokenLink, Level: format.LevelError, Location: l.Page, Evidence: l.Text,
		Message: "the link to " + l.URL + " is broken: " + l.Why,
	}
	if l.Anchor {
		r.Rule, r.Level = ruleBrokenAnchor, format.LevelWarning
		r.Message = "the link to " + l.URL + " has a missing anchor (#)"
	}
	sum := sha256.Sum256([]byte(r.Rule + "\x00" + l.Page + "\x00" + l.URL + "\x00" + l.Text))
	r.Fingerprint = hex.EncodeToString(sum[:16])
	return r
}

// ProblemsToSARIF writes problems as SARIF 2.1.0.
func ProblemsToSARIF(file crawl.Reader, w io.Writer, problems iter.Seq2[Problem, error]) error {
	log := format.NewSARIF(w, file.Meta().Program, problemRules)
	for p, err := range problems {
		if err == nil {
			err = log.Write(p.Result)
		}
		if err != nil {
			return err
		}
	}
	return log.Close()
}

// ProblemsToAnnotations writes problems as annotations for GitHub workflows.
func ProblemsToAnnotations(_ crawl.Reader, w io.Writer, problems iter.Seq2[Problem, error]) error {
	for p, err := range problems {
		if err != nil {
			return err
		}
		rule := slices.IndexFunc(problemRules, func(r format.Rule) bool { return r.ID == p.Result.Rule })
		if err := format.Annotate(w, p.Result, problemRules[rule].Title, p.Result.Evidence); err != nil {
			return err
		}
	}
	return nil
}

// ProblemsToJUnit writes a suite for every page with problems and a failed case for each
// of them. Without problems it writes one case that passes.
func ProblemsToJUnit(file crawl.Reader, w io.Writer, problems iter.Seq2[Problem, error]) error {
	start, _, err := file.Page(1)
	if err != nil {
		return err
	}
	report := format.NewJUnit(w, start.Page.Time)
	var suite format.JUnitSuite
	for p, err := range problems {
		if err != nil {
			return err
		}
		if suite.Name != p.Page && len(suite.Cases) > 0 {
			if err := report.Write(&suite); err != nil {
				return err
			}
			suite.Cases = suite.Cases[:0]
		}
		suite.Name = p.Page
		r := p.Result
		suite.Cases = append(suite.Cases, format.JUnitCase{
			Name: "link to " + p.Target, Message: r.Message, Level: r.Level.String(), Details: format.Printable(r.Evidence),
		})
	}
	if len(suite.Cases) == 0 {
		suite = format.JUnitSuite{Name: file.Meta().Start, Cases: []format.JUnitCase{{Name: "no broken links"}}}
	}
	if err := report.Write(&suite); err != nil {
		return err
	}
	return report.Close()
}
