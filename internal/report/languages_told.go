package report

import (
	"bufio"
	"context"
	"fmt"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/format"
)

// String is what programs and people read of a fault.
func (f languageFault) String() string {
	return [...]string{
		notItself: "does not name itself",
		notBack:   "is not named back",
		notGood:   "names a page that is not listed",
		twice:     "names two addresses for one language",
	}[f]
}

// A toldLanguage is a fault of language versions with the addresses spelled out.
type toldLanguage struct {
	Page     string `json:"page"`
	Fault    string `json:"fault"`
	Version  string `json:"version,omitempty"` // the other page, where one is at fault
	Language string `json:"language,omitempty"`
}

// findLanguages reads the crawl for faults of language versions.
func findLanguages(ctx context.Context, file crawl.Reader) (*languages, error) {
	l := &languages{}
	var listed []bool
	for r, err := range file.Pages(ctx) {
		if err != nil {
			return nil, err
		}
		for len(listed) <= int(r.Link.ID) {
			listed = append(listed, false)
		}
		if classOf(&r) != beside {
			listed[r.Link.ID] = isListed(&r)
			l.add(&r, listed[r.Link.ID])
		}
	}
	return l, l.compare(ctx, file, listed)
}

func (f *languageFinding) told(file crawl.Reader) (toldLanguage, error) {
	page, err := file.Link(f.page)
	if err != nil {
		return toldLanguage{}, err
	}
	told := toldLanguage{Page: page.URL, Fault: f.fault.String(), Language: f.language}
	if f.other != 0 {
		version, err := file.Link(f.other)
		if err != nil {
			return toldLanguage{}, err
		}
		told.Version = version.URL
	}
	return told, nil
}

// languageFaults writes the faults as a list of JSON, 5,000 of them at most.
func (d *dataWriter) languageFaults(file crawl.Reader, l *languages) error {
	d.member("languages")
	before := "["
	for i := range l.findings {
		told, err := l.findings[i].told(file)
		if err == nil {
			err = d.item(&before, told)
		}
		if err != nil {
			return err
		}
	}
	d.end(before)
	return nil
}

// writeLanguages writes how many faults there are, and the first of them, to a
// terminal.
func writeLanguages(out *bufio.Writer, file crawl.Reader, l *languages) error {
	if l.total == 0 {
		return nil
	}
	fmt.Fprintf(out, "\n%s of language versions (hreflang), the first of them:\n", format.Plural(l.total, "fault"))
	for i := range l.findings[:min(len(l.findings), mostShown)] {
		told, err := l.findings[i].told(file)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "  %s %s", format.Printable(told.Page), told.Fault)
		if told.Language != "" {
			fmt.Fprintf(out, " (%s)", format.Printable(told.Language))
		}
		if told.Version != "" {
			fmt.Fprintf(out, "\n    version %s", format.Printable(told.Version))
		}
		fmt.Fprintln(out)
	}
	return nil
}
