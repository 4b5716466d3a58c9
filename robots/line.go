package robots

import (
	"iter"
	"strings"
)

// A Kind is the meaning of a line, independent of how its key is spelled.
type Kind uint8

// The kinds of lines. RFC 9309, section 2.2, defines User-agent, Allow and Disallow;
// sitemaps.org defines Sitemap (https://www.sitemaps.org/protocol.html#submit_robots).
// Crawl-delay is a convention of some search engines.
const (
	KindUnknown    Kind = iota // not understood, and without effect
	KindUserAgent              // begins a group, or adds a crawler to one that begins
	KindAllow                  // a rule that allows what matches
	KindDisallow               // a rule that disallows what matches
	KindSitemap                // the address of a sitemap, for every crawler
	KindCrawlDelay             // the seconds that a crawler should leave between requests
)

// String returns the key in its standard spelling, such as "User-agent".
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

// A Line is one record of a robots.txt, as written: URLs are neither resolved nor
// normalized.
type Line struct {
	Number int    // counted from 1; CR, LF and CRLF each end a line
	Kind   Kind   // the meaning of the key
	Key    string // as written, such as "dissallow"; empty when the line has no key
	Value  string // without comment and surrounding white space; may be empty
	Text   string // the whole record, without comment and surrounding white space
}

const (
	lineEnds   = "\r\n"
	whiteSpace = " \t\v\f"

	// lineLimit is the length in bytes at which Google's parser cuts a line:
	// eight times 2083, the longest URL of old browsers, less one for the
	// terminator.
	lineLimit = 8*2083 - 1
)

// Lines yields every record of the file in order, including those of [KindUnknown].
// Blank lines and lines with only a comment are skipped, but counted. The part of a
// line after 16,663 bytes is ignored. The result can be iterated more than once.
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

// Sitemaps returns the Sitemap lines that have a value. They belong to no group and
// apply to every crawler. The value should be an absolute URL, but is returned as
// written.
func (f *File) Sitemaps() []Line {
	var found []Line
	for line := range f.Lines() {
		if line.Kind == KindSitemap && line.Value != "" {
			found = append(found, line)
		}
	}
	return found
}

// cutLine splits text after its first line and removes the line end.
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

// splitRecord splits a record into key and value at the colon or, when the colon is
// missing, at the white space between exactly two words. The key is empty when the
// record cannot be split.
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

// isValueAlone reports whether the text after a first word is a value and not the
// rest of a key. A colon belongs to the value when the text looks like a path or a
// URL.
func isValueAlone(text string) bool {
	if strings.ContainsAny(text, whiteSpace) {
		return false
	}
	if !strings.ContainsRune(text, ':') || text[0] == '/' || text[0] == '*' {
		return true
	}
	return hasPrefixFold(text, "http://") || hasPrefixFold(text, "https://")
}

// spellings lists the prefixes of keys, in any case: those of the standard, the
// misspellings that Google's parser accepts, and the same variants of Crawl-delay,
// which that parser does not support.
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
