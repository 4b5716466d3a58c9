package announce

import (
	"maps"
	"slices"
)

// batches collects items for each target until there are enough for a request.
type batches struct {
	size    int
	items   map[string][]Item
	waiting int // items of all targets
}

// maxWaiting is the most items in memory. Then the largest batch is sent.
const maxWaiting = 20_000

func newBatches(size int) batches { return batches{size: size, items: map[string][]Item{}} }

// add adds an item, and returns the target whose batch is to be sent now, if there is one.
func (b *batches) add(target string, item Item) (full string, ok bool) {
	b.items[target] = append(b.items[target], item)
	b.waiting++
	switch {
	case len(b.items[target]) >= b.size:
		return target, true
	case b.waiting >= maxWaiting:
		return b.largest(), true
	}
	return "", false
}

func (b *batches) largest() (target string) {
	for name, items := range b.items {
		if len(items) > len(b.items[target]) {
			target = name
		}
	}
	return target
}

// take removes the batch of a target and returns its items, each URL once.
func (b *batches) take(target string) []Item {
	items := b.items[target]
	b.waiting -= len(items)
	delete(b.items, target)
	seen := make(map[string]bool, len(items))
	return slices.DeleteFunc(items, func(item Item) bool {
		before := seen[item.URL]
		seen[item.URL] = true
		return before
	})
}

// targets returns the targets with a batch, in order.
func (b *batches) targets() []string { return slices.Sorted(maps.Keys(b.items)) }
