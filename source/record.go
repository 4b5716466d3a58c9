package source

import (
	"bytes"
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mapatools/mapa/internal/lastmod"
	"github.com/mapatools/mapa/internal/urlnorm"
	"github.com/mapatools/mapa/sitemap"
)

// The reasons why the values of a row cannot be used. [sitemap.FieldError] names the
// field.
var (
	ErrControl   = errors.New("a control character in it")
	ErrEncoding  = errors.New("not UTF-8")
	ErrFuture    = lastmod.ErrFuture
	ErrAncient   = lastmod.ErrAncient
	ErrFrequency = errors.New("not one of always, hourly, daily, weekly, monthly, yearly and never")
	ErrDay       = lastmod.ErrDay
	ErrPriority  = errors.New("not a number from 0.0 to 1.0")
	ErrScheme    = errors.New("no http:// or https:// in front of the host")
)

// A record is one row of a file before its values are checked. Its texts are valid
// until the next one.
type record struct {
	line       int
	cells      [fieldCount]cell
	date       sitemap.Date // of fieldLastMod where the source knows more than its text
	extensions sitemap.Extensions
	unlisted   *UnlistedError // why its page must not be listed, as the source says
	isText     bool           // a line of text
	dropped    []error        // values that its parser could not read, as in [Row]
}

// A cell is a value and the column, counted in bytes from 1, where it begins.
type cell struct {
	text    []byte
	column  int
	isLoose bool // as of its [columnRole]
}

// check returns the row of a record, or a [*RowError] without its location.
func (r *rowReader) check(found *record) (*Row, error) {
	r.row.clear()
	r.row.Line = found.line
	if found.unlisted != nil {
		return nil, &RowError{Line: found.line, Err: found.unlisted}
	}
	if err := r.readLoc(found); err != nil {
		return nil, fieldError(found, fieldLoc, err)
	}
	r.row.Dropped = append(r.row.Dropped, found.dropped...)
	for f := fieldLastMod; f < fieldStatus; f++ {
		c := &found.cells[f]
		if len(c.text) == 0 {
			continue
		}
		if err := r.read(f, c.text); err != nil && !c.isLoose {
			r.row.Dropped = append(r.row.Dropped, fieldError(found, f, err))
		}
	}
	if !found.extensions.IsZero() {
		r.row.Extensions = found.extensions
	}
	if !found.date.IsZero() {
		r.row.LastMod = found.date
	}
	return &r.row, nil
}

// fieldError returns the error of a value of a record.
func fieldError(found *record, f field, err error) *RowError {
	c := &found.cells[f]
	fault := &sitemap.FieldError{Field: f.String(), Value: excerpt(c.text), Err: err}
	if errors.Is(err, sitemap.ErrDate) { // has the value already
		fault.Value = ""
	}
	return &RowError{Line: found.line, Column: c.column + max(badByte(c.text), 0), Err: fault}
}

// readLoc reads the address of a record into r.row.
func (r *rowReader) readLoc(found *record) (err error) {
	text := found.cells[fieldLoc].text
	r.row.Loc, err = r.address(text)
	if err == nil && found.isText && text[0] != '?' && bytes.IndexByte(text, '/') < 0 {
		return ErrNoAddress // a word of any text
	}
	return err
}

// read reads the text of a field, which is not empty, into r.row.
func (r *rowReader) read(f field, text []byte) (err error) {
	switch f {
	case fieldLastMod:
		r.row.LastMod, err = lastmod.Parse(text, r.now)
	case fieldChangeFreq:
		r.row.ChangeFreq, err = changeFreq(text)
	case fieldPriority:
		var value float64
		if value, err = priority(text); err == nil {
			r.row.Priority = sitemap.PriorityOf(value)
		}
	case fieldTitle:
		if !utf8.Valid(text) {
			return ErrEncoding
		}
		r.row.Title = r.texts.copy(text)
	}
	return err
}

// checkText refuses control characters and text that is not UTF-8.
func checkText(text []byte) error {
	at := badByte(text)
	switch {
	case at < 0:
		return nil
	case text[at] < utf8.RuneSelf:
		return ErrControl
	}
	return ErrEncoding
}

// badByte returns the index of the first byte that is a control character or not UTF-8,
// or -1.
func badByte(text []byte) int {
	ascii := true
	for i, c := range text {
		if c < 0x20 || c == 0x7f {
			return i
		}
		ascii = ascii && c < utf8.RuneSelf
	}
	if ascii || utf8.Valid(text) {
		return -1
	}
	for i := 0; ; {
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && size <= 1 {
			return i
		}
		i += size
	}
}

// excerpt shortens a value for an error.
func excerpt(text []byte) string {
	const most = 60
	if len(text) <= most {
		return string(text)
	}
	return string(bytes.ToValidUTF8(text[:most], nil)) + "…"
}

// address normalizes the address of a page. Every relative reference without white
// space is resolved.
func (r *rowReader) address(text []byte) (string, error) {
	if r.isNormal(text) {
		return r.texts.copy(text), nil
	}
	if err := checkText(text); err != nil {
		return "", err
	}
	text = bytes.TrimSpace(text)
	name, _, absolute := urlnorm.CutScheme(text)
	switch {
	case len(text) == 0:
		return "", sitemap.ErrMissing
	case absolute && !urlnorm.IsHTTP(string(text[:min(len(text), len("https://"))])) && len(name) > 0,
		!absolute && bytes.ContainsAny(text, " \t"):
		return "", ErrNoAddress
	case !absolute && r.startsWithHost(text):
		return "", ErrScheme
	}
	out, err := r.base.AppendResolve(r.buffer[:0], text)
	if err != nil {
		return "", err
	}
	r.buffer = out
	if hasVariants(out) {
		r.key = urlnorm.AppendKey(r.key[:0], out, urlnorm.KeyOptions{Strip: r.strip})
		out = r.key
	}
	return checkLoc(r.texts.copy(out))
}

// isNormal reports whether an address begins with the base and has only bytes, and no
// dots after a slash, that normalizing keeps. That is true of nearly all.
func (r *rowReader) isNormal(text []byte) bool {
	base := r.base.String()
	if base == "" || len(text) < max(len(base), sitemap.MinLocLength) || len(text) > sitemap.MaxLocLength ||
		string(text[:len(base)]) != base || base[len(base)-1] != '/' {
		return false
	}
	path := text[len(base)-1:]
	return isPlain(path) && !hasDots(path)
}

// isPlain reports whether a path has only bytes that normalizing keeps.
func isPlain(path []byte) bool {
	for len(path) >= 8 {
		s := path[:8]
		if plainBytes[s[0]]&plainBytes[s[1]]&plainBytes[s[2]]&plainBytes[s[3]]&
			plainBytes[s[4]]&plainBytes[s[5]]&plainBytes[s[6]]&plainBytes[s[7]] == 0 {
			return false
		}
		path = path[8:]
	}
	for _, c := range path {
		if plainBytes[c] == 0 {
			return false
		}
	}
	return true
}

// plainBytes has a 1 for the bytes of a path that need no look.
var plainBytes = [256]uint8{
	'-': 1, '.': 1, '/': 1, '_': 1, '~': 1, '0': 1, '1': 1, '2': 1, '3': 1, '4': 1, '5': 1, '6': 1,
	'7': 1, '8': 1, '9': 1, 'A': 1, 'B': 1, 'C': 1, 'D': 1, 'E': 1, 'F': 1, 'G': 1, 'H': 1, 'I': 1,
	'J': 1, 'K': 1, 'L': 1, 'M': 1, 'N': 1, 'O': 1, 'P': 1, 'Q': 1, 'R': 1, 'S': 1, 'T': 1, 'U': 1,
	'V': 1, 'W': 1, 'X': 1, 'Y': 1, 'Z': 1, 'a': 1, 'b': 1, 'c': 1, 'd': 1, 'e': 1, 'f': 1, 'g': 1,
	'h': 1, 'i': 1, 'j': 1, 'k': 1, 'l': 1, 'm': 1, 'n': 1, 'o': 1, 'p': 1, 'q': 1, 'r': 1, 's': 1,
	't': 1, 'u': 1, 'v': 1, 'w': 1, 'x': 1, 'y': 1, 'z': 1,
}

// hasDots reports whether a path has a dot after a slash.
func hasDots(path []byte) bool {
	for i := 0; ; i++ {
		length := bytes.IndexByte(path[i:], '.')
		if length < 0 {
			return false
		}
		if i += length; i > 0 && path[i-1] == '/' {
			return true
		}
	}
}

// hasVariants reports whether an address has a query, an escape or a parameter, so that
// it may have other spellings.
func hasVariants(address []byte) bool {
	for _, c := range address {
		if c == '?' || c == '%' || c == ';' {
			return true
		}
	}
	return false
}

// checkLoc returns an address that a sitemap can hold.
func checkLoc(address string) (string, error) {
	if len(address) < sitemap.MinLocLength || len(address) > sitemap.MaxLocLength {
		return sitemap.EncodeLoc(address)
	}
	return address, nil
}

// startsWithHost reports whether a reference begins with the host of the base, or with
// another one that begins with www, so that it only lacks its scheme.
func (r *rowReader) startsWithHost(text []byte) bool {
	host, _, _ := bytes.Cut(text, []byte("/"))
	_, base, _ := strings.Cut(r.base.String(), "://")
	base, _, _ = strings.Cut(base, "/")
	return len(host) > 0 && (strings.EqualFold(string(host), base) || bytes.HasPrefix(bytes.ToLower(host), []byte("www.")))
}

var frequencies = []sitemap.ChangeFreq{
	sitemap.ChangeFreqAlways, sitemap.ChangeFreqHourly, sitemap.ChangeFreqDaily, sitemap.ChangeFreqWeekly,
	sitemap.ChangeFreqMonthly, sitemap.ChangeFreqYearly, sitemap.ChangeFreqNever,
}

// priority reads a number from 0 to 1, usually one with a single decimal.
func priority(text []byte) (float64, error) {
	if len(text) == 3 && text[1] == '.' && (text[0] == '0' && text[2]-'0' <= 9 || string(text) == "1.0") {
		return float64(text[0]-'0') + float64(text[2]-'0')/10, nil
	}
	value, err := strconv.ParseFloat(strings.Replace(string(text), ",", ".", 1), 64) // 0,5 in many languages
	if err != nil || !(value >= 0 && value <= 1) {
		return 0, ErrPriority
	}
	return value, nil
}

// changeFreq reads a changefreq in any case.
func changeFreq(text []byte) (sitemap.ChangeFreq, error) {
	for _, value := range frequencies {
		if len(text) == len(value) && (string(text) == string(value) || strings.EqualFold(string(text), string(value))) {
			return value, nil
		}
	}
	return "", ErrFrequency
}
