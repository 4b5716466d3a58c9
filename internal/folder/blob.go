package folder

import (
	"bufio"
	"bytes"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// A blobID is the ID by which git names the content of a file.
type blobID struct {
	digest   [sha1.Size]byte // of SHA-256 the beginning
	isSHA256 bool
}

var errObjectID = errors.New("git names an object without an ID")

// parseBlobID parses hexadecimal digits.
func parseBlobID(digits []byte) (id blobID, err error) {
	if !isObjectID(string(digits)) {
		return id, errObjectID
	}
	id.isSHA256 = len(digits) == sha256Digits
	_, err = hex.Decode(id.digest[:], digits[:sha1Digits])
	return id, err
}

// isOf reports whether the ID is that of a content of a size.
func (id blobID) isOf(content io.Reader, size int64) bool {
	var digest hash.Hash
	if id.isSHA256 {
		digest = sha256.New()
	} else {
		digest = sha1.New()
	}
	fmt.Fprintf(digest, "blob %d\x00", size)
	_, err := io.CopyN(digest, content, size)
	return err == nil && bytes.HasPrefix(digest.Sum(nil), id.digest[:])
}

// maxBlob bounds the size of the files that are compared. Larger ones count as changed.
const maxBlob = 256 << 20

// isUnchanged reports whether a regular file is as git keeps it, or differs only by line
// ends CRLF in place of LF. A symbolic link must lead where git keeps that it leads.
func (t *trackedFile) isUnchanged(root *os.Root, name string) bool {
	name = filepath.FromSlash(name)
	if t.isLink {
		if target, err := root.Readlink(name); err == nil {
			target = filepath.ToSlash(target)
			return t.blob.isOf(strings.NewReader(target), int64(len(target)))
		}
	}
	file, err := root.Open(name)
	if err != nil {
		return false
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxBlob {
		return false
	}
	content := func() io.Reader { return io.NewSectionReader(file, 0, info.Size()) }
	if t.blob.isOf(content(), info.Size()) {
		return true
	}
	size, err := io.Copy(io.Discard, newLFReader(content()))
	return err == nil && size < info.Size() && t.blob.isOf(newLFReader(content()), size)
}

// An lfReader reads LF in place of CRLF.
type lfReader struct{ from *bufio.Reader }

func newLFReader(from io.Reader) lfReader { return lfReader{bufio.NewReader(from)} }

// Read implements [io.Reader].
func (r lfReader) Read(p []byte) (n int, err error) {
	for n < len(p) {
		c, err := r.from.ReadByte()
		if err != nil {
			return n, err
		}
		if c == '\r' {
			if next, _ := r.from.Peek(1); string(next) == "\n" {
				continue
			}
		}
		p[n] = c
		n++
	}
	return n, nil
}
