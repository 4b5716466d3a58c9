package fetch

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"
)

// A decoder decodes one content coding (RFC 9110 section 8.4.1). It is pooled: reset
// starts it on a body, and after release it must not be used.
type decoder struct {
	input  *bufio.Reader
	output io.Reader
	reset  func() error // starts decoding input
	pool   *sync.Pool
}

// decoders are the pools of decoders by the names of their codings.
var decoders = map[string]*sync.Pool{
	"gzip":    decoderPool(gzipDecoder),
	"deflate": decoderPool(deflateDecoder),
	"br":      decoderPool(brotliDecoder),
	"zstd":    decoderPool(zstdDecoder),
}

func decoderPool(build func(*decoder)) *sync.Pool {
	pool := new(sync.Pool)
	pool.New = func() any {
		d := &decoder{input: bufio.NewReader(nil), pool: pool}
		build(d)
		return d
	}
	return pool
}

// newDecoder returns the decoder for a Content-Encoding, or nil for none. An unknown
// coding is an error, and so are nested codings, which only decompression bombs use.
func newDecoder(coding string, body io.Reader) (*decoder, error) {
	coding = strings.ToLower(strings.TrimSpace(coding))
	switch coding {
	case "", "identity":
		return nil, nil
	case "x-gzip": // RFC 9110 section 8.4.1.3
		coding = "gzip"
	}
	pool := decoders[coding]
	if pool == nil {
		return nil, &kindError{fmt.Errorf("%q", coding), KindEncoding}
	}
	d := pool.Get().(*decoder)
	d.input.Reset(body)
	d.output = nil
	return d, nil
}

// Read decodes. The first call reads the header of the coding. A body without any
// byte is empty and not an error.
func (d *decoder) Read(p []byte) (int, error) {
	if d.output == nil {
		if _, err := d.input.Peek(1); err != nil {
			return 0, err
		}
		if err := d.reset(); err != nil {
			return 0, encodingError(err)
		}
	}
	n, err := d.output.Read(p)
	return n, encodingError(err)
}

func (d *decoder) release() {
	d.input.Reset(nil)
	d.pool.Put(d)
}

// encodingError marks an error as one of the coding.
func encodingError(err error) error {
	if err == nil || err == io.EOF {
		return err
	}
	return &kindError{err, KindEncoding}
}

func gzipDecoder(d *decoder) {
	reader := new(gzip.Reader)
	d.reset = func() error {
		d.output = reader
		return reader.Reset(d.input)
	}
}

func brotliDecoder(d *decoder) {
	reader := brotli.NewReader(nil)
	d.reset = func() error {
		d.output = reader
		return reader.Reset(d.input)
	}
}

// zstdDecoder allows a window of 8 MiB, the maximum in HTTP (RFC 9659 section 3).
func zstdDecoder(d *decoder) {
	reader, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxWindow(8<<20))
	d.reset = func() error {
		if err != nil {
			return err
		}
		d.output = reader
		return reader.Reset(d.input)
	}
}

// deflateDecoder reads the zlib format, which RFC 9110 section 8.4.1.2 defines as
// deflate, and the raw deflate stream that some servers send instead.
func deflateDecoder(d *decoder) {
	bare := flate.NewReader(nil)
	var wrapped io.ReadCloser
	d.reset = func() error {
		start, _ := d.input.Peek(2)
		if len(start) < 2 || start[0]&15 != 8 || (int(start[0])<<8|int(start[1]))%31 != 0 { // RFC 1950 section 2.2
			d.output = bare
			return bare.(flate.Resetter).Reset(d.input, nil)
		}
		var err error
		if wrapped == nil {
			wrapped, err = zlib.NewReader(d.input)
		} else {
			err = wrapped.(zlib.Resetter).Reset(d.input, nil)
		}
		d.output = wrapped
		return err
	}
}
