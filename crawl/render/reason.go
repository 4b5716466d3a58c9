package render

// Reason says why a page is rendered, or why not. The names are stable.
type Reason string

// The reasons to render a page.
const (
	ReasonAlways      Reason = "always"
	ReasonPattern     Reason = "pattern"
	ReasonNoText      Reason = "no-text"      // no text, and a script
	ReasonRoot        Reason = "root"         // few words, and an element that frameworks fill
	ReasonNoscript    Reason = "noscript"     // few words, and it asks for JavaScript
	ReasonScriptLinks Reason = "script-links" // its links need scripts
	// A page without main text, or without links to the site, is rendered if other pages like
	// it showed that scripts add some.
	ReasonNoWords Reason = "no-words"
	ReasonNoLinks Reason = "no-links"
)

// The reasons not to render a page.
const (
	ReasonNoSignal    Reason = "no-signal"    // it has text and links
	ReasonAddsNothing Reason = "adds-nothing" // scripts of pages like it added nothing
	ReasonTrialLimit  Reason = "trial-limit"  // too many pages were rendered to find out
	ReasonNoMatch     Reason = "no-match"     // the pattern
	ReasonNoIndex     Reason = "noindex"      // it is not listed, whatever scripts do
	ReasonRedirect    Reason = "redirect"     // by a meta refresh element
	ReasonMaxRender   Reason = "max-render"   // Limits.Render, and it shows no need
	ReasonTooLarge    Reason = "too-large"    // only the beginning was read
)
