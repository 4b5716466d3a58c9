package setting

// A Risk is what a setting can do when strangers have written its value, as they may have
// in a mapa.yaml that is only found. Risks are combined.
type Risk uint8

const (
	// RiskNone changes what is crawled, checked or written about a site, and nothing else.
	RiskNone Risk = 1 << iota
	// RiskFile names a file or folder, which must be below the current folder.
	RiskFile
	// RiskSite names the site that the credentials of the user go to. Those that a flag or a
	// variable gives only go to a site that the user names too.
	RiskSite
	// RiskSource names a file, with the risk of RiskFile, or a site, with that of RiskSite.
	RiskSource
	// RiskOutside sends data or credentials elsewhere, decides whom to trust, opens a port,
	// or runs something. It needs a file that --config names.
	RiskOutside
)
