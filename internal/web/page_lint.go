package web

import (
	"context"
	"errors"
	"mime/multipart"
	"net/http"
	"slices"
	"strings"

	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/access"
	applint "github.com/mapatools/mapa/internal/app/lint"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/lint"
	"github.com/mapatools/mapa/sitemap"
)

type lintView struct {
	frame
	URL, Error string
	MaxUpload  int64
	Done       bool
	Headline   string
	Findings   []findingRow
	Rest       int // findings that are not shown
}

// A findingRow is a finding of the linter.
type findingRow struct {
	Severity, Kind string
	Message, Rule  string
	URL, File      string
	Line, More     int
}

// maxUpload is the size of the largest sitemap that can be uploaded, in bytes. The
// protocol allows as many; most are compressed.
const maxUpload = sitemap.MaxBytes

// maxFindings is the number of findings that the page shows, errors first.
const maxFindings = 500

// pageLint shows the form of the linter.
func (s *Server) pageLint(w http.ResponseWriter, r *http.Request) error {
	return s.lintForm(w, r, http.StatusOK, lintView{})
}

func (s *Server) lintForm(w http.ResponseWriter, r *http.Request, status int, v lintView) error {
	v.frame, v.MaxUpload = s.newFrame(r, "lint"), maxUpload
	v.Title = v.texts.Text("web.lint.title")
	return s.render(w, status, "lint", &v.frame, &v)
}

// uploadMemory is the size of the part of an upload that is in memory, in bytes. The rest
// is in a temporary file.
const uploadMemory = 1 << 20

// lintSitemap checks the sitemap at an address, or an uploaded one.
func (s *Server) lintSitemap(w http.ResponseWriter, r *http.Request) error {
	if err := r.ParseMultipartForm(uploadMemory); err != nil {
		return bodyError(err)
	}
	defer r.MultipartForm.RemoveAll()
	v := lintView{URL: strings.TrimSpace(r.PostForm.Get("url"))}
	file, header, err := r.FormFile("file")
	if err != nil && !errors.Is(err, http.ErrMissingFile) {
		return bodyError(err)
	}
	if file != nil {
		defer file.Close()
	}
	hasFile := file != nil && header.Size > 0
	if !hasFile && v.URL == "" {
		v.Error = catalogOf(r).Text("web.lint.neither")
		return s.lintForm(w, r, http.StatusBadRequest, v)
	}
	if !hasFile {
		file = nil
	}
	err = s.tool(w, r, func(ctx context.Context) error { return s.addFindings(ctx, r, &v, file, header) })
	if err != nil {
		status, text := explainToolError(r, err)
		if text == "" {
			return err
		}
		v.Error = text
		return s.lintForm(w, r, status, v)
	}
	return s.lintForm(w, r, http.StatusOK, v)
}

// addFindings checks the sitemap and adds what is wrong with it.
func (s *Server) addFindings(
	ctx context.Context, r *http.Request, v *lintView, file multipart.File, header *multipart.FileHeader,
) error {
	settings := applint.NewSettings()
	settings.Engines = []string{lint.EngineSitemapsOrg.String(), lint.EngineGoogle.String(), lint.EngineBing.String()}
	settings.Request = s.requests()
	own := s.options.App
	program, source := &app.App{Version: own.Version, About: own.About}, "-"
	if file != nil {
		program.Stdin = file
	} else {
		var err error
		if source, err = access.CompleteAddress(ctx, own, v.URL, &settings.Request); err != nil {
			return err
		}
	}
	c := catalogOf(r)
	total, found := 0, map[lint.Severity][]lint.Finding{}
	for f, err := range applint.Findings(ctx, program, []string{source}, settings) {
		if err != nil {
			return err
		}
		total += f.Count()
		if file != nil && f.File == "-" {
			f.File = header.Filename
		}
		if len(found[f.Severity]) < maxFindings {
			found[f.Severity] = append(found[f.Severity], f)
		}
	}
	v.addRows(c, total, slices.Concat(found[lint.SeverityError], found[lint.SeverityWarning], found[lint.SeverityInfo]))
	v.Done, v.Headline = true, c.Text("web.lint.found.none")
	if total > 0 {
		v.Headline = c.Plural("web.lint.found", int64(total))
	}
	return nil
}

// addRows adds the first of the findings, and counts the rest of the total.
func (v *lintView) addRows(c *catalog.Catalog, total int, findings []lint.Finding) {
	v.Rest = total
	for i := range findings[:min(len(findings), maxFindings)] {
		v.Findings = append(v.Findings, newFindingRow(c, &findings[i]))
		v.Rest -= findings[i].Count()
	}
}

func newFindingRow(c *catalog.Catalog, f *lint.Finding) findingRow {
	message := f.Message
	if f.More > 0 {
		message = f.Rule.Title() // the row says how many
	}
	row := findingRow{
		Message: message.In(string(c.Language())), Rule: f.Rule.ID, URL: f.URL, File: f.File, Line: f.Line, More: f.More,
	}
	switch f.Severity {
	case lint.SeverityError:
		row.Severity, row.Kind = c.Text("web.lint.error"), "bad"
	case lint.SeverityWarning:
		row.Severity, row.Kind = c.Text("web.lint.warning"), "warn"
	default:
		row.Severity = c.Text("web.lint.info")
	}
	return row
}
