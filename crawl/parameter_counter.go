package crawl

import (
	"hash/maphash"
	"iter"
	"strings"
)

const (
	maxParameters  = 4096   // names whose number is known
	maxDropped     = 64     // parameters that canonicals drop
	maxQueryNames  = 32     // of one URL; others are not counted
	maxOnlyThrough = 10_000 // URLs in parameterCounter.onlyThrough
	maxOffered     = 100_000
)

// keptParameter is the number of a parameter that identifies a page.
const keptParameter = -1

// parameterSet is a set of parameters that canonicals drop, by number.
type parameterSet uint64

// parameterCounter recognizes parameters that do not lead to pages, such as the order
// of a list: their pages name the page without them as canonical, and all that these
// link to is linked from pages without them too. A parameter is one of a host. A page
// that is listed with a parameter proves that it identifies pages. Its memory is bounded,
// and a run that continues a crawl begins to count again. It is not safe for concurrent
// use.
type parameterCounter struct {
	bound       int // trapOff means that nothing is counted
	seed        maphash.Seed
	numbers     map[uint64]int // by parameterCounter.id: an index of dropped, or keptParameter
	dropped     []droppedParameter
	onlyThrough map[fingerprint]dependence
	offered     map[fingerprint]bool // URLs that are linked with such parameters from pages without
	needed      parameterSet         // that onlyThrough depends on, unless outdated
	outdated    bool
}

// droppedParameter counts the pages whose canonical drops a parameter.
type droppedParameter struct {
	pages  int
	places map[uint64]bool      // of some pages; see placeOf
	tried  map[fingerprint]bool // pages that have a variant of rankFirst
}

// dependence says why a URL may need parameters to be found.
type dependence struct {
	on    parameterSet // in all pages that link to it
	names []uint64     // parameters of the URL itself that no canonical has dropped yet
}

func newParameterCounter(bound int) *parameterCounter {
	return &parameterCounter{
		bound:       bound,
		seed:        maphash.MakeSeed(),
		numbers:     map[uint64]int{},
		onlyThrough: map[fingerprint]dependence{},
		offered:     map[fingerprint]bool{},
	}
}

// keep notes the parameters of a URL that is listed.
func (c *parameterCounter) keep(address string) {
	host, _, query := splitQuery(address)
	if c.bound == trapOff || query == "" {
		return
	}
	for name := range parameters(query) {
		c.keepName(host, name)
	}
}

func (c *parameterCounter) keepName(host, name string) {
	id := c.id(host, name)
	if _, known := c.numbers[id]; known || len(c.numbers) < maxParameters {
		c.numbers[id] = keptParameter
		c.outdated = true
	}
}

// drop compares a page with its canonical, and returns the parameters that the
// canonical lacks if it is the same URL otherwise.
func (c *parameterCounter) drop(address, canonical string) (set parameterSet) {
	host, path, query := splitQuery(address)
	canonicalHost, canonicalPath, rest := splitQuery(canonical)
	if c.bound == trapOff || host != canonicalHost || path != canonicalPath || strings.Count(query, "&") >= maxQueryNames {
		return 0
	}
	for _, parameter := range parameters(rest) {
		if !hasParameter(query, parameter) {
			return 0
		}
	}
	place := maphash.String(c.seed, placeOf(path))
	for name, parameter := range parameters(query) {
		if hasParameter(rest, parameter) {
			c.keepName(host, name)
		} else {
			set |= c.count(c.id(host, name), place)
		}
	}
	return set
}

// count counts a page whose canonical drops a parameter.
func (c *parameterCounter) count(id, place uint64) parameterSet {
	number, known := c.numbers[id]
	switch {
	case number == keptParameter:
		return 0
	case !known && (len(c.dropped) == maxDropped || len(c.numbers) >= maxParameters):
		return 0
	case !known:
		number = len(c.dropped)
		c.numbers[id] = number
		c.dropped = append(c.dropped, droppedParameter{places: map[uint64]bool{}, tried: map[fingerprint]bool{}})
		c.outdated = true
	}
	p := &c.dropped[number]
	p.pages++
	if len(p.places) < c.bound {
		p.places[place] = true
	}
	return 1 << number
}

// recordLink notes a link to a URL, which is without the parameters that canonicals
// drop. dropped are those of the page with the link. found are those that the page
// itself was found through.
func (c *parameterCounter) recordLink(key fingerprint, address string, known bool, dropped, found parameterSet) {
	before, recorded := c.onlyThrough[key]
	switch {
	case recorded:
		if before.on &= dropped | found; before.on == 0 {
			delete(c.onlyThrough, key)
		} else {
			c.onlyThrough[key] = before
		}
	case known || c.offered[key]:
		return
	case dropped|found == 0:
		c.offer(key)
		return
	case dropped == 0:
		return
	case len(c.onlyThrough) == maxOnlyThrough:
		c.keepAll(dropped)
	default:
		c.onlyThrough[key] = dependence{dropped, c.ids(address)}
	}
	c.outdated = true
}

// offer notes that pages without such parameters link to a URL, if only with them.
func (c *parameterCounter) offer(key fingerprint) {
	if _, recorded := c.onlyThrough[key]; recorded {
		delete(c.onlyThrough, key)
		c.outdated = true
	}
	if len(c.offered) < maxOffered {
		c.offered[key] = true
	}
}

// keepAll gives up counting some parameters.
func (c *parameterCounter) keepAll(set parameterSet) {
	for id, number := range c.numbers {
		if number != keptParameter && set&(1<<number) != 0 {
			c.numbers[id] = keptParameter
		}
	}
}

// foundThrough returns the parameters that a URL was found through, if nothing else
// leads to it so far.
func (c *parameterCounter) foundThrough(key fingerprint) parameterSet { return c.onlyThrough[key].on }

// isDropped reports whether canonicals have dropped a parameter of a URL. Such pages are
// requested after all others, which shows what depends on them.
func (c *parameterCounter) isDropped(address string) bool {
	if len(c.dropped) == 0 {
		return false
	}
	host, _, query := splitQuery(address)
	for name := range parameters(query) {
		if number, known := c.numbers[c.id(host, name)]; known && number != keptParameter {
			return true
		}
	}
	return false
}

// The ranks of URLs with parameters that canonicals drop, in the order of their requests.
const (
	rankFirst    = iota // the first variant of a page by the only such parameter
	rankFurther         // another one
	rankCombined        // with several such parameters
	variantRanks
)

// rank returns the rank of a URL with parameters that canonicals drop, and notes that it is
// tried; page is the URL without them. A parameter is tried on one page after the other,
// since it may matter on one of them only. What leads on from a variant, such as the next
// page, is found before the combinations with other parameters.
func (c *parameterCounter) rank(address string, page fingerprint) int {
	host, _, query := splitQuery(address)
	var only *droppedParameter
	for name := range parameters(query) {
		number, known := c.numbers[c.id(host, name)]
		switch {
		case !known || number == keptParameter:
		case only != nil:
			return rankCombined
		default:
			only = &c.dropped[number]
		}
	}
	if only == nil {
		return rankFirst
	}
	if only.tried[page] || len(only.tried) >= c.bound {
		return rankFurther
	}
	only.tried[page] = true
	return rankFirst
}

// without returns a URL without the parameters that canonicals drop.
func (c *parameterCounter) without(address string) string {
	if len(c.dropped) == 0 {
		return address
	}
	return c.filter(address, func(number int) bool { return true })
}

// exhausted returns a URL without the parameters that are not followed any more, and
// reports whether there are any. The first variant of a page shows more than another one,
// so that half of the bound is enough for these. The first page of a place is requested:
// there, the parameter may have another meaning.
func (c *parameterCounter) exhausted(address string, isFirst bool) (string, bool) {
	if len(c.dropped) == 0 {
		return address, false
	}
	_, path, _ := splitQuery(address)
	place := maphash.String(c.seed, placeOf(path))
	c.update()
	bound := c.bound
	if !isFirst {
		bound = (bound + 1) / 2
	}
	rest := c.filter(address, func(number int) bool {
		p := &c.dropped[number]
		return p.pages >= bound && c.needed&(1<<number) == 0 && (p.places[place] || len(p.places) >= c.bound)
	})
	return rest, rest != address
}

// update computes the parameters that some URL depends on. A URL with a parameter that
// canonicals drop by now is not a page of its own.
func (c *parameterCounter) update() {
	if !c.outdated {
		return
	}
	c.needed, c.outdated = 0, false
	for _, d := range c.onlyThrough {
		isPage := true
		for _, id := range d.names {
			number, known := c.numbers[id]
			isPage = isPage && (!known || number == keptParameter)
		}
		if isPage {
			c.needed |= d.on
		}
	}
}

// filter returns a URL without the dropped parameters for which remove reports true.
func (c *parameterCounter) filter(address string, remove func(number int) bool) string {
	host, _, query := splitQuery(address)
	if query == "" {
		return address
	}
	var rest []string
	for name, parameter := range parameters(query) {
		number, known := c.numbers[c.id(host, name)]
		if !known || number == keptParameter || !remove(number) {
			rest = append(rest, parameter)
		}
	}
	base := address[:len(address)-len(query)]
	if len(rest) == 0 {
		return strings.TrimSuffix(base, "?")
	}
	return base + strings.Join(rest, "&")
}

// ids returns the parameters of a URL.
func (c *parameterCounter) ids(address string) (ids []uint64) {
	host, _, query := splitQuery(address)
	for name := range parameters(query) {
		ids = append(ids, c.id(host, name))
	}
	return ids
}

func (c *parameterCounter) id(host, name string) uint64 {
	return maphash.Comparable(c.seed, [2]string{host, name})
}

// splitQuery splits a normalized URL into its host, its path and its query.
func splitQuery(address string) (host, path, query string) {
	_, rest, _ := strings.Cut(address, "://")
	rest, query, _ = strings.Cut(rest, "?")
	if i := strings.IndexByte(rest, '/'); i >= 0 {
		return rest[:i], rest[i:], query
	}
	return rest, "/", query
}

// placeOf returns the first segment of a path.
func placeOf(path string) string {
	place, _, _ := strings.Cut(path[1:], "/")
	return place
}

// parameters yields the names of the parameters of a query, and each as a whole.
func parameters(query string) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for query != "" {
			var parameter string
			parameter, query, _ = strings.Cut(query, "&")
			name, _, _ := strings.Cut(parameter, "=")
			if name != "" && !yield(name, parameter) {
				return
			}
		}
	}
}

func hasParameter(query, parameter string) bool {
	for _, other := range parameters(query) {
		if other == parameter {
			return true
		}
	}
	return false
}
