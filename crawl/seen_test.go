package crawl

import (
	"strconv"
	"testing"
	"unsafe"
)

// TestSeenSet compares the set with a map, adding every key twice.
func TestSeenSet(t *testing.T) {
	const keys = 100_000
	set, hasher, ids := &seenSet{}, newKeyHasher(), map[string]ID{}
	for n := range 2 * keys {
		key := "https://site.example/page/" + strconv.Itoa(n*7919%keys)
		next := ID(len(ids) + 1)
		want, known := ids[key]
		if !known {
			want, ids[key] = next, next
		}
		id, added := set.add(hasher.fingerprint([]byte(key)), next)
		if id != want || added == known {
			t.Fatalf("%s: id %d, added %t; want %d, %t", key, id, added, want, !known)
		}
	}
	if len(ids) != keys {
		t.Fatalf("%d keys, want %d", len(ids), keys)
	}
}

// TestSeenSetCollisions adds fingerprints that all hash to one slot.
func TestSeenSetCollisions(t *testing.T) {
	set := &seenSet{}
	const keys = 1000
	for round := range 2 {
		for n := range keys {
			id, added := set.add(fingerprint{high: uint64(n) << 32, low: 255}, ID(n+1))
			if id != ID(n+1) || added != (round == 0) {
				t.Fatalf("round %d, key %d: id %d, added %t", round, n, id, added)
			}
		}
	}
}

func BenchmarkSeenSet(b *testing.B) {
	set, hasher, next := &seenSet{}, newKeyHasher(), ID(1)
	key := make([]byte, 0, 64)
	b.ReportAllocs()
	for b.Loop() {
		key = strconv.AppendInt(append(key[:0], "https://site.example/page/"...), int64(next), 10)
		set.add(hasher.fingerprint(key), next)
		next++
	}
}

// TestSeenSetMemory bounds what a URL costs, at every size of a crawl.
func TestSeenSetMemory(t *testing.T) {
	const most = 30 // bytes
	set, hasher := &seenSet{}, newKeyHasher()
	for n := 1; n <= 300_000; n++ {
		set.add(hasher.fingerprint(strconv.AppendInt(nil, int64(n), 10)), ID(n))
		if n < 100_000 || n%1000 > 0 {
			continue
		}
		slots := 0
		for i := range set.shards {
			slots += len(set.shards[i].slots)
		}
		if bytes := slots * int(unsafe.Sizeof(seenSlot{})) / n; bytes > most {
			t.Fatalf("%d bytes for each of %d URLs, more than %d", bytes, n, most)
		}
	}
}
