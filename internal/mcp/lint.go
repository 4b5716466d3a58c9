package mcp

import (
	"context"
	"time"

	"github.com/mapatools/mapa/internal/app/access"
	applint "github.com/mapatools/mapa/internal/app/lint"
)

const (
	lintTime    = 5 * time.Minute
	maxFindings = 200
)

type lintSitemap struct {
	URL string `json:"url" jsonschema:"the URL of a sitemap or of a site, whose sitemaps are found"`
}

// A finding is a problem of a sitemap.
type finding struct {
	Rule     string `json:"rule"`
	Severity string `json:"severity"`
	Message  string `json:"message"`
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty"`
	URL      string `json:"url,omitempty"`
	Count    int    `json:"count"` // of places
}

type findings struct {
	Findings []finding `json:"findings"`
	Places   int       `json:"places"` // of all findings
	Rest     int       `json:"rest"`   // findings that are left out
}

// lint checks a sitemap on the web: a model is not to read files of this machine.
func (s *server) lint(ctx context.Context, in lintSitemap) (any, error) {
	settings := applint.NewSettings()
	settings.Request.PublicOnly = !s.AllowCrawl || s.PublicOnly
	ctx, cancel := context.WithTimeout(ctx, lintTime)
	defer cancel()
	address, err := access.CompleteAddress(ctx, s.App, in.URL, &settings.Request)
	if err != nil {
		return nil, err
	}
	all := findings{Findings: []finding{}}
	for f, err := range applint.Findings(ctx, s.App, []string{address}, settings) {
		if err != nil {
			return nil, err
		}
		all.Places += f.Count()
		if len(all.Findings) == maxFindings {
			all.Rest++
			continue
		}
		all.Findings = append(all.Findings, finding{
			f.Rule.ID, f.Severity.String(), f.Message.String(), f.File, f.Line, f.URL, f.Count(),
		})
	}
	return all, nil
}
