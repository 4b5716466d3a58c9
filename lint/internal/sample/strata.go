package sample

import (
	"bytes"
	"path"
)

// stratumOf returns the stratum of a page and its hash inside the stratum. Pages of
// one stratum share the file, the host, the first segment of a path that has more,
// the number of segments, the extension, and the names of parameters. All digits
// count as the same.
func stratumOf(file uint32, loc []byte) (stratum, hash uint64) {
	address, query, _ := bytes.Cut(loc, []byte{'?'})
	h := hashOf(offsetBasis, []byte{byte(file), byte(file >> 8), byte(file >> 16), byte(file >> 24)})
	parts := bytes.SplitN(address, []byte{'/'}, 5) // the scheme, nothing, the host, the first segment, the rest
	last := parts[len(parts)-1]
	for _, part := range parts[:len(parts)-1] {
		for _, c := range part {
			if c >= '0' && c <= '9' {
				c = '0'
			}
			h = hashOf(h, []byte{c})
		}
		h = hashOf(h, []byte{'/'})
	}
	h = hashOf(h, []byte{byte(bytes.Count(last, []byte{'/'}))})
	h = hashOf(h, []byte(path.Ext(string(last[bytes.LastIndexByte(last, '/')+1:]))))
	for parameter := range bytes.SplitSeq(query, []byte{'&'}) {
		name, _, _ := bytes.Cut(parameter, []byte{'='})
		h = hashOf(hashOf(h, name), []byte{'&'})
	}
	return h, mix(hashOf(h, loc))
}

const offsetBasis uint64 = 0xcbf29ce484222325

// hashOf continues the FNV-1a hash.
func hashOf(h uint64, text []byte) uint64 {
	for _, c := range text {
		h = (h ^ uint64(c)) * 0x100000001b3
	}
	return h
}

// mix lets every bit depend on the last bytes.
func mix(h uint64) uint64 {
	h = (h ^ h>>33) * 0xff51afd7ed558ccd
	h = (h ^ h>>33) * 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}
