package report

import (
	"bufio"
	"context"
	"fmt"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/format"
)

// String is what programs and people read of a fault.
func (f hreflangFault) String() string {
	return [...]string{
		faultNoSelfLink: "does not name itself",
		faultNoReturnLink:   "is not named back",
		faultNotListed:   "names a page that is not listed",
		faultTwoURLs:     "names two addresses for one language",
	}[f]
}

// A hreflangRecord is a fault of language versions with the addresses spelled out.
type hreflangRecord struct {
	Page     string `json:"page"`
	Fault    string `json:"fault"`
	Version  string `json:"version,omitempty"` // the other page, where one is at fault
	Language string `json:"language,omitempty"`
}

// checkHreflang reads the crawl for faults of language versions.
func checkHreflang(ctx context.Context, file crawl.Reader) (*hreflangCheck, error) {
	l := &hreflangCheck{}
	var listed []bool
	for r, err := range file.Pages(ctx) {
		if err != nil {
			return nil, err
		}
		for len(listed) <= int(r.Link.ID) {
			listed = append(listed, false)
		}
		if classOf(&r) != classOther {
			listed[r.Link.ID] = isListed(&r)
			l.add(&r, listed[r.Link.ID])
		}
	}
	return l, l.compare(ctx, file, listed)
}

func (f *hreflangFinding) record(file crawl.Reader) (hreflangRecord, error) {
	page, err := file.Link(f.page)
	if err != nil {
		return hreflangRecord{}, err
	}
	told := hreflangRecord{Page: page.URL, Fault: f.fault.String(), Language: f.language}
	if f.other != 0 {
		version, err := file.Link(f.other)
		if err != nil {
			return hreflangRecord{}, err
		}
		told.Version = version.URL
	}
	return told, nil
}

// hreflangRecords writes the faults as a list of JSON, 5,000 of them at most.
func (d *dataWriter) hreflangRecords(file crawl.Reader, l *hreflangCheck) error {
	d.member("languages")
	before := "["
	for i := range l.findings {
		told, err := l.findings[i].record(file)
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

// writeHreflang writes how many faults there are, and the first of them, to a
// terminal.
func writeHreflang(out *bufio.Writer, file crawl.Reader, l *hreflangCheck) error {
	if l.total == 0 {
		return nil
	}
	fmt.Fprintf(out, "\n%s of language versions (hreflang), the first of them:\n", format.Plural(l.total, "fault"))
	for i := range l.findings[:min(len(l.findings), maxShownLinks)] {
		told, err := l.findings[i].record(file)
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
