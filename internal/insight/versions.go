package insight

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/tempfile"
	"github.com/mapatools/mapa/lint"
	"github.com/mapatools/mapa/sitemap"
)

// A versionTable notes whether pages name versions in other languages.
type versionTable struct{ any bool }

func (t *versionTable) add(s *subject) {
	t.any = t.any || s.traits&isDocument != 0 && s.Page.Extensions != nil && len(s.Page.Extensions.Alternates) > 0
}

// judgeLanguages applies the rules about hreflang: those of package lint to a sitemap of all pages
// that name versions, and its own to what they name.
func (j *judge) judgeLanguages() error {
	if !j.versions.any {
		return nil
	}
	var v versions
	defer v.file.Close()
	if err := v.read(j); err != nil {
		return err
	}
	if err := v.judgeTargets(j); err != nil {
		return err
	}
	return v.lint(j)
}

// versions are the versions that the pages of a crawl name.
type versions struct {
	file  tempfile.File // the pages as a sitemap
	pages map[uint64]crawl.ID
	links []versionLink
	known []hashedPage // what links lead to, sorted by hash
}

// A versionLink is an hreflang link of a page to another URL.
type versionLink struct {
	page     crawl.ID
	to       uint64 // hash of the URL
	language string
}

// read reads the versions and writes them as a sitemap.
func (v *versions) read(j *judge) error {
	v.pages = map[uint64]crawl.ID{}
	hashes := make([]uint64, j.urls.last+1)
	out := sitemap.NewWriter(&v.file, &sitemap.WriterOptions{
		Limits: sitemap.Limits{URLs: math.MaxInt, Bytes: math.MaxInt64},
	})
	for record, err := range j.crawled.Pages(j.ctx) {
		if err != nil {
			return err
		}
		id := record.Link.ID
		hashes[id] = hashText(record.Link.URL)
		if !j.urls.has(id, isDocument) || record.Page.Extensions == nil || len(record.Page.Extensions.Alternates) == 0 {
			continue
		}
		v.pages[hashes[id]] = id
		page := sitemap.URL{Loc: record.Link.URL}
		page.Extensions.Alternates = record.Page.Extensions.Alternates
		for i := range page.Extensions.Alternates {
			one := &page.Extensions.Alternates[i]
			if to := hashText(one.Href); one.Hreflang != "" && to != hashes[id] {
				v.links = append(v.links, versionLink{id, to, one.Hreflang})
			}
		}
		var invalid *sitemap.FieldError
		if err := out.Write(&page); err != nil && !errors.As(err, &invalid) {
			return err
		}
	}
	v.find(hashes)
	if err := v.addUnversioned(j, out); err != nil {
		return err
	}
	return out.Close()
}

// addUnversioned writes the listed pages that links lead to and that name no versions: they do not
// link back.
func (v *versions) addUnversioned(j *judge, out *sitemap.Writer) error {
	for _, known := range v.known {
		if _, written := v.pages[known.hash]; written || !j.urls.has(known.id, isListed|isDocument) {
			continue
		}
		link, err := j.crawled.Link(known.id)
		if err != nil {
			return err
		}
		if err := out.Write(&sitemap.URL{Loc: link.URL}); err != nil {
			return err
		}
	}
	return nil
}

// find finds the URLs that links lead to.
func (v *versions) find(hashes []uint64) {
	for i := range v.links {
		v.known = append(v.known, hashedPage{hash: v.links[i].to})
	}
	slices.SortFunc(v.known, func(a, b hashedPage) int { return cmp.Compare(a.hash, b.hash) })
	v.known = slices.Compact(v.known)
	for id, hash := range hashes {
		if at, found := v.search(hash); found {
			v.known[at].id = crawl.ID(id)
		}
	}
}

func (v *versions) search(hash uint64) (at int, found bool) {
	return slices.BinarySearchFunc(v.known, hash, func(p hashedPage, hash uint64) int { return cmp.Compare(p.hash, hash) })
}

// judgeTargets applies the rules about what hreflang links lead to.
func (v *versions) judgeTargets(j *judge) error {
	broken, elsewhere := j.rules.rule("hreflang-target-broken"), j.rules.rule("hreflang-target-canonical")
	unlisted := j.rules.rule("hreflang-target-not-listed")
	for _, link := range v.links {
		at, _ := v.search(link.to)
		to, rule := v.known[at].id, (*chosenRule)(nil)
		switch {
		case to == 0 || !j.urls.hasAny(to, isFetched|isBlocked):
		case j.urls.hasAny(to, isBroken):
			rule = broken
		case j.urls.has(to, isCanonical):
			rule = elsewhere
		case !j.urls.hasAny(to, isListed|isExternal|isInconclusive):
			rule = unlisted
		}
		if rule != nil {
			j.report(rule, rule.Severity, link.page, to, 1, link.language)
		}
	}
	v.links = nil
	return j.failed
}

// lint applies the rules of package lint, with the severities that it gives them.
func (v *versions) lint(j *judge) error {
	options := &lint.Options{MaxPerRule: -1, Severity: map[string]lint.Severity{}}
	for id, rule := range j.rules.byID {
		if rule.Subject == lint.SubjectSitemap {
			options.Only = append(options.Only, id)
		}
	}
	if len(options.Only) == 0 {
		return nil
	}
	linter, err := lint.New(options)
	if err != nil {
		return err
	}
	for found, err := range linter.CheckReader(j.ctx, io.NewSectionReader(&v.file, 0, v.file.Size())) {
		if err != nil {
			return err
		}
		page := v.pages[hashText(found.URL)]
		if chosen := j.rules.rule(found.Rule.ID); page != 0 && chosen != nil {
			other, arguments := v.inCrawl(found.Message.Arguments)
			j.emitFinding(chosen, &Finding{Severity: found.Severity, Page: page, Other: other, Count: found.Count(),
				Arguments: arguments, Message: found.Message.Code})
		}
		if j.failed != nil {
			return j.failed
		}
	}
	return nil
}

// inCrawl returns the arguments of a message without the line in the file, and the other page that
// they name, or 0.
func (v *versions) inCrawl(arguments []any) (other crawl.ID, all Arguments) {
	for _, argument := range arguments {
		text, isText := argument.(lint.Text)
		switch {
		case isText && text.Code == "finding.on-line":
			argument = lint.Text{Code: "finding.in-the-crawl"}
		case isText && text.Code == "finding.value":
			if at, found := v.search(hashText(fmt.Sprint(text.Arguments...))); found {
				other = v.known[at].id
			}
		}
		all = append(all, argument)
	}
	return other, all
}
