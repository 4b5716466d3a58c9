package service

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/report"
)

// A noticeText is a notification for people. What the site wrote cannot control a terminal,
// and addresses are decoded.
type noticeText struct {
	title string
	link  string // of the result on the server, or empty
	url   string
	lines []string
}

// maxNoticeTitle is the longest text of a page in a notification, in characters.
const maxNoticeTitle = 120

// textOf words a notification.
func textOf(c *catalog.Catalog, n *Notification) *noticeText {
	t := &noticeText{title: titleOf(c, n), link: n.Link, url: readable(n.URL)}
	if n.Kind == NoticeTest {
		t.lines = []string{c.Text("mail.test.text")}
		return t
	}
	if n.Sign != "" {
		t.add(c.Text("mail.sign", report.NewSignText(c, n.Sign).Name), "")
	}
	if len(n.Changes) > 0 {
		t.addFirst(c, n)
	} else {
		t.add(c.Text("mail.counts", c.Plural("web.pages", n.Counts.Pages), c.Count(n.Counts.Listed),
			c.Plural("web.broken", n.Counts.Broken)))
	}
	if n.Counts.Ignored > 0 {
		t.add(c.Plural("verdict.ignored", n.Counts.Ignored))
	}
	if n.Failure != nil {
		t.add("", ExplainFailure(c, n.Failure.Code), format.Printable(n.Failure.Text))
	}
	if len(n.Losses) > 0 {
		t.add("")
	}
	for i := range n.Losses {
		t.add(report.LossSentence(c, &n.Losses[i]))
	}
	return t
}

// titleOf returns the subject of a notification.
func titleOf(c *catalog.Catalog, n *Notification) string {
	site := format.Printable(n.Site)
	switch n.Kind {
	case NoticeChanged:
		var parts []report.ChangePart
		for i := range n.Changes {
			parts = append(parts, n.Changes[i].ChangePart)
		}
		return report.ChangeSentence(c, parts) + ": " + site
	case NoticeRefused:
		return c.Text("mail.refused", site)
	case NoticeTest:
		return c.Text("mail.test", site)
	}
	return c.Text("mail.failed", site)
}

// readable returns a URL for people, decoded as browsers show it.
func readable(url string) string { return format.Printable(format.ReadableURL(url)) }

func (t *noticeText) add(lines ...string) { t.lines = append(t.lines, lines...) }

func titleText(title string) string { return format.Printable(format.Truncate(title, maxNoticeTitle)) }

// maxNoticePages is how many pages people read of in a message.
const maxNoticePages = 5

// addFirst adds the first pages of the worst change, and where the others are.
func (t *noticeText) addFirst(c *catalog.Catalog, n *Notification) {
	first := &n.Changes[0]
	shown := 0
	for i := range first.Pages[:min(len(first.Pages), maxNoticePages)] {
		t.addPage(c, &first.Pages[i])
		shown += max(first.Pages[i].Pages, 1)
	}
	t.addRest(c, first.Count, shown)
	if n.Link != "" {
		t.link = n.Link + "/changes?kind=" + string(first.Kind)
	}
}

// addPage adds a page that changed, and the page to edit.
func (t *noticeText) addPage(c *catalog.Catalog, page *NoticePage) {
	what := readable(page.URL)
	switch {
	case page.Pages > 0:
		what += " (" + c.Plural("web.pages", int64(page.Pages)) + ")"
	case page.Status >= http.StatusBadRequest:
		what = strconv.Itoa(page.Status) + "  " + what
	case page.MovedTo != "":
		what += " → " + readable(page.MovedTo)
	case page.Reason != "":
		what += "  " + report.DecisionName(c, page.Reason)
	case page.Title != "":
		what += "  " + titleText(page.Title)
	}
	t.add(what)
	for i := range page.Facts {
		if fact := &page.Facts[i]; !fact.IsAnswer() {
			t.add("     " + report.FactText(c, fact, "→"))
		}
	}
	if page.On == "" || page.Status < http.StatusBadRequest {
		return
	}
	on := c.Text("mail.on", readable(page.On))
	if page.LinkText != "" {
		on = c.Text("mail.on.link", readable(page.On), titleText(page.LinkText))
	}
	if more := page.Linked - 1; more > 0 {
		on += " " + c.Plural("mail.on.more", int64(more))
	}
	t.add("     " + on)
}

// addRest adds how many of a list are not named.
func (t *noticeText) addRest(c *catalog.Catalog, count, named int) {
	if rest := count - named; rest > 0 {
		t.add(c.Plural("mail.more", int64(rest)))
	}
}

// mail returns the text of an e-mail.
func (t *noticeText) mail() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n", t.title)
	if t.link != "" {
		fmt.Fprintln(&b, t.link)
	}
	fmt.Fprintln(&b, t.url)
	for _, line := range t.lines {
		fmt.Fprintln(&b, line)
	}
	return b.String()
}
