package report

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/format"
)

// The rules of links, for the formats that programs take for checks.
const (
	brokenLink   = "broken-link"
	brokenAnchor = "broken-anchor"
)

var linkRules = []format.Rule{
	{
		ID: brokenLink, Title: "link to a dead address", Level: format.LevelError, URL: format.ProjectURL, Tags: []string{"links"},
		Why:  "The address answers with an error, or not at all. Visitors who follow the link find nothing.",
		Help: "Mend the link, or redirect the address to where its content went.",
	},
	{
		ID: brokenAnchor, Title: "link to a place that is not on the page", Level: format.LevelWarning, URL: format.ProjectURL, Tags: []string{"links"},
		Why:  "The page is there, but nothing on it has the name behind the #. Visitors land at its top.",
		Help: "Name the place in the page, or mend the link.",
	},
}

// result describes a broken link by the page that holds it.
func (l *BrokenLink) result() *format.Result {
	r := &format.Result{
		Rule: brokenLink, Level: format.LevelError, Location: l.Page, Evidence: l.Text,
		Message: "the link to " + l.URL + " is broken: " + l.Why,
	}
	if l.Anchor {
		r.Rule, r.Level = brokenAnchor, format.LevelWarning
		r.Message = "the link to " + l.URL + " names no place on the page"
	}
	sum := sha256.Sum256([]byte(r.Rule + "\x00" + l.Page + "\x00" + l.URL + "\x00" + l.Text))
	r.Fingerprint = hex.EncodeToString(sum[:16])
	return r
}

// WriteSARIF writes every broken link as a result of SARIF 2.1.0.
func WriteSARIF(ctx context.Context, file crawl.Reader, w io.Writer) error {
	log := format.NewSARIF(w, file.Meta().Program, linkRules)
	err := eachBroken(ctx, file, func(link *BrokenLink) error { return log.Write(link.result()) })
	if err != nil {
		return err
	}
	return log.Close()
}

// WriteAnnotations writes every broken link as a command to GitHub's workflows.
func WriteAnnotations(ctx context.Context, file crawl.Reader, w io.Writer) error {
	return eachBroken(ctx, file, func(link *BrokenLink) error {
		r, rule := link.result(), &linkRules[0]
		if link.Anchor {
			rule = &linkRules[1]
		}
		return format.Annotate(w, r, rule.Title, r.Evidence)
	})
}

// WriteJUnit writes a suite for every page that holds broken links, with a
// failing case for each of them. Where none is broken, one case passes.
func WriteJUnit(ctx context.Context, file crawl.Reader, w io.Writer) error {
	start, _, err := file.Page(1)
	if err != nil {
		return err
	}
	report := format.NewJUnit(w, start.Page.Time)
	var suite format.JUnitSuite
	err = eachBroken(ctx, file, func(link *BrokenLink) error {
		if suite.Name != link.Page && len(suite.Cases) > 0 {
			if err := report.Write(&suite); err != nil {
				return err
			}
			suite.Cases = suite.Cases[:0]
		}
		suite.Name = link.Page
		r := link.result()
		suite.Cases = append(suite.Cases, format.JUnitCase{
			Name: "link to " + link.URL, Message: r.Message, Level: r.Level.String(), Details: format.Printable(r.Evidence),
		})
		return nil
	})
	if err != nil {
		return err
	}
	if len(suite.Cases) == 0 {
		suite = format.JUnitSuite{Name: file.Meta().Start, Cases: []format.JUnitCase{{Name: "no broken links"}}}
	}
	if err := report.Write(&suite); err != nil {
		return err
	}
	return report.Close()
}

func eachBroken(ctx context.Context, file crawl.Reader, each func(*BrokenLink) error) error {
	broken, err := FindBroken(ctx, file)
	if err != nil {
		return err
	}
	for link, err := range broken.Links(ctx) {
		if err == nil {
			err = each(&link)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
