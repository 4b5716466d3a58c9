package insight

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/lint"
)

// Arguments are the values in the message of a finding: integers, strings, a [Why] or a
// [lint.Text].
type Arguments []any

// in returns the values in the language of a catalog.
func (a Arguments) in(c *catalog.Catalog) (values []any) {
	for _, argument := range a {
		switch a := argument.(type) {
		case Why:
			argument = format.Printable(a.In(c))
		case lint.Text:
			argument = a.In(string(c.Language()))
		case string:
			if strings.Contains(a, "://") {
				a = format.ReadableURL(a)
			}
			argument = format.Printable(a)
		}
		values = append(values, argument)
	}
	return values
}

// An argumentText is a [lint.Text] in JSON.
type argumentText struct {
	Code      string    `json:"code"`
	Arguments Arguments `json:"arguments"`
}

// MarshalJSON writes the values as an array.
func (a Arguments) MarshalJSON() (text []byte, err error) {
	text = append(text, '[')
	for i, argument := range a {
		if i > 0 {
			text = append(text, ',')
		}
		switch a := argument.(type) {
		case string:
			text = format.AppendString(text, a)
			continue
		case lint.Text:
			argument = argumentText{a.Code, a.Arguments}
		}
		if text, err = format.AppendJSON(text, argument); err != nil {
			return nil, err
		}
	}
	return append(text, ']'), nil
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (a *Arguments) UnmarshalJSON(text []byte) error {
	var values []json.RawMessage
	if err := json.Unmarshal(text, &values); err != nil {
		return err
	}
	*a = nil
	for _, value := range values {
		argument, err := readArgument(value)
		if err != nil {
			return err
		}
		*a = append(*a, argument)
	}
	return nil
}

func readArgument(value json.RawMessage) (any, error) {
	switch value[0] {
	case '"':
		var text string
		err := json.Unmarshal(value, &text)
		return text, err
	case '{':
		var object struct {
			Why
			argumentText
		}
		if err := json.Unmarshal(value, &object); err != nil {
			return nil, err
		}
		if object.Code != "" {
			return lint.Text{Code: object.Code, Arguments: object.Arguments}, nil
		}
		return object.Why, nil
	}
	var number int
	err := json.Unmarshal(value, &number)
	return number, err
}

// A Why says why a URL cannot be used: the status of the response, 0 without one, and a
// detail. It is an argument of a [Finding].
type Why struct {
	Status int          `json:"status,omitempty"`
	Detail crawl.Detail `json:"detail,omitempty"`
}

// In returns the reason in the language of a catalog.
func (w Why) In(c *catalog.Catalog) string {
	code, arguments := w.Detail.Split()
	detail := c.Detail(code, arguments)
	switch {
	case w.Status == 0:
		return detail
	case crawl.Detail(code) == crawl.DetailStatus:
		return c.Status(w.Status, http.StatusText(w.Status))
	}
	return strings.TrimSpace(fmt.Sprint(w.Status, " ", detail))
}

// WhyOf returns why a URL cannot be used.
func WhyOf(r *crawl.Record) Why {
	switch {
	case !r.Fetched:
		return Why{Detail: r.Link.Detail}
	case r.Page.Reason == crawl.ReasonUnreachable: // the response with the status was incomplete
		return Why{Detail: r.Page.Detail}
	}
	return Why{r.Page.Status, r.Page.Detail}
}
