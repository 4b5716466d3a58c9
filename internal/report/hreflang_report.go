package report

import (
	"bufio"
	"context"
	"fmt"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/format"
)

// String returns the stable name of the fault in JSON.
func (f hreflangFault) String() string {
	return [...]string{
		faultNoSelfLink:   "does not name itself",
		faultNoReturnLink: "is not named back",
		faultNotListed:    "names a page that is not listed",
		faultTwoURLs:      "names two addresses for one language",
	}[f]
}

// text returns the error in the words of the report.
func (f hreflangFault) text(c *catalog.Catalog) string { return c.Text("fault." + faultKeys[f]) }

// hreflangRecord is an hreflang error in JSON.
type hreflangRecord struct {
	Page     string `json:"page"`
	Fault    string `json:"fault"`
	Version  string `json:"version,omitempty"` // the other page, if any
	Language string `json:"language,omitempty"`
}

// checkHreflang finds the hreflang errors of a crawl.
func checkHreflang(ctx context.Context, file crawl.Reader) (*hreflangCheck, error) {
	l := &hreflangCheck{}
	for r, err := range file.Pages(ctx) {
		if err != nil {
			return nil, err
		}
		if classOf(&r) != classOther {
			l.add(&r, isListed(&r))
		}
	}
	l.compare()
	return l, nil
}

func (f *hreflangFinding) record(file crawl.Reader) (hreflangRecord, error) {
	page, err := file.Link(f.page)
	if err != nil {
		return hreflangRecord{}, err
	}
	record := hreflangRecord{Page: page.URL, Fault: f.fault.String(), Language: f.language}
	if f.other != 0 {
		version, err := file.Link(f.other)
		if err != nil {
			return hreflangRecord{}, err
		}
		record.Version = version.URL
	}
	return record, nil
}

// hreflangRecords writes at most maxFaults errors as a JSON list.
func (d *dataWriter) hreflangRecords(file crawl.Reader, l *hreflangCheck) error {
	d.member("languages")
	before := "["
	for i := range l.findings {
		record, err := l.findings[i].record(file)
		if err == nil {
			err = d.item(&before, record)
		}
		if err != nil {
			return err
		}
	}
	d.end(before)
	return nil
}

// writeHreflang writes the number of hreflang errors and the first of them.
func writeHreflang(out *bufio.Writer, file crawl.Reader, l *hreflangCheck) error {
	if l.total == 0 {
		return nil
	}
	fmt.Fprintf(out, "\n%s\n", format.ListHeading(l.total, "hreflang error", min(len(l.findings), maxShownLinks)))
	for i := range l.findings[:min(len(l.findings), maxShownLinks)] {
		record, err := l.findings[i].record(file)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "  %s: %s", format.Printable(record.Page), l.findings[i].fault.text(english()))
		if record.Language != "" {
			fmt.Fprintf(out, " (%s)", format.Printable(record.Language))
		}
		if record.Version != "" {
			fmt.Fprintf(out, "\n    version %s", format.Printable(record.Version))
		}
		fmt.Fprintln(out)
	}
	return nil
}

// faultKeys are the names of the hreflang errors in keys of the catalogue.
var faultKeys = [faultKinds]string{
	faultNoSelfLink: "no-self-link", faultNoReturnLink: "no-return-link", faultNotListed: "not-listed",
	faultTwoURLs: "two-urls",
}

// faults returns the name of each hreflang error and how to fix it, for the script.
func (g *pageReport) faults() (names [][2]string) {
	for _, key := range faultKeys {
		names = append(names, [2]string{g.catalog.Text("fault." + key), g.catalog.Text("fault." + key + ".text")})
	}
	return names
}
