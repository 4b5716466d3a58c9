package insight

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/store"
	"github.com/mapatools/mapa/lint"
)

// A Finding is a place where a rule is broken: a page, or a link of a page to another URL.
type Finding struct {
	Rule     *lint.Rule
	Severity lint.Severity
	// Page is the URL concerned, and Other another one, such as the target of a link or the
	// first page of a group. They are 0 without one.
	Page, Other crawl.ID
	// Fragment is that of a link to Other, where it matters.
	Fragment string
	// URL and OtherURL are these URLs, OtherURL with the fragment. [Judge] leaves them empty.
	URL, OtherURL string
	// Count is how many links, images or pages the finding is about, at least 1.
	Count int
	// File is the sitemap, in findings about that. Source is the file to edit, where that is known: the one with
	// the link in what the site is built from, or that of the page in the folder that was crawled. Position is
	// where in the sitemap or in the file with the link, or else where in the page the link begins.
	File, Source string
	crawl.Position
	// Message is the code of the message; empty is that of the rule.
	Message string
	// Arguments are the numbers, URLs and codes in the message.
	Arguments Arguments
	// Alike is equal for findings that are alike: [Group] returns them as one. [Judge] leaves it empty.
	Alike int64
	// Places is how many findings a group has, and First are some of its pages.
	Places int
	First  []Place
	// NewURL is where the target of the links has moved permanently, and Fingerprint identifies the finding across
	// crawls. Lists of findings have them.
	NewURL, Fingerprint string

	template uint32 // of the page in what Judge finds: equal for pages whose URLs have the same pattern
}

// A findingJSON is a finding as every output has it in JSON.
type findingJSON struct {
	Rule     string        `json:"rule"`
	Severity lint.Severity `json:"severity"`
	URL      string        `json:"url,omitempty"`   // of the first page
	Other    string        `json:"other,omitempty"` // another URL, with the fragment of a link
	OtherID  crawl.ID      `json:"other_id,omitempty"`
	Pages    int           `json:"pages"`
	Count    int           `json:"count"`           // links, images or pages that it is about
	First    []Place       `json:"first,omitempty"` // the first pages, of findings that are alike
	Args     Arguments     `json:"args,omitempty"`
	Message  string        `json:"message"`
	NewURL   string        `json:"new_url,omitempty"`
	File     string        `json:"file,omitempty"` // to edit, or the sitemap
	crawl.Position
}

// MarshalJSON writes the finding for programs, with its message in English.
func (f Finding) MarshalJSON() ([]byte, error) {
	return f.AppendJSON(nil, catalog.For(catalog.English))
}

// AppendJSON appends what MarshalJSON writes, with its message in the language of a catalog.
func (f *Finding) AppendJSON(to []byte, c *catalog.Catalog) ([]byte, error) {
	object := findingJSON{
		Rule: f.Rule.ID, Severity: f.Severity, Message: f.Text(c), URL: f.URL, Position: f.Position, NewURL: f.NewURL,
		Pages: f.Places, Count: f.Count, First: f.First, File: cmp.Or(f.Source, f.File), Args: f.Arguments,
	}
	if f.HasOther() {
		object.Other, object.OtherID = f.OtherURL, f.Other
	}
	return format.AppendJSON(to, &object)
}

// A Place is a page with a finding.
type Place struct {
	ID   crawl.ID `json:"id"`
	URL  string   `json:"url"`
	Text string   `json:"text,omitempty"` // of the link, in rules about the target of a link
	crawl.Position
}

// Place returns the page of a finding, with the text of its link.
func (f *Finding) Place() Place {
	p := Place{ID: f.Page, URL: f.URL, Position: f.Position}
	hasText := f.Other > 0 && (f.Rule.ID == ruleBroken || f.Rule.ID == ruleAnchor)
	if last := len(f.Arguments) - 1; hasText && last >= 0 {
		p.Text, _ = f.Arguments[last].(string) // a link without text has another argument
	}
	return p
}

// HasOther reports whether the finding is about another URL than its page, or about an anchor of
// the page itself.
func (f *Finding) HasOther() bool { return f.Other > 0 && (f.Other != f.Page || f.Fragment != "") }

// Why returns the argument that says why a URL cannot be used.
func (f *Finding) Why() (why Why) {
	for _, argument := range f.Arguments {
		if is, found := argument.(Why); found {
			why = is
		}
	}
	return why
}

// minTemplate is how many pages have something at least that is said to be in their template.
const minTemplate = 3

// TemplatePages returns how many pages have a finding at least that most of the pages of a crawl have.
func TemplatePages(pages int) int { return max(minTemplate, pages/2+1) }

// InTemplate reports whether most of the pages of a crawl have the finding.
func (f *Finding) InTemplate(pages int) bool { return f.Places >= TemplatePages(pages) }

// RedirectEnd returns the broken URL that a link leads to through a redirect.
func (f *Finding) RedirectEnd() (url string, is bool) {
	if f.Message != MessageRedirected || len(f.Arguments) == 0 {
		return "", false
	}
	url, is = f.Arguments[0].(string)
	return url, is
}

// PageToEdit returns the URL of a page with what is wrong: of a redirect the first page that links
// to it.
func (f *Finding) PageToEdit() string {
	if n := len(f.Arguments); strings.HasPrefix(f.Rule.ID, "redirect-") && f.Message == "" && n > 0 {
		if from, is := f.Arguments[n-1].(string); is {
			return from
		}
	}
	return f.URL
}

// FingerprintAt identifies a finding across crawls, also of a site that is served at another
// origin the next time.
func (f *Finding) FingerprintAt(origin string) string {
	hash := sha256.New()
	page, other := strings.TrimPrefix(f.URL, origin), strings.TrimPrefix(f.OtherURL, origin)
	for _, part := range []string{f.Rule.ID, f.File, page, other} {
		hash.Write([]byte(part))
		hash.Write([]byte{0})
	}
	return hex.EncodeToString(hash.Sum(nil)[:16])
}

// Text returns what is wrong, in the language of a catalog: one line without a full stop.
func (f *Finding) Text(c *catalog.Catalog) string {
	var values []any
	if f.OtherURL != "" && f.Rule.Subject != lint.SubjectSitemap {
		values = append(values, format.Printable(format.ReadableURL(f.OtherURL)))
	}
	values = append(values, f.Arguments.in(c)...)
	return c.Message(cmp.Or(f.Message, "rule."+f.Rule.ID+".found"), values)
}

// record returns the finding as the crawl file has it.
func (f *Finding) record() (r store.Finding, err error) {
	r = store.Finding{
		Rule: f.Rule.ID, Severity: f.Severity.String(), Page: f.Page, Other: f.Other, Count: f.Count,
		Fragment: f.Fragment, File: f.File, Line: f.Line, Column: f.Column, Message: f.Message,
	}
	if len(f.Arguments) > 0 {
		var text []byte
		text, err = f.Arguments.MarshalJSON()
		r.Arguments = string(text)
	}
	r.Alike = alike(&r, f.template)
	return r, err
}

// linkRuleIDs are the rules about links that count problems, not pages: one target, or one vague text,
// is one problem, however many pages have it.
var linkRuleIDs = []string{
	ruleBroken, "link-inconclusive", "link-localhost", "link-no-text", ruleVague, ruleAnchor,
}

// twinRules are the rules about pages that are like another one, which is the first of them. The finding
// about the first itself has a message of its own.
var twinRules = []string{"duplicate-content", "near-duplicate"}

// alike returns a number that is equal for findings that are shown as one: those with the same
// evidence on pages of one template or, of the rules about links, those about the same target or text.
func alike(r *store.Finding, template uint32) int64 {
	switch {
	case r.Rule == ruleVague:
		return int64(hashText(r.Rule, r.Severity, r.Arguments))
	case slices.Contains(linkRuleIDs, r.Rule) && r.Other == 0:
		return int64(hashText(r.Rule, r.Severity, number(int64(r.Page)), r.Message, r.Arguments))
	case slices.Contains(linkRuleIDs, r.Rule):
		return int64(hashText(r.Rule, r.Severity, number(int64(cmp.Or(r.Other, r.Page))), r.Fragment))
	}
	return int64(hashText(r.Rule, r.Severity, number(int64(template)), number(int64(r.Other)), r.Fragment, r.File,
		r.Message, r.Arguments))
}

func number(n int64) string { return strconv.FormatInt(n, 10) }

// findingOf reads what record returned.
func findingOf(r *store.Finding, rules map[string]*lint.Rule) (f Finding, err error) {
	f = Finding{Page: r.Page, Other: r.Other, Fragment: r.Fragment, URL: r.URL, OtherURL: r.OtherURL, Count: r.Count,
		Message: r.Message, File: r.File, Position: crawl.Position{Line: r.Line, Column: r.Column},
		Places: 1, Alike: r.Alike}
	if f.Fragment != "" {
		f.OtherURL += "#" + f.Fragment
	}
	if r.Other == r.Page && slices.Contains(twinRules, r.Rule) {
		f.Other, f.OtherURL, f.Message = 0, "", "rule."+r.Rule+".first"
	}
	if f.Rule = rules[r.Rule]; f.Rule == nil {
		f.Rule, err = lint.LookupRule(r.Rule)
		rules[r.Rule] = f.Rule
	}
	if err == nil {
		err = f.Severity.UnmarshalText([]byte(r.Severity))
	}
	if err == nil && r.Arguments != "" {
		err = f.Arguments.UnmarshalJSON([]byte(r.Arguments))
	}
	if err != nil {
		return f, fmt.Errorf("read a finding of the crawl: %w", err)
	}
	if len(f.Arguments) > 0 && (f.Message == messageMoved || f.Message == messageListedMoved) {
		f.NewURL, _ = f.Arguments[0].(string)
	}
	return f, nil
}

// ruleRanks are the places of rules in that order, by their IDs.
var ruleRanks = sync.OnceValue(func() map[string]int {
	ranks := map[string]int{}
	for i, id := range ruleOrder() {
		ranks[id] = i
	}
	return ranks
})

// Compare compares findings by the order of [Sections]: by severity, the most severe first, then by rule.
func Compare(a, b Finding) int {
	return cmp.Or(cmp.Compare(b.Severity, a.Severity), ruleRanks()[a.Rule.ID]-ruleRanks()[b.Rule.ID])
}
