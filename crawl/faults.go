package crawl

import (
	"bytes"
	"net/http"

	"github.com/mapatools/mapa/internal/extract"
	"github.com/mapatools/mapa/internal/fetch"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/urlnorm"
)

// findFaults adds what is wrong in the markup and the header of an HTML page, apart from its
// links.
func (w *worker) findFaults(x *extracted, header http.Header) {
	facts, html := x.page.Facts, x.html
	facts.addRepeated(ruleTitleMultiple, &html.Titles)
	facts.addRepeated(ruleDescriptionMultiple, &html.Descriptions)
	facts.addRepeated(ruleH1Multiple, &html.H1s)
	facts.addFaults(ruleMetaInBody, "description", html.DescriptionsInBody)
	facts.addFaults(ruleMetaInBody, "robots", html.RobotsInBody)
	facts.addFaults(ruleLinkUncrawlable, "onclick", html.ScriptAnchors)
	facts.addFaults(ruleImageSize, string(html.UnsizedImage), html.ImagesWithoutSize)
	for _, broken := range html.BrokenJSONLD {
		kind := "syntax"
		if broken.WithoutType {
			kind = "type"
		}
		// The beginning may end within the user information of a URL.
		facts.addFault(ruleJSONLDInvalid, kind, format.MaskUser(string(broken.Beginning)), 1)
	}
	w.findCanonicalFaults(x, header)
	w.findInsecureParts(x, header)
}

// findLateParts adds faults for parts of a page as it was sent that search engines do not read: they
// come too late in it.
func (f *Facts) findLateParts(html *extract.Page) {
	for _, late := range []struct {
		is   bool
		what string
	}{{html.LateCanonical, "canonical"}, {html.LateTitle, "title"}, {html.LateLinks, "links"}} {
		if late.is {
			f.addFault(ruleHTMLTooLarge, "beyond", late.what, 1)
		}
	}
}

// addFaults adds a fault that was counted, if there is one.
func (f *Facts) addFaults(rule, text string, count int) {
	if count > 0 {
		f.addFault(rule, "", text, count)
	}
}

// addRepeated adds the fault of an element that is there more than once.
func (f *Facts) addRepeated(rule string, r *extract.Repeated) {
	if r.Count > 1 {
		f.addFault(rule, "", string(r.Second), r.Count)
	}
}

// findCanonicalFaults compares what the page and its header name as its URL.
func (w *worker) findCanonicalFaults(x *extracted, header http.Header) {
	facts := x.page.Facts
	var targets []fingerprint
	add := func(base []byte, address string) {
		absolute := w.resolver.absolute(base, []byte(address))
		if absolute == nil {
			return
		}
		key := w.resolver.key(absolute)
		for _, known := range targets {
			if known == key {
				return
			}
		}
		if targets = append(targets, key); len(targets) > 1 {
			facts.addFault(ruleCanonicalMultiple, "", string(absolute), 1)
		}
	}
	for _, link := range extract.ParseLinkHeader(header.Values("Link")) {
		if link.Rel&extract.RelCanonical != 0 && len(targets) < maxTargets {
			add(w.pageURL, link.URL)
		}
	}
	for i := range x.html.Links {
		link := &x.html.Links[i]
		switch {
		case link.Kind != extract.KindCanonical:
			continue
		case !link.Head:
			facts.addFault(ruleCanonicalInBody, "", string(link.URL), 1)
			continue
		}
		if _, _, hasScheme := urlnorm.CutScheme(link.URL); !hasScheme {
			facts.addFault(ruleCanonicalRelative, "", string(link.URL), 1)
		}
		if len(targets) < maxTargets {
			add(x.base, string(link.URL))
		}
	}
	if og := x.html.OpenGraph.URL; len(og) > 0 && len(targets) > 0 {
		absolute := w.resolver.absolute(x.base, og)
		if absolute == nil || w.resolver.key(absolute) != targets[0] {
			facts.addFault(ruleOGURLMismatch, "", string(og), 1)
		}
	}
}

// findCopy adds the og:url of a start page that is of another site.
func (w *worker) findCopy(x *extracted) {
	og := x.html.OpenGraph.URL
	if address := w.resolver.absolute(x.base, og); len(og) > 0 && address != nil && !w.scope.onSite(address) {
		x.page.Facts.addFault(ruleSiteCopy, "og:url", string(address), 1)
	}
}

// maxTargets is how many different canonical URLs of a page are compared.
const maxTargets = 100

// findConflicts compares the robots directives of the page and its header, for each robot.
func findConflicts(facts *Facts, page, header extract.Robots) {
	all := page.All
	all.Merge(header.All)
	addConflicts(facts, "", all)
	bots := append(page.Bots[:len(page.Bots):len(page.Bots)], header.Bots...)
	for i := range bots {
		name, own := bots[i].Bot, extract.Directives{}
		repeated := false
		for j := range bots {
			if bots[j].Bot == name {
				repeated = repeated || j < i
				own.Merge(bots[j].Directives)
			}
		}
		if !repeated {
			addConflicts(facts, name, own)
		}
	}
}

func addConflicts(facts *Facts, agent string, d extract.Directives) {
	if d.Index && d.NoIndex {
		facts.addFault(ruleRobotsConflict, "index", agent, 1)
	}
	if d.Follow && d.NoFollow {
		facts.addFault(ruleRobotsConflict, "follow", agent, 1)
	}
}

// findInsecureParts looks for what a page of https loads or sends without encryption, and for
// a password on a page of http.
func (w *worker) findInsecureParts(x *extracted, header http.Header) {
	facts, html := x.page.Facts, x.html
	if !bytes.HasPrefix(w.pageURL, []byte("https:")) {
		if html.HasPassword && !fetch.IsLoopback(urlnorm.Host(string(w.pageURL))) {
			target := ""
			if len(html.FormTargets) > 0 {
				target = string(html.FormTargets[0])
			}
			facts.addFault(ruleInsecureForm, "password", target, 1)
		}
		return
	}
	base := w.pageURL
	if written := w.resolver.written(base, html.Base); len(html.Base) > 0 && written != nil {
		base = written
	}
	for _, target := range html.FormTargets {
		if w.insecure(base, target) != "" {
			facts.addFault(ruleInsecureForm, "form", string(target), 1)
		}
	}
	if html.UpgradesRequests || extract.UpgradesRequests(policyOf(header)) {
		return
	}
	for i := range html.Links {
		link := &html.Links[i]
		if link.Load == extract.LoadNever {
			continue
		}
		if address := w.insecure(base, link.URL); address != "" {
			kind := "passive"
			if link.Load == extract.LoadActive {
				kind = "active"
			}
			facts.addFault(ruleMixedContent, kind, address, 1)
		}
	}
}

// insecure returns the URL of a link that a browser would request by http, or "". Loopback
// addresses are trustworthy (https://www.w3.org/TR/secure-contexts/).
func (w *worker) insecure(base, link []byte) string {
	if scheme, _, ok := urlnorm.CutScheme(link); ok && !bytes.EqualFold(scheme, []byte("http")) ||
		!ok && !bytes.HasPrefix(base, []byte("http:")) {
		return ""
	}
	address := w.resolver.written(base, link)
	if !bytes.HasPrefix(address, []byte("http:")) || fetch.IsLoopback(urlnorm.Host(string(address))) {
		return ""
	}
	return string(address)
}
