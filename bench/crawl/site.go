package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

const (
	fewest       = 200 // pages of a site that has everything
	branches     = 8   // pages that a page leads to first
	linksPerPage = 26
	pagesInTopic = 50
	topicsInArea = 20
)

// A kind is what becomes of an address.
type kind uint8

const (
	listed      kind = iota // a page for the sitemap
	noindex                 // a page that does not want to be listed
	elsewhere               // a page with another canonical address
	nofollowing             // a listed page whose links must not be followed
	dead                    // 404
	redirect                // 301 to a page or the next redirect
	loop                    // 301 to one that leads back here
	blocked                 // forbidden by robots.txt
	unfollowed              // only linked with nofollow
	asset                   // not a page; may be requested
)

// An address is a path of the site, with its query, in the spelling that represents
// all others.
type address struct {
	path   string
	kind   kind
	target int // where a redirect or a canonical link leads
}

// A link is what a page says about another address.
type link struct {
	to       int
	nofollow bool
}

// A site is the plan of all addresses. Its first `pages` addresses are HTML
// pages: a tree below the home page, then pages that only redirects lead to.
type site struct {
	base      string // scheme and authority, without slash
	port      int
	pages     int
	tree      int
	addresses []address
	special   map[int][]link // by page: links other than those between pages
}

func newSite(pages, port int) *site {
	s := &site{base: origin(port), port: port, pages: pages, special: map[int][]link{}}
	hidden := max(2, pages/400)
	s.tree = pages - hidden
	for i := range pages {
		s.addresses = append(s.addresses, address{path: pagePath(i), kind: s.pageKind(i)})
	}
	for i := range pages {
		if s.addresses[i].kind == elsewhere {
			s.addresses[i].target = s.listedFrom(i + 1)
		}
	}
	s.addRedirects(hidden)
	s.addLoops(max(3, pages/2000))
	s.addSpecials(dead, max(5, pages/200), "/%s/%s-gone-%d.html")
	s.addSpecials(blocked, max(2, pages/500), "/private/%s/%s-%d.html")
	s.addSpecials(asset, 20, "/assets/%s-%s-%d.zip")
	s.addUnfollowed(max(4, pages/500))
	return s
}

// random is the source of everything that is decided about address i.
func random(i int, purpose uint64) *rand.Rand {
	return rand.New(rand.NewPCG(uint64(i), purpose))
}

// The purposes of randomness.
const (
	forPath uint64 = iota
	forLinks
	forReferrers
	forText
	forDocuments
)

func (s *site) pageKind(i int) kind {
	leaf := i*branches+1 >= s.tree
	switch {
	case i == 0:
		return listed
	case i%97 == 13:
		return noindex
	case i%89 == 7:
		return elsewhere
	case i%61 == 5 && leaf:
		return nofollowing
	}
	return listed
}

// pagePath names page i: mostly plain names, some with a query, some that need
// percent-encoding, and the index of every folder.
func pagePath(i int) string {
	if i == 0 {
		return "/"
	}
	r := random(i, forPath)
	topic := i / pagesInTopic
	folder := fmt.Sprintf("/%s-%d/%s-%d/", words[topic/topicsInArea%len(words)], topic/topicsInArea,
		words[topic%len(words)], topic)
	name := word(r) + "-" + word(r)
	switch {
	case i%pagesInTopic == 0:
		return folder
	case i%100 == 17:
		return folder + fmt.Sprintf("item?id=%d&copy=%d", i, i%7)
	case i%100 == 31:
		return folder + encode(fmt.Sprintf("%s über %d.html", name, i))
	case i%100 == 47:
		return folder + fmt.Sprintf("~%s-%d.html", name, i)
	}
	return folder + fmt.Sprintf("%s-%d.html", name, i)
}

func (s *site) listedFrom(i int) int {
	for s.addresses[i%s.tree].kind != listed {
		i++
	}
	return i % s.tree
}

func (s *site) add(a address) int {
	s.addresses = append(s.addresses, a)
	return len(s.addresses) - 1
}

// addRedirects leads to every hidden page by one or three redirects, and by as
// many to pages that have other links.
func (s *site) addRedirects(hidden int) {
	for n := range 2 * hidden {
		target := s.tree + n/2
		if n%2 == 1 {
			target = s.listedFrom(n * 31)
		}
		hops := 1
		if n%4 == 0 {
			hops = 3
		}
		for hop := range hops {
			target = s.add(address{fmt.Sprintf("/moved/%s-%d-%d", words[n%len(words)], n, hop), redirect, target})
		}
		s.refer(target)
	}
}

// addLoops makes circles of one, two and three redirects.
func (s *site) addLoops(n int) {
	for circle := range n {
		first := len(s.addresses)
		length := circle%3 + 1
		for hop := range length {
			s.add(address{fmt.Sprintf("/circle/%d-%d", circle, hop), loop, first + (hop+1)%length})
		}
		s.refer(first)
	}
}

func (s *site) addSpecials(k kind, n int, format string) {
	for i := range n {
		r := random(i, forPath+uint64(k)<<8)
		s.refer(s.add(address{path: fmt.Sprintf(format, word(r), word(r), i), kind: k}))
	}
}

// addUnfollowed adds addresses with rel=nofollow and, every other one, on a
// page that says nofollow for all its links.
func (s *site) addUnfollowed(n int) {
	for i := range n {
		to := s.add(address{path: fmt.Sprintf("/unfollowed/%d.html", i), kind: unfollowed})
		page := random(i, forReferrers+uint64(unfollowed)<<8).IntN(s.tree)
		if i%2 == 0 {
			s.special[page] = append(s.special[page], link{to, true})
			continue
		}
		for s.addresses[page].kind != nofollowing {
			page = (page + 1) % s.tree
		}
		s.special[page] = append(s.special[page], link{to, false})
	}
}

// refer lets one to four pages link to an address.
func (s *site) refer(to int) {
	r := random(to, forReferrers)
	for range 1 + r.IntN(4) {
		page := r.IntN(s.tree)
		for s.addresses[page].kind == nofollowing {
			page = (page + 1) % s.tree
		}
		s.special[page] = append(s.special[page], link{to, false})
	}
}

// links are all links of a page: down the tree, to the special addresses, home,
// up, and then to other pages, mostly of the same topic.
func (s *site) links(page int) []link {
	var links []link
	for child := page*branches + 1; child <= page*branches+branches && child < s.tree; child++ {
		links = append(links, link{to: child})
	}
	links = append(links, s.special[page]...)
	links = append(links, link{to: 0}, link{to: max(0, page-1) / branches})
	for r := random(page, forLinks); len(links) < linksPerPage; {
		to := r.IntN(s.tree)
		if r.IntN(3) > 0 {
			to = min(page/pagesInTopic*pagesInTopic+to%pagesInTopic, s.tree-1)
		}
		links = append(links, link{to: to})
	}
	return links
}

// decoyPlaces are the parts of a page where an address is not a link.
var decoyPlaces = []string{"comment", "script", "style", "textarea", "cdata", "attribute", "text"}

// decoy is the place of a page's decoy, one page in ten has one, and the
// address in it that must not be requested.
func decoy(page int) (place, path string) {
	if page%10 != 3 {
		return "", ""
	}
	place = decoyPlaces[page/10%len(decoyPlaces)]
	return place, fmt.Sprintf("/decoy/%s-%d.html", place, page)
}

// encode percent-encodes what a path must not hold as it is.
func encode(path string) string {
	var b strings.Builder
	for i := range len(path) {
		if c := path[i]; c > ' ' && c < 0x7f && !strings.ContainsRune("\"#%<>?[\\]^`{|}", rune(c)) {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}
