package list

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"strconv"

	"github.com/mapatools/mapa/internal/app/access"
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

// appendText prints the URL alone.
func appendText(dst []byte, entry *sitemap.Entry, _ *source.File) ([]byte, error) {
	return append(format.AppendURL(dst, entry.Loc), '\n'), nil
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
		Loc:        string(format.WithoutUser(entry.Loc)),
		LastMod:    string(entry.LastMod),
		ChangeFreq: string(entry.ChangeFreq),
		Priority:   jsonNumber(entry.Priority),
		File:       file.Location,
	}
	broken := entry.Extensions(&listed.Extensions)
	access.CutExtensionUsers(&listed.Extensions)
	listed.moveCommon()
	line := bytes.NewBuffer(dst)
	if err := format.NewEncoder(line).Encode(listed); err != nil {
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
		format.URLCell(entry.Loc), format.PlainCell(string(entry.LastMod)),
		format.PlainCell(string(entry.ChangeFreq)), format.PlainCell(string(entry.Priority)),
		number(len(extensions.Images)), number(len(extensions.Videos)), number(len(extensions.News)),
		number(len(extensions.Alternates)), format.URLCell(file.Location),
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
