package result

import (
	"context"

	"github.com/mapatools/mapa/internal/compare"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/store"
)

// A LossList is a part of the open losses of a crawl.
type LossList struct {
	Losses []store.Loss      `json:"losses"`
	Counts []store.LossCount `json:"counts"` // of all losses, by kind of change and decision
	Total  int               `json:"total"`  // of the losses of the kind
	Part
}

// Losses returns a part of the open losses, all or those of one kind of change, ordered by URL.
func (r *Result) Losses(ctx context.Context, kind, cursor string, limit int) (*LossList, error) {
	if kind != "" && !compare.Kind(kind).IsLoss() {
		return nil, &FilterError{Name: "kind", Value: kind}
	}
	before, err := numberCursor(cursor)
	if err != nil {
		return nil, err
	}
	list, limit := &LossList{Losses: []store.Loss{}, Counts: []store.LossCount{}}, clampLimit(limit)
	err = r.files.use(ctx, func(file *crawlReader) error {
		counts, err := file.CountLosses(ctx)
		if err != nil {
			return err
		}
		for _, count := range counts {
			if kind == "" || count.Kind == kind {
				list.Total += count.Count
			}
			count.Kind, count.Decision = format.Plain(count.Kind), format.Plain(count.Decision)
			list.Counts = append(list.Counts, count)
		}
		number := int64(0)
		for loss, err := range file.Losses(ctx, kind) {
			if err != nil {
				return err
			}
			if number++; number <= before {
				continue
			}
			loss.URL, loss.Title = format.Plain(loss.URL), format.Plain(loss.Title)
			loss.Kind, loss.Decision = format.Plain(loss.Kind), format.Plain(loss.Decision)
			if list.Losses = append(list.Losses, *loss); len(list.Losses) == limit {
				return nil
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	list.Part = newPart(before, len(list.Losses), list.Total, limit)
	return list, nil
}
