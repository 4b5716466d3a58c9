package extract

import "bytes"

// A claim is a date that a page gives as its own. Two different ones are none: the page
// is a list, or what they belong to is unknown.
type claim struct {
	text    []byte
	several bool
}

func (c *claim) add(text []byte) {
	c.several = c.several || c.text != nil && !bytes.Equal(c.text, text)
	c.text = text
}

// date returns the only date, or nil.
func (c *claim) date() []byte {
	if c.several {
		return nil
	}
	return c.text
}

// ownDates are the dates that an article, or the page around all articles, marks as its
// own.
type ownDates struct {
	itemModified, itemPublished claim // itemprop
	modified, published         claim // time elements with a class or pubdate
	header                      claim // a time element next to the title
}

// articles tracks the article elements of the main content. The main article is the only one,
// or the only one with an h1. An article inside another is a comment or a quotation.
type articles struct {
	open   int // article elements
	aside  int // open article elements outside the main content
	count  int // of those that are in no other
	titled int // of those that have an h1
	isMain bool

	header      int // open header elements of the article
	hasTitle    bool
	headerTimes claim

	page, current, only, main ownDates
}

// enter handles the start tag of an article. isAside says that it is outside the main
// content.
func (a *articles) enter(isAside bool) {
	switch {
	case a.aside > 0 || a.open == 0 && isAside:
		a.aside++
		return
	case a.open == 0:
		a.count++
		a.current, a.isMain, a.header = ownDates{}, false, 0
	}
	a.open++
}

// leave handles the end tag of an article, or the end of the page.
func (a *articles) leave() {
	switch {
	case a.aside > 0:
		a.aside--
		return
	case a.open == 0:
		return
	}
	if a.open--; a.open > 0 {
		return
	}
	a.only = a.current
	if a.isMain {
		a.titled++
		a.main = a.current
	}
}

// enterTitle handles the start tag of an h1.
func (a *articles) enterTitle() {
	if a.isInArticle() {
		a.isMain = true
		a.hasTitle = a.hasTitle || a.header > 0
	}
}

func (a *articles) enterHeader() {
	if !a.isInArticle() {
		return
	}
	if a.header++; a.header == 1 {
		a.hasTitle, a.headerTimes = false, claim{}
	}
}

func (a *articles) leaveHeader() {
	if !a.isInArticle() || a.header == 0 {
		return
	}
	if a.header--; a.header == 0 && a.hasTitle {
		a.current.header = a.headerTimes
	}
}

// isInArticle reports whether the position is in an article of the main content, and in no
// other one inside of it.
func (a *articles) isInArticle() bool { return a.open == 1 && a.aside == 0 }

// dates returns where the dates of the position belong, or nil where they are not those of
// the page.
func (a *articles) dates() *ownDates {
	switch {
	case a.aside > 0 || a.open > 1:
		return nil
	case a.open == 1:
		return &a.current
	}
	return &a.page
}

// settle returns the dates of the article that the page is about, and those of the page
// around it.
func (a *articles) settle() (article, page *ownDates) {
	for a.aside = 0; a.open > 0; {
		a.leave()
	}
	switch {
	case a.titled == 1:
		return &a.main, &a.page
	case a.count != 1:
		a.only = ownDates{}
	}
	return &a.only, &a.page
}
