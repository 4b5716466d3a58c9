package service

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/format"
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
	t.add(c.Text("mail.counts", c.Plural("web.pages", n.Counts.Pages), c.Count(n.Counts.Listed),
		c.Plural("web.broken", n.Counts.Broken)))
	if n.Failure != nil {
		t.add("", ExplainFailure(c, n.Failure.Code), format.Printable(n.Failure.Text))
	}
	if len(n.Broken) > 0 {
		t.add("")
	}
	for i := range n.Broken {
		t.addBroken(c, &n.Broken[i])
	}
	t.addRest(c, n.NewlyBroken, len(n.Broken))
	t.addPages(c, "mail.new", n.NewPages, n.New)
	t.addPages(c, "mail.gone", n.GonePages, n.Gone)
	t.addPages(c, "mail.retitled", n.RetitledPages, n.Retitled)
	return t
}

// titleOf returns the subject of a notification.
func titleOf(c *catalog.Catalog, n *Notification) string {
	site := format.Printable(n.Site)
	switch n.Kind {
	case NoticeBroken:
		return c.Plural("mail.broken", int64(n.NewlyBroken), site)
	case NoticeChanged:
		return c.Plural("mail.changed", int64(n.NewPages+n.GonePages+n.RetitledPages), site)
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

// addBroken adds a broken URL, and where the link to it is.
func (t *noticeText) addBroken(c *catalog.Catalog, page *NoticePage) {
	what := format.Printable(page.Reason)
	if page.Status > 0 {
		what = strconv.Itoa(page.Status)
	}
	t.add(what + "  " + readable(page.URL))
	if page.On == "" {
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
	if page.Link != "" {
		t.add("     " + page.Link)
	}
}

// addPages adds a list of pages with its heading, unless there are none.
func (t *noticeText) addPages(c *catalog.Catalog, key string, count int, pages []NoticePage) {
	if count == 0 {
		return
	}
	t.add("", c.Plural(key, int64(count)))
	for i := range pages {
		line := "  " + readable(pages[i].URL)
		if title := pages[i].Title; title != "" {
			line += "  " + titleText(title)
		}
		t.add(line)
		if old := pages[i].OldTitle; old != "" {
			t.add("     " + c.Text("mail.retitled.before", titleText(old)))
		}
	}
	t.addRest(c, count, len(pages))
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
