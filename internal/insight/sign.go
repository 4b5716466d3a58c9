package insight

// A Sign says at a glance whether anything is to be done about a site. The names are stable.
type Sign string

// The signs, the best first.
const (
	SignGood    Sign = "good"    // nothing is to be fixed, after a complete crawl
	SignUnknown Sign = "unknown" // the crawl did not see the whole site, or is too old
	SignFix     Sign = "to-fix"  // there are errors, or the sitemap is not for the site as it is
	SignBad     Sign = "bad"     // the sitemap cannot be used, pages have left it, or the site did not answer
)

// Signs are all signs, the best first.
var Signs = []Sign{SignGood, SignUnknown, SignFix, SignBad}

// SignOf returns the sign of a crawl with its verdict, which is nil without one, and how many pages are missing that
// were in the sitemap.
func SignOf(v *Verdict, losses int) Sign {
	switch {
	case losses > 0, v != nil && v.Kind == Unusable:
		return SignBad
	case v == nil, v.Kind == Partial && (v.Action != ActionRaiseLimit || v.Errors == 0):
		return SignUnknown
	case v.Errors > 0, v.Cause != "":
		return SignFix
	}
	return SignGood
}
