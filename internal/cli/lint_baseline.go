package cli

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/mapatools/mapa/lint"
)

const baselineVersion = 1

// An acceptedFinding is a line of a baseline. What it says beside the fingerprint
// and the count is for people.
type acceptedFinding struct {
	Fingerprint string `json:"fingerprint"`
	Count       int    `json:"count"`
	Rule        string `json:"rule"`
	File        string `json:"file"`
	URL         string `json:"url,omitempty"`
	Message     string `json:"message"`
}

// A baseline is how often each known finding may come again, and how many pages
// each source listed. Findings that were counted and not told are known by their
// rule and file alone.
type baseline struct {
	left  map[string]int
	pages map[string]int // nil in a file that says nothing of them
}

func readBaseline(name string) (*baseline, error) {
	file, err := os.Open(name)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("there is no file %s: write it with --write-baseline", name)
	}
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

var errNoBaseline = errors.New("this is no baseline")

// read takes one finding after the other, so that only fingerprints are held.
func (b *baseline) read(d *json.Decoder) error {
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return errors.Join(errNoBaseline, broken(err))
	}
	version := 0
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return broken(err)
		}
		switch name {
		case "version":
			if err := d.Decode(&version); err != nil {
				return broken(err)
			}
		case "findings":
			if err := b.readFindings(d); err != nil {
				return broken(err)
			}
		case "pages":
			if err := d.Decode(&b.pages); err != nil {
				return broken(err)
			}
		default:
			return fmt.Errorf("%w: it has a field %q", errNoBaseline, name)
		}
	}
	if _, err := d.Token(); err != nil {
		return broken(err)
	}
	if version != baselineVersion {
		return fmt.Errorf("%w of version %d", errNoBaseline, baselineVersion)
	}
	return nil
}

// broken says of a file that ends early what package json does not.
func broken(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

func (b *baseline) readFindings(d *json.Decoder) error {
	if t, err := d.Token(); err != nil || t != json.Delim('[') {
		return errors.Join(errNoBaseline, broken(err))
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

// accept returns how many of the places of a finding are known, and takes them
// off. A finding told for the first time may be one of those that were only
// counted, before others were mended.
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
	before string         // stands before the next finding
	pages  map[string]int // of each source, for the end
}

func newBaselineWriter(out io.Writer) (*baselineWriter, error) {
	_, err := fmt.Fprintf(out, "{\"version\":%d,\"findings\":[", baselineVersion)
	return &baselineWriter{out, "\n", map[string]int{}}, err
}

func (b *baselineWriter) write(f *lint.Finding) error {
	line, err := json.Marshal(acceptedFinding{f.Fingerprint(), f.Count(), f.Rule.ID, f.File, f.URL, f.Message})
	if err != nil {
		return err
	}
	_, err = b.out.Write(append([]byte(b.before), line...))
	b.before = ",\n"
	return err
}

func (b *baselineWriter) close() error {
	pages, err := json.Marshal(b.pages)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(b.out, "\n],\"pages\":%s}\n", pages)
	return err
}
