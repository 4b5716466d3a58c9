package robots

import (
	"iter"
	"strings"
)

// Kind is what a line says, whatever spelling it uses.
type Kind uint8

// The kinds of lines. The Sitemap line is that of sitemaps.org, the Crawl-delay
// line a convention that some crawlers honour; RFC 9309 knows the other three.
const (
	KindUnknown    Kind = iota // not understood, and without effect
	KindUserAgent              // begins a group, or adds a crawler to one that begins
	KindAllow                  // a rule that allows what matches
	KindDisallow               // a rule that disallows what matches
	KindSitemap                // the address of a sitemap, for every crawler
	KindCrawlDelay             // the seconds that a crawler should leave between requests
)

// String gives the key in its standard spelling, such as "User-agent".
func (k Kind) String() string {
	switch k {
	case KindUserAgent:
		return "User-agent"
	case KindAllow:
		return "Allow"
	case KindDisallow:
		return "Disallow"
	case KindSitemap:
		return "Sitemap"
	case KindCrawlDelay:
		return "Crawl-delay"
	default:
		return "Unknown"
	}
}

// Line is one record of a robots.txt, as it is written there: a relative
// address stays relative and percent-encoding stays as it is.
type Line struct {
	Number int    // counted from 1; CR, LF and CRLF each end a line
	Kind   Kind   // what the key was taken for
	Key    string // as written, such as "dissallow"; empty when the line has no key
	Value  string // without comment and surrounding white space; may be empty
	Text   string // the whole record, without comment and surrounding white space
}

const (
	lineEnds   = "\r\n"
	whiteSpace = " \t\v\f"

	// lineLimit is where Google's parser cuts a line: eight times the longest
	// URL of browsers of old, less the end mark.
	lineLimit = 8*2083 - 1
)

// Lines gives every record of the file in order, those without a meaning
// included. Lines that are blank or hold only a comment are left out, but
// counted. The part of a line beyond 16,663 bytes is ignored.
func (f *File) Lines() iter.Seq[Line] {
	return func(yield func(Line) bool) {
		rest := f.text
		for number := 1; rest != ""; number++ {
			var text string
			text, rest = cutLine(rest)
			line := parseLine(text)
			if line.Text == "" {
				continue
			}
			line.Number = number
			if !yield(line) {
				return
			}
		}
	}
}

// Sitemaps gives the Sitemap lines that have a value, wherever they stand: they
// belong to no group. The value should be an absolute URL, but is given as it
// is written.
func (f *File) Sitemaps() []Line {
	var found []Line
	for line := range f.Lines() {
		if line.Kind == KindSitemap && line.Value != "" {
			found = append(found, line)
		}
	}
	return found
}

// cutLine splits text after its first line and drops the line end.
func cutLine(text string) (line, rest string) {
	end := strings.IndexAny(text, lineEnds)
	if end < 0 {
		return text, ""
	}
	line, rest = text[:end], text[end+1:]
	if text[end] == '\r' {
		rest = strings.TrimPrefix(rest, "\n")
	}
	return line, rest
}

func parseLine(text string) Line {
	text = text[:min(len(text), lineLimit)]
	text, _, _ = strings.Cut(text, "#")
	text = strings.Trim(text, whiteSpace)
	key, value := splitRecord(text)
	return Line{Kind: kindOf(key), Key: key, Value: value, Text: text}
}

// splitRecord separates key and value at the colon or, where that was
// forgotten, at the white space between exactly two words. The key is empty
// when there is nothing to split at.
func splitRecord(text string) (key, value string) {
	if space := strings.IndexAny(text, whiteSpace); space > 0 {
		word, rest := text[:space], strings.TrimLeft(text[space:], whiteSpace)
		if !strings.ContainsRune(word, ':') && isValueAlone(rest) {
			return word, rest
		}
	}
	key, value, found := strings.Cut(text, ":")
	if !found {
		return "", ""
	}
	return strings.TrimRight(key, whiteSpace), strings.TrimLeft(value, whiteSpace)
}

// isValueAlone reports whether text, following a first word, is a value and not
// the rest of a key. A colon in it is the value's own when it looks like a path
// or a URL.
func isValueAlone(text string) bool {
	if strings.ContainsAny(text, whiteSpace) {
		return false
	}
	if !strings.ContainsRune(text, ':') || text[0] == '/' || text[0] == '*' {
		return true
	}
	return hasPrefixFold(text, "http://") || hasPrefixFold(text, "https://")
}

// spellings lists how the keys begin, in any case: those of the standard, and
// those that Google's parser takes for them, with the same variants for the
// Crawl-delay that it does not know.
var spellings = []struct {
	prefix string
	kind   Kind
}{
	{"user-agent", KindUserAgent},
	{"useragent", KindUserAgent},
	{"user agent", KindUserAgent},
	{"allow", KindAllow},
	{"disallow", KindDisallow},
	{"dissallow", KindDisallow},
	{"dissalow", KindDisallow},
	{"disalow", KindDisallow},
	{"diasllow", KindDisallow},
	{"disallaw", KindDisallow},
	{"sitemap", KindSitemap},
	{"site-map", KindSitemap},
	{"crawl-delay", KindCrawlDelay},
	{"crawldelay", KindCrawlDelay},
	{"crawl delay", KindCrawlDelay},
}

func kindOf(key string) Kind {
	for _, spelling := range spellings {
		if hasPrefixFold(key, spelling.prefix) {
			return spelling.kind
		}
	}
	return KindUnknown
}

func hasPrefixFold(text, prefix string) bool {
	return len(text) >= len(prefix) && strings.EqualFold(text[:len(prefix)], prefix)
}
