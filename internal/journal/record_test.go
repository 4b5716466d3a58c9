package journal

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/crawl/storetest"
)

// TestCommitRecords reads commits back from their records.
func TestCommitRecords(t *testing.T) {
	var reader commitReader
	for i, want := range append(storetest.Sample(), crawl.Commit{}, largeCommit()) {
		records, err := commitRecords(3, &want)
		if err != nil {
			t.Fatal(err)
		}
		for part := range records {
			message := records[part].encode()
			if len(message) > maxMessage+64 {
				t.Errorf("commit %d: a message of %d bytes", i, len(message))
			}
			r, err := decodeRecord(message)
			if err != nil {
				t.Fatal(err)
			}
			got, complete, err := reader.add(&r)
			if err != nil || complete != (part == len(records)-1) {
				t.Fatalf("commit %d, part %d: complete %v, %v", i, part, complete, err)
			}
			if complete && !reflect.DeepEqual(got, want) {
				t.Errorf("commit %d:\n got %+v\nwant %+v", i, got, want)
			}
		}
	}
}

// largeCommit returns a commit that needs several messages.
func largeCommit() (c crawl.Commit) {
	for i := range crawl.ID(40_000) {
		hash := uint64(i) * 0x9e3779b97f4a7c15
		c.Found = append(c.Found, crawl.Link{ID: i + 1, URL: fmt.Sprintf("https://example.com/%x/%x", hash, hash*hash)})
	}
	return c
}

// TestIncompleteCommit drops a commit whose writer lost the log before its last part.
func TestIncompleteCommit(t *testing.T) {
	large := largeCommit()
	records, err := commitRecords(1, &large)
	if err != nil || len(records) < 2 {
		t.Fatal(len(records), err)
	}
	small := storetest.Sample()[0]
	whole, err := commitRecords(1, &small)
	if err != nil {
		t.Fatal(err)
	}
	for name, log := range map[string][]record{
		"takeover":   {records[0], {kind: kindTakeover}, whole[0]},
		"first part": {records[0], whole[0]},
	} {
		var reader commitReader
		complete := 0
		for i := range log {
			_, ok, err := reader.add(&log[i])
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if ok {
				complete++
			}
		}
		if complete != 1 {
			t.Errorf("%s: %d commits", name, complete)
		}
	}
	var reader commitReader
	if _, _, err := reader.add(&records[1]); !errors.Is(err, ErrDamaged) {
		t.Error("the second part alone:", err)
	}
}

// FuzzCommit decodes anything without harm, and encodes what it could decode to the same.
func FuzzCommit(f *testing.F) {
	for _, c := range storetest.Sample() {
		encoded, err := encodeCommit(&c)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(encoded)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := decodeCommit(data)
		if err != nil {
			return
		}
		encoded, err := encodeCommit(&c)
		if err != nil {
			t.Skip(err) // extensions that JSON reads and cannot write
		}
		again, err := decodeCommit(encoded)
		if err != nil || !reflect.DeepEqual(again, c) {
			t.Errorf("%v\n got %+v\nwant %+v", err, again, c)
		}
	})
}

// FuzzRecord reads any message without harm.
func FuzzRecord(f *testing.F) {
	f.Add((&record{kind: kindCommit, part: 1, parts: 1, nonce: 7, body: []byte("x")}).encode())
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := decodeRecord(data)
		if err != nil {
			return
		}
		again, err := decodeRecord(r.encode())
		if err != nil || again.kind != r.kind || again.site != r.site || !bytes.Equal(again.body, r.body) {
			t.Errorf("%v: %+v, %+v", err, again, r)
		}
		var reader commitReader
		_, _, _ = reader.add(&r)
	})
}
