package lint

// A Rule is one thing that can be wrong. Rules are made once and never changed.
type Rule struct {
	// ID names the rule for good. Where the reader itself meets the matter, it
	// is the name of its [sitemap.FaultKind].
	ID string
	// Title says what is wrong in one line, lower case, without a full stop.
	Title string
	// Why says what comes of it, Cure what to do; whole sentences.
	Why, Cure string
	// Severity holds under every rule set of Engines. Overlay holds instead
	// under an engine that judges otherwise; Off lets it pass there.
	Severity Severity
	Engines  Engines // the zero value is every rule set
	Overlay  map[Engines]Severity
	// Source is the address of the text the rule stands on.
	Source string
	// SearchConsole and Yandex are what their reports call it; empty where they
	// have no name for it.
	SearchConsole, Yandex string
	// Since is the version of Mapa that brought the rule.
	Since string
	// Live rules ask the site, and are applied only when that is wanted.
	Live bool
	// Bad breaks the rule and Good keeps it, as like as they can be. An example
	// is a sitemap at https://example.com/sitemap.xml or, when it begins with
	// "-- ", a txtar archive of what the site serves, in the form of
	// internal/testsite, of which the first file is checked. Text like
	// {{repeat 3 "<url/>"}} is written out three times before it is used, and
	// {{today}}, {{today -3}} stand for dates.
	Bad, Good string

	// check looks at an entry; nil for what the reader reports and for what is
	// found at the end of a file or of the set.
	check func(*visit)
	// needs says what an entry must have for check to be called.
	needs traits
}

// traits are what can be told of an entry at one glance, so that most rules need
// not look at most entries.
type traits uint32

const (
	anyEntry      traits = 0         // every page of every format
	needsLastMod  traits = 1 << iota // the entry has a lastmod that differs from the one before
	needsFreq                        // ... a changefreq
	needsPriority                    // ... a priority
	needsOddLoc                      // the loc has a byte or a shape that is not of the plainest kind
	needsImages
	needsVideos
	needsNews
	needsAlternates
	needsPageMaps
	needsOther // elements of unknown vocabularies, or mobile
)
