package crawl

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestCheckQueue compares the queue with a slice for each host: each has at most perHost URLs in
// flight, and gets a second one only when every other host with URLs has one.
func TestCheckQueue(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	const perHost = 3
	queue := newCheckQueue(t.TempDir(), perHost)
	waiting := map[string][]item{}
	inFlight := map[string]int{}
	var taken []item
	count := 0
	pop := func() {
		got, ok, err := queue.pop()
		if err != nil {
			t.Fatal(err)
		}
		open, fresh := 0, 0
		for name, items := range waiting {
			if len(items) > 0 && inFlight[name] < perHost {
				open++
			}
			if len(items) > 0 && inFlight[name] == 0 {
				fresh++
			}
		}
		if ok != (open > 0) {
			t.Fatalf("an item: %t, and %d hosts with room", ok, open)
		}
		if !ok {
			return
		}
		name := got.host.name
		plain := got
		plain.host = nil
		if plain != waiting[name][0] {
			t.Fatalf("%+v, want %+v", plain, waiting[name][0])
		}
		if inFlight[name] > 0 && fresh > 0 {
			t.Fatalf("another item of %s, and %d hosts without one", name, fresh)
		}
		waiting[name] = waiting[name][1:]
		inFlight[name]++
		taken = append(taken, got)
		count--
	}
	end := func() {
		at := random.IntN(len(taken))
		inFlight[taken[at].host.name]--
		queue.end(taken[at].host)
		taken = slices.Delete(taken, at, at+1)
	}
	for step := range 20_000 {
		growing := step/1000%2 == 0
		switch choice := random.IntN(4); {
		case choice == 0 && len(taken) > 0:
			end()
		case growing && choice > 1:
			name := fmt.Sprintf("host%d.example", random.IntN(30))
			i := item{id: ID(step), depth: 1, role: RoleExternal, url: fmt.Sprintf("https://%s/%d", name, step)}
			if err := queue.push(i); err != nil {
				t.Fatal(err)
			}
			waiting[name] = append(waiting[name], i)
			count++
		default:
			pop()
		}
		if queue.count() != count {
			t.Fatalf("%d items, want %d", queue.count(), count)
		}
	}
	for count > 0 || len(taken) > 0 {
		pop()
		if len(taken) > 0 {
			end()
		}
	}
	if queue.bytes != 0 || len(queue.hosts) != 0 {
		t.Errorf("the empty queue has %d hosts of %d bytes", len(queue.hosts), queue.bytes)
	}
}

// TestCheckQueueStays takes some URLs of a host, then of the next one.
func TestCheckQueueStays(t *testing.T) {
	queue := newCheckQueue(t.TempDir(), 2)
	for n := range 40 {
		if err := queue.push(item{url: fmt.Sprintf("http://host%d.example/%d", n%4, n)}); err != nil {
			t.Fatal(err)
		}
	}
	for n := range 40 {
		got, ok, err := queue.pop()
		turn := n / checksInRow
		if turn == 4 {
			turn = (n - 4*checksInRow) / (10 - checksInRow)
		}
		if want := fmt.Sprintf("host%d.example", turn); !ok || err != nil || got.host.name != want {
			t.Fatalf("URL %d: %+v, %t, %v; want one of %s", n, got, ok, err, want)
		}
		queue.end(got.host)
	}
}

// TestCheckQueueBound has more URLs than may be sorted, of one host and of many.
func TestCheckQueueBound(t *testing.T) {
	for _, hosts := range []int{1, 50_000} {
		queue := newCheckQueue(t.TempDir(), 2)
		const urls = 500_000
		for n := range urls {
			if err := queue.push(item{url: fmt.Sprintf("http://host%d.example/a/page/%x", n%hosts, n*1e9)}); err != nil {
				t.Fatal(err)
			}
		}
		for n := range urls {
			got, ok, err := queue.pop()
			if !ok || err != nil {
				t.Fatalf("%d hosts: %d of %d URLs: %v", hosts, n, urls, err)
			}
			if queue.bytes > maxGrouped+hostOverhead+100 || n == 0 && queue.grouped == urls-1 {
				t.Fatalf("%d hosts: %d URLs of %d bytes are sorted", hosts, queue.grouped, queue.bytes)
			}
			queue.end(got.host)
		}
		if err := queue.close(); err != nil {
			t.Error(err)
		}
	}
}
