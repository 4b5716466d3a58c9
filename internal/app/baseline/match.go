package baseline

import (
	"context"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"github.com/mapatools/mapa/internal/app/crawlfile"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/insight"
	"github.com/mapatools/mapa/internal/store"
	"github.com/mapatools/mapa/lint"
)

// SetKnown says that the entry is ignored because it was found before a time.
func (e *Entry) SetKnown(now time.Time) {
	e.Date = now.Format(time.DateOnly)
	e.Reason = "known on " + e.Date
}

// EntryOf returns the entry of a single finding in the crawl of a site.
func EntryOf(f *insight.Finding, origin string) *Entry {
	return &Entry{
		Rule: f.Rule.ID, File: f.File, URL: onSite(f.URL, origin), Target: onSite(f.Target(), origin),
		Value:   valueOf(f, origin),
		Message: strings.ReplaceAll(f.Text(catalog.For(catalog.English)), origin+"/", "/"),
	}
}

// EntryOfLoss returns the entry of an open loss.
func EntryOfLoss(loss *store.Loss, origin string) *Entry {
	return &Entry{Rule: loss.Kind, URL: onSite(loss.URL, origin), Value: loss.Decision}
}

// onSite returns a URL of a site as a path, so that an entry matches at another origin too.
func onSite(address, origin string) string {
	if rest, is := strings.CutPrefix(address, origin); is && strings.HasPrefix(rest, "/") {
		return rest
	}
	return address
}

// valueOf returns the value of a finding, with the URLs of the site as paths, and without its host.
func valueOf(f *insight.Finding, origin string) string {
	value := strings.ReplaceAll(f.Value(), origin+"/", "/")
	if _, host, _ := strings.Cut(origin, "://"); value == host { // as of rules about headers
		return ""
	}
	return value
}

// EntryIn returns the entry of a finding in a sitemap.
func EntryIn(f *lint.Finding) *Entry {
	e := &Entry{Rule: f.Rule.ID, File: filepath.ToSlash(f.File), Count: f.Count(), Message: f.Message.String()}
	if f.More == 0 {
		e.URL, e.Value = f.URL, f.Evidence
	}
	return e
}

// Has reports whether a finding in the crawl of a site is ignored.
func (l *List) Has(f *insight.Finding, origin string) bool {
	rule, url, target, value := f.Rule.ID, onSite(f.URL, origin), onSite(f.Target(), origin), valueOf(f, origin)
	is := l.inFolder(rule, url)
	if target+value != "" {
		is = l.take(keyOf(rule, f.File, "", target, value), 1) > 0 || is
	}
	return l.take(keyOf(rule, f.File, url, target, value), 1) > 0 || is
}

// HasLoss reports whether an open loss is ignored.
func (l *List) HasLoss(loss *store.Loss, origin string) bool {
	e := EntryOfLoss(loss, origin)
	inFolder := l.inFolder(e.Rule, e.URL)
	return l.take(e.key(), 1) > 0 || inFolder
}

// Take returns at how many places a finding in a sitemap is ignored, and uses them up. A finding that is reported for
// the first time may be one that was only counted, before others were fixed.
func (l *List) Take(f *lint.Finding) int {
	if l == nil {
		return 0
	}
	path := f.URL
	if u, err := url.Parse(f.URL); err == nil {
		path = u.EscapedPath()
	}
	e := EntryIn(f)
	known := l.take(e.key(), f.Count())
	if known == 0 && f.More == 0 {
		known = l.take(keyOf(e.Rule, e.File, "", "", ""), 1)
	}
	if l.inFolder(f.Rule.ID, path) {
		return f.Count()
	}
	return known
}

// HasFolders reports whether what rules find in a folder is ignored: then each finding counts, and none may be summed
// up before.
func (l *List) HasFolders() bool { return l != nil && len(l.folders) > 0 }

// Ignore sets what is ignored in the findings of a crawl, and returns its verdict: nil without one.
func (l *List) Ignore(ctx context.Context, file *store.File) (*insight.Verdict, error) {
	origin := crawlfile.SiteOrigin(file)
	return insight.Ignore(ctx, file, l.rules(), func(f *insight.Finding) bool { return l.Has(f, origin) })
}

// IgnoreLosses sets which open losses of a crawl are ignored.
func (l *List) IgnoreLosses(file *store.File) error {
	origin := crawlfile.SiteOrigin(file)
	return file.UpdateLosses(func(loss *store.Loss) (isOpen bool, err error) {
		loss.Ignored = l.HasLoss(loss, origin)
		return true, nil
	})
}

// rules returns the IDs of the rules with an entry.
func (l *List) rules() (ids []string) {
	for id := range l.known {
		if _, err := lint.LookupRule(id); err == nil {
			ids = append(ids, id)
		}
	}
	return ids
}
