package app

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/lint"
)

const baselineVersion = 1

// An acceptedFinding is a line of a baseline. Fields other than the fingerprint and the
// count are for people.
type acceptedFinding struct {
	Fingerprint string `json:"fingerprint"`
	Count       int    `json:"count"`
	Rule        string `json:"rule"`
	File        string `json:"file"`
	URL         string `json:"url,omitempty"`
	Message     string `json:"message"`
}

// A baseline holds how many times each known finding may occur, and how many pages
// each source listed. Findings that were only counted are known by their rule and file.
type baseline struct {
	left  map[string]int
	pages map[string]int // nil in a file without them
}

func readBaseline(name string) (*baseline, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	b := &baseline{left: map[string]int{}}
	if err := b.read(json.NewDecoder(bufio.NewReader(file))); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return b, nil
}

var errNoBaseline = errors.New("not a baseline")

// read decodes one finding at a time and keeps only the fingerprints.
func (b *baseline) read(d *json.Decoder) error {
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
			if err := d.Decode(&b.pages); err != nil {
				return truncated(err)
			}
		default:
			return fmt.Errorf("%w: it has a field %q", errNoBaseline, name)
		}
	}
	if _, err := d.Token(); err != nil {
		return truncated(err)
	}
	if version != baselineVersion {
		return fmt.Errorf("%w of version %d", errNoBaseline, baselineVersion)
	}
	return nil
}

// truncated turns the io.EOF of a file that ends early into io.ErrUnexpectedEOF.
func truncated(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

func (b *baseline) readFindings(d *json.Decoder) error {
	if t, err := d.Token(); err != nil || t != json.Delim('[') {
		return errors.Join(errNoBaseline, truncated(err))
	}
	for d.More() {
		var f acceptedFinding
		if err := d.Decode(&f); err != nil {
			return err
		}
		b.left[f.Fingerprint] += f.Count
	}
	_, err := d.Token()
	return err
}

// accept returns how many occurrences of a finding are known, and uses them up. A
// finding that is reported for the first time may be one that was only counted, before
// others were fixed.
func (b *baseline) accept(f *lint.Finding) int {
	if f.More == 0 {
		if known := b.take(f.Fingerprint(), 1); known > 0 {
			return known
		}
	}
	rest := lint.Finding{Rule: f.Rule, File: f.File, More: 1}
	return b.take(rest.Fingerprint(), f.Count())
}

func (b *baseline) take(fingerprint string, n int) int {
	n = min(n, b.left[fingerprint])
	if n > 0 {
		b.left[fingerprint] -= n
	}
	return max(n, 0)
}

// A baselineWriter writes a baseline.
type baselineWriter struct {
	out    io.Writer
	before string         // precedes the next finding
	pages  map[string]int // of each source, for the end
}

func newBaselineWriter(out io.Writer) (*baselineWriter, error) {
	_, err := fmt.Fprintf(out, "{\"version\":%d,\"findings\":[", baselineVersion)
	return &baselineWriter{out, "\n", map[string]int{}}, err
}

func (b *baselineWriter) write(f *lint.Finding) error {
	return b.writeLine(acceptedFinding{f.Fingerprint(), f.Count(), f.Rule.ID, f.File, f.URL, f.Message})
}

func (b *baselineWriter) writeLine(f acceptedFinding) error {
	line, err := format.AppendJSON(nil, f)
	if err != nil {
		return err
	}
	_, err = b.out.Write(append([]byte(b.before), line...))
	b.before = ",\n"
	return err
}

func (b *baselineWriter) close() error {
	pages, err := format.AppendJSON(nil, b.pages)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(b.out, "\n],\"pages\":%s}\n", pages)
	return err
}
