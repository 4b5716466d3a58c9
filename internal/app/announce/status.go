package announce

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/mapatools/mapa/announce"
	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/ledger"
	"github.com/mapatools/mapa/lint"
)

// A SitemapReport is what engines say about a sitemap, next to what Mapa says.
type SitemapReport struct {
	Sitemap string           `json:"sitemap"`
	URLs    int              `json:"urls"`
	Lint    LintCounts       `json:"lint"`
	Engines []EngineStatus   `json:"engines"`
	Pending []PendingChanges `json:"pending,omitempty"` // by provider that takes URLs
	Quotas  []QuotaState     `json:"quotas,omitempty"`
}

// An EngineStatus is what an engine says, or why it says nothing.
type EngineStatus struct {
	announce.SitemapStatus
	Error  string `json:"error,omitempty"`
	Advice string `json:"advice,omitempty"`
	// Notes say what differs from what Mapa knows.
	Notes []string `json:"notes,omitempty"`
	err   error
}

// PendingChanges is the number of changed pages that a provider has yet to receive.
type PendingChanges struct {
	Provider string `json:"provider"`
	Pages    int    `json:"pages"`
}

// Status asks the engines what they know about a sitemap.
func Status(ctx context.Context, a *app.App, location string, s *Settings) (_ *SitemapReport, err error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	c, err := credentials(a, &s.Credentials)
	if err != nil {
		return nil, err
	}
	r := &announceRun{app: a, settings: s}
	if r.source, err = openAnnounceSource(ctx, a, location, s); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.source.close()) }()
	_, name := r.source.ledgerName()
	if s.Ledger != "" {
		name = s.Ledger
	}
	if r.ledger, err = ledger.OpenCopy(ctx, name); err != nil { // nothing is recorded
		return nil, err
	}
	defer func() { err = errors.Join(err, r.ledger.Close()) }()
	if r.chosen, _, err = announcers(s, &c, announceOptions(a, s, &c, r.ledger)); err != nil {
		return nil, err
	}
	report := &SitemapReport{Sitemap: r.source.sitemap, Engines: []EngineStatus{}}
	if _, report.URLs, err = listingVersion(ctx, r.source.listed); err != nil {
		return nil, err
	}
	if report.Lint, err = lintSitemap(ctx, r.source, func(*lint.Finding) {}); err != nil {
		return nil, err
	}
	report.Engines = r.askEngines(ctx, report)
	for _, a := range r.chosen {
		if !takesURLs(a.Provider()) {
			continue
		}
		n, err := r.ledger.CountPending(ctx, r.source.sitemap, r.channel(a))
		if err != nil {
			return nil, err
		}
		report.Pending = append(report.Pending, PendingChanges{string(a.Provider()), n})
	}
	if err := r.readQuotas(ctx); err != nil {
		return nil, err
	}
	report.Quotas = r.result.Quotas
	return report, ctx.Err()
}

// askEngines asks all engines at once.
func (r *announceRun) askEngines(ctx context.Context, report *SitemapReport) []EngineStatus {
	var readers []announce.StatusReader
	for _, a := range r.chosen {
		if reader, ok := a.(announce.StatusReader); ok {
			readers = append(readers, reader)
		}
	}
	engines := make([]EngineStatus, len(readers))
	var group sync.WaitGroup
	for i, reader := range readers {
		group.Go(func() { engines[i] = askEngine(ctx, reader, report) })
	}
	group.Wait()
	return engines
}

func askEngine(ctx context.Context, reader announce.StatusReader, report *SitemapReport) EngineStatus {
	status, err := reader.ReadStatus(ctx, report.Sitemap)
	if err != nil {
		e := EngineStatus{Error: format.Redact(err.Error()), err: err}
		e.Provider = reader.Provider()
		var failure *announce.Error
		if errors.As(err, &failure) {
			e.Advice = failure.Advice()
		}
		return e
	}
	e := EngineStatus{SitemapStatus: *status}
	const old = 14 * 24 * time.Hour
	switch {
	case !e.Known:
		e.Notes = append(e.Notes, "the sitemap was not submitted")
	case !e.Pending && e.URLs >= 0 && e.URLs != int64(report.URLs):
		e.Notes = append(e.Notes, "it counts other URLs than the sitemap lists")
	case !e.Read.IsZero() && time.Since(e.Read) > old:
		e.Notes = append(e.Notes, "it read the sitemap more than 14 days ago")
	}
	return e
}

// Outcome returns what the status amounts to.
func (r *SitemapReport) Outcome() Outcome {
	failed, reached := false, false
	for _, e := range r.Engines {
		var failure *announce.Error
		isSilent := errors.As(e.err, &failure) && failure.Reason == announce.ReasonUnreachable
		failed = failed || e.err != nil
		reached = reached || !isSilent
	}
	switch {
	case failed && !reached:
		return AnnouncedNone
	case failed:
		return AnnouncedPart
	}
	return AnnouncedAll
}
