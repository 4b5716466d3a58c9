package store

import (
	"encoding/binary"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/sqlite"
)

// TestUnknownKind reads an edge whose kind has a number that no version wrote.
func TestUnknownKind(t *testing.T) {
	for _, number := range []uint64{uint64(len(crawl.EdgeKinds())), 256, 1 << 40} {
		blob := binary.AppendUvarint([]byte{2}, number<<flagBits)
		if edges, err := readEdges(blob, math.MaxInt64); !errors.Is(err, sqlite.ErrDamaged) || len(edges) > 0 {
			t.Errorf("kind %d is read as %v, error %v", number, edges, err)
		}
	}
}

func FuzzEdges(f *testing.F) {
	f.Add(appendEdges(nil, []crawl.Edge{{To: 3, Kind: crawl.EdgeAnchor, Text: "text", Fragment: "f"},
		{To: 1, Kind: crawl.EdgeCanonical}}))
	f.Add([]byte{0x80, 0x80})
	f.Fuzz(func(t *testing.T, blob []byte) {
		edges, err := readEdges(blob, math.MaxInt64)
		if err != nil {
			return
		}
		again, err := readEdges(appendEdges(nil, edges), math.MaxInt64)
		if err != nil || !reflect.DeepEqual(again, edges) {
			t.Errorf("%+v is written and read as %+v, %v", edges, again, err)
		}
	})
}

func TestDamagedLinks(t *testing.T) {
	f := sampleFile(t)
	if err := f.db.Exec("update link set edges = x'0680' where id = 1"); err != nil {
		t.Fatal(err)
	}
	var last error
	for _, err := range f.Edges(t.Context()) {
		last = err
	}
	if !errors.Is(last, sqlite.ErrDamaged) || !strings.Contains(last.Error(), "page 1") {
		t.Errorf("error %v of links that are damaged", last)
	}
	if _, _, err := f.PageByURL("https://example.com/"); !errors.Is(err, sqlite.ErrDamaged) {
		t.Errorf("error %v of a page whose links are damaged", err)
	}
	if _, _, known := f.Lookup("https://example.com/"); known {
		t.Error("recalled a page whose links are damaged")
	}
}
