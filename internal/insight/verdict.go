package insight

import (
	"cmp"
	"net/http"
	"slices"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/extract"
	"github.com/mapatools/mapa/internal/store"
	"github.com/mapatools/mapa/lint"
)

// A Kind is what a crawl amounts to. The names are stable.
type Kind string

// The kinds, the best first.
const (
	Ready    Kind = "ready"               // every page that should be listed is, and nothing is to be fixed
	Problems Kind = "ready-with-problems" // the sitemap is right; the site has errors or warnings
	Partial  Kind = "partial"             // pages are missing because the crawl ended early
	Unusable Kind = "not-usable"          // the sitemap is empty, or not that of the site
)

// A Verdict says what a crawl means: one kind, one cause and one action.
type Verdict struct {
	Kind Kind `json:"kind"`
	// Cause is the ID of the site rule that decides, or empty. Arguments are those of its message.
	Cause     string    `json:"cause,omitempty"`
	Arguments Arguments `json:"arguments,omitempty"`
	// Action says what would help.
	Action Action `json:"action"`

	Listed int `json:"listed"` // pages in the sitemap
	// The numbers of what was found, by severity, and by the IDs of the rules that were
	// applied. A broken URL is one, however many pages link to it. Rules that the crawl says
	// nothing about are not applied, such as orphan while URLs wait.
	Errors   int            `json:"errors"`
	Warnings int            `json:"warnings"`
	Infos    int            `json:"infos"`
	Rules    map[string]int `json:"rules"`
	// Ignored is how many more there are that somebody ignores.
	Ignored int `json:"ignored,omitempty"`

	next Action // without the cause; only what Judge returns has it
}

// Broken returns the number of broken URLs: those that pages link to, and those that only a sitemap,
// a list or a log names. Summaries, lists and notifications show this number.
func (v *Verdict) Broken() int { return v.Rules[ruleBroken] }

// An Action is what a person does next. The names are stable; the front ends have a command, a
// button or a sentence for each.
type Action string

// The actions.
const (
	ActionUpload     Action = "upload"      // the sitemap, and name it in robots.txt
	ActionAnnounce   Action = "announce"    // a sitemap that is published
	ActionNone       Action = "none"        // as for a site of this machine
	ActionGiven      Action = "given-pages" // none: the sitemap is not that of the site
	ActionContinue   Action = "continue"    // the crawl
	ActionRaiseLimit Action = "raise-limit" // that the user set
	ActionLogIn      Action = "log-in"      // with a name and password, or a cookie
	ActionBaseURL    Action = "base-url"    // the first argument is the public address
	ActionCrawlOther Action = "crawl-other" // the first argument is the site
	ActionRender     Action = "render"      // in a browser, or let the server send the text of its pages
	ActionSendText   Action = "send-text"   // let the server send the text of its pages
	ActionIndex      Action = "index"       // remove noindex, or ignore the header of a preview
	ActionRobots     Action = "robots"      // change robots.txt, or ignore it as the owner
	ActionCleanURLs  Action = "clean-urls"  // serve NAME.html at /NAME
	ActionFixStart   Action = "fix-start"   // the start page, or its address
	ActionFixPages   Action = "fix-pages"   // what keeps them out of the sitemap
	ActionFixSitemap Action = "fix-sitemap" // that robots.txt names
	ActionUseSitemap Action = "use-sitemap" // the first argument is its URL
	ActionPublish    Action = "publish"     // in spite of the refusal, after a look

	ActionListOrphans Action = "list-orphans" // or link to them
	ActionRenderMenu  Action = "render-menu"  // whose links only scripts write, or list the orphans
)

// An End is how a crawl ended and what became of its sitemap.
type End struct {
	Limit   string // that ended it, or LimitNone
	Cut     bool   // it was interrupted, or the site stopped answering
	Refused string // why the sitemap was not replaced, or empty
	// Unrendered is why pages wait to be rendered; empty unless that ended the crawl.
	Unrendered crawl.Detail
	Published  bool // the sitemap is where visitors find it
	Folder     bool // a folder of files was crawled
	Unreached  int  // pages of the folder that no followed link reaches
	ScriptMenu bool // a script of the start page names one of them

	CleanOrphans int       // of them, those that links name without .html
	BaseURL      bool      // its URLs are those of a host that was not asked
	Sitemaps     []Sitemap // that the crawl looked at
	Agents       Agents
	// Documents says that the pages are documents whose links are edited one by one: each has findings of its own,
	// and permanent redirects of other sites are findings too.
	Documents bool
	// Combine takes a broken link, or one to a missing anchor, by its page, its target, its place and the severity of
	// the finding. It reports whether to leave the link out: it is not decided, or one finding with others. It may
	// be nil.
	Combine func(page, to crawl.ID, at crawl.Position, severity lint.Severity) bool

	Previous *store.File // the crawl before; nil without one
}

// A cause is a site rule that is broken.
type cause struct {
	rule      string
	unusable  bool // the sitemap is not that of the site
	partial   bool // pages are missing because the crawl ended early
	fallback  bool // it is no cause where another one decides
	isCopy    bool // what is crawled is a copy of a public site: this comes before other causes
	action    Action
	arguments Arguments
}

// decides reports whether the sitemap cannot be used because of the cause.
func (c cause) decides() bool { return c.unusable }

// causeKinds are the kinds of a verdict with a cause, by its rank.
var causeKinds = [...]Kind{Problems, Partial, Unusable}

func (c *cause) rank() int {
	switch {
	case c.unusable:
		return 2
	case c.partial:
		return 1
	}
	return 0
}

// judgeSite reports the site rules that are broken, and returns the verdict.
func (j *judge) judgeSite() (*Verdict, error) {
	v := &Verdict{Kind: Ready, Listed: j.totals.Listed, Rules: map[string]int{}}
	for id := range j.rules.byID {
		v.Rules[id] = 0
	}
	causes, err := j.causes()
	if err != nil {
		return nil, err
	}
	var first *cause
	worst := 0
	for i := range causes {
		one := &causes[i]
		if rule := j.rules.rule(one.rule); rule != nil {
			severity := rule.Severity
			if one.unusable {
				severity = rule.Escalated
			}
			j.report(rule, severity, 1, 0, 1, one.arguments...)
		}
		worst = max(worst, one.rank())
		if first == nil || !first.isCopy && (one.isCopy || one.rank() > first.rank()) {
			first = one
		}
	}
	switch {
	case first != nil:
		v.Kind, v.Cause, v.Arguments, v.Action = causeKinds[worst], first.rule, first.arguments, first.action
	case j.totals.problems > 0:
		v.Kind = Problems
	}
	v.next = j.nextAction()
	v.Action = cmp.Or(v.Action, v.next)
	return v, j.failed
}

// nextAction returns what comes after a sitemap that can be used.
func (j *judge) nextAction() Action {
	switch {
	case j.crawled.Meta().OnlySeeds:
		return ActionGiven
	case j.end.Published:
		return ActionAnnounce
	case j.urls.has(1, isPrivate):
		return ActionNone
	}
	return ActionUpload
}

// causes returns the site rules that are broken, the most severe first.
func (j *judge) causes() (all []cause, err error) {
	for _, find := range []func() (*cause, error){
		j.unrendered, j.loginWall, j.unreached, j.startFault, j.script, j.otherHost, j.noIndex, j.softMissing, j.blocked,
		j.fewListed, j.refused, j.endedEarly, j.cleanURLs,
	} {
		one, err := find()
		if err != nil {
			return nil, err
		}
		if one != nil && !(one.fallback && slices.ContainsFunc(all, cause.decides)) {
			all = append(all, *one)
		}
	}
	return append(all, sitemapCauses(j.end)...), nil
}

// isMost reports whether n is at least nine of ten.
func isMost(n, of int) bool { return n > 0 && n*10 >= of*9 }

// onlyStart reports whether the start page is the only page that answered.
func (t *Totals) onlyStart() bool { return t.start != nil && t.fetched <= 1 }

// startFault reports a start page that cannot be used.
func (j *judge) startFault() (*cause, error) {
	t := &j.totals
	if t.start == nil || t.fetched > 1 {
		return nil, nil
	}
	switch page := &t.start.Page; {
	case page.Broken(), page.Reason == crawl.ReasonInconclusive:
		return &cause{
			rule: "site-start-broken", unusable: true, action: ActionFixStart,
			arguments: Arguments{WhyOf(t.start)},
		}, nil
	case page.Status == http.StatusOK && !extract.IsHTML(page.MediaType):
		return &cause{
			rule: "site-start-not-html", unusable: true, action: ActionFixStart,
			arguments: Arguments{page.MediaType},
		}, nil
	case page.Status == http.StatusOK && j.isEmpty(t.start):
		return &cause{rule: "site-start-empty", unusable: true, action: ActionFixStart}, nil
	}
	return nil, nil
}

// isEmpty reports whether a page has neither text nor links nor images.
func (j *judge) isEmpty(r *crawl.Record) bool {
	if r.Page.Size == 0 || r.Page.Facts == nil {
		return r.Page.Size == 0
	}
	return r.Page.Words == 0 && !r.Page.Facts.NeedsScript && r.Page.Facts.Images == 0 && !j.counts.leaves[r.Link.ID]
}

// loginWall reports a site that shows visitors nothing but a form for a password.
func (j *judge) loginWall() (*cause, error) {
	t := &j.totals
	leads := 0
	forms := map[crawl.ID]bool{}
	for _, id := range t.forms {
		forms[id] = true
	}
	for _, one := range j.urls.targets {
		if end, _ := j.urls.follow(one.from); j.urls.has(one.from, isRedirect) && forms[end] {
			leads++
		}
	}
	var start crawl.ID
	if t.start != nil && forms[t.start.Link.ID] {
		start = t.start.Link.ID
	}
	redirected := start > 0 && j.urls.has(1, isRedirect) && isMost(len(forms), t.fetched)
	alone := start > 0 && t.fetched == 1
	if len(forms) == 0 || !redirected && !alone && !isMost(leads, t.redirects+t.fetched-len(forms)) {
		return nil, nil
	}
	action := ActionLogIn
	if j.end.Folder {
		action = ActionFixPages
	}
	link, err := j.crawled.Link(max(start, t.forms[0]))
	return &cause{rule: "site-login", unusable: true, action: action, arguments: Arguments{link.URL}}, err
}

// minScripts is how many pages in a hundred need JavaScript before the verdict counts them.
const minScripts = 10

// unrendered reports pages that wait to be rendered, or that a browser could not render.
func (j *judge) unrendered() (*cause, error) {
	t := &j.totals
	if why := j.end.Unrendered; why != "" {
		return &cause{
			rule: ruleNotRendered, partial: true, action: ActionContinue, arguments: Arguments{t.Waiting, detailText(why)},
		}, nil
	}
	of := t.fetched + t.contentless
	if t.unrendered == 0 || t.unrendered*100 < of*minScripts {
		return nil, nil
	}
	return &cause{
		rule: ruleNotRendered, unusable: isMost(t.unrendered, of), action: ActionFixPages,
		arguments: Arguments{t.unrendered, detailText(t.unrenderedWhy)},
	}, nil
}

// ruleNotRendered is the rule of a site whose pages need a browser that did not do its work.
const ruleNotRendered = "site-not-rendered"

// script reports pages without text or links before scripts run. Where a browser has run them,
// another one would not help.
func (j *judge) script() (*cause, error) {
	t := &j.totals
	if t.scripts*100 < t.fetched*minScripts || t.scripts == 0 {
		return nil, nil
	}
	one := &cause{
		rule: "site-needs-javascript", unusable: isMost(t.scripts, t.fetched), action: ActionRender,
		arguments: Arguments{t.scripts},
	}
	switch {
	case t.renderLimited > 0:
		one.action = ActionRaiseLimit
	case t.rendered > 0:
		one.action = ActionSendText
	}
	return one, nil
}

// noIndex reports a site whose pages ask not to be indexed.
func (j *judge) noIndex() (*cause, error) {
	t := &j.totals
	n := t.reasons[crawl.ReasonNoIndex]
	if !isMost(n, t.fetched) {
		return nil, nil
	}
	return &cause{
		rule: "site-noindex", unusable: true, action: ActionIndex,
		arguments: Arguments{n, t.fetched},
	}, nil
}

// softMissing reports a site that answers 200 with the content of a missing page.
func (j *judge) softMissing() (*cause, error) {
	t := &j.totals
	n := t.reasons[crawl.ReasonSoft404]
	if n == 0 || n*2 < t.fetched {
		return nil, nil
	}
	return &cause{
		rule: "site-soft-404", unusable: isMost(n, t.fetched), action: ActionFixPages,
		arguments: Arguments{n, t.fetched},
	}, nil
}

// blocked reports a robots.txt that leaves nothing to list.
func (j *judge) blocked() (*cause, error) {
	if j.totals.Listed > 0 || j.totals.fetched > 0 || j.totals.blocked == 0 {
		return nil, nil
	}
	return &cause{rule: "site-robots-blocks-all", unusable: true, action: ActionRobots}, nil
}

// chosen are the reasons of pages that the user leaves out.
var chosen = []crawl.Reason{crawl.ReasonListed, crawl.ReasonNoList, crawl.ReasonExcluded}

// ruleFewListed is the rule of a sitemap that lacks most pages for a reason that no other rule
// about the site names.
const ruleFewListed = "site-few-listed"

// fewListed reports a sitemap that lacks most pages for one reason, or all pages. A page whose
// content is listed under another URL is not missing.
func (j *judge) fewListed() (*cause, error) {
	t := &j.totals
	of := t.fetched
	represented := map[crawl.Reason]int{}
	for _, one := range j.urls.targets {
		if j.urls.has(one.to, isListed) {
			switch {
			case j.urls.has(one.from, isCanonical):
				represented[crawl.ReasonCanonical]++
			case j.urls.has(one.from, isCopy):
				represented[crawl.ReasonDuplicate]++
			default:
				continue
			}
			of--
		}
	}
	most, why := 0, crawl.ReasonListed
	for reason, n := range t.reasons {
		missing := n - represented[reason]
		if slices.Contains(chosen, reason) || reason == crawl.ReasonDuplicate || reason == crawl.ReasonParameterVariant {
			continue
		}
		if missing > most || missing == most && reason < why {
			most, why = missing, reason
		}
	}
	if t.Listed > 0 && most*2 <= of || of == 0 || most == 0 {
		return nil, nil
	}
	return &cause{
		rule: ruleFewListed, unusable: t.Listed == 0 || isMost(most, of), fallback: true, action: ActionFixPages,
		arguments: Arguments{t.Listed, t.fetched, most, lint.Text{Code: "reason." + string(why) + ".brief"}},
	}, nil
}

// refused reports a sitemap that was not replaced. One without a page is a fallback: another cause may say
// why the pages are not listed, or URLs wait that may be some.
func (j *judge) refused() (*cause, error) {
	if j.end.Refused == "" || j.totals.Listed == 0 && j.totals.Waiting > 0 {
		return nil, nil
	}
	one := &cause{
		rule: "publish-refused", unusable: true, action: ActionPublish,
		arguments: Arguments{j.end.Refused},
	}
	if j.totals.Listed == 0 {
		one.fallback, one.action = true, ActionFixPages
	}
	return one, nil
}

// endedEarly reports a crawl with URLs left. A finished one has reached a limit.
func (j *judge) endedEarly() (*cause, error) {
	left := j.totals.Waiting + j.totals.Beyond
	if left == 0 || j.end.Unrendered != "" {
		return nil, nil
	}
	one := &cause{rule: "crawl-partial", partial: true, action: ActionContinue, arguments: Arguments{left}}
	if j.totals.Waiting == 0 || j.crawled.Finished() {
		one.action = ActionRaiseLimit
	}
	return one, nil
}

// minCleanURLs is how many broken URLs need the same files before the site is said to need
// clean URLs, and maxCleanURLs how many are looked up.
const minCleanURLs, maxCleanURLs = 3, 200

// cleanURLs reports broken URLs that exist with .html at their j.end.
func (j *judge) cleanURLs() (*cause, error) {
	found, tried := j.end.CleanOrphans, 0
	for id := crawl.ID(1); id <= j.urls.last && tried < maxCleanURLs; id++ {
		if !j.urls.has(id, isBroken|isPage) {
			continue
		}
		tried++
		link, err := j.crawled.Link(id)
		if err != nil {
			return nil, err
		}
		page, known, err := j.crawled.PageByURL(link.URL + ".html")
		if err != nil {
			return nil, err
		}
		if known && page.Page.Status == 200 {
			found++
		}
	}
	if found < minCleanURLs {
		return nil, nil
	}
	return &cause{
		rule: "site-clean-urls", action: ActionCleanURLs,
		arguments: Arguments{found},
	}, nil
}
