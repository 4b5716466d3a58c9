package scan

// Traits are what one look at an entry finds out about it. A rule names the
// traits that an entry needs to break it, so that most rules skip most entries.
type Traits uint32

// The traits. UnusualLoc comes with the Loc traits that say what is unusual.
const (
	AnyEntry        Traits = 0         // none is needed: the rule looks at every entry
	UnusualLastMod  Traits = 1 << iota // a lastmod other than a valid date from 1995, or the start of the site, to now
	UnusualFreq                        // a changefreq outside of the seven words
	UnusualPriority                    // a priority other than 0.0, 0.1 to 1.0, 0 and 1
	UnusualLoc                         // a loc with a byte or a shape that is not of the plainest kind
	OutOfFolder                        // a loc that does not begin with the sitemap's own folder
	IsSitemap                          // a sitemap rather than a page
	Unordered                          // children in an order that the schema refuses
	HasImages
	HasVideos
	HasNews
	HasAlternates
	HasPageMaps
	HasOther    // elements of unknown vocabularies, or mobile
	InText      // a line of a text file
	NewsChanges // news where the entry before had none, or the reverse

	LocOrigin   // the scheme or the host is missing or not spelled in the usual way
	LocLength   // fewer than 12 bytes or more than 1,024
	LocQuery    // ? & ; and what else queries have
	LocPercent  // a percent sign
	LocFragment // a #
	LocDots     // a segment that begins with a dot
	LocBytes    // white space, bytes outside of ASCII, what no address may have
)

// IsNormal reports whether a loc with these traits is its own normal form.
func (t Traits) IsNormal() bool {
	return t&(LocOrigin|LocPercent|LocFragment|LocDots|LocBytes) == 0
}
