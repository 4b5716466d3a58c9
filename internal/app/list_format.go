package app

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"strconv"

	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/sitemap"
	"github.com/mapatools/mapa/source"
)

// An entryFormat prints entries.
type entryFormat struct {
	header string
	append func(dst []byte, entry *sitemap.Entry, file *source.File) ([]byte, error)
}

var entryFormats = map[string]entryFormat{
	"text":  {"", appendText},
	"jsonl": {"", appendJSON},
	"csv":   {"loc,lastmod,changefreq,priority,images,videos,news,alternates,file\n", appendCSV},
}

// appendText prints the URL alone. Control characters, which are not allowed in a URL,
// are percent-encoded, so that they neither end a line nor reach the terminal.
func appendText(dst []byte, entry *sitemap.Entry, _ *source.File) ([]byte, error) {
	loc := entry.Loc
	for i, c := range loc {
		if c >= 0x20 && c < 0x7f {
			continue
		}
		return append(appendVisible(append(dst, loc[:i]...), loc[i:]), '\n'), nil
	}
	return append(append(dst, loc...), '\n'), nil
}

func appendVisible(dst, text []byte) []byte {
	const hex = "0123456789ABCDEF"
	for _, r := range string(text) {
		if r >= 0x20 && r < 0x7f || r >= 0xa0 {
			dst = append(dst, string(r)...)
			continue
		}
		for _, c := range []byte(string(r)) {
			dst = append(dst, '%', hex[c>>4], hex[c&15])
		}
	}
	return dst
}

// A listedEntry is a line of JSON. lastmod and priority are as written in the sitemap.
type listedEntry struct {
	Loc        string              `json:"loc"`
	LastMod    string              `json:"lastmod,omitempty"`
	ChangeFreq string              `json:"changefreq,omitempty"`
	Priority   json.RawMessage     `json:"priority,omitempty"`
	Images     []sitemap.Image     `json:"images,omitempty"`
	Videos     []sitemap.Video     `json:"videos,omitempty"`
	News       []sitemap.News      `json:"news,omitempty"`
	Alternates []sitemap.Alternate `json:"alternates,omitempty"`
	Extensions sitemap.Extensions  `json:"extensions,omitzero"` // all others
	File       string              `json:"file"`
}

func appendJSON(dst []byte, entry *sitemap.Entry, file *source.File) ([]byte, error) {
	listed := listedEntry{
		Loc:        string(entry.Loc),
		LastMod:    string(entry.LastMod),
		ChangeFreq: string(entry.ChangeFreq),
		Priority:   jsonNumber(entry.Priority),
		File:       file.Location,
	}
	broken := entry.Extensions(&listed.Extensions)
	listed.moveCommon()
	line := bytes.NewBuffer(dst)
	encoder := json.NewEncoder(line)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(listed); err != nil {
		return dst, err
	}
	return line.Bytes(), broken
}

// moveCommon moves the extensions that have a field of their own in the line.
func (l *listedEntry) moveCommon() {
	x := &l.Extensions
	l.Images, l.Videos, l.News, l.Alternates = x.Images, x.Videos, x.News, x.Alternates
	x.Images, x.Videos, x.News, x.Alternates = nil, nil, nil, nil
}

// jsonNumber returns a text as a JSON number, or as a string where it is not one.
func jsonNumber(text []byte) json.RawMessage {
	if text == nil {
		return nil
	}
	if json.Valid(text) && text[0] != '"' && text[0] != '{' && text[0] != '[' {
		return text
	}
	quoted, _ := json.Marshal(string(text)) // a string cannot fail
	return quoted
}

func appendCSV(dst []byte, entry *sitemap.Entry, file *source.File) ([]byte, error) {
	var extensions sitemap.Extensions
	broken := entry.Extensions(&extensions)
	line := bytes.NewBuffer(dst)
	w := csv.NewWriter(line)
	err := w.Write([]string{
		format.CSVCell(entry.Loc), format.CSVCell(entry.LastMod),
		format.CSVCell(entry.ChangeFreq), format.CSVCell(entry.Priority),
		number(len(extensions.Images)), number(len(extensions.Videos)), number(len(extensions.News)),
		number(len(extensions.Alternates)), format.CSVCell(file.Location),
	})
	if err != nil {
		return dst, err
	}
	w.Flush()
	return line.Bytes(), broken
}

func number(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}
