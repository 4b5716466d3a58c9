package source

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"iter"
	"strings"

	"github.com/mapatools/mapa/sitemap"
)

var errBrokenJSON = errors.New("not a JSON object")

// parseJSON reads one object a line, as "mapa list --format jsonl" writes them or with
// fields of other names.
func parseJSON(in *bufio.Reader, columns map[string]string) iter.Seq2[*record, error] {
	return eachLine(in, func(found *record, l *line) (bool, error) {
		fault := func(column int, err error) (bool, error) {
			return false, &RowError{Line: l.number, Column: l.column + column, Err: err}
		}
		if err := checkText(l.text); err != nil {
			return fault(badByte(l.text), err)
		}
		var object map[string]json.RawMessage
		if err := json.Unmarshal(l.text, &object); err != nil || object == nil {
			column := 0
			if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
				column = max(int(syntax.Offset)-1, 0)
			}
			return fault(column, errBrokenJSON)
		}
		*found = record{line: l.number}
		for f := range fieldCount {
			value := jsonValue(object, columns, f)
			at := max(bytes.Index(l.text, value), 0)
			text, err := jsonText(value)
			if err != nil {
				return fault(at, &sitemap.FieldError{Field: f.String(), Err: err})
			}
			if len(value) > 0 && value[0] == '"' {
				at++
			}
			found.cells[f] = cell{text, l.column + at}
		}
		if err := readExtensions(object, &found.extensions); err != nil {
			return fault(0, err)
		}
		return true, nil
	})
}

// jsonValue returns the value of a field by its usual names, or by the one that
// columns gives.
func jsonValue(object map[string]json.RawMessage, columns map[string]string, f field) json.RawMessage {
	names := columnNames[f]
	if name, given := columns[f.String()]; given {
		names = []string{name}
	}
	for _, name := range names {
		if value, ok := object[name]; ok {
			return value
		}
	}
	for key, value := range object {
		for _, name := range names {
			if strings.EqualFold(key, name) {
				return value
			}
		}
	}
	return nil
}

var errJSONText = errors.New("neither a text nor a number")

// jsonText returns the text of a string or a number, and nil for null.
func jsonText(value json.RawMessage) ([]byte, error) {
	switch {
	case value == nil || string(value) == "null":
		return nil, nil
	case value[0] == '"':
		var text string
		err := json.Unmarshal(value, &text)
		return []byte(text), err
	case value[0] == '-' || value[0] >= '0' && value[0] <= '9':
		return value, nil
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
