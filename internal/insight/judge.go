package insight

import (
	"context"
	"iter"
	"path/filepath"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/store"
	"github.com/mapatools/mapa/lint"
)

// Judge calls emit with every finding in a crawl, until emit returns an error, and returns the
// verdict. sitemap has what package lint found in the sitemap that was written. Judge reads the
// pages and the links once each, and holds some numbers for every URL. While it runs, nothing
// may be written to the crawl.
func Judge(
	ctx context.Context, crawled *store.Counter, rules *Rules, end *End, sitemap iter.Seq2[lint.Finding, error],
	emit func(*Finding) error,
) (*Verdict, error) {
	j := &judge{ctx: ctx, crawled: crawled, rules: rules, end: end, emit: emit}
	for _, step := range []func() error{
		j.readPages, j.leaveOut, j.readLinks, j.judgeRedirects, j.judgeCanonicals, j.judgeLinked, j.judgeGroups,
		j.judgeNear, j.judgeBlocked, j.judgeLanguages, j.judgeHosts, j.judgeAgents,
		func() error { return j.addSitemap(sitemap) },
	} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return j.judgeSite()
}

// A judge applies rules to a crawl.
type judge struct {
	ctx     context.Context
	crawled *store.Counter
	rules   *Rules
	end     *End
	emit    func(*Finding) error
	failed  error // the first error of emit

	urls     urlTable
	counts   linkTable
	anchors  anchorSearch
	texts    textTable
	hosts    hostTable
	versions versionTable
	totals   Totals
}

// report emits a finding of a rule with a severity of its own, unless the user changed that.
func (j *judge) report(r *chosenRule, severity lint.Severity, page, other crawl.ID, count int, arguments ...any) {
	j.emitFinding(r, &Finding{Severity: severity, Page: page, Other: other, Count: count, Arguments: arguments})
}

func (j *judge) emitFinding(r *chosenRule, f *Finding) {
	if j.failed != nil {
		return
	}
	if r.replaced != lint.SeverityOff {
		f.Severity = r.replaced
	}
	f.Rule, f.template = r.Rule, j.urls.template(f.Page)
	j.failed = j.emit(f)
	j.totals.count(f.Severity)
}

// addSitemap adds what package lint found in a sitemap, or what is known of documents without a crawl.
func (j *judge) addSitemap(findings iter.Seq2[lint.Finding, error]) error {
	if findings == nil {
		return nil
	}
	for found, err := range findings {
		if err != nil {
			return err
		}
		if j.end.Documents && j.rules.rule(found.Rule.ID) == nil {
			continue // the user has switched it off
		}
		f := &Finding{
			Rule: found.Rule, Severity: found.Severity, Count: found.Count(),
			Position: crawl.Position{Line: found.Line},
			Message:  found.Message.Code, Arguments: found.Message.Arguments,
		}
		if found.File != "" {
			f.File = filepath.Base(found.File)
		}
		if found.URL != "" {
			record, _, err := j.crawled.PageByURL(found.URL)
			if err != nil {
				return err
			}
			f.Page = record.Link.ID
		}
		j.totals.count(f.Severity)
		if err := j.emit(f); err != nil {
			return err
		}
	}
	return nil
}
