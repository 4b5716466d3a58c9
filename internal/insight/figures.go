package insight

import (
	"context"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/figures"
	"github.com/mapatools/mapa/internal/page"
	"github.com/mapatools/mapa/internal/store"
	"github.com/mapatools/mapa/internal/urlnorm"
	"github.com/mapatools/mapa/lint"
)

// The rules that compare a crawl with what search engines say.
const (
	ruleNotIndexed      = "not-indexed"
	ruleEngineCanonical = "engine-canonical"
	ruleShownNotListed  = "shown-not-listed"
	ruleNeverShown      = "never-shown"
)

var figureRules = []string{ruleNotIndexed, ruleEngineCanonical, ruleShownNotListed, ruleNeverShown}

// WriteFigures compares what a crawl decided with the figures in its file. It replaces the findings of earlier figures,
// and counts them in the verdict. Rules that were off when the crawl was judged remain off.
func WriteFigures(ctx context.Context, file *store.File, about *figures.About) error {
	var verdict *storedVerdict
	if err := file.ReadNote(store.NoteVerdict, &verdict); err != nil || verdict == nil {
		return err
	}
	c := figureCheck{about: about, severities: map[string]lint.Severity{}}
	if err := c.readRules(file); err != nil {
		return err
	}
	var err error
	if c.crawled, err = file.LastTime(ctx); err != nil {
		return err
	}
	for id := range c.severities {
		verdict.Rules[id] = 0
	}
	return file.ReplaceFindings(figureRules, func(add func(*store.Finding) error) error {
		for p, err := range file.ReadPages(ctx) {
			if err == nil {
				err = c.check(p, add)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}, func() (any, error) { return verdict, verdict.count(ctx, file) })
}

// A figureCheck compares pages with what search engines say about them.
type figureCheck struct {
	about      *figures.About
	crawled    time.Time                // of the last request
	severities map[string]lint.Severity // of the rules that are on
}

// readRules reads which rules were on when the crawl was judged.
func (c *figureCheck) readRules(file *store.File) error {
	recorded := map[string]string{}
	if err := file.ReadNote(store.NoteFigureRules, &recorded); err != nil {
		return err
	}
	for _, id := range figureRules {
		rule, err := lint.LookupPageRule(id)
		if err != nil {
			return err
		}
		severity := rule.Severity
		if text, known := recorded[id]; known {
			if err := severity.UnmarshalText([]byte(text)); err != nil {
				return err
			}
		}
		if severity != lint.SeverityOff {
			c.severities[id] = severity
		}
	}
	return nil
}

// recordFigureRules records which rules about figures are on, for figures that come later.
func (r *Rules) recordFigureRules(file *store.File) error {
	recorded := map[string]string{}
	for _, id := range figureRules {
		recorded[id] = lint.SeverityOff.String()
		if rule := r.rule(id); rule != nil {
			recorded[id] = rule.Severity.String()
			if rule.replaced != lint.SeverityOff {
				recorded[id] = rule.replaced.String()
			}
		}
	}
	return file.SetNote(store.NoteFigureRules, recorded)
}

// check adds what is wrong with a page.
func (c *figureCheck) check(p *page.Page, add func(*store.Finding) error) error {
	f := &p.Figures
	isListed := page.IsListed(&p.Record)
	isShown := f.Google.Impressions+f.Bing.Impressions > 0
	switch {
	case isListed && f.Index == page.IndexNo && f.IndexReason == page.IndexOtherCanonical:
		return c.add(p, ruleEngineCanonical, add, f.IndexDate)
	case isListed && f.Index == page.IndexNo:
		return c.add(p, ruleNotIndexed, add, indexReason(f.IndexReason), f.IndexDate)
	case isListed && !isShown:
		if period := c.neverShown(p); period != "" {
			return c.add(p, ruleNeverShown, add, period)
		}
	case !isListed && isShown && p.Link.Role == crawl.RolePage && p.Decision() != page.Waiting:
		return c.add(p, ruleShownNotListed, add, lint.Text{Code: "reason." + page.DecisionName(p.Decision()) + ".brief"})
	}
	return nil
}

// indexReason returns the reason of a search engine as an argument of a message.
func indexReason(reason string) any {
	if code, known := page.IndexReasonCode(reason); known {
		return lint.Text{Code: code}
	}
	return reason
}

// neverShown returns the time in which nobody saw a page in the results of Google, or "" where that is not known.
func (c *figureCheck) neverShown(p *page.Page) string {
	for i := range c.about.Exports {
		e := &c.about.Exports[i]
		if e.Kind == figures.KindSearch && e.Engine == figures.Google && e.IsCovered(p.Link.URL, c.crawled) {
			return e.Period()
		}
	}
	return ""
}

func (c *figureCheck) add(p *page.Page, rule string, add func(*store.Finding) error, arguments ...any) error {
	severity, on := c.severities[rule]
	if !on {
		return nil
	}
	f := Finding{Rule: &lint.Rule{ID: rule}, Severity: severity, Page: p.Link.ID, Count: 1, Arguments: arguments,
		template: urlnorm.Template(p.Link.URL)}
	record, err := f.record()
	if err != nil {
		return err
	}
	return add(&record)
}
