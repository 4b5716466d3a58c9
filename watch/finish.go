package watch

import (
	"cmp"
	"context"
	"slices"
	"time"
)

// finish compares what was fetched with what was known, and stores the events and the
// new state in one step. listed reports whether the pass found where the sitemaps are.
func (v *visit) finish(ctx context.Context, listed bool, now time.Time) error {
	v.learn()
	v.site.Complete = v.isComplete()
	removed := map[int64]bool{}
	if listed && v.canRemove() {
		for address, d := range v.documents {
			if !v.seen[address] && d.ID != 0 {
				removed[d.ID] = true
			}
		}
	}
	return v.w.store.Update(ctx, v.site.Name, func(tx Tx) error {
		if err := v.save(tx); err != nil {
			return err
		}
		documents, err := tx.Documents()
		if err != nil {
			return err
		}
		c := &comparison{
			ctx: ctx, tx: tx, site: v.site, now: now, documents: documents, removed: removed,
			silent: v.w.options.SkipInitial,
		}
		if err := c.run(); err != nil {
			return err
		}
		if err := v.promote(tx, documents, removed); err != nil {
			return err
		}
		v.site.Known = v.site.Known || listed && v.result.answered
		stored, err := tx.Site()
		if err != nil {
			return err
		}
		v.site.Due = stored.Due // since the pass began
		v.w.schedule(v.site, v.site.New+v.site.Changed+v.site.Gone > 0)
		return tx.SetSite(*v.site)
	})
}

// canRemove reports whether all documents were visited that are listed.
func (v *visit) canRemove() bool { return len(v.seen) < maxSitemaps }

// save stores the documents that changed, those that were found first with the lowest
// IDs.
func (v *visit) save(tx Tx) error {
	var addresses []string
	for address := range v.unsaved {
		addresses = append(addresses, address)
	}
	slices.Sort(addresses)
	for _, address := range addresses {
		id, err := tx.SetDocument(*v.documents[address])
		if err != nil {
			return err
		}
		v.documents[address].ID = id
	}
	return nil
}

// promote makes what was fetched the state of the next comparison.
func (v *visit) promote(tx Tx, documents []Document, removed map[int64]bool) error {
	v.site.Documents, v.site.Entries = 0, 0
	var left []Document
	for i := range documents {
		d := &documents[i]
		if removed[d.ID] {
			if err := tx.RemoveDocument(d.ID); err != nil {
				return err
			}
			continue
		}
		if d.HasFetched {
			if err := tx.Promote(d.ID); err != nil {
				return err
			}
			d.HasCompared, d.ComparedTo, d.HasFetched, d.Initial = true, d.Bits, false, false
			if _, err := tx.SetDocument(*d); err != nil {
				return err
			}
		}
		v.site.Documents++
		if d.Kind != kindIndex {
			v.site.Entries += d.Entries
		}
		left = append(left, *d)
	}
	slices.SortFunc(left, func(a, b Document) int { return cmp.Compare(a.URL, b.URL) })
	v.site.Discrepancies = discrepancies(left)
	return nil
}
