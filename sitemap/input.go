package sitemap

import (
	"bufio"
	"errors"
	"io"
	"sync"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"golang.org/x/text/transform"
)

const (
	maxGzipLayers    = 2
	sniffSize        = 1024     // bytes looked at to find the charset
	ratioCheckedFrom = 16 << 20 // inflated bytes below which the ratio is not looked at
)

// An input turns a stream into plain UTF-8: it unpacks gzip, applies the ceilings
// and converts charsets.
type input struct {
	ceilings Ceilings
	report   func(kind FaultKind, detail string)
	packed   int64 // bytes taken from the caller's reader
	inflated int64 // bytes after unpacking
	mark     int   // length of the UTF-8 byte order mark that was skipped
	layers   int   // of gzip
	trailing bool  // bytes follow the compressed data
	plain    *bufio.Reader
}

// starts are the buffers for the start of a file, which decides how to read it.
var starts = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, 4<<10) }}

// close releases the buffer of a file that was read to its end.
func (in *input) close() {
	if in.plain != nil {
		in.plain.Reset(nil)
		starts.Put(in.plain)
		in.plain = nil
	}
}

// open returns the reader of plain UTF-8. contentType is the value of an HTTP
// header or empty.
func (in *input) open(r io.Reader, contentType string) (io.Reader, error) {
	unpacked, err := in.unpack(counter{r, &in.packed})
	if err != nil {
		return nil, err
	}
	in.plain = starts.Get().(*bufio.Reader)
	in.plain.Reset(limited{unpacked, in})
	head, err := in.plain.Peek(sniffSize)
	if err != nil && err != io.EOF && len(head) == 0 {
		return nil, err
	}
	decoder, skip, err := in.charset(head, contentType)
	if err != nil {
		return nil, err
	}
	if in.mark, err = in.plain.Discard(skip); err != nil {
		return nil, err
	}
	if decoder == nil {
		return in.plain, nil
	}
	return transform.NewReader(in.plain, decoder.NewDecoder()), nil
}

// unpack recognises gzip by its magic bytes (RFC 1952, 2.3.1), since names and
// headers are often wrong.
func (in *input) unpack(src io.Reader) (io.Reader, error) {
	for layer := 0; ; layer++ {
		peeked := bufio.NewReaderSize(src, 16)
		magic, _ := peeked.Peek(2)
		if !isGzip(magic) {
			return peeked, nil
		}
		if layer == maxGzipLayers {
			return nil, &Fault{Kind: FaultNotASitemap, Detail: "compressed more than twice"}
		}
		if layer > 0 {
			in.report(FaultGzipTwice, "")
		}
		buffered := bufio.NewReaderSize(peeked, 64<<10)
		unzip, err := gzip.NewReader(buffered)
		if err != nil {
			return nil, gzipFault(err)
		}
		unzip.Multistream(false)
		in.layers++
		src = &gzipReader{unzip, buffered, in}
	}
}

func isGzip(magic []byte) bool { return len(magic) >= 2 && magic[0] == 0x1f && magic[1] == 0x8b }

// gzipReader reads the members of a gzip file and notices other bytes after the
// last one.
type gzipReader struct {
	unzip    *gzip.Reader
	buffered *bufio.Reader
	in       *input
}

func (g *gzipReader) Read(p []byte) (int, error) {
	n, err := g.unzip.Read(p)
	if err == nil {
		return n, nil
	}
	if err != io.EOF {
		return n, gzipFault(err)
	}
	magic, err := g.buffered.Peek(2)
	if isGzip(magic) {
		if err := g.unzip.Reset(g.buffered); err != nil {
			return n, gzipFault(err)
		}
		g.unzip.Multistream(false)
		return n, nil
	}
	if err != nil && err != io.EOF {
		return n, err
	}
	if len(magic) > 0 {
		g.in.trailing = true
	}
	return n, io.EOF
}

// gzipFault turns the decoder's errors into faults and returns errors of the
// caller's reader as they are.
func gzipFault(err error) error {
	var corrupt flate.CorruptInputError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return &Fault{Kind: FaultGzipTruncated, Err: io.ErrUnexpectedEOF}
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum), errors.As(err, &corrupt):
		return &Fault{Kind: FaultGzipCorrupt, Err: err}
	}
	return err
}

type counter struct {
	src io.Reader
	n   *int64
}

func (c counter) Read(p []byte) (int, error) {
	n, err := c.src.Read(p)
	*c.n += int64(n)
	return n, err
}

// limited ends a stream that exceeds the ceilings.
type limited struct {
	src io.Reader
	in  *input
}

func (m limited) Read(p []byte) (int, error) {
	n, err := m.src.Read(p)
	m.in.inflated += int64(n)
	switch in := m.in; {
	case in.inflated > in.ceilings.Bytes:
		n -= int(min(in.inflated-in.ceilings.Bytes, int64(n)))
		return n, &Fault{Kind: FaultCeilingReached, Detail: "more bytes than allowed after inflating"}
	case in.inflated > ratioCheckedFrom && in.inflated/int64(in.ceilings.Ratio) > in.packed:
		return n, &Fault{
			Kind: FaultCeilingReached, Detail: "inflates to more than allowed for its size", Narrower: FaultInflateRatio,
		}
	}
	return n, err
}
