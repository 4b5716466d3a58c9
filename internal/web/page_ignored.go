package web

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/mapatools/mapa/internal/app/baseline"
	"github.com/mapatools/mapa/internal/app/service"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/insight"
	"github.com/mapatools/mapa/internal/report"
	"github.com/mapatools/mapa/internal/urlnorm"
	"github.com/mapatools/mapa/lint"
)

const (
	maxReason  = 300     // characters of a reason, and of a name
	maxIgnored = 8 << 20 // bytes of a list that is imported
	// ignoreTime is how long it may take to apply a list to the results of a site.
	ignoreTime = 3 * time.Minute
)

// An ignoredPage lists what is ignored on a site.
type ignoredPage struct {
	frame
	Name   string
	Error  string
	Rows   []ignoredRow
	Losses []lossRow // that are not ignored, the first of them
	Lost   int       // all of them
	Limit  int       // characters of a reason
}

// An ignoredRow is an entry. Key identifies it in the list.
type ignoredRow struct {
	*baseline.Entry
	Rule, Where, What string
	Key               string
}

// A lossRow is an open loss, with the address of the form that ignores it, or an empty one.
type lossRow struct {
	Link   pageLink
	Ignore string
}

// pageIgnored shows what is ignored on a site.
func (s *Server) pageIgnored(w http.ResponseWriter, r *http.Request) error {
	return s.ignoredPage(w, r, http.StatusOK, "")
}

func (s *Server) ignoredPage(w http.ResponseWriter, r *http.Request, status int, problem string) error {
	v := ignoredPage{frame: s.newFrame(r, "sites"), Name: r.PathValue("name"), Error: problem, Limit: maxReason}
	v.Title = v.texts.Text("web.ignored.title") + " · " + v.Name
	site, err := s.options.Service.Site(r.Context(), v.Name)
	if err != nil {
		return err
	}
	entries, err := s.options.Service.Ignored(v.Name)
	if err != nil {
		return err
	}
	for _, e := range entries {
		v.Rows = append(v.Rows, v.row(e))
	}
	if site.Result != nil {
		if err := s.addLosses(r, &v, site.Result.ID); err != nil {
			return err
		}
	}
	return s.render(w, status, "ignored", &v.frame, &v)
}

func (v *ignoredPage) row(e *baseline.Entry) ignoredRow {
	row := ignoredRow{Entry: e, Rule: ruleTitle(&v.frame, e.Rule), Where: e.Folder, Key: keyOf(e)}
	switch {
	case e.Folder == "/":
		row.Where = v.texts.Text("web.ignored.site")
	case e.Folder == "":
		row.Where = format.ReadableURL(e.URL)
		if target := format.ReadableURL(e.Target); target != "" && row.Where != "" {
			row.Where += " → " + target
		} else if target != "" {
			row.Where = target
		}
		row.What = v.texts.Detail(e.Value, nil) // words for a failure, and others as they are
	}
	return row
}

// ruleTitle returns the title of a rule, or of a kind of loss.
func ruleTitle(f *frame, id string) string {
	if (&baseline.Entry{Rule: id}).IsLoss() {
		return format.Capitalize(f.texts.Text("change." + id))
	}
	return report.NewRuleText(f.texts, id).Title
}

// keyOf identifies an entry in a form.
func keyOf(e *baseline.Entry) string {
	return strings.Join([]string{e.Rule, e.Folder, e.File, e.URL, e.Target, e.Value}, "\x1f")
}

// addLosses adds the open losses of a result. One that cannot be read has none.
func (s *Server) addLosses(r *http.Request, v *ignoredPage, id string) error {
	opened, release, err := s.openSoon(r.Context(), id)
	if errors.Is(err, errPreparing) || isWithoutResult(err) || isOtherVersion(err) {
		return nil
	}
	if err != nil {
		return err
	}
	defer release()
	overview, err := opened.Overview(r.Context())
	if err != nil {
		return err
	}
	list, err := opened.Losses(r.Context(), "", "", rowsOfPage)
	if err != nil {
		return err
	}
	v.Lost = list.Total
	for i := range list.Losses {
		loss := &list.Losses[i]
		row := lossRow{Link: pageLink{
			URL: format.ReadableURL(loss.URL), Href: "/tools/why?" + url.Values{"url": {loss.URL}}.Encode(),
		}}
		if v.IsOwner {
			row.Ignore = ignoreForm(v.Name, baseline.EntryOfLoss(loss, urlnorm.Origin(overview.Start)))
		}
		v.Losses = append(v.Losses, row)
	}
	return nil
}

// An ignorePage is the form that ignores what a rule found.
type ignorePage struct {
	frame
	Name, Error string
	Rule, What  string
	Entry       *baseline.Entry // the single finding; one without a page, target and value cannot be chosen alone
	Folders     []choice
	Limit       int
}

// pageIgnore shows the form. Its query has the fields of the finding.
func (s *Server) pageIgnore(w http.ResponseWriter, r *http.Request) error {
	return s.ignorePage(w, r, http.StatusOK, r.URL.Query(), "")
}

func (s *Server) ignorePage(
	w http.ResponseWriter, r *http.Request, status int, fields url.Values, problem string,
) error {
	v := ignorePage{frame: s.newFrame(r, "sites"), Name: r.PathValue("name"), Error: problem, Limit: maxReason}
	if _, err := s.options.Service.Site(r.Context(), v.Name); err != nil {
		return err
	}
	v.Entry = entryOf(fields)
	if err := checkRule(v.Entry); err != nil {
		return err
	}
	v.Rule, v.Title = ruleTitle(&v.frame, v.Entry.Rule), v.texts.Text("web.ignore.title")+" · "+v.Name
	row := (&ignoredPage{frame: v.frame}).row(v.Entry)
	v.What = strings.Trim(row.Where+" · "+row.What, " ·")
	for folder := folderOf(v.Entry.URL); ; folder = path.Dir(strings.TrimSuffix(folder, "/")) + "/" {
		if folder = strings.Replace(folder, "//", "/", 1); folder == "/" {
			break
		}
		v.Folders = append(v.Folders, choice{Value: folder, Name: v.texts.Text("web.ignore.folder", folder)})
	}
	v.Folders = append(v.Folders, choice{Value: "/", Name: v.texts.Text("web.ignore.site")})
	return s.render(w, status, "ignore", &v.frame, &v)
}

// checkRule refuses an entry of an unknown rule.
func checkRule(e *baseline.Entry) error {
	if _, err := lint.LookupRule(e.Rule); err != nil && !e.IsLoss() {
		return badRequest("the rule %q is unknown", e.Rule)
	}
	return nil
}

// entryOf returns the entry of a single finding by the fields of a form.
func entryOf(fields url.Values) *baseline.Entry {
	return &baseline.Entry{Rule: fields.Get("rule"), URL: fields.Get("url"), File: fields.Get("file"),
		Target: fields.Get("target"), Value: fields.Get("value")}
}

// folderOf returns the folder of a page of the site.
func folderOf(address string) string {
	address, _, _ = strings.Cut(address, "?")
	if !strings.HasPrefix(address, "/") {
		return "/"
	}
	return address[:strings.LastIndexByte(address, '/')+1]
}

// ignore ignores what a form says: a single finding, or what a rule finds in a folder.
func (s *Server) ignore(w http.ResponseWriter, r *http.Request) error {
	why, err := reasonOf(r)
	if err != nil {
		return err
	}
	e := entryOf(r.PostForm)
	if folder := r.PostForm.Get("folder"); folder != "" {
		e = &baseline.Entry{Rule: e.Rule, Folder: folder}
	}
	if err := checkRule(e); err != nil {
		return err
	}
	if why.Reason == "" {
		problem := catalogOf(r).Text("web.ignore.reason-missing")
		return s.ignorePage(w, r, http.StatusUnprocessableEntity, r.PostForm, problem)
	}
	return s.addIgnored(w, r, why, e)
}

// ignoreLosses ignores all open losses of the newest result.
func (s *Server) ignoreLosses(w http.ResponseWriter, r *http.Request) error {
	why, err := reasonOf(r)
	if err != nil {
		return err
	}
	if why.Reason == "" {
		return s.ignoredPage(w, r, http.StatusUnprocessableEntity, catalogOf(r).Text("web.ignore.reason-missing"))
	}
	losses, err := s.lossEntries(r)
	if err != nil {
		return err
	}
	return s.addIgnored(w, r, why, losses...)
}

// reasonOf returns an entry with the reason, the name and the day of a form. The reason may be empty.
func reasonOf(r *http.Request) (*baseline.Entry, error) {
	if err := r.ParseForm(); err != nil {
		return nil, bodyError(err)
	}
	text := func(name string) string {
		return strings.TrimSpace(format.Truncate(format.Plain(strings.TrimSpace(r.PostForm.Get(name))), maxReason))
	}
	return &baseline.Entry{Reason: text("reason"), Name: text("name"), Date: time.Now().Format(time.DateOnly)}, nil
}

// addIgnored adds entries with a reason to what is ignored. They replace those of before.
func (s *Server) addIgnored(
	w http.ResponseWriter, r *http.Request, why *baseline.Entry, added ...*baseline.Entry,
) error {
	return s.changeIgnored(w, r, func(entries []*baseline.Entry) ([]*baseline.Entry, error) {
		for _, e := range added {
			if err := e.Check(); err != nil {
				return nil, badRequest("%v", err)
			}
			e.Reason, e.Name, e.Date = why.Reason, why.Name, why.Date
			entries = slices.DeleteFunc(entries, func(before *baseline.Entry) bool { return keyOf(before) == keyOf(e) })
		}
		return append(added, entries...), nil
	})
}

// lossEntries returns entries for the open losses of the newest result of a site.
func (s *Server) lossEntries(r *http.Request) (entries []*baseline.Entry, err error) {
	site, err := s.options.Service.Site(r.Context(), r.PathValue("name"))
	if err != nil || site.Result == nil {
		return nil, err
	}
	opened, release, err := s.openSoon(r.Context(), site.Result.ID)
	if err != nil {
		return nil, err
	}
	defer release()
	overview, err := opened.Overview(r.Context())
	if err != nil {
		return nil, err
	}
	for cursor := ""; ; {
		list, err := opened.Losses(r.Context(), "", cursor, rowsOfExport)
		if err != nil {
			return nil, err
		}
		for i := range list.Losses {
			entries = append(entries, baseline.EntryOfLoss(&list.Losses[i], urlnorm.Origin(overview.Start)))
		}
		if cursor = list.Next; cursor == "" || len(entries) > service.MaxIgnored {
			return entries, nil
		}
	}
}

// forgetIgnored removes an entry.
func (s *Server) forgetIgnored(w http.ResponseWriter, r *http.Request) error {
	if err := r.ParseForm(); err != nil {
		return bodyError(err)
	}
	return s.changeIgnored(w, r, func(entries []*baseline.Entry) ([]*baseline.Entry, error) {
		return slices.DeleteFunc(entries, func(e *baseline.Entry) bool { return keyOf(e) == r.PostForm.Get("key") }), nil
	})
}

// importIgnored replaces what is ignored by the baseline in a form.
func (s *Server) importIgnored(w http.ResponseWriter, r *http.Request) error {
	files, err := receiveFiles(r)
	defer os.RemoveAll(files.folder)
	if err != nil {
		return err
	}
	file, err := os.Open(files.names[0])
	if err != nil {
		return err
	}
	defer file.Close()
	entries, err := service.ReadIgnored(file)
	if err != nil {
		return s.ignoredPage(w, r, http.StatusUnprocessableEntity, catalogOf(r).Text("web.ignored.wrong", err.Error()))
	}
	return s.changeIgnored(w, r, func([]*baseline.Entry) ([]*baseline.Entry, error) { return entries, nil })
}

// changeIgnored changes what is ignored on a site, and leads to the list.
func (s *Server) changeIgnored(
	w http.ResponseWriter, r *http.Request, change func([]*baseline.Entry) ([]*baseline.Entry, error),
) error {
	return seeOther(w, r, "/sites/"+url.PathEscape(r.PathValue("name"))+"/ignored", s.applyIgnored(w, r, change))
}

func (s *Server) applyIgnored(
	w http.ResponseWriter, r *http.Request, change func([]*baseline.Entry) ([]*baseline.Entry, error),
) error {
	if err := allowTime(http.NewResponseController(w), ignoreTime+writeTime); err != nil {
		return err
	}
	// A visitor who leaves must not end it between two results.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), ignoreTime)
	defer cancel()
	return s.options.Service.ChangeIgnored(ctx, r.PathValue("name"), change)
}

// apiIgnored answers with what is ignored on a site, as a baseline.
func (s *Server) apiIgnored(w http.ResponseWriter, r *http.Request) error {
	if _, err := s.options.Service.Site(r.Context(), r.PathValue("name")); err != nil {
		return err
	}
	entries, err := s.options.Service.Ignored(r.PathValue("name"))
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", mediaJSON)
	return baseline.Write(w, entries)
}

// apiPutIgnored replaces what is ignored on a site by the baseline in the body.
func (s *Server) apiPutIgnored(w http.ResponseWriter, r *http.Request) error {
	entries, err := service.ReadIgnored(r.Body)
	if err != nil {
		if _, isLong := errors.AsType[*http.MaxBytesError](err); isLong {
			return bodyError(err)
		}
		return badRequest("%v", err)
	}
	err = s.applyIgnored(w, r, func([]*baseline.Entry) ([]*baseline.Entry, error) { return entries, nil })
	return noContent(w, err)
}

// ignoreHref returns the address of the form that ignores a finding, or "" for those who may not. Without its page it
// is ignored on any page; without anything else, only what its rule finds in a folder can be.
func (v *resultFrame) ignoreHref(f *insight.Finding, anyPage bool) string {
	if !v.canIgnore() {
		return ""
	}
	e := baseline.EntryOf(f, urlnorm.Origin(v.Overview.Start))
	if anyPage {
		e.URL = ""
	}
	return ignoreForm(v.Crawl.Site, e)
}

// ignoreForm returns the address of the form with the fields of an entry.
func ignoreForm(site string, e *baseline.Entry) string {
	query := url.Values{"rule": {e.Rule}}
	for name, value := range map[string]string{"url": e.URL, "file": e.File, "target": e.Target, "value": e.Value} {
		if value != "" {
			query.Set(name, value)
		}
	}
	return "/sites/" + url.PathEscape(site) + "/ignore?" + query.Encode()
}

// canIgnore reports whether the caller may ignore findings.
func (v *resultFrame) canIgnore() bool { return v.IsOwner && !v.Public }

// ignoredHref returns the address of what is ignored on the site, or "" for those who may not see it.
func (v *resultFrame) ignoredHref() string {
	if v.caller.role < roleReader || v.Public {
		return ""
	}
	return "/sites/" + url.PathEscape(v.Crawl.Site) + "/ignored"
}
