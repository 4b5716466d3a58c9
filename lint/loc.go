package lint

import (
	"bytes"
	"fmt"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mapatools/mapa/sitemap"
)

// locRules are about the spelling of an address by itself.
var locRules = []*Rule{
	locRelative, locNoScheme, locBadScheme, locNoHost, locUnparsable,
	locTooLong, locTooShort, locOver1024, locWhitespace, locNewlineInside, locUnicodeSpace,
	locNotPercentEncoded, locBadEscape, locDoubleEncoded,
	locFragment, locUserinfo, locSessionID, locDefaultPort, locDotSegments, locUpperHost,
}

const uriText = "https://www.rfc-editor.org/rfc/rfc3986"

// reportLoc reports something about the address of the entry.
func (v *visit) reportLoc(message string) {
	v.report("loc", 0, string(v.entry.Loc), message)
}

// behindScheme cuts an address at the colon of its scheme.
func behindScheme(loc []byte) (scheme, rest []byte, ok bool) {
	scheme, rest, ok = bytes.Cut(loc, []byte{':'})
	for i, c := range scheme {
		letter := c|0x20 >= 'a' && c|0x20 <= 'z'
		if !letter && (i == 0 || !(c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.')) {
			return nil, nil, false
		}
	}
	return scheme, rest, ok && len(scheme) > 0
}

func isWeb(scheme []byte) bool {
	return bytes.EqualFold(scheme, []byte("http")) || bytes.EqualFold(scheme, []byte("https"))
}

// authority is what stands between the two slashes and the path of a web address.
func authority(loc []byte) (authority []byte, ok bool) {
	scheme, rest, ok := behindScheme(loc)
	if !ok || !isWeb(scheme) {
		return nil, false
	}
	rest, found := bytes.CutPrefix(rest, []byte("//"))
	if !found {
		return nil, true
	}
	if i := bytes.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	return rest, true
}

var locRelative = &Rule{
	ID:            string(sitemap.LocRelative),
	Title:         "an address without scheme and host",
	Why:           "The protocol demands complete addresses; Google and Bing drop others, since nothing says what they are relative to.",
	Cure:          "Put the scheme and the host of the site in front: https://example.com/page",
	Severity:      Error,
	Source:        protocolText + "#locdef",
	SearchConsole: "Invalid URL", Yandex: "Incorrect page address",
	Since: "0.1",
	Bad:   urlset(page("/page", "")),
	Good:  urlset(page("https://example.com/page", "")),
}

var locNoScheme = &Rule{
	ID:            "loc-no-scheme",
	Title:         "an address without http:// or https://",
	Why:           "An address has to begin with its scheme; without it, it is a relative one and dropped.",
	Cure:          "Put https:// in front.",
	Severity:      Error,
	Source:        protocolText + "#locdef",
	SearchConsole: "Invalid URL", Yandex: "Incorrect page address",
	Since: "0.1",
	Bad:   urlset(page("www.example.com/page", "")),
	Good:  urlset(page("https://www.example.com/page", "")),
}

// lacksScheme tells a relative address that is a complete one but for the scheme.
func lacksScheme(loc string) bool {
	if strings.HasPrefix(loc, "//") || strings.HasPrefix(strings.ToLower(loc), "www.") {
		return true
	}
	host, _, found := strings.Cut(loc, "/")
	return found && strings.Contains(strings.Trim(host, "."), ".") && !strings.ContainsAny(host, "?#% ")
}

var locBadScheme = &Rule{
	ID:            "loc-bad-scheme",
	Title:         "an address that is neither http nor https",
	Why:           "Engines index pages of the web. Addresses of apps, files, mail and scripts are dropped.",
	Cure:          "List the page's https address; look for a slip such as htps.",
	Severity:      Error,
	Source:        protocolText + "#locdef",
	SearchConsole: "Invalid URL", Yandex: "Incorrect page address",
	Since: "0.1",
	Bad:   urlset(page("ftp://example.com/page", "")),
	Good:  urlset(page("https://example.com/page", "")),
	needs: oddOrigin,
	check: func(v *visit) {
		if scheme, _, ok := behindScheme(v.entry.Loc); ok && !isWeb(scheme) {
			v.reportLoc("the scheme is " + printable(scheme) + ", and engines follow http and https")
		}
	},
}

var locNoHost = &Rule{
	ID:            "loc-no-host",
	Title:         "an address without a host",
	Why:           "Behind http:// the host has to follow; without it there is nobody to ask.",
	Cure:          "Look why the host is empty: mostly a setting of the program that makes the sitemap.",
	Severity:      Error,
	Source:        uriText + "#section-3.2.2",
	SearchConsole: "Invalid URL", Yandex: "Incorrect page address",
	Since: "0.1",
	Bad:   urlset(page("https:///page", "")),
	Good:  urlset(page("https://example.com/page", "")),
	needs: oddOrigin,
	check: func(v *visit) {
		host, ok := authority(v.entry.Loc)
		if i := bytes.LastIndexByte(host, '@'); i >= 0 {
			host = host[i+1:]
		}
		if ok && (len(host) == 0 || host[0] == ':') {
			v.reportLoc("no host behind the scheme")
		}
	},
}

var locUnparsable = &Rule{
	ID:            "loc-unparsable",
	Title:         "an address that cannot be understood",
	Why:           "Its host or its port is none, so no engine can ask for the page.",
	Cure:          "Open the address in a browser and correct it.",
	Severity:      Error,
	Source:        uriText + "#section-3",
	SearchConsole: "Invalid URL", Yandex: "Incorrect page address",
	Since: "0.1",
	Bad:   urlset(page("https://exa mple.com:port/page", "")),
	Good:  urlset(page("https://example.com:8443/page", "")),
	needs: oddOrigin | oddLength,
	check: func(v *visit) {
		if host, ok := authority(v.entry.Loc); ok && len(host) > 0 && host[0] != ':' {
			if _, err := normalForm(nil, v.entry.Loc); err != nil {
				v.reportLoc(err.Error())
			}
		}
	},
}

var locTooLong = &Rule{
	ID:            "loc-too-long",
	Title:         "an address of 2,048 characters or more",
	Why:           "The protocol wants less than 2,048 characters; longer ones are dropped.",
	Cure:          "Give the page a shorter address; leave out parameters that only track.",
	Severity:      Error,
	Source:        protocolText + "#locdef",
	SearchConsole: "Invalid URL", Yandex: "URL too long",
	Since: "0.1",
	Bad:   urlset(page(`https://example.com/{{repeat 2030 "a"}}`, "")),
	Good:  urlset(page(`https://example.com/{{repeat 900 "a"}}`, "")),
	needs: oddLength,
	check: func(v *visit) {
		if n := utf8.RuneCount(v.entry.Loc); n >= 2048 {
			v.reportLoc(fmt.Sprintf("%d characters, and 2,047 are the most", n))
		}
	},
}

var locTooShort = &Rule{
	ID:       "loc-too-short",
	Title:    "an address of fewer than 12 characters",
	Why:      "The schema wants 12 at least: http://a.de/ has as many. Shorter ones are mostly no addresses.",
	Cure:     "Write the complete address, with the slash behind the host.",
	Severity: Error, Overlay: map[Engines]Severity{search: Warning},
	Source:        urlsetSchema,
	SearchConsole: "Invalid URL",
	Since:         "0.1",
	Bad:           urlset(page("http://a.b/", "")),
	Good:          urlset(page("https://a.de/", "")),
	needs:         oddLength,
	check: func(v *visit) {
		if n := utf8.RuneCount(v.entry.Loc); n < 12 {
			v.reportLoc(fmt.Sprintf("%d characters, and the schema wants 12", n))
		}
	},
}

var locOver1024 = &Rule{
	ID:       "loc-over-1024",
	Title:    "an address of more than 1,024 characters",
	Why:      "Yandex reads no longer ones.",
	Cure:     "Give the page a shorter address.",
	Severity: Error,
	Engines:  Yandex,
	Source:   yandexText, Yandex: "URL too long",
	Since: "0.1",
	Bad:   urlset(page(`https://example.com/{{repeat 1010 "a"}}`, "")),
	Good:  urlset(page(`https://example.com/{{repeat 1000 "a"}}`, "")),
	needs: oddLength,
	check: func(v *visit) {
		decoded, err := url.PathUnescape(string(v.entry.Loc))
		if err != nil {
			decoded = string(v.entry.Loc)
		}
		if n := utf8.RuneCountInString(decoded); n > 1024 {
			v.reportLoc(fmt.Sprintf("%d characters, and Yandex reads 1,024", n))
		}
	},
}

var locWhitespace = &Rule{
	ID:       string(sitemap.LocWhitespace),
	Title:    "white space around an address",
	Why:      "Most readers trim it; those that do not ask for a page that is not there.",
	Cure:     "Write the address directly between <loc> and </loc>.",
	Severity: Warning,
	Source:   protocolText + "#locdef",
	Yandex:   "Incorrect page address",
	Since:    "0.1",
	Bad:      urlset(page("\n  https://example.com/page\n", "")),
	Good:     urlset(page("https://example.com/page", "")),
}

var locNewlineInside = &Rule{
	ID:            "loc-newline-inside",
	Title:         "a tab or a line break inside an address",
	Why:           "Some readers drop it, some take it for a space, some end the address there.",
	Cure:          "Write the address in one line; do not let an editor wrap the file.",
	Severity:      Error,
	Source:        uriText + "#appendix-C",
	SearchConsole: "Invalid URL", Yandex: "Incorrect page address",
	Since: "0.1",
	Bad:   urlset(page("https://example.com/a\nb", "")),
	Good:  urlset(page("https://example.com/ab", "")),
}

var locUnicodeSpace = &Rule{
	ID:       "loc-unicode-space",
	Title:    "an invisible character in an address",
	Why:      "A no-break space, a zero-width space or a mark of writing direction came in by copying; with it, it is another address.",
	Cure:     "Delete the character and type the address anew.",
	Severity: Warning,
	Source:   uriText + "#section-2",
	Since:    "0.1",
	Bad:      urlset(page("https://example.com/a\u00a0b", "")),
	Good:     urlset(page("https://example.com/ab", "")),
	needs:    oddBytes,
	check: func(v *visit) {
		i := bytes.IndexFunc(v.entry.Loc, isInvisible)
		if i >= 0 {
			r, _ := utf8.DecodeRune(v.entry.Loc[i:])
			v.reportLoc(fmt.Sprintf("%U in the address", r))
		}
	},
}

func isInvisible(r rune) bool {
	return r > 0x7f && (unicode.IsSpace(r) || unicode.Is(unicode.Cf, r))
}

var locNotPercentEncoded = &Rule{
	ID:            "loc-not-percent-encoded",
	Title:         "a character that has to be percent-encoded",
	Why:           "An address consists of ASCII (RFC 3986). Spaces, letters of other scripts, quotes, braces and backslashes are guessed at, and not by all in the same way.",
	Cure:          "Percent-encode the UTF-8 of the character: %20 for a space, %C3%A9 for é.",
	Severity:      Warning,
	Source:        protocolText + "#escaping",
	SearchConsole: "Invalid URL", Yandex: "Incorrect page address",
	Since: "0.1",
	Bad:   urlset(page("https://example.com/caf\u00e9 au lait", "")),
	Good:  urlset(page("https://example.com/caf%C3%A9%20au%20lait", "")),
	needs: oddBytes,
	check: func(v *visit) {
		i := bytes.IndexFunc(v.entry.Loc, func(r rune) bool { return !isInvisible(r) && (r > 0x7e || strings.ContainsRune(" \"<>\\^`{|}", r)) })
		if i >= 0 {
			r, n := utf8.DecodeRune(v.entry.Loc[i:])
			v.reportLoc(fmt.Sprintf("%q has to be written %s", r, strings.ToUpper(percent(v.entry.Loc[i:i+n]))))
		}
	},
}

func percent(b []byte) string {
	var s strings.Builder
	for _, c := range b {
		fmt.Fprintf(&s, "%%%02x", c)
	}
	return s.String()
}

var locBadEscape = &Rule{
	ID:            "loc-bad-escape",
	Title:         "a percent sign that is not followed by two hexadecimal digits",
	Why:           "% begins an escape. Servers answer 400 to a broken one.",
	Cure:          "Write %25 for a percent sign, and do not cut addresses in the middle of an escape.",
	Severity:      Error,
	Source:        uriText + "#section-2.1",
	SearchConsole: "Invalid URL", Yandex: "Incorrect page address",
	Since: "0.1",
	Bad:   urlset(page("https://example.com/100%", "")),
	Good:  urlset(page("https://example.com/100%25", "")),
	needs: oddPercent,
	check: func(v *visit) {
		for i, c := range v.entry.Loc {
			if c == '%' && (i+2 >= len(v.entry.Loc) || !isHex(v.entry.Loc[i+1]) || !isHex(v.entry.Loc[i+2])) {
				v.reportLoc("% without two hexadecimal digits behind it")
				return
			}
		}
	},
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f'
}

var locDoubleEncoded = &Rule{
	ID:       "loc-double-encoded",
	Title:    "an address that was escaped twice",
	Why:      "%2520 is a percent sign and 20, not a space, and &amp;amp; is &amp;, not &: the engine asks for a page that is not there.",
	Cure:     "Escape once, where the address is written, and nowhere before.",
	Severity: Warning,
	Source:   protocolText + "#escaping",
	Since:    "0.1",
	Bad:      urlset(page("https://example.com/a%2520b", "")),
	Good:     urlset(page("https://example.com/a%20b", "")),
	needs:    oddPercent | oddQuery,
	check: func(v *visit) {
		loc := v.entry.Loc
		for i := bytes.Index(loc, []byte("%25")); i >= 0 && i+5 <= len(loc); {
			if isHex(loc[i+3]) && isHex(loc[i+4]) {
				v.reportLoc(fmt.Sprintf("%s is an escape that was escaped again", loc[i:i+5]))
				return
			}
			next := bytes.Index(loc[i+3:], []byte("%25"))
			if next < 0 {
				break
			}
			i += 3 + next
		}
		if bytes.Contains(loc, []byte("&amp;")) {
			v.reportLoc("&amp; is left over after unescaping")
		}
	},
}

var locFragment = &Rule{
	ID:       "loc-fragment",
	Title:    "an address with a fragment",
	Why:      "What follows # never reaches the server: engines drop it, and several such addresses are one page.",
	Cure:     "List the page once, without the fragment.",
	Severity: Warning,
	Source:   uriText + "#section-3.5",
	Since:    "0.1",
	Bad:      urlset(page("https://example.com/page#part", "")),
	Good:     urlset(page("https://example.com/page", "")),
	needs:    oddFragment,
	check: func(v *visit) {
		if i := bytes.IndexByte(v.entry.Loc, '#'); i >= 0 {
			v.reportLoc("engines drop " + printable(v.entry.Loc[i:]))
		}
	},
}

var locUserinfo = &Rule{
	ID:       "loc-userinfo",
	Title:    "an address with a user name or password",
	Why:      "Engines do not log in, and everybody can read the sitemap.",
	Cure:     "Remove what stands before @, and change the password.",
	Severity: Warning,
	Source:   uriText + "#section-3.2.1",
	Since:    "0.1",
	Bad:      urlset(page("https://user:secret@example.com/page", "")),
	Good:     urlset(page("https://example.com/page", "")),
	needs:    oddOrigin,
	check: func(v *visit) {
		if host, _ := authority(v.entry.Loc); bytes.IndexByte(host, '@') >= 0 {
			v.reportLoc("a user name before the host")
		}
	},
}

var locSessionID = &Rule{
	ID:       "loc-session-id",
	Title:    "an address with a session identifier",
	Why:      "Every visit makes another address of the same page, so engines crawl it again and again as a new one.",
	Cure:     "Remove the identifier from the addresses that are listed.",
	Severity: Warning,
	Source:   protocolFAQ,
	Since:    "0.1",
	Bad:      urlset(page("https://example.com/page;jsessionid=1A530637289A03B07199A44E8D531427", "")),
	Good:     urlset(page("https://example.com/page", "")),
	needs:    oddQuery,
	check: func(v *visit) {
		if name := sessionName(v.entry.Loc); name != "" {
			v.reportLoc(name + " names a session")
		}
	},
}

// sessionName finds the parameter of a path or a query that names a session.
func sessionName(loc []byte) string {
	i := bytes.IndexAny(loc, ";?")
	if i < 0 {
		return ""
	}
	for parameter := range bytes.FieldsFuncSeq(loc[i:], func(r rune) bool { return strings.ContainsRune(";?&/", r) }) {
		name, value, _ := bytes.Cut(parameter, []byte{'='})
		if len(value) < 8 {
			continue
		}
		switch lower := strings.ToLower(string(name[:min(len(name), 32)])); lower {
		case "jsessionid", "phpsessid", "aspsessionid", "asp.net_sessionid", "sessionid", "session_id", "cfid", "cftoken", "oscsid", "zenid":
			return lower
		}
	}
	return ""
}

var locDefaultPort = &Rule{
	ID:       "loc-default-port",
	Title:    "an address with the port that its scheme has anyway",
	Why:      "https://example.com:443/ and https://example.com/ are one page, and engines show the short form.",
	Cure:     "Leave the port out of the address.",
	Severity: Info,
	Source:   uriText + "#section-6.2.3",
	Since:    "0.1",
	Bad:      urlset(page("https://example.com:443/page", "")),
	Good:     urlset(page("https://example.com/page", "")),
	needs:    oddOrigin,
	check: func(v *visit) {
		if u := v.address(); u != nil && u.Port() != "" && u.Port() == usualPort(u.Scheme) {
			v.reportLoc("port " + u.Port() + " goes without saying")
		}
	},
}

var locDotSegments = &Rule{
	ID:       "loc-dot-segments",
	Title:    "an address with /./ or /../",
	Why:      "Clients resolve the dots before they ask, so the page has another address than the one listed.",
	Cure:     "List the address that remains when the dots are resolved.",
	Severity: Warning,
	Source:   uriText + "#section-6.2.2.3",
	Since:    "0.1",
	Bad:      urlset(page("https://example.com/a/../page", "")),
	Good:     urlset(page("https://example.com/page", "")),
	needs:    oddDots,
	check: func(v *visit) {
		path, _, _ := bytes.Cut(v.entry.Loc, []byte{'?'})
		for segment := range bytes.SplitSeq(path, []byte{'/'}) {
			if s := string(segment); s == "." || s == ".." {
				v.reportLoc("a segment " + s + " in the path")
				return
			}
		}
	},
}

var locUpperHost = &Rule{
	ID:       "loc-upper-host",
	Title:    "a scheme or host with capital letters",
	Why:      "Both are the same in lower case, which is how engines show and compare them.",
	Cure:     "Write scheme and host in lower case.",
	Severity: Info,
	Source:   uriText + "#section-6.2.2.1",
	Since:    "0.1",
	Bad:      urlset(page("https://Example.com/page", "")),
	Good:     urlset(page("https://example.com/page", "")),
	needs:    oddOrigin,
	check: func(v *visit) {
		host, ok := authority(v.entry.Loc)
		scheme, _, _ := bytes.Cut(v.entry.Loc, []byte{':'})
		if ok && (hasUpper(host) || hasUpper(scheme)) {
			v.reportLoc("capital letters in the scheme or the host")
		}
	},
}

func hasUpper(b []byte) bool {
	for _, c := range b {
		if c >= 'A' && c <= 'Z' {
			return true
		}
	}
	return false
}
