package main

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"

	fast "github.com/klauspost/compress/gzip"
)

// readGzip reads the plain file compressed. It compares with encoding/xml on the
// standard library's decoder, and with a decoder alone.
func (b *bench) readGzip() error {
	path, err := b.packed("plain.xml.gz", newStream(plainRecord, 0, b.size.urls))
	if err != nil {
		return err
	}
	err = b.compare(contest{
		name:      "read plain URLs as .gz, against encoding/xml over compress/gzip",
		required:  13,
		base:      reads(gunzips(path), tokens),
		candidate: reads(opens(path), readEntries),
	})
	if err != nil {
		return err
	}
	return b.compare(contest{
		name:      "the same, share of the decoder alone",
		required:  0.7,
		base:      reads(opens(path), inflate),
		candidate: reads(opens(path), readEntries),
		partial:   true,
	})
}

// packed writes a stream to a .gz file of the run, as most generators would.
func (b *bench) packed(name string, s *stream) (string, error) {
	path := filepath.Join(b.dir, name)
	file, err := os.Create(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	zip := gzip.NewWriter(file)
	if _, err := io.Copy(zip, s); err != nil {
		return "", err
	}
	return path, zip.Close()
}

func gunzips(path string) open {
	return func() (io.ReadCloser, error) {
		file, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		unzip, err := gzip.NewReader(file)
		if err != nil {
			file.Close()
			return nil, err
		}
		return struct {
			io.Reader
			io.Closer
		}{unzip, file}, nil
	}
}

// inflate unpacks into nothing, with the buffer that Mapa's reader has.
func inflate(r io.Reader) (work, error) {
	unzip, err := fast.NewReader(bufio.NewReaderSize(r, 64<<10))
	if err != nil {
		return work{}, err
	}
	_, err = io.CopyBuffer(struct{ io.Writer }{io.Discard}, struct{ io.Reader }{unzip}, make([]byte, 128<<10))
	return work{}, err
}

// compareSize holds the first packed part of a set against what compress/gzip
// makes of the same bytes at level 6.
func (b *bench) compareSize(folder string) error {
	path := filepath.Join(folder, "sitemap-1.xml.gz")
	file, err := gunzips(path)()
	if err != nil {
		return err
	}
	defer file.Close()
	var size counter
	zip, err := gzip.NewWriterLevel(&size, 6)
	if err != nil {
		return err
	}
	if _, err := io.Copy(zip, file); err != nil {
		return err
	}
	if err := zip.Close(); err != nil {
		return err
	}
	ours, err := os.Stat(path)
	if err != nil {
		return err
	}
	more := 100 * (float64(ours.Size())/float64(size) - 1)
	b.table.add(line{
		name:     "its size, against compress/gzip at level 6",
		required: "≤+6 %",
		measured: fmt.Sprintf("%+.1f %%", more),
		passed:   passedText(6, more <= 6),
	})
	return nil
}

// A counter counts the bytes written to it.
type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}
