package web

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"

	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/format"
)

// exportNames are the names of the formats of exports.
var exportNames = map[string]string{"csv": "CSV", "json": "JSON"}

// exportLinks returns the links to export what an address with a query selects.
func exportLinks(address string, query url.Values) (links []fileLink) {
	for _, format := range []string{"csv", "json"} {
		all := url.Values{"format": {format}}
		for name, values := range query {
			if name != "cursor" && values[0] != "" {
				all[name] = values
			}
		}
		links = append(links, fileLink{Href: address + "?" + all.Encode(), Name: exportNames[format]})
	}
	return links
}

// export sends a list of a result as a table or as JSON, while it is read.
func (s *Server) export(w http.ResponseWriter, r *http.Request) error {
	filter, err := filterOf(r)
	if err != nil {
		return err
	}
	result, release, err := s.options.Service.OpenResult(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	defer release()
	list, err := listOf(r, result)
	if err != nil {
		return err
	}
	if list != nil {
		return s.sendExport(w, r, list.name, list.write)
	}
	return s.sendExport(w, r, "pages", func(out io.Writer, format string, c *catalog.Catalog) error {
		return result.Export(r.Context(), out, filter, format, c)
	})
}

// sendExport answers with a file of the format that the request asks for. Tables are for spreadsheets in the
// language of the request.
func (s *Server) sendExport(
	w http.ResponseWriter, r *http.Request, name string,
	write func(out io.Writer, format string, c *catalog.Catalog) error,
) error {
	format := r.URL.Query().Get("format")
	if exportNames[format] == "" {
		return badRequest("the format must be csv or json")
	}
	end, err := s.streams.take(callerOf(r))
	if err != nil {
		return err
	}
	defer end()
	attach(w, name+"."+format, mediaTypeOf("."+format))
	w.Header().Add("Vary", "Accept-Language, Cookie")
	return write(newDeadlineWriter(w), format, catalog.For(languageOf(r)))
}

// An exportList is a list whose rows are not pages. Programs get the values, and tables
// the cells.
type exportList struct {
	name    string
	columns []string // keys of headings
	rows    iter.Seq2[exportRow, error]
}

// An exportRow is an item of the list: in a table it is a row, or several.
type exportRow struct {
	cells [][]string
	value any
}

// write writes the list as csv for spreadsheets or as json. No cell is a spreadsheet formula.
func (l *exportList) write(w io.Writer, format string, c *catalog.Catalog) error {
	out := bufio.NewWriter(w)
	var err error
	if format == "csv" {
		err = l.writeTable(out, c)
	} else {
		err = l.writeArray(out)
	}
	if err != nil {
		return err
	}
	return out.Flush()
}

func (l *exportList) writeTable(out io.Writer, c *catalog.Catalog) error {
	table := format.NewSheet(out, c.ListSeparator())
	if err := table.Write(headings(c, l.columns)); err != nil {
		return err
	}
	for row, err := range l.rows {
		if err != nil {
			return err
		}
		for _, cells := range row.cells {
			for i, cell := range cells {
				cells[i] = format.PlainCell(cell)
			}
			if err := table.Write(cells); err != nil {
				return err
			}
		}
	}
	table.Flush()
	return table.Error()
}

// headings returns the headings of columns.
func headings(c *catalog.Catalog, columns []string) []string {
	names := make([]string, len(columns))
	for i, column := range columns {
		names[i] = c.Text("sheet." + column)
	}
	return names
}

func (l *exportList) writeArray(out io.Writer) error {
	separator := "["
	for row, err := range l.rows {
		if err != nil {
			return err
		}
		text, err := json.Marshal(row.value)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(out, "%s\n%s", separator, text); err != nil {
			return err
		}
		separator = ","
	}
	if separator == "[" {
		_, err := io.WriteString(out, "[]\n")
		return err
	}
	_, err := io.WriteString(out, "\n]\n")
	return err
}
