package source

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"html"
	"iter"
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/mapatools/mapa/sitemap"
)

var errBrokenJSON = errors.New("not a JSON object")

// A jsonReader makes records of objects.
type jsonReader struct {
	columns  columns
	guess    bool // an object without an address is no reason to end
	isLoaded bool // an object had an address
	object   map[string]json.RawMessage
	names    []string // of the object, sorted
	handle   []byte   // of the address, where its value has another form
}

// parseJSON reads objects: one a line, as "mapa list --format jsonl" writes them or with
// fields of other names, or those of an array, which may be inside of other objects. guess is
// that of [parseCSV].
func parseJSON(in *bufio.Reader, columns map[string]string, guess, isLines bool) iter.Seq2[*record, error] {
	r := &jsonReader{guess: guess}
	r.columns.given = columns
	if !isLines && r.isDocument(in) {
		return r.parseDocument(in)
	}
	return eachLine(in, func(found *record, l *line) (bool, error) {
		return true, r.read(found, l.text, l.number, l.column)
	})
}

// isDocument reports whether a file is one JSON value, and not one object a line: an array,
// or an object of several lines, or one that has no address itself but an array.
func (r *jsonReader) isDocument(in *bufio.Reader) bool {
	if firstLine(in).any[0] == '[' {
		return true
	}
	text, _ := in.Peek(maxLine)
	first, _, _ := bytes.Cut(bytes.TrimLeft(text, " \t\r\n"), []byte("\n"))
	if r.set(first) != nil {
		return true
	}
	isList := func(value json.RawMessage) bool { return bytes.ContainsAny(value[:1], "[{") }
	return r.find(fieldLoc) < 0 && slices.ContainsFunc(slices.Collect(maps.Values(r.object)), isList)
}

// set makes an object the current one.
func (r *jsonReader) set(text []byte) error {
	clear(r.object)
	if err := json.Unmarshal(text, &r.object); err != nil {
		return err
	}
	if r.object == nil {
		return errBrokenJSON
	}
	r.names = slices.AppendSeq(r.names[:0], maps.Keys(r.object))
	slices.Sort(r.names)
	return nil
}

// find returns the index of the name of a field in the current object, or -1.
func (r *jsonReader) find(f field) int {
	at, _ := r.columns.best(f, r.names)
	return at
}

// read makes a record of an object. Its error is a [*RowError], except for the
// [*ColumnError] of a first object without an address.
func (r *jsonReader) read(found *record, text []byte, line, column int) error {
	*found = record{line: line}
	found.cells[fieldLoc].column = column
	fault := func(at int, err error) error { return &RowError{Line: line, Column: column + at, Err: err} }
	if !utf8.Valid(text) {
		return fault(badByte(text), ErrEncoding)
	}
	if err := r.set(text); err != nil {
		at := 0
		if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
			at = max(int(syntax.Offset)-1, 0)
		}
		return fault(at, errBrokenJSON)
	}
	at, loc := r.columns.best(fieldLoc, r.names)
	if at < 0 && !r.isLoaded && !r.guess {
		return r.missing()
	}
	r.isLoaded = true
	for f := range fieldStatus {
		best, role := r.columns.best(f, r.names)
		if best < 0 {
			continue
		}
		value := r.object[r.names[best]]
		content, err := jsonText(f, value)
		at := max(bytes.Index(text, value), 0)
		if len(value) > 0 && value[0] == '"' {
			at++
		}
		found.cells[f] = cell{content, column + at, role.isLoose}
		if err == nil || role.isLoose {
			continue
		}
		err = fault(at, &sitemap.FieldError{Field: f.String(), Err: err})
		if f == fieldLoc {
			return err
		}
		found.dropped = append(found.dropped, err)
	}
	if cell := &found.cells[fieldLoc]; len(cell.text) > 0 {
		cell.text, r.handle = loc.form.reference(cell.text, r.handle[:0])
	}
	found.unlisted = r.unlisted()
	if err := readExtensions(r.object, &found.extensions); err != nil {
		return fault(0, err)
	}
	return nil
}

// missing returns the error of the current object, which has no address. The likely name is
// the first whose value has a slash.
func (r *jsonReader) missing() *ColumnError {
	field := fieldLoc.String()
	err := &ColumnError{Field: field, Column: r.columns.given[field], Columns: slices.Clone(r.names)}
	for _, name := range r.names {
		text, _ := jsonText(fieldLoc, r.object[name])
		if bytes.IndexByte(text, '/') >= 0 {
			err.Likely = name
			return err
		}
	}
	if len(r.names) > 0 {
		err.Likely = r.names[0]
	}
	return err
}

// unlisted returns why the page of the current object must not be listed, or nil.
func (r *jsonReader) unlisted() *UnlistedError {
	columns, roles := r.columns.all(fieldStatus, r.names)
	for i, at := range columns {
		value := r.object[r.names[at]]
		if text, err := jsonText(fieldStatus, value); err == nil && roles[i].check.refuses(text) {
			return &UnlistedError{r.names[at], shown(text)}
		}
	}
	return nil
}

var errJSONText = errors.New("neither a text nor a number")

// jsonText returns the text of a string, a number or a boolean, and nil for null. A title
// may be an object of WordPress.
func jsonText(f field, value json.RawMessage) ([]byte, error) {
	switch {
	case value == nil || string(value) == "null":
		return nil, nil
	case value[0] == '"':
		var text string
		err := json.Unmarshal(value, &text)
		return []byte(text), err
	case value[0] == '-' || value[0] >= '0' && value[0] <= '9', f == fieldStatus && (value[0] == 't' || value[0] == 'f'):
		return value, nil
	case f == fieldTitle && value[0] == '{':
		var title struct{ Rendered string }
		err := json.Unmarshal(value, &title)
		return []byte(html.UnescapeString(title.Rendered)), err
	}
	return nil, errJSONText
}

// readExtensions reads the extensions of a page: four in fields of their own, all
// others in one.
func readExtensions(object map[string]json.RawMessage, x *sitemap.Extensions) error {
	for _, part := range []struct {
		name string
		into any
	}{
		{"extensions", x}, {"images", &x.Images}, {"videos", &x.Videos}, {"news", &x.News}, {"alternates", &x.Alternates},
	} {
		value, ok := object[part.name]
		if !ok || !bytes.ContainsAny(value[:1], "[{") {
			continue
		}
		if err := json.Unmarshal(value, part.into); err != nil {
			return &sitemap.FieldError{Field: part.name, Err: err}
		}
	}
	return nil
}
