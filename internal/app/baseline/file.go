package baseline

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/mapatools/mapa/internal/atomicfile"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/statefile"
)

const version = 2

// Open reads the baseline of a name: nil without a name. One that is to be written need not exist, but may replace no
// other file.
func Open(name string, write bool) (*List, error) {
	if name == "" {
		if write {
			return nil, setting.Invalid("write-baseline", "%s needs {baseline}")
		}
		return nil, nil
	}
	l := NewList(nil, time.Time{})
	var err error
	l.Pages, err = readFile(name, func(e *Entry) error {
		if e.Fixed.IsZero() {
			l.add(e)
		}
		return nil
	})
	isMissing := errors.Is(err, fs.ErrNotExist)
	switch {
	case err == nil:
		l.name = name
		return l, nil
	case write && (isMissing || errors.Is(err, statefile.ErrVersion) || !isFilled(name)):
		return NewList(nil, time.Time{}), nil
	case write && errors.Is(err, errNoBaseline):
		return nil, setting.Invalid("baseline", "%s would overwrite %s, which is not a baseline", name)
	case isMissing:
		return nil, setting.Invalid("baseline", "%s: %s does not exist: create it with {write-baseline}", name)
	}
	return nil, setting.Wrap("baseline", err)
}

// CheckFolder refuses to write a baseline to a folder that does not exist.
func CheckFolder(name string) error {
	if info, err := os.Stat(filepath.Dir(name)); err != nil || !info.IsDir() {
		return setting.Invalid("baseline", "%s: there is no folder %s", filepath.Dir(name))
	}
	return nil
}

// isFilled reports whether a name is of a regular file with content.
func isFilled(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular() && info.Size() > 0
}

func readFile(name string, each func(*Entry) error) (pages map[string]int, err error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if pages, err = Read(file, each); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return pages, nil
}

var errNoBaseline = errors.New("not a baseline")

// Limits of a baseline, in bytes.
const (
	maxFile  = 256 << 20
	maxEntry = 1 << 20
	maxPages = 16 << 20 // of the counts of pages
)

// The limits of a baseline.
var (
	errLargeFile  = fmt.Errorf("it has more than %d MB", maxFile>>20)
	errLargeEntry = fmt.Errorf("a part of it has more than %d MB", maxEntry>>20)
)

// A boundedReader reads a baseline whose parts have a limit.
type boundedReader struct {
	in   io.Reader
	file int // bytes that the file may still have
	part int // bytes that may be read before the next part
}

func (r *boundedReader) Read(p []byte) (int, error) {
	switch {
	case r.file <= 0:
		return 0, errLargeFile
	case r.part <= 0:
		return 0, errLargeEntry
	}
	n, err := r.in.Read(p[:min(len(p), r.file, r.part)])
	r.file, r.part = r.file-n, r.part-n
	return n, err
}

// Read calls each with the entries of a baseline, until it returns an error, and returns how many pages each sitemap
// listed. It holds one entry at a time.
func Read(in io.Reader, each func(*Entry) error) (pages map[string]int, err error) {
	bounded := &boundedReader{in: in, file: maxFile, part: maxEntry}
	d := json.NewDecoder(bounded)
	d.DisallowUnknownFields()
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, errors.Join(errNoBaseline, truncated(err))
	}
	found := 0
	for ; d.More(); bounded.part = maxEntry {
		name, err := d.Token()
		if err != nil {
			return nil, truncated(err)
		}
		switch name {
		case "version":
			if err := d.Decode(&found); err != nil {
				return nil, truncated(err)
			}
			if err := statefile.CheckVersion(found, version); err != nil {
				return nil, err
			}
		case "ignored":
			if err := readEntries(d, bounded, each); err != nil {
				return nil, truncated(err)
			}
		case "pages":
			bounded.part = maxPages
			if err := d.Decode(&pages); err != nil {
				return nil, truncated(err)
			}
		default:
			return nil, fmt.Errorf("%w: it has a field %q", errNoBaseline, name)
		}
	}
	if _, err := d.Token(); err != nil {
		return nil, truncated(err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%w: something follows its end", errNoBaseline)
	}
	if found == 0 {
		return nil, fmt.Errorf("%w: it has no version", errNoBaseline)
	}
	return pages, nil
}

// truncated turns the io.EOF of a file that ends early into io.ErrUnexpectedEOF.
func truncated(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

func readEntries(d *json.Decoder, in *boundedReader, each func(*Entry) error) error {
	if t, err := d.Token(); err != nil || t != json.Delim('[') {
		return errors.Join(errNoBaseline, truncated(err))
	}
	for number := 1; d.More(); number++ {
		in.part = maxEntry
		var e Entry
		err := d.Decode(&e)
		if err == nil {
			err = e.Check()
		}
		if err != nil {
			return fmt.Errorf("entry %d: %w", number, err)
		}
		if err := each(&e); err != nil {
			return err
		}
	}
	_, err := d.Token()
	return err
}

// Save replaces the baseline of a name by what write adds, and after it by the entries of before that matched
// something, with the counts that they matched, or that are kept all the same. keep may be nil.
func (l *List) Save(name string, keep func(*Entry) bool, write func(add func(*Entry) error) error) error {
	return atomicfile.Replace(name, func(out io.Writer) error {
		return l.writeTo(out, func(add func(*Entry) error) error {
			if err := write(add); err != nil || l.name == "" {
				return err
			}
			_, err := readFile(l.name, func(e *Entry) error {
				matched := l.Matched(e)
				switch {
				case matched > 0:
				case keep != nil && e.Fixed.IsZero() && keep(e):
					return add(e)
				default:
					return nil
				}
				if e.Count > 0 {
					e.Count = min(e.Count, matched)
					l.singles[e.key()].matched -= e.Count // another entry of it may follow
				}
				return add(e)
			})
			return err
		})
	})
}

// Write writes entries as a baseline.
func Write(out io.Writer, entries []*Entry) error {
	return (&List{}).writeTo(out, func(add func(*Entry) error) error {
		for _, e := range entries {
			if err := add(e); err != nil {
				return err
			}
		}
		return nil
	})
}

func (l *List) writeTo(out io.Writer, write func(add func(*Entry) error) error) error {
	if _, err := fmt.Fprintf(out, "{\"version\":%d,\"ignored\":[", version); err != nil {
		return err
	}
	before, size := "\n", 0 // the entry that comes
	err := write(func(e *Entry) error {
		line, err := format.AppendJSON(nil, e)
		if err != nil {
			return err
		}
		if size += len(before) + len(line); size > maxFile {
			return errLargeFile
		}
		_, err = out.Write(append([]byte(before), line...))
		before = ",\n"
		return err
	})
	if err != nil {
		return err
	}
	end := "\n]"
	if len(l.Pages) > 0 {
		pages, err := format.AppendJSON(nil, l.Pages)
		if err != nil {
			return err
		}
		end += ",\"pages\":" + string(pages)
	}
	_, err = io.WriteString(out, end+"}\n")
	return err
}
