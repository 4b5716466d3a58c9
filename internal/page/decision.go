package page

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/crawl/render"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/format"
)

// Waiting is the decision about a URL that the crawl has not visited yet.
const Waiting crawl.Reason = "waiting"

// DecisionOf returns the reason of a record, or Waiting.
func DecisionOf(r *crawl.Record) crawl.Reason {
	if !r.Fetched && r.Link.Reason == crawl.ReasonListed {
		return Waiting
	}
	return r.Reason()
}

// Decision returns what the crawl decided about the URL: the reason against listing it, or Waiting.
func (p *Page) Decision() crawl.Reason { return DecisionOf(&p.Record) }

// Detail returns the evidence for the decision.
func (p *Page) Detail() crawl.Detail {
	if p.Fetched {
		return p.Page.Detail
	}
	return p.Link.Detail
}

// IsListed reports whether a URL is in the sitemap.
func IsListed(r *crawl.Record) bool {
	reason := r.Reason()
	return reason == crawl.ReasonAdded || r.Fetched && reason == crawl.ReasonListed
}

// IsRequested reports whether a URL was requested, for itself or to check links to it.
func IsRequested(r *crawl.Record) bool {
	return r.Requested() || r.Fetched && r.Link.Role != crawl.RolePage
}

// IsOnSite reports whether a URL is, or could be, a page of the site. Folders count these.
func IsOnSite(r *crawl.Record) bool {
	reason := r.Reason()
	return r.Link.Role == crawl.RolePage && reason != crawl.ReasonOutOfScope && reason != crawl.ReasonNotAPage &&
		!r.Link.OnlyEarlier()
}

// IsFollowable reports whether visitors follow a link of a kind, or the page needs what it leads to. Only these count
// as links.
func IsFollowable(kind crawl.EdgeKind) bool {
	switch kind {
	case crawl.EdgeCanonical, crawl.EdgeAlternate, crawl.EdgeFeed, crawl.EdgePagination, crawl.EdgeRelated, crawl.EdgeData:
		return false
	}
	return true
}

// An Explanation explains a decision to the owner of a site.
type Explanation struct {
	Reason   crawl.Reason
	Name     string // for headings
	Brief    string // follows the number of URLs
	Plural   string // sentence about several URLs
	Singular string // sentence about one URL
	Tone     string // style: good, bad, warn or empty
}

// A decisionTone is a decision with the style of its URLs.
type decisionTone struct {
	reason crawl.Reason
	tone   string
}

// decisions are all decisions, the most important first.
var decisions = []decisionTone{
	{crawl.ReasonListed, "good"}, {crawl.ReasonAdded, "good"}, {crawl.ReasonClientError, "bad"},
	{crawl.ReasonServerError, "bad"}, {crawl.ReasonUnreachable, "bad"}, {crawl.ReasonRedirectLoop, "bad"},
	{crawl.ReasonSoft404, "bad"}, {crawl.ReasonInconclusive, "warn"}, {crawl.ReasonRedirect, "warn"},
	{crawl.ReasonCanonical, ""}, {crawl.ReasonNoIndex, ""}, {crawl.ReasonRobots, ""}, {crawl.ReasonUnlinked, "warn"},
	{crawl.ReasonNofollow, ""},
	{crawl.ReasonDuplicate, ""}, {crawl.ReasonParameterVariant, ""}, {crawl.ReasonTrap, "warn"},
	{crawl.ReasonLimit, "warn"}, {crawl.ReasonTooLarge, "warn"}, {crawl.ReasonUnlistable, "warn"},
	{crawl.ReasonExcluded, ""}, {crawl.ReasonNoList, ""}, {crawl.ReasonNotAPage, ""}, {crawl.ReasonOutOfScope, ""},
	{Waiting, "warn"},
}

// Decisions returns all decisions, the most important first.
func Decisions() (all []crawl.Reason) {
	for i := range decisions {
		all = append(all, decisions[i].reason)
	}
	return all
}

// Explain returns the explanation of a decision in the language of a catalog. The texts of an unknown one, which only
// another program can have written, are its name in printable form.
func Explain(c *catalog.Catalog, reason crawl.Reason) Explanation {
	at := slices.IndexFunc(decisions, func(d decisionTone) bool { return d.reason == reason })
	if at < 0 {
		name := format.Printable(string(reason))
		return Explanation{Reason: reason, Name: name, Brief: name, Plural: name, Singular: name}
	}
	key := "reason." + DecisionName(reason)
	return Explanation{
		Reason: reason, Name: c.Text(key + ".name"), Brief: c.Text(key + ".brief"),
		Plural: c.Text(key + ".plural"), Singular: c.Text(key + ".singular"), Tone: decisions[at].tone,
	}
}

// decisionNames returns the names of all decisions, the most important first.
func decisionNames() (names []string) {
	for i := range decisions {
		names = append(names, DecisionName(decisions[i].reason))
	}
	return names
}

// decisionOrder returns the SQL expression of the rank of a decision.
func decisionOrder() string {
	var cases strings.Builder
	for rank, name := range decisionNames() {
		fmt.Fprintf(&cases, " when '%s' then %d", name, rank)
	}
	return fmt.Sprintf("case n.decision%s else %d end", cases.String(), len(decisions))
}

// Explanations returns the explanations of the decisions of a crawl that has ended, the most important first.
func Explanations(c *catalog.Catalog) (all []Explanation) {
	for _, decision := range Decisions() {
		if decision != Waiting {
			all = append(all, Explain(c, decision))
		}
	}
	return all
}

// listedName is the name of crawl.ReasonListed, which is empty.
const listedName = "listed"

// DecisionName returns the name of a decision for programs.
func DecisionName(reason crawl.Reason) string {
	if reason == crawl.ReasonListed {
		return listedName
	}
	return string(reason)
}

// DecisionNamed returns the decision with a name.
func DecisionNamed(name string) crawl.Reason {
	if name == listedName {
		return crawl.ReasonListed
	}
	return crawl.Reason(name)
}

// StatusName returns a status with its usual text in the language of a catalog, or "" without a response.
func StatusName(c *catalog.Catalog, status int) string {
	if status == 0 {
		return ""
	}
	return c.Status(status, http.StatusText(status))
}

// DetailText returns a detail of a page in the language of a catalog. That of a status is what the status means.
func DetailText(c *catalog.Catalog, p *Page, detail crawl.Detail) string {
	code, arguments := detail.Split()
	if crawl.Detail(code) == crawl.DetailStatus {
		return strings.TrimLeft(StatusName(c, p.Page.Status), "0123456789, ")
	}
	return c.Detail(code, arguments)
}

// roles are the names of roles.
var roles = [...]string{crawl.RolePage: "page", crawl.RoleAsset: "asset", crawl.RoleExternal: "external"}

// seedNames are the names of the bits of crawl.SeedSource.
var seedNames = []string{"start", "sitemap", "list", "log", "earlier"}

// namesOf returns the names of the bits of a set.
func namesOf(bits int64, names []string) (of []string) {
	for i, name := range names {
		if bits&(1<<i) != 0 {
			of = append(of, name)
		}
	}
	return of
}

// RenderedText says whether a page was rendered, and why, in the language of a catalog. It returns "" unless the crawl
// decided.
func RenderedText(c *catalog.Catalog, reason render.Reason, rendered *crawl.Rendered) string {
	if reason == "" {
		return ""
	}
	why := c.Text("render-reason." + string(reason))
	switch {
	case rendered.Inconclusive():
		return c.Text("rendered.failed", why, format.Plain(c.Detail(rendered.Failure.Split())))
	case rendered.Done() && rendered.Lacking != "":
		return c.Text("rendered.lacking", why, format.Plain(c.Detail(rendered.Lacking.Split())))
	case rendered.Done():
		return c.Text("rendered.yes", why)
	}
	return c.Text("rendered.no", why)
}
