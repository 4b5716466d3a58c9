package report

import (
	"cmp"
	"fmt"
	"html/template"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/format"
)

// A view is what the template of the HTML report shows.
type view struct {
	Policy   string
	Style    template.CSS
	Host     string
	Start    string
	Link     bool // Start can be a link
	Program  string
	Time     string // of the last request
	Finished bool
	Headline string
	Tasks    []task
	Figures  []figure
	Reasons  []reasonLine
	Depths   []bar
	Statuses []bar
	Sections []section
	Broken   []*brokenView
	More     int // broken addresses beyond
}

type figure struct {
	Count int
	Name  string
	Kind  string
}

type reasonLine struct {
	Explanation
	Count int
	Share float64 // of the longest bar, in percent
	Kind  string
}

type bar struct {
	Name  string
	Count int
	Share float64
	Kind  string
}

// A section is a part of the report that the script fills.
type section struct {
	ID, Name string
	Count    int
	Text     string
	Note     string // what is not shown
	Kind     string
}

// A brokenView is a dead address with one of the links to it.
type brokenView struct {
	URL, Why, Page string
	More           int // links
}

func (g *gathering) view() *view {
	t := &g.census
	v := &view{
		Policy: crawlPolicy, Style: template.CSS(crawlStyle),
		Start: format.Plain(g.meta.Start), Host: format.Plain(g.meta.Start),
		Program: format.Plain(g.meta.Program), Finished: g.finished,
		Headline: g.headline(), Tasks: g.tasks(), Reasons: g.reasons(), Sections: g.sections(),
		Depths: depthBars(t), Statuses: statusBars(t),
	}
	if start, err := url.Parse(g.meta.Start); err == nil && start.Host != "" && (start.Scheme == "http" || start.Scheme == "https") {
		v.Host, v.Link = format.Plain(start.Host+strings.TrimSuffix(start.Path, "/")), true
	}
	if !t.last.IsZero() {
		v.Time = t.last.UTC().Format("2 January 2006, 15:04 UTC")
	}
	v.Figures = []figure{
		{t.pages, "pages visited", ""},
		{t.listed, "for the sitemap", "good"},
		{g.dead, "broken addresses", kindIf(g.dead > 0, "bad")},
		{t.reasons[crawl.ReasonRedirect], "redirects", kindIf(t.redirects > 0, "warn")},
	}
	for _, end := range g.ends.addresses[:min(5, len(g.ends.addresses))] {
		v.Broken = append(v.Broken, &brokenView{g.url(end.target), end.why, g.url(end.sources[0].page), end.total - 1})
	}
	v.More = g.ends.dead - len(v.Broken)
	return v
}

func kindIf(is bool, kind string) string {
	if is {
		return kind
	}
	return ""
}

// url is an address as people read it: without the origin of the start.
func (g *gathering) url(id crawl.ID) string {
	if at := g.shelf.number(id); at > 0 {
		address := g.shelf.rows[at-1].url
		if path, inside := strings.CutPrefix(address, g.origin()); inside && strings.HasPrefix(path, "/") {
			return path
		}
		return address
	}
	return ""
}

func (g *gathering) headline() string {
	listed := g.census.listed
	switch {
	case g.ends.links == 0 && g.ends.anchors == 0:
		return fmt.Sprintf("%s for your sitemap, no broken links.", format.Plural(listed, "page"))
	case g.ends.links == 0:
		return fmt.Sprintf("%s for your sitemap, %s to a missing place.", format.Plural(listed, "page"), format.Plural(g.ends.anchors, "link"))
	}
	return fmt.Sprintf("%s for your sitemap, %s to mend.", format.Plural(listed, "page"), format.Plural(g.ends.links, "broken link"))
}

// kinds says how the addresses of a reason are drawn.
var kinds = map[crawl.Reason]string{
	crawl.ReasonListed: "good", crawl.ReasonAdded: "good",
	crawl.ReasonClientError: "bad", crawl.ReasonServerError: "bad", crawl.ReasonUnreachable: "bad", crawl.ReasonRedirectLoop: "bad", crawl.ReasonSoft404: "bad",
	crawl.ReasonInconclusive: "warn", crawl.ReasonRedirect: "warn", crawl.ReasonTrap: "warn", crawl.ReasonLimit: "warn", crawl.ReasonTooLarge: "warn", Waiting: "warn",
}

// reasons returns the reasons that occur, with how they are drawn.
func (g *gathering) reasons() []reasonLine {
	most := 0
	for _, count := range g.census.reasons {
		most = max(most, count)
	}
	var lines []reasonLine
	for _, line := range inOrder(g.census.reasons) {
		lines = append(lines, reasonLine{line.Explanation, line.Count, share(line.Count, most), kinds[line.Reason]})
	}
	return lines
}

func share(count, most int) float64 {
	if most == 0 {
		return 0
	}
	return max(0.5, 100*float64(count)/float64(most))
}

func depthBars(t *census) []bar {
	var bars []bar
	last := len(t.depths)
	for last > 0 && t.depths[last-1] == 0 {
		last--
	}
	most := max(t.far, slices.Max(t.depths))
	for depth, count := range t.depths[:last] {
		name := strconv.Itoa(depth)
		switch depth {
		case 0:
			name = "start"
		case deepest:
			name += " and more"
		}
		bars = append(bars, bar{name, count, share(count, most), ""})
	}
	if t.far > 0 {
		bars = append(bars, bar{"not linked", t.far, share(t.far, most), "warn"})
	}
	return bars
}

func statusBars(t *census) []bar {
	var bars []bar
	most := 0
	for _, count := range t.statuses {
		most = max(most, count)
	}
	for _, status := range slices.Sorted(maps.Keys(t.statuses)) {
		name, kind := strings.TrimSpace(strconv.Itoa(status)+" "+http.StatusText(status)), ""
		switch {
		case status == 0:
			name = "no answer"
		case status < 300:
			kind = "good"
		case status < 400:
			kind = "warn"
		default:
			kind = "bad"
		}
		bars = append(bars, bar{name, t.statuses[status], share(t.statuses[status], most), kind})
	}
	return bars
}

// sections are the parts of the report, in the order of the navigation.
func (g *gathering) sections() []section {
	t := &g.census
	broken, redirects := cmp.Or(g.ends.links, g.ends.anchors), t.reasons[crawl.ReasonRedirect]+t.reasons[crawl.ReasonRedirectLoop]
	twins := t.reasons[crawl.ReasonDuplicate] + t.reasons[crawl.ReasonParameterVariant]
	rest, groups := g.restNote(), g.groupNote()
	return []section{
		{"broken", "Broken links", broken, "Where links lead nowhere, and the pages that hold them.", g.brokenNote(), "bad"},
		{"redirects", "Redirects", redirects, "Addresses that lead on to another one, and every step until they end.", rest, "warn"},
		{"addresses", "Every address", t.addresses, "What was decided about each address, and why.", rest, ""},
		{"duplicates", "Duplicates", g.alike.contents + twins, "Listed pages whose main content is the same, and pages that were left out since they are another one byte for byte.", groups, ""},
		{"titles", "Titles", g.alike.titles + t.untitled, "Listed pages without a title, or with the title of another page.", groups, ""},
		{"speed", "Slow and heavy", t.slow + t.heavy, "How long pages took and how large they are, inflated.", rest, ""},
		{"gaps", "Orphans and gaps", t.gaps.total(), gapsText(&t.gaps), rest, "warn"},
		{"languages", "Languages", t.languages.total, "Faults of the language versions that pages name (hreflang).", g.languageNote(), "warn"},
		{"canonical", "Canonical", t.reasons[crawl.ReasonCanonical] + t.torn, "Pages that name another one as the page to list, and pages that name two.", rest, ""},
		{"tree", "Folders", t.tree.folders, "Addresses by the folders of their paths.", g.treeNote(), ""},
	}
}

// The notes say what of a list is not shown; they are empty where all is.

func (g *gathering) restNote() string {
	missing := 0
	for _, n := range g.shelf.missing {
		missing += n
	}
	if missing == 0 {
		return ""
	}
	return fmt.Sprintf("%s of %s found no room on this page. All are in the output of mapa report --format csv or jsonl.",
		format.Count(missing), format.Plural(g.census.addresses, "address"))
}

func (g *gathering) brokenNote() string {
	if g.ends.dead <= len(g.ends.addresses) && g.ends.missing <= len(g.ends.places) {
		return ""
	}
	return fmt.Sprintf("%s of each kind are shown. All are in broken.csv.", format.Count(mostDeadEnds))
}

func (g *gathering) groupNote() string {
	if len(g.titles) <= mostGroups && len(g.contents) <= mostGroups {
		return ""
	}
	return fmt.Sprintf("The %s largest groups are shown.", format.Count(mostGroups))
}

func (g *gathering) languageNote() string {
	found := &g.census.languages
	if found.total <= len(found.findings) {
		return ""
	}
	return fmt.Sprintf("The first %s of %s faults are shown.", format.Count(mostFaults), format.Count(found.total))
}

func (g *gathering) treeNote() string {
	if g.census.tree.folders < mostFolders {
		return ""
	}
	return fmt.Sprintf("%s folders are told apart. What lies in others counts for the folder above them.", format.Count(mostFolders))
}

func gapsText(g *gaps) string {
	if g.named == 0 {
		return "No sitemap, list or log named an address, so there is nothing to compare with the links."
	}
	return "What sitemaps, lists and logs name, compared with what the crawl found by links."
}

func percent(share float64) string { return strconv.FormatFloat(share, 'f', 1, 64) }
