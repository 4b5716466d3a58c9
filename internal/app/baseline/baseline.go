// Package baseline reads and writes files of known findings, which mapa lint and mapa crawl
// do not report again.
package baseline

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/statefile"
	"github.com/mapatools/mapa/lint"
)

const baselineVersion = 1

// An AcceptedFinding is a line of a baseline. Fields other than the fingerprint and the
// count are for people.
type AcceptedFinding struct {
	Fingerprint string `json:"fingerprint"`
	Count       int    `json:"count"`
	Rule        string `json:"rule"`
	File        string `json:"file"`
	URL         string `json:"url,omitempty"`
	Message     string `json:"message"`
}

// A Baseline holds how many times each known finding may occur, and how many pages
// each source listed. Findings that were only counted are known by their rule and file.
type Baseline struct {
	left  map[string]int
	Pages map[string]int
}

func readBaseline(name string) (*Baseline, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	b := &Baseline{left: map[string]int{}}
	if err := b.read(json.NewDecoder(bufio.NewReader(file))); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return b, nil
}

var errNoBaseline = errors.New("not a baseline")

// read decodes one finding at a time and keeps only the fingerprints.
func (b *Baseline) read(d *json.Decoder) error {
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return errors.Join(errNoBaseline, truncated(err))
	}
	version := 0
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return truncated(err)
		}
		switch name {
		case "version":
			if err := d.Decode(&version); err != nil {
				return truncated(err)
			}
		case "findings":
			if err := b.readFindings(d); err != nil {
				return truncated(err)
			}
		case "pages":
			if err := d.Decode(&b.Pages); err != nil {
				return truncated(err)
			}
		default:
			return fmt.Errorf("%w: it has a field %q", errNoBaseline, name)
		}
	}
	if _, err := d.Token(); err != nil {
		return truncated(err)
	}
	if version == 0 {
		return fmt.Errorf("%w: it has no version", errNoBaseline)
	}
	return statefile.CheckVersion(version, baselineVersion)
}

// truncated turns the io.EOF of a file that ends early into io.ErrUnexpectedEOF.
func truncated(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

func (b *Baseline) readFindings(d *json.Decoder) error {
	if t, err := d.Token(); err != nil || t != json.Delim('[') {
		return errors.Join(errNoBaseline, truncated(err))
	}
	for d.More() {
		var f AcceptedFinding
		if err := d.Decode(&f); err != nil {
			return err
		}
		b.left[f.Fingerprint] += f.Count
	}
	_, err := d.Token()
	return err
}

// Accept returns how many occurrences of a finding are known, and uses them up. A
// finding that is reported for the first time may be one that was only counted, before
// others were fixed.
func (b *Baseline) Accept(f *lint.Finding) int {
	if f.More == 0 {
		if known := b.Take(f.Fingerprint(), 1); known > 0 {
			return known
		}
	}
	rest := lint.Finding{Rule: f.Rule, File: f.File, More: 1}
	return b.Take(rest.Fingerprint(), f.Count())
}

// Take returns how many of n occurrences of a fingerprint are known, and uses them up.
func (b *Baseline) Take(fingerprint string, n int) int {
	n = min(n, b.left[fingerprint])
	if n > 0 {
		b.left[fingerprint] -= n
	}
	return max(n, 0)
}

// A Writer writes a baseline.
type Writer struct {
	out    io.Writer
	before string         // precedes the next finding
	Pages  map[string]int // of each source, for the end
}

// NewWriter begins a baseline.
func NewWriter(out io.Writer) (*Writer, error) {
	_, err := fmt.Fprintf(out, "{\"version\":%d,\"findings\":[", baselineVersion)
	return &Writer{out, "\n", map[string]int{}}, err
}

// Write adds a finding.
func (b *Writer) Write(f *lint.Finding) error {
	return b.WriteLine(AcceptedFinding{f.Fingerprint(), f.Count(), f.Rule.ID, f.File, f.URL, f.Message.String()})
}

// WriteLine adds a finding by its fingerprint.
func (b *Writer) WriteLine(f AcceptedFinding) error {
	line, err := format.AppendJSON(nil, f)
	if err != nil {
		return err
	}
	_, err = b.out.Write(append([]byte(b.before), line...))
	b.before = ",\n"
	return err
}

// Close ends the file with the number of pages of each source.
func (b *Writer) Close() error {
	pages, err := format.AppendJSON(nil, b.Pages)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(b.out, "\n],\"pages\":%s}\n", pages)
	return err
}

// Open reads the baseline of a name, if one was given. One that is to be written
// is not read, and may replace no other file.
func Open(name string, write bool) (*Baseline, error) {
	switch {
	case write && name == "":
		return nil, setting.Invalid("write-baseline", "%s needs {baseline}")
	case name == "":
		return nil, nil
	case write:
		return nil, checkReplaced(name)
	}
	b, err := readBaseline(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, setting.Invalid("baseline", "%s: %s does not exist: create it with {write-baseline}", name)
	}
	if err != nil {
		return nil, setting.Wrap("baseline", err)
	}
	return b, nil
}

// checkReplaced refuses to replace a file that is not a baseline.
func checkReplaced(name string) error {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return nil // writing it reports what is wrong
	}
	if _, err := readBaseline(name); err != nil && !errors.Is(err, statefile.ErrVersion) {
		return setting.Invalid("baseline", "%s would overwrite %s, which is not a baseline", name)
	}
	return nil
}
