package source

import (
	"bufio"
	"bytes"
	"iter"
	"net/http"
	"slices"

	"github.com/mapatools/mapa/internal/urlnorm"
)

// Logs yields the URLs in access logs of web servers whose GET and HEAD requests were
// answered with status 2xx or 3xx. A log is in the Common or Combined Log Format
// (https://httpd.apache.org/docs/2.4/logs.html#accesslog, nginx's "combined"), or has one
// JSON object a line as Caddy, Traefik and nginx write them, and may be compressed by
// gzip. URLs are on the host of options.Base, which is required, unless the request names a
// host. A URL is yielded as often as it was requested.
//
// Names and errors are those of [Lists].
func Logs(names []string, options *LineOptions) iter.Seq2[string, error] {
	if options == nil || options.Base == "" {
		return failed(ErrNoBase)
	}
	resolver, err := newResolver(options.Base)
	if err != nil {
		return failed(err)
	}
	return resolver.read(names, options, func(in *bufio.Reader, _ string) iter.Seq2[*record, error] {
		return parseLog(in, resolver.base.String(), false)
	})
}

// parseLog reads the requests that show that a page exists. With only, it leaves out
// redirects, and what is no page.
func parseLog(in *bufio.Reader, base string, only bool) iter.Seq2[*record, error] {
	origin := urlnorm.Origin(base)
	var target []byte
	return eachLine(in, func(found *record, l *line) (bool, error) {
		parse := parseLogLine
		if l.text[0] == '{' {
			parse = parseJSONLogLine
		}
		request, ok := parse(l.text)
		if !ok {
			return false, &RowError{Line: l.number, Column: l.column, Err: ErrNotLogLine}
		}
		if !request.isPage() || only && !request.isListable() {
			return false, nil
		}
		if target, ok = request.appendTarget(target[:0], originOf(origin, request.host)); !ok {
			return false, &RowError{Line: l.number, Column: l.column, Err: ErrNotLogLine}
		}
		if only && !isPagePath(target) {
			return false, nil
		}
		found.cells[fieldLoc] = cell{text: target, column: l.column}
		return true, nil
	})
}

// A request is the request of one line of a log.
type request struct {
	text    []byte // method, target and perhaps the protocol
	status  int
	host    string // empty where the line does not say
	isPlain bool   // the text has no escapes
}

// methods are those of requests that show a page.
var methods = [...][]byte{[]byte("GET "), []byte("HEAD ")}

// target returns the text after the method, or false for a method that shows no page.
func (r *request) target() ([]byte, bool) {
	for _, method := range methods {
		if target, is := bytes.CutPrefix(r.text, method); is {
			return target, true
		}
	}
	return nil, false
}

// isPage reports whether the request shows that a page exists.
func (r *request) isPage() bool {
	_, shows := r.target()
	return shows && r.status >= 200 && r.status < 400
}

// isListable reports whether the page itself was sent, or had not changed.
func (r *request) isListable() bool {
	return r.status == http.StatusOK || r.status == http.StatusNotModified
}

// fileEndings are those of files that belong to pages, are for programs, or are what
// attackers look for.
var fileEndings = []string{
	"atom", "avif", "bmp", "css", "eot", "gif", "gz", "ico", "jpeg", "jpg", "js", "json", "map", "mjs", "mp3", "mp4",
	"ogg", "otf", "png", "rss", "svg", "ttf", "wasm", "wav", "webm", "webmanifest", "webp", "woff", "woff2", "xml", "zip",
	"bak", "cfg", "conf", "db", "env", "ini", "key", "log", "old", "orig", "pem", "rar", "save", "sql", "sqlite", "swp",
	"tar", "tgz", "toml", "yaml", "yml", "7z",
}

// programPaths are segments of paths that belong to programs, and that attackers request
// from every site. Some servers answer all of them with 200.
var programPaths = []string{
	"wp-admin", "wp-includes", "wp-json", "wp-login.php", "wp-cron.php", "wp-config.php", "wp-signup.php",
	"wp-activate.php", "wp-comments-post.php", "wp-trackback.php", "wp-mail.php", "wp-links-opml.php", "xmlrpc.php",
	"administrator", "phpmyadmin", "pma", "adminer.php", "phpinfo.php", "cgi-bin", "server-status", "server-info",
	"actuator", "_profiler", "_ignition", "hnap1", "boaform", "autodiscover", "owa",
	"robots.txt", "ads.txt", "app-ads.txt", "security.txt", "humans.txt",
}

// isPagePath reports whether an address may be that of a page: it is not that of a
// file of another kind, nor one of [programPaths], and none of its segments is hidden.
func isPagePath(address []byte) bool {
	path, _, _ := bytes.Cut(address, []byte("?"))
	if _, rest, found := bytes.Cut(path, []byte("://")); found {
		path = rest
	}
	_, path, _ = bytes.Cut(path, []byte("/")) // after the host
	path = bytes.ToLower(path)
	name := path
	for segment := range bytes.SplitSeq(path, []byte("/")) {
		name = segment
		if bytes.HasPrefix(segment, []byte(".")) || slices.Contains(programPaths, string(segment)) {
			return false
		}
	}
	dot := bytes.LastIndexByte(name, '.')
	if isUpload := bytes.HasSuffix(name, []byte(".pdf")); !isUpload && bytes.HasPrefix(path, []byte("wp-content/")) {
		return false
	}
	return dot < 0 || !slices.Contains(fileEndings, string(name[dot+1:])) && !bytes.HasSuffix(name, []byte("~"))
}

// parseLogLine parses a line: host, identity, user, [time], "request", status, and
// further fields of the format. The name of a user may contain anything but an
// unescaped quotation mark, so only a time followed by one is the time.
func parseLogLine(text []byte) (request, bool) {
	from := 0
	for {
		i := bytes.Index(text[from:], []byte(" ["))
		if i < 0 {
			return request{}, false
		}
		from += i
		if rest := text[from+1:]; isTime(rest) && bytes.HasPrefix(rest[len(timePattern):], []byte(` "`)) {
			break
		}
		from++
	}
	if bytes.Count(text[:from], []byte(" ")) < 2 {
		return request{}, false
	}
	rest := text[from+1+len(timePattern)+len(` "`):]
	end := endOfQuoted(rest)
	if end < 0 {
		return request{}, false
	}
	status, ok := statusOf(rest[end+1:])
	return request{text: rest[:end], status: status}, ok
}

// timePattern is the pattern of a time: 0 is a digit, A a letter, + a sign.
const timePattern = "[00/AAA/0000:00:00:00 +0000]"

func isTime(text []byte) bool {
	if len(text) < len(timePattern) {
		return false
	}
	for i, c := range text[:len(timePattern)] {
		switch form := timePattern[i]; form {
		case '0':
			if c < '0' || c > '9' {
				return false
			}
		case 'A':
			if lower := c | 0x20; lower < 'a' || lower > 'z' {
				return false
			}
		case '+':
			if c != '+' && c != '-' {
				return false
			}
		default:
			if c != form {
				return false
			}
		}
	}
	return true
}

// endOfQuoted returns the index of the quotation mark that no backslash
// escapes, or -1.
func endOfQuoted(text []byte) int {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return -1
}

// statusOf parses a space and three digits, followed by a space or the end.
func statusOf(text []byte) (int, bool) {
	if len(text) < 4 || text[0] != ' ' || len(text) > 4 && text[4] != ' ' {
		return 0, false
	}
	status := 0
	for _, c := range text[1:4] {
		if c < '0' || c > '9' {
			return 0, false
		}
		status = 10*status + int(c-'0')
	}
	return status, true
}

// appendTarget appends the URL of the request. A target that begins with one or
// two slashes is a path (RFC 9112, section 3.2.1).
func (r *request) appendTarget(dst []byte, origin string) ([]byte, bool) {
	target, _ := r.target()
	if i := bytes.LastIndexByte(target, ' '); i >= 0 && !r.isPlain {
		if !bytes.HasPrefix(target[i+1:], []byte("HTTP/")) {
			return dst, false
		}
		target = target[:i]
	}
	if len(target) > 4*urlnorm.MaxLength {
		return dst, false
	}
	if bytes.HasPrefix(target, []byte("/")) {
		dst = append(dst, origin...)
	}
	return appendUnescaped(dst, target, r.isPlain)
}

// appendUnescaped replaces the escapes of a log, which are \xhh, \" and \\ in Apache
// and nginx. Bytes outside ASCII are percent-encoded, since their charset is
// unknown. It returns false for a control character, escaped or not: no request
// can contain one. A plain text has no escapes.
func appendUnescaped(dst, text []byte, isPlain bool) ([]byte, bool) {
	const digits = "0123456789ABCDEF"
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c == '\\' && !isPlain {
			i++
			switch {
			case i < len(text) && (text[i] == '"' || text[i] == '\\'):
				c = text[i]
			case i+2 < len(text) && text[i] == 'x' && isHex(text[i+1]) && isHex(text[i+2]):
				c = unhex(text[i+1])<<4 | unhex(text[i+2])
				i += 2
			default:
				return dst, false
			}
		}
		switch {
		case c < 0x20 || c == 0x7f:
			return dst, false
		case c > 0x7f || c == '\\' || c == '#':
			dst = append(dst, '%', digits[c>>4], digits[c&15])
		default:
			dst = append(dst, c)
		}
	}
	return dst, true
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f'
}

func unhex(c byte) byte {
	if c <= '9' {
		return c - '0'
	}
	return c | 0x20 - 'a' + 10
}
