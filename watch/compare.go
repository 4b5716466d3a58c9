package watch

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"math/bits"
	"slices"
	"time"
)

// perRange is how many entries, on average, are compared at once.
const perRange = 1 << 16

// A comparison finds what changed between the compared and the fetched entries of a
// site. It goes through the keys a range at a time, so that its memory does not grow
// with the site.
type comparison struct {
	ctx       context.Context
	tx        Tx
	site      *Site
	now       time.Time
	documents []Document // all of the site, those included that are to be removed
	removed   map[int64]bool
	silent    bool // new pages of documents of the first pass make no events

	decoded map[blockID][]entry // of the present range
}

type blockID struct {
	document int64
	g        Generation
	number   uint32
}

// An occurrence is an entry of a document that changed, before or after.
type occurrence struct {
	key      key
	digest   uint64
	document *Document
	g        Generation
	number   uint32 // of its block
	index    int    // in the block
}

// changed reports whether the entries of a document differ from the compared ones.
func (c *comparison) changed(d *Document) bool { return d.HasFetched || c.removed[d.ID] }

// run adds the events of all ranges.
func (c *comparison) run() error {
	total, needed := 0, false
	for i := range c.documents {
		if d := &c.documents[i]; c.changed(d) {
			total += d.Entries
			needed = needed || !c.silent || !d.Initial
		}
	}
	if !needed { // no document changed, or all are new and make no events
		return nil
	}
	rangeBits := min(bits.Len(uint(total/perRange)), maxBits)
	size := uint32(1) << (maxBits - rangeBits)
	for first := uint32(0); first < 1<<maxBits; first += size {
		if err := c.ctx.Err(); err != nil {
			return err
		}
		if err := c.compareRange(first, first+size-1); err != nil {
			return err
		}
	}
	return nil
}

// compareRange adds the events of the keys whose first 16 bits are between first and
// last.
func (c *comparison) compareRange(first, last uint32) error {
	c.decoded = map[blockID][]entry{}
	var before, after []occurrence
	for i := range c.documents {
		d := &c.documents[i]
		if !c.changed(d) {
			continue
		}
		var err error
		if before, err = c.occurrences(before, d, Compared, first, last); err != nil {
			return err
		}
		if c.removed[d.ID] {
			continue
		}
		if after, err = c.occurrences(after, d, Fetched, first, last); err != nil {
			return err
		}
	}
	d := split(byKey(before), byKey(after))
	if err := c.findElsewhere(&d); err != nil {
		return err
	}
	events, err := c.events(&d)
	if err != nil {
		return err
	}
	return c.tx.AddEvents(events)
}

// occurrences appends the entries of a document in a range of keys.
func (c *comparison) occurrences(to []occurrence, d *Document, g Generation, first, last uint32) ([]occurrence, error) {
	bitCount := d.bits(g)
	if bitCount < 0 {
		return to, nil
	}
	shift := maxBits - bitCount
	blocks, err := c.tx.Blocks(d.ID, g, first>>shift, last>>shift)
	if err != nil {
		return nil, err
	}
	for _, block := range blocks {
		for i := 0; (i+1)*recordSize <= len(block.Keys); i++ {
			record := block.Keys[i*recordSize:]
			o := occurrence{document: d, g: g, number: block.Number, index: i}
			copy(o.key[:], record)
			if prefix := o.key.prefix(); prefix < first || prefix > last {
				continue
			}
			o.digest = binary.BigEndian.Uint64(record[keySize:])
			to = append(to, o)
		}
	}
	return to, nil
}

// bits returns the number of bits of the block numbers, or -1 without such blocks.
func (d *Document) bits(g Generation) int {
	switch {
	case g == Compared && d.HasCompared:
		return d.ComparedTo
	case g == Fetched && d.HasFetched:
		return d.Bits
	}
	return -1
}

// byKey sorts occurrences by key, and those of a key by when their documents were found.
func byKey(all []occurrence) []occurrence {
	slices.SortFunc(all, func(a, b occurrence) int {
		return cmp.Or(bytes.Compare(a.key[:], b.key[:]), cmp.Compare(a.document.ID, b.document.ID))
	})
	return all
}

// differences are the keys of a range that the changed documents list differently.
type differences struct {
	added, dropped []occurrence
	changed        [][2]occurrence // what was, and what is
	elsewhere      map[key]occurrence
}

// split merges what was and what is.
func split(before, after []occurrence) (d differences) {
	for len(before) > 0 || len(after) > 0 {
		switch c := compareFirst(before, after); {
		case c < 0:
			d.dropped = append(d.dropped, before[0])
			before = before[len(group(before)):]
		case c > 0:
			d.added = append(d.added, after[0])
			after = after[len(group(after)):]
		default:
			was, is := group(before), group(after)
			if other, differs := differing(was, is); differs {
				d.changed = append(d.changed, [2]occurrence{other, is[0]})
			}
			before, after = before[len(was):], after[len(is):]
		}
	}
	return d
}

// compareFirst compares the first keys. An empty list comes last.
func compareFirst(before, after []occurrence) int {
	switch {
	case len(after) == 0:
		return -1
	case len(before) == 0:
		return 1
	}
	return bytes.Compare(before[0].key[:], after[0].key[:])
}

// group returns the occurrences of the first key.
func group(all []occurrence) []occurrence {
	end := 1
	for end < len(all) && all[end].key == all[0].key {
		end++
	}
	return all[:end]
}

// differing reports whether the documents say something else of a page than before, and
// returns what one of them said that is not what the first of them says now. Documents
// that contradicted each other, and still do in the same way, have not changed.
func differing(was, is []occurrence) (occurrence, bool) {
	if slices.EqualFunc(was, is, func(a, b occurrence) bool { return a.digest == b.digest }) {
		return occurrence{}, false
	}
	i := slices.IndexFunc(was, func(o occurrence) bool { return o.digest != is[0].digest })
	if i < 0 {
		return occurrence{}, false
	}
	return was[i], true
}

// findElsewhere finds the added and dropped keys in documents without a change.
func (c *comparison) findElsewhere(in *differences) error {
	keys := make([]key, 0, len(in.added)+len(in.dropped))
	for _, o := range in.added {
		keys = append(keys, o.key)
	}
	for _, o := range in.dropped {
		keys = append(keys, o.key)
	}
	slices.SortFunc(keys, func(a, b key) int { return bytes.Compare(a[:], b[:]) })
	in.elsewhere = map[key]occurrence{}
	for i := range c.documents {
		d := &c.documents[i]
		if c.changed(d) || !d.HasCompared {
			continue
		}
		if err := c.findIn(d, keys, in.elsewhere); err != nil {
			return err
		}
	}
	return nil
}

// findIn finds keys in a document. It reads only the blocks where they can be.
func (c *comparison) findIn(d *Document, keys []key, found map[key]occurrence) error {
	for start := 0; start < len(keys); {
		number := keys[start].block(d.ComparedTo)
		end := start + 1
		for end < len(keys) && keys[end].block(d.ComparedTo) == number {
			end++
		}
		blocks, err := c.tx.Blocks(d.ID, Compared, number, number)
		if err != nil {
			return err
		}
		for _, block := range blocks {
			for _, k := range keys[start:end] {
				index, listed := block.find(&k)
				if _, known := found[k]; !listed || known {
					continue
				}
				found[k] = occurrence{
					key: k, digest: block.digest(index), document: d, g: Compared, number: number, index: index,
				}
			}
		}
		start = end
	}
	return nil
}

// find returns the index of the entry with a key.
func (b *Block) find(k *key) (int, bool) {
	low, high := 0, len(b.Keys)/recordSize
	for low < high {
		middle := (low + high) / 2
		switch c := bytes.Compare(b.Keys[middle*recordSize:middle*recordSize+keySize], k[:]); {
		case c == 0:
			return middle, true
		case c < 0:
			low = middle + 1
		default:
			high = middle
		}
	}
	return 0, false
}

// digest returns the digest of the entry with an index.
func (b *Block) digest(index int) uint64 {
	return binary.BigEndian.Uint64(b.Keys[index*recordSize+keySize:])
}

// events makes the events of a range, in the order of the documents.
func (c *comparison) events(d *differences) ([]Event, error) {
	var found []foundEvent
	for _, o := range d.added {
		if _, listed := d.elsewhere[o.key]; listed || c.silent && o.document.Initial {
			continue
		}
		event, err := c.event(EventNew, &o)
		if err != nil {
			return nil, err
		}
		c.site.New++
		found = append(found, event)
	}
	for _, o := range d.dropped {
		if left, listed := d.elsewhere[o.key]; listed {
			if left.digest != o.digest {
				d.changed = append(d.changed, [2]occurrence{o, left})
			}
			continue
		}
		if o.document.Kind == kindFeed {
			continue
		}
		event, err := c.event(EventGone, &o)
		if err != nil {
			return nil, err
		}
		c.site.Gone++
		found = append(found, event)
	}
	for _, pair := range d.changed {
		was, err := c.entry(&pair[0])
		if err != nil {
			return nil, err
		}
		event, err := c.event(EventChanged, &pair[1])
		if err != nil {
			return nil, err
		}
		c.site.Changed++
		event.Fields = event.entry.differences(was)
		found = append(found, event)
	}
	return inOrder(found), nil
}

// inOrder returns the events in the order of their documents and of the pages in them.
func inOrder(found []foundEvent) []Event {
	slices.SortStableFunc(found, func(a, b foundEvent) int {
		return cmp.Or(cmp.Compare(a.document, b.document), cmp.Compare(a.entry.position, b.entry.position))
	})
	events := make([]Event, len(found))
	for i := range found {
		events[i] = found[i].Event
	}
	return events
}

// A foundEvent is an event and its place.
type foundEvent struct {
	Event
	document int64
	entry    *entry
}

func (c *comparison) event(what EventType, o *occurrence) (foundEvent, error) {
	e, err := c.entry(o)
	if err != nil {
		return foundEvent{}, err
	}
	return foundEvent{
		Event: Event{
			Time: c.now, Site: c.site.Name, Type: what, Loc: e.loc, LastMod: e.lastMod, Sitemap: o.document.URL,
		},
		document: o.document.ID, entry: e,
	}, nil
}

// entry returns what is kept of an occurrence.
func (c *comparison) entry(o *occurrence) (*entry, error) {
	id := blockID{o.document.ID, o.g, o.number}
	entries, known := c.decoded[id]
	if !known {
		blocks, err := c.tx.Blocks(o.document.ID, o.g, o.number, o.number)
		if err != nil {
			return nil, err
		}
		if len(blocks) != 1 {
			return nil, errBlock
		}
		if entries, err = decodeBlock(&blocks[0]); err != nil {
			return nil, err
		}
		c.decoded[id] = entries
	}
	if o.index >= len(entries) {
		return nil, errBlock
	}
	return &entries[o.index], nil
}
