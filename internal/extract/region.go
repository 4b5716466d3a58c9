package extract

// region tracks whether the position in the page belongs to its main content. An
// element outside of it ends at the matching end tag among those of the same name, so
// that no stack of open elements is needed.
type region struct {
	skip    *element // the element outside the main content, or nil
	depth   int      // number of open elements of that name in it
	article int      // open article and main elements
}

// counts reports whether text here is main content.
func (r *region) counts() bool { return r.skip == nil }

// isTime reports whether text here is that of a time element in the main content.
func (r *region) isTime() bool { return r.skip != nil && r.skip.id == elementTime && r.depth == 1 }

// isVideo reports whether the position is in a video element in the main content.
func (r *region) isVideo() bool { return r.skip != nil && r.skip.id == elementVideo }

// asideRoles are the ARIA roles of navigation and of content that changes by itself.
var asideRoles = newNames([]string{"",
	"alert", "banner", "complementary", "contentinfo", "dialog", "log", "marquee", "menu",
	"menubar", "navigation", "search", "status", "timer", "toolbar",
})

// asideClasses are frequent class names with the meaning of asideRoles.
var asideClasses = newNames([]string{"",
	"ad", "ad-banner", "ad-container", "ad-slot", "ad-unit", "ad-wrapper", "ads", "adsbygoogle",
	"advert", "advertisement", "banner-ad", "breadcrumb", "breadcrumbs", "comments", "cookie-banner",
	"footer", "menu", "nav", "navbar", "navigation", "pager", "pagination", "recommendations",
	"recommended", "related", "related-articles", "related-content", "related-links",
	"related-posts", "share", "sidebar", "site-footer", "site-header", "social", "sphinxsidebar",
	"toc",
})

// enterRegion handles a start tag.
func (s *Scanner) enterRegion(e *element) {
	r := &s.region
	switch e.id {
	case elementMain:
		r.skip, r.depth = nil, 0
		r.article++
		s.digest.enterMain()
		return
	case elementArticle:
		r.article++
		s.articles.enter(r.skip != nil)
	case elementHeader:
		s.articles.enterHeader()
	case elementH1:
		s.articles.enterTitle()
	}
	if r.skip != nil {
		if e == r.skip {
			r.depth++
		}
		return
	}
	if e.traits&(aside|container) != 0 && s.isAside(e) && !(e.traits&foreign != 0 && s.selfClosing) {
		r.skip, r.depth = e, 1
	}
}

// leaveTime ends a time element.
func (r *region) leaveTime() {
	if r.skip != nil && r.skip.id == elementTime {
		r.skip, r.depth = nil, 0
	}
}

// leaveRegion handles an end tag.
func (s *Scanner) leaveRegion(e *element) {
	r := &s.region
	switch e.id {
	case elementMain:
		s.digest.leaveMain()
		r.article = max(r.article-1, 0)
	case elementArticle:
		r.article = max(r.article-1, 0)
		s.articles.leave()
	case elementHeader:
		s.articles.leaveHeader()
	}
	if r.skip != nil && e == r.skip {
		if r.depth--; r.depth == 0 {
			r.skip = nil
		}
	}
}

// isAside reports whether an element, whose start tag was read, is outside the main
// content.
func (s *Scanner) isAside(e *element) bool {
	switch {
	case e.traits&aside != 0:
		return true
	case e.id == elementHeader && s.region.article == 0:
		return true
	case s.has(attributeHidden) || s.is(attributeAriaHidden, "true"):
		return true
	case s.has(attributeRole) && asideRoles.find(trim(s.names(attributeRole))) != 0:
		return true
	}
	return s.has(attributeClass) && s.anyToken(attributeClass, asideClasses) ||
		s.has(attributeID) && asideClasses.find(s.names(attributeID)) != 0
}
