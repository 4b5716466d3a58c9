package cli

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/mapatools/mapa/crawl"
	appcrawl "github.com/mapatools/mapa/internal/app/crawl"
	"github.com/mapatools/mapa/internal/app/crawlfile"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/insight"
	"github.com/mapatools/mapa/internal/report"
)

// verdict adds the first lines of the summary of a crawl: what was lost and what changed, and what it means.
func (s *summary) verdict(r *appcrawl.Result) {
	if first := outcomeOf(r).First(s.c); first != "" {
		s.WriteString(printable(first) + "\n")
	}
	if v := r.Verdict; v != nil {
		sign := report.NewSignText(s.c, outcomeOf(r).Sign())
		s.WriteString(sign.Name + ": " + printable(v.Sentence(s.c)) + "\n")
	}
}

func outcomeOf(r *appcrawl.Result) *report.Outcome {
	return &report.Outcome{Verdict: r.Verdict, Losses: r.Losses, Changes: r.Changes}
}

// findings counts the findings of a crawl and names the command that lists them.
func (s *summary) findings(r *appcrawl.Result) {
	v := r.Verdict
	if v == nil || v.Errors+v.Warnings+v.Infos+r.Ignored == 0 {
		return
	}
	ignored := ""
	if r.Ignored > 0 {
		ignored = " (" + s.c.Plural("verdict.ignored", int64(r.Ignored)) + ")"
	}
	s.paragraph("summary.findings", s.c.Plural("verdict.errors", int64(v.Errors)),
		s.c.Plural("verdict.warnings", int64(v.Warnings)), s.c.Plural("summary.notes", int64(v.Infos)), ignored)
	fmt.Fprintf(s, "  %s\n", commandText([]string{"report", r.Details.Folder, "--findings"}))
}

// nextAfterCrawl is the line that says what to do after a crawl of an address with some flags.
func nextAfterCrawl(r *appcrawl.Result, address string, kept ...keptFlag) string {
	v := r.Verdict
	if v == nil || address == "" {
		return ""
	}
	s := newSummary(r.Details.Language)
	advice := outcomeOf(r).Advice(s.c)
	s.paragraph("summary.next", printable(advice))
	command := verdictCommand(v, r, address, kept)
	switch {
	case len(r.Losses) > 0:
		fmt.Fprintf(s, "  %s\n", commandText([]string{"report", r.Details.Folder, "--reason", r.Losses[0].Decision}))
	case command != nil:
		fmt.Fprintf(s, "  %s\n", commandText(command))
	case v.Action == insight.ActionUpload:
		s.WriteString("  ")
		s.add("summary.upload", filesText(s.c, r.Files[:1], r.Details.Parts), printable(r.Details.FolderURL),
			"Sitemap: "+printable(r.Details.SitemapURL))
		s.WriteByte('\n')
	}
	return s.String()
}

// A verdictJSON is a verdict for programs, with its texts in English.
type verdictJSON struct {
	*insight.Verdict
	Sign     insight.Sign `json:"sign"`
	Sentence string       `json:"sentence"`
	Advice   string       `json:"advice"`
	Command  string       `json:"command,omitempty"`
}

func newVerdictJSON(r *appcrawl.Result, address string, kept ...keptFlag) *verdictJSON {
	if r.Verdict == nil {
		return nil
	}
	english := catalog.For(catalog.English)
	v := &verdictJSON{
		Verdict: r.Verdict, Sign: outcomeOf(r).Sign(),
		Sentence: r.Verdict.Sentence(english), Advice: r.Verdict.Advice(english),
	}
	if command := verdictCommand(r.Verdict, r, address, kept); command != nil {
		v.Command = commandText(command)
	}
	return v
}

// verdictCommand returns the command that an action names, or nil. A crawl of another site, also one
// by another base URL, has a folder of its own. After a crawl of given pages there is no command for
// another crawl, since only the user knows which ones. A password in the address is not shown. The flags that
// the crawl had stay, unless the command gives them another value.
func verdictCommand(v *insight.Verdict, r *appcrawl.Result, address string, kept []keptFlag) []string {
	first := []string{"crawl", format.Redact(address)}
	if first[1] != address {
		first = append(first, "--user", "NAME:PASSWORD")
	}
	again := func(arguments ...string) []string {
		if r.Details.OnlySeeds {
			return nil
		}
		if base := r.Details.BaseURL; base != "" {
			arguments = append(arguments, "--base-url", base)
		}
		if folder := r.Details.Folder; folder != "" {
			arguments = append(arguments, "-o", folder)
		}
		return keepFlags(append(first, arguments...), kept)
	}
	withBase := func(base string) []string {
		if r.Details.OnlySeeds {
			return nil
		}
		command := append(first, "--base-url", base)
		if u, err := url.Parse(base); err == nil {
			command = append(command, "-o", crawlfile.FolderOf(strings.ToLower(u.Host)))
		}
		return keepFlags(command, kept)
	}
	switch v.Action {
	case insight.ActionAnnounce:
		return []string{"announce", r.Details.Folder}
	case insight.ActionNone:
		return withBase("https://example.com/")
	case insight.ActionContinue:
		return again()
	case insight.ActionRaiseLimit:
		if r.Limit == crawl.LimitNone || r.Limit == crawl.LimitBytes {
			return nil // the limit is in mapa.yaml
		}
		if r.Limit == crawl.LimitDepth { // no limit is the absence of the flag
			return again()
		}
		return again("--"+string(r.Limit), "0")
	case insight.ActionLogIn:
		return again("--cookie-file", "FILE")
	case insight.ActionBaseURL:
		return withBase(v.Address())
	case insight.ActionCrawlOther:
		return []string{"crawl", v.Address()}
	case insight.ActionRender:
		return again("--render", appcrawl.RenderAuto)
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
	case insight.ActionListOrphans:
		return again("--orphans", "list")
	case insight.ActionRenderMenu:
		return again("--render", appcrawl.RenderAuto)
	case insight.ActionPublish:
		return again("--max-shrink", "100")
	}
	return nil
}
