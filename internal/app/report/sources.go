package report

import (
	"context"
	"io/fs"
	"iter"
	"os"
	"slices"
	"strings"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/app/crawlfile"
	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/mapatools/mapa/internal/insight"
	"github.com/mapatools/mapa/internal/sourcedir"
	"github.com/mapatools/mapa/internal/store"
	"github.com/mapatools/mapa/lint"
)

// placeInSources yields findings with the places of their links in the sources of the site, where that is
// known. It reads the findings twice: first for the links to look for.
func (s *Settings) placeInSources(
	ctx context.Context, file *store.File, folder string, findings iter.Seq2[insight.Finding, error],
) (iter.Seq2[insight.Finding, error], error) {
	if len(s.Sources) == 0 {
		return findings, nil
	}
	about := file.Meta()
	index, err := sourcedir.New(about.FolderURL())
	if err != nil {
		return nil, err
	}
	for f, err := range findings {
		if err != nil {
			return nil, err
		}
		if link, is := linkOf(&f); is {
			index.Want(link)
		}
	}
	skip, err := skipCrawl(file, folder)
	if err != nil {
		return nil, err
	}
	for _, folder := range s.Sources {
		if err := index.Search(ctx, folder, skip); err != nil {
			return nil, setting.Wrap("source-dir", err)
		}
	}
	search := linkSearch{file: file, index: index}
	return func(yield func(insight.Finding, error) bool) {
		for f, err := range findings {
			if err == nil {
				err = search.place(&f)
			}
			if !yield(f, err) {
				return
			}
		}
	}, nil
}

// skipCrawl returns what reports the folder of the crawl and that of the built site, which are not sources.
func skipCrawl(file *store.File, folder string) (func(fs.FileInfo) bool, error) {
	meta, err := crawlfile.ReadMeta(file)
	if err != nil {
		return nil, err
	}
	var skipped []fs.FileInfo
	for _, name := range []string{meta.Crawled, folder} {
		if info, err := os.Stat(name); err == nil { // Crawled may be a URL
			skipped = append(skipped, info)
		}
	}
	return func(info fs.FileInfo) bool {
		return slices.ContainsFunc(skipped, func(one fs.FileInfo) bool { return os.SameFile(one, info) })
	}, nil
}

// linkOf returns the link that a finding is about.
func linkOf(f *insight.Finding) (link sourcedir.Link, is bool) {
	if f.Line == 0 || f.Rule.Subject == lint.SubjectSitemap {
		return link, false
	}
	if page := f.PageToEdit(); page != f.URL { // a redirect
		return sourcedir.Link{URL: f.URL}, true
	}
	link = sourcedir.Link{URL: strings.TrimSuffix(f.OtherURL, "#"+f.Fragment), Fragment: f.Fragment}
	link.SamePage = f.Fragment != "" && link.URL == f.URL
	return link, f.Other > 0
}

// A linkSearch finds the links of findings in sources.
type linkSearch struct {
	file  *store.File
	index *sourcedir.Index
	page  crawl.Record // that was read last
}

// place sets the source of a finding if exactly one place has its link.
func (s *linkSearch) place(f *insight.Finding) error {
	link, is := linkOf(f)
	if !is || !s.index.Has(link) {
		return nil
	}
	target, err := f.Other, error(nil)
	if page := f.PageToEdit(); page != f.URL {
		target = f.Page
		s.page, _, err = s.file.PageByURL(page)
	} else if s.page.Link.ID != f.Page {
		s.page, _, err = s.file.Page(f.Page)
	}
	if err != nil {
		return err
	}
	if at, found := s.index.Find(link, textOf(s.page.Page.Links, target, f)); found {
		f.Source, f.Position = at.File, at.Position
	}
	return nil
}

// textOf returns the text of the link to a target at the place of a finding, or of the first such link that
// has one.
func textOf(links []crawl.Edge, target crawl.ID, f *insight.Finding) (text string) {
	for i := range links {
		e := &links[i]
		switch {
		case e.To != target || f.Fragment != "" && e.Fragment != f.Fragment || e.Text == "":
		case e.Position == f.Position:
			return e.Text
		case text == "":
			text = e.Text
		}
	}
	return text
}
