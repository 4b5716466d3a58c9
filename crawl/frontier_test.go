package crawl

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestFrontier compares the queue with a slice. Some URLs are longer than a chunk.
func TestFrontier(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	queue := frontier{disk: diskQueue{folder: t.TempDir()}}
	var want []item
	pop := func() {
		got, ok, err := queue.pop()
		if !ok || err != nil || got != want[0] {
			t.Fatalf("%+v, %t; want %+v", got, ok, want[0])
		}
		want = want[1:]
	}
	for step := range 50_000 {
		// The queue grows, then shrinks, and is empty time and again.
		growing := step/1000%2 == 0
		if len(want) > 0 && (random.IntN(3) == 0) == growing {
			pop()
			continue
		}
		length := random.IntN(200)
		if random.IntN(500) == 0 {
			length = random.IntN(3 * queueChunk)
		}
		i := item{
			id:          ID(step),
			depth:       random.IntN(100),
			redirects:   random.IntN(20),
			chainLength: random.IntN(400),
			role:        Role(random.IntN(3)),
			url:         strings.Repeat(string(rune('u'+random.IntN(3))), length),
		}
		if err := queue.push(i); err != nil {
			t.Fatal(err)
		}
		if want = append(want, i); queue.count != len(want) {
			t.Fatalf("%d items, want %d", queue.count, len(want))
		}
	}
	for step := range 500_000 { // more than fits in memory
		i := item{id: ID(step), url: fmt.Sprintf("https://site.example/%d/usual/page", step)}
		if err := queue.push(i); err != nil {
			t.Fatal(err)
		}
		want = append(want, i)
	}
	if queue.disk.chunks() == 0 {
		t.Error("nothing is on disk")
	}
	for len(want) > 0 {
		pop()
	}
	if err := queue.disk.close(); err != nil {
		t.Error(err)
	}
	if got, ok, _ := queue.pop(); ok || queue.count != 0 {
		t.Fatalf("an empty queue gave %+v and counts %d", got, queue.count)
	}
}

func BenchmarkFrontier(b *testing.B) {
	var queue frontier
	i := item{id: 1_000_000, depth: 3, url: "https://site.example/a/usual/page/of/a/site.html"}
	b.ReportAllocs()
	for b.Loop() {
		queue.push(i)
		queue.pop()
	}
}
