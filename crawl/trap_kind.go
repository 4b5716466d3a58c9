package crawl

import (
	"fmt"
	"strings"
)

// TrapKind names one kind of crawler trap. Each kind has one bound in [Traps].
type TrapKind uint8

// The kinds of traps. TrapNone, the zero value, means that there is no trap.
const (
	TrapNone TrapKind = iota
	TrapRepeats
	TrapSegments
	TrapYearsAhead
	TrapYearsBack
	TrapMonths
	TrapFacets
	TrapVariants
	TrapTokens
	TrapCanonical
	TrapEscapes
	TrapRedirects
	TrapSameContent
	TrapChain
	TrapLinks
	TrapLength
)

// Traps bounds the endless parts of a site. In every field 0 means the default
// and -1 switches the trap off. Variants and Tokens count pages whose main text is
// not new; forty times as many are too many even with new text.
type Traps struct {
	Repeats     int // times that one segment may occur in a path; default 3
	Segments    int // segments of a path; default 24
	YearsAhead  int // years from now that a date in a URL may lie in the future; default 2
	YearsBack   int // years from now that a date in a URL may lie in the past; default 30
	Months      int // months in a row that link to nothing but their calendar; default 24
	Facets      int // URLs of one path with three or more parameters; default 200
	Variants    int // URLs of one path with one or two parameters, without new text; default 500
	Tokens      int // URLs that differ in a random-looking token, without new text; default 50
	Canonical   int // pages of a parameter whose canonical lacks it, without new pages; default 20
	Escapes     int // times that a percent sign may be escaped; default 3
	Redirects   int // redirects in a row; default 10
	SameContent int // pages with the same title and main text that are followed; default 25
	Chain       int // pages in a row whose URLs differ only in numbers; default 300
	Links       int // links of one page that are followed; default 10,000
	Length      int // bytes of a URL; default 2,083, the most that all browsers have supported
}

// trapOff is a bound that no site reaches.
const trapOff = 1 << 30

// trapInfo is everything that the program knows about a kind of trap.
type trapInfo struct {
	name   string // in the setting trap
	detail Detail // in Link.Detail and Page.Detail
	bound  int    // the default
	field  func(*Traps) *int
}

var trapTable = [...]trapInfo{
	TrapRepeats:     {"repeats", "trap.repeats", 3, func(t *Traps) *int { return &t.Repeats }},
	TrapSegments:    {"segments", "trap.segments", 24, func(t *Traps) *int { return &t.Segments }},
	TrapYearsAhead:  {"years-ahead", "trap.years", 2, func(t *Traps) *int { return &t.YearsAhead }},
	TrapYearsBack:   {"years-back", "trap.years", 30, func(t *Traps) *int { return &t.YearsBack }},
	TrapMonths:      {"months", "trap.months", 24, func(t *Traps) *int { return &t.Months }},
	TrapFacets:      {"facets", "trap.facets", 200, func(t *Traps) *int { return &t.Facets }},
	TrapVariants:    {"variants", "trap.variants", 500, func(t *Traps) *int { return &t.Variants }},
	TrapTokens:      {"tokens", "trap.tokens", 50, func(t *Traps) *int { return &t.Tokens }},
	TrapCanonical:   {"canonical", "trap.canonical", 20, func(t *Traps) *int { return &t.Canonical }},
	TrapEscapes:     {"escapes", "trap.escapes", 3, func(t *Traps) *int { return &t.Escapes }},
	TrapRedirects:   {"redirects", "trap.redirects", 10, func(t *Traps) *int { return &t.Redirects }},
	TrapSameContent: {"same-content", "trap.same-content", 25, func(t *Traps) *int { return &t.SameContent }},
	TrapChain:       {"chain", "trap.chain", 300, func(t *Traps) *int { return &t.Chain }},
	TrapLinks:       {"links", "trap.links", 10_000, func(t *Traps) *int { return &t.Links }},
	TrapLength:      {"length", "trap.length", 2083, func(t *Traps) *int { return &t.Length }},
}

// TrapKinds returns every kind of trap, in the order in which help texts list them.
func TrapKinds() []TrapKind {
	kinds := make([]TrapKind, 0, len(trapTable)-1)
	for kind := TrapNone + 1; int(kind) < len(trapTable); kind++ {
		kinds = append(kinds, kind)
	}
	return kinds
}

// ParseTrapKind returns the kind with a name such as "same-content".
func ParseTrapKind(name string) (TrapKind, error) {
	names := make([]string, 0, len(trapTable))
	for _, kind := range TrapKinds() {
		if kind.String() == name {
			return kind, nil
		}
		names = append(names, kind.String())
	}
	return TrapNone, fmt.Errorf("unknown trap %q: use one of %s", name, strings.Join(names, ", "))
}

func (k TrapKind) info() *trapInfo {
	if int(k) < len(trapTable) {
		return &trapTable[k]
	}
	return &trapTable[TrapNone]
}

// String returns the name of the kind, such as "same-content". Names are stable.
func (k TrapKind) String() string { return k.info().name }

// Detail returns what a [Link] or [Page] with [ReasonTrap] has as its Detail. The
// codes are stable. YearsAhead and YearsBack share one.
func (k TrapKind) Detail() Detail { return k.info().detail }

// DefaultBound returns the bound that 0 means in [Traps].
func (k TrapKind) DefaultBound() int { return k.info().bound }

// Set changes the bound of one kind: 0 is the default, -1 switches the trap off.
func (t *Traps) Set(kind TrapKind, bound int) {
	if field := kind.info().field; field != nil {
		*field(t) = bound
	}
}

// ofList returns the bounds for a list of pages, which has an end.
func (t Traps) ofList() Traps {
	return Traps{
		Repeats: -1, Segments: -1, YearsAhead: -1, YearsBack: -1, Months: -1, Facets: -1, Variants: -1, Tokens: -1,
		Canonical: -1, Escapes: -1, SameContent: -1, Chain: -1,
		Redirects: t.Redirects, Links: t.Links, Length: t.Length,
	}
}

func (t Traps) withDefaults() Traps {
	for _, kind := range TrapKinds() {
		info := kind.info()
		switch field := info.field(&t); {
		case *field == 0:
			*field = info.bound
		case *field < 0:
			*field = trapOff
		}
	}
	return t
}
