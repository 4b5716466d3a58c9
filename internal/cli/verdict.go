package cli

import (
	"fmt"
	"maps"

	appcrawl "github.com/mapatools/mapa/internal/app/crawl"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/insight"
)

// verdictText is the first line of the summary of a crawl: what it means.
func verdictText(v *insight.Verdict) string {
	if v == nil {
		return ""
	}
	return printable(v.Sentence(catalog.For(catalog.English))) + "\n"
}

// findingsText counts the findings of a crawl and names the command that lists them.
func findingsText(r *appcrawl.Result) string {
	v := r.Verdict
	if v == nil || v.Errors+v.Warnings+v.Infos == 0 {
		return ""
	}
	return fmt.Sprintf("\n%s, %s and %s, with what to do:\n  mapa report %s --findings\n", plural(v.Errors, "error"),
		plural(v.Warnings, "warning"), plural(v.Infos, "note"), quoted(r.Details.Folder))
}

// nextAfterCrawl is the line that says what to do after a crawl of an address.
func nextAfterCrawl(r *appcrawl.Result, address string) string {
	v := r.Verdict
	if v == nil || address == "" {
		return ""
	}
	advice := printable(v.Advice(catalog.For(catalog.English)))
	if command := verdictCommand(v, r, address); command != nil {
		return fmt.Sprintf("\nNext: %s\n  %s\n", advice, commandText(command))
	}
	if v.Action == insight.ActionUpload {
		return fmt.Sprintf("\nNext: %s\n  %s to %s, and the line  Sitemap: %s\n", advice, filesText(r.Files[:1], r.Details.Parts),
			printable(r.Details.FolderURL), printable(r.Details.SitemapURL))
	}
	return "\nNext: " + advice + "\n"
}

// A verdictJSON is a verdict for programs, with its texts in English.
type verdictJSON struct {
	*insight.Verdict
	Rules    map[string]int `json:"rules"` // with findings
	Sentence string         `json:"sentence"`
	Advice   string         `json:"advice"`
	Command  string         `json:"command,omitempty"`
}

func newVerdictJSON(r *appcrawl.Result, address string) *verdictJSON {
	if r.Verdict == nil {
		return nil
	}
	english := catalog.For(catalog.English)
	v := &verdictJSON{Verdict: r.Verdict, Sentence: r.Verdict.Sentence(english), Advice: r.Verdict.Advice(english)}
	v.Rules = maps.Clone(r.Verdict.Rules)
	maps.DeleteFunc(v.Rules, func(_ string, n int) bool { return n == 0 })
	if command := verdictCommand(r.Verdict, r, address); command != nil {
		v.Command = commandText(command)
	}
	return v
}

// verdictCommand returns the command that an action names, or nil.
func verdictCommand(v *insight.Verdict, r *appcrawl.Result, address string) []string {
	again := func(arguments ...string) []string { return append([]string{"crawl", address}, arguments...) }
	switch v.Action {
	case insight.ActionAnnounce:
		return []string{"announce", r.Details.Folder}
	case insight.ActionNone:
		return again("--base-url", "https://example.com/")
	case insight.ActionContinue:
		return again("-o", r.Details.Folder)
	case insight.ActionRaiseLimit:
		return again("--"+string(r.Limit), "0")
	case insight.ActionLogIn:
		return again("--cookie-file", "FILE")
	case insight.ActionBaseURL:
		return again("--base-url", v.Address())
	case insight.ActionCrawlOther:
		return []string{"crawl", v.Address()}
	case insight.ActionIndex:
		return []string{"report", r.Details.Folder, "--reason", "noindex"}
	case insight.ActionRobots:
		return again("--ignore-robots")
	case insight.ActionCleanURLs:
		return again("--clean-urls")
	case insight.ActionFixPages:
		return []string{"report", r.Details.Folder}
	case insight.ActionFixSitemap:
		return []string{"lint", v.Address()}
	case insight.ActionUseSitemap:
		return again("--sitemap", v.Address())
	case insight.ActionPublish:
		return again("--max-shrink", "100")
	}
	return nil
}
