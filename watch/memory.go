package watch

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// A MemoryStore is a [Store] in memory, for tests and for programs that need no state
// after their end. The zero value is ready to use.
type MemoryStore struct {
	mutex  sync.Mutex
	secret [32]byte // made when first needed
	state  memoryState
	events []Event // pending

	subscriptions map[string]Subscription
}

// memoryState is what a transaction changes. Its values are never changed in place, so
// that a copy of the maps is a copy of the state.
type memoryState struct {
	sites     map[string]Site
	documents map[int64]memoryDocument
	lastID    int64
	lastEvent int64
}

type memoryDocument struct {
	Document
	site   string
	blocks [2][]Block // by generation
}

// NewMemoryStore returns an empty store.
func NewMemoryStore() *MemoryStore { return &MemoryStore{} }

// Key implements [Store].
func (m *MemoryStore) Key(context.Context) ([32]byte, error) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return m.key(), nil
}

func (m *MemoryStore) key() [32]byte {
	if m.secret == [32]byte{} {
		rand.Read(m.secret[:])
	}
	return m.secret
}

// Update implements [Store].
func (m *MemoryStore) Update(ctx context.Context, site string, change func(Tx) error) error {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	tx := &memoryTx{site: site, key: m.key(), memoryState: m.state}
	tx.sites = maps.Clone(m.state.sites)
	tx.documents = maps.Clone(m.state.documents)
	if tx.sites == nil {
		tx.sites, tx.documents = map[string]Site{}, map[int64]memoryDocument{}
	}
	if err := change(tx); err != nil {
		return err
	}
	m.state = tx.memoryState
	m.events = append(m.events, tx.events...)
	return nil
}

// Sites implements [Store].
func (m *MemoryStore) Sites(context.Context) ([]Site, error) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return slices.SortedFunc(maps.Values(m.state.sites), func(a, b Site) int { return cmp.Compare(a.Name, b.Name) }), nil
}

// Pending implements [Store].
func (m *MemoryStore) Pending(_ context.Context, limit int) ([]Event, error) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return slices.Clone(m.events[:min(limit, len(m.events))]), nil
}

// Acknowledge implements [Store].
func (m *MemoryStore) Acknowledge(_ context.Context, id string) error {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	through, err := EventNumber(id)
	if err != nil {
		return err
	}
	m.events = slices.DeleteFunc(m.events, func(e Event) bool {
		number, err := EventNumber(e.ID)
		return err == nil && number <= through
	})
	return nil
}

// Subscriptions implements [Store].
func (m *MemoryStore) Subscriptions(context.Context) ([]Subscription, error) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return slices.SortedFunc(maps.Values(m.subscriptions), func(a, b Subscription) int {
		return cmp.Compare(a.ID, b.ID)
	}), nil
}

// SetSubscription implements [Store].
func (m *MemoryStore) SetSubscription(_ context.Context, s Subscription) error {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.subscriptions == nil {
		m.subscriptions = map[string]Subscription{}
	}
	m.subscriptions[s.ID] = s
	return nil
}

// EventNumber returns the number at the end of an event's ID, which is its place in the
// order of all events of a store. It is for those who implement a [Store].
func EventNumber(id string) (int64, error) {
	_, number, _ := strings.Cut(id, "-")
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is not the ID of an event", id)
	}
	return n, nil
}

// EventID returns the ID of the event with a number in the store with a key. It is for
// those who implement a [Store].
func EventID(key [32]byte, number int64) string {
	return fmt.Sprintf("%x-%d", key[:4], number)
}

// A memoryTx is a transaction of a MemoryStore.
type memoryTx struct {
	memoryState
	site   string
	key    [32]byte
	events []Event
}

func (t *memoryTx) Site() (Site, error) {
	site := t.sites[t.site]
	site.Name = t.site
	return site, nil
}

func (t *memoryTx) SetSite(site Site) error {
	t.sites[t.site] = site
	return nil
}

func (t *memoryTx) Documents() (all []Document, err error) {
	for _, d := range t.documents {
		if d.site == t.site {
			all = append(all, d.Document)
		}
	}
	slices.SortFunc(all, func(a, b Document) int { return cmp.Compare(a.ID, b.ID) })
	return all, nil
}

func (t *memoryTx) SetDocument(d Document) (int64, error) {
	if d.ID == 0 {
		t.lastID++
		d.ID = t.lastID
	}
	kept := t.documents[d.ID]
	kept.Document, kept.site = d, t.site
	t.documents[d.ID] = kept
	return d.ID, nil
}

func (t *memoryTx) RemoveDocument(id int64) error {
	delete(t.documents, id)
	return nil
}

func (t *memoryTx) SetBlocks(id int64, g Generation, blocks []Block) error {
	d := t.documents[id]
	d.blocks[g] = blocks
	t.documents[id] = d
	return nil
}

func (t *memoryTx) Promote(id int64) error {
	d := t.documents[id]
	d.blocks[Compared], d.blocks[Fetched] = d.blocks[Fetched], nil
	t.documents[id] = d
	return nil
}

func (t *memoryTx) Blocks(id int64, g Generation, first, last uint32) ([]Block, error) {
	blocks := t.documents[id].blocks[g]
	search := func(number uint32) int {
		i, _ := slices.BinarySearchFunc(blocks, number, func(b Block, n uint32) int { return cmp.Compare(b.Number, n) })
		return i
	}
	return blocks[search(first):search(last+1)], nil
}

func (t *memoryTx) AddEvents(events []Event) error {
	for _, event := range events {
		t.lastEvent++
		event.ID = EventID(t.key, t.lastEvent)
		t.events = append(t.events, event)
	}
	return nil
}
